"""Models of a user by where they are: ``lightgbm:LGBMClassifier``, ``package.module:Class(depth=3)``, ``file.py:make``.

What stands behind the colon is a class, which is called with the arguments in brackets, or a function that returns an
estimator. Naming one runs its code.
"""

import ast
import importlib.util
import re
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from foldless.errors import BadInput, summary
from foldless.portfolio._catalog import NamedModel

FORM = re.compile(r"(?P<home>[^:()]+):(?P<name>[A-Za-z_][\w.]*)(?:\((?P<arguments>.*)\))?", re.DOTALL)
HOW = "write package.module:Class, package.module:Class(depth=3) or file.py:make_model"
BETWEEN = re.compile(r",(?![^()]*\))")  # commas between names, and not between arguments
QUIET: dict[str, dict[str, Any]] = {
    "catboost": {"verbose": False, "allow_writing_files": False},
    "lightgbm": {"verbosity": -1},
}
"""What packages print by themselves goes into what a command prints; arguments that are typed go first."""


def is_own(name: str) -> bool:
    """Whether a name says where to import a model from, as package.module:Class does, and is none of the catalog."""
    return ":" in name


def separated(text: str) -> list[str]:
    """Names with commas between them."""
    return [name.strip() for name in BETWEEN.split(text)]


def own_model(name: str) -> NamedModel:
    """The model behind a name, made once to see what it is."""
    estimator = _made(name)
    kind = type(estimator)
    if not hasattr(estimator, "fit") or not hasattr(estimator, "get_params") or isinstance(estimator, type):
        raise BadInput(
            f"{name} is a {kind.__name__}, and no scikit-learn estimator: let it return an object with fit, predict "
            f"and get_params",
            value=name,
        )
    from sklearn.base import clone, is_regressor

    return NamedModel(name, "values" if is_regressor(estimator) else "one view", lambda: clone(estimator), {})


def reads_columns(estimator: Any) -> bool:
    """Whether an estimator prepares the columns by itself: a pipeline that begins with a ColumnTransformer."""
    steps: Any = getattr(estimator, "steps", ())
    return bool(steps) and type(steps[0][1]).__name__ == "ColumnTransformer"


def _made(name: str) -> Any:
    form = FORM.fullmatch(name.strip())
    if form is None:
        raise BadInput(f"{name!r} does not say where a model is: {HOW}", value=name)
    arguments = _arguments(name, form["arguments"])
    module = _of_file(name, form["home"]) if form["home"].endswith(".py") else _of_package(name, form["home"])
    try:
        target: Any = module
        for part in form["name"].split("."):
            target = getattr(target, part)
    except AttributeError:
        there = [each for each in vars(module) if not each.startswith("_") and callable(getattr(module, each))]
        shown = f": it has {', '.join(there[:8])}" if there else ""
        raise BadInput(f"there is no {form['name']} in {form['home']}{shown}", value=name) from None
    if not callable(target):
        return target
    quiet = QUIET.get(getattr(target, "__module__", "").partition(".")[0], {}) if isinstance(target, type) else {}
    try:
        return target(**{**quiet, **arguments})
    except Exception as error:  # code of a user fails in its own way
        raise BadInput(f"{name} cannot be made ({summary(error)}): check its arguments", value=name) from error


def _arguments(name: str, text: str | None) -> dict[str, Any]:
    """Arguments by name whose values are numbers, words in quotes, lists, True, False or None."""
    if not text or not text.strip():
        return {}
    try:
        call = ast.parse(f"f({text})", mode="eval").body
        if not isinstance(call, ast.Call) or call.args or any(keyword.arg is None for keyword in call.keywords):
            raise ValueError(text)
        return {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
    except (SyntaxError, ValueError) as error:
        raise BadInput(
            f"the arguments of {name!r} are not name=value with plain values: write Class(depth=3, loss='log_loss')",
            value=name,
        ) from error


def _of_package(name: str, home: str) -> ModuleType:
    try:
        return import_module(home)
    except ImportError as error:
        missing = getattr(error, "name", None) or home
        raise BadInput(
            f"{home} cannot be imported ({summary(error)}): install {missing.partition('.')[0]}, or check the name of "
            f"{name}",
            value=name,
        ) from error
    except Exception as error:  # code of a user fails in its own way
        raise BadInput(f"{home} cannot be imported ({summary(error)})", value=name) from error


def _of_file(name: str, home: str) -> ModuleType:
    """The module in a file. Workers are given its code with what they fit: they could not import it."""
    path = Path(home)
    if not path.is_file():
        raise BadInput(
            f"there is no file {home}, of which {name} is to be a part: check the name and the folder", value=name
        )
    known = f"foldless_model_{re.sub(r'[^0-9A-Za-z_]', '_', str(path.resolve().with_suffix('')))}"
    if known in sys.modules:
        return sys.modules[known]
    spec = importlib.util.spec_from_file_location(known, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[known] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # code of a user fails in its own way
        del sys.modules[known]
        raise BadInput(f"{home} cannot be run ({type(error).__name__}: {error})", value=name) from error
    for pickler in ("cloudpickle", "joblib.externals.cloudpickle"):  # releases of joblib differ in whose they use
        with suppress(ImportError):
            import_module(pickler).register_pickle_by_value(module)
    return module
