"""scikit-learn's own tests of its searches, taken from the installed package with the searches replaced."""

import csv
import importlib.util
import inspect
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import sklearn
import sklearn.model_selection
import sklearn.model_selection._search
from sklearn_suite import shim

NAMES = ("GridSearchCV", "RandomizedSearchCV")
TABLE = Path(__file__).with_name("not_passing.csv")
with TABLE.open(encoding="utf-8") as file:
    NOT_PASSING = {(row["file"], row["test"]): row for row in csv.DictReader(file)}


@contextmanager
def replaced() -> Iterator[None]:
    """Imports from scikit-learn give the shims."""
    places = (sklearn.model_selection, sklearn.model_selection._search)
    own = [(place, name, getattr(place, name)) for place in places for name in NAMES]
    for place, name, _ in own:
        setattr(place, name, getattr(shim, name))
    try:
        yield
    finally:
        for place, name, value in own:
            setattr(place, name, value)


def module(path: str) -> ModuleType:
    """A file of tests of the installed scikit-learn, imported once more, in which searches are the shims."""
    name = "borrowed_" + path.removesuffix(".py").replace("/", "_")
    spec = importlib.util.spec_from_file_location(name, Path(sklearn.__file__).parent / path)
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[name] = loaded  # classes of the tests are pickled by their module
    with replaced(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        spec.loader.exec_module(loaded)
    return loaded


def borrowed_from(path: str) -> dict[str, Any]:
    """The test functions of a file."""
    found = {name: value for name, value in vars(module(path)).items() if name.startswith("test_") and callable(value)}
    for test in found.values():
        marks = getattr(test, "pytestmark", [])
        marks[:] = [_listed(mark) for mark in marks]
    return found


def _listed(mark: Any) -> Any:
    """A mark whose values are a list: pytest warns of generators."""
    if mark.name != "parametrize" or isinstance(mark.args[1], list | tuple):
        return mark
    return pytest.mark.parametrize(mark.args[0], list(mark.args[1]), *mark.args[2:], **mark.kwargs).mark


def uses_search(item: Any) -> bool:
    """Whether a test is about one of the two searches: in its code, or in what it is called with."""
    called_with = getattr(getattr(item, "callspec", None), "params", {})
    if any(_is_search(value) for value in called_with.values()) or any(name in item.name for name in NAMES):
        return "Halving" not in item.name
    if "search" in repr(called_with).lower():  # another one
        return False
    return any(f"{name}(" in inspect.getsource(item.function) for name in (*NAMES, "SearchCV"))


def _is_search(value: Any) -> bool:
    kinds = (shim.GridSearchCV, shim.RandomizedSearchCV)
    if isinstance(value, dict):
        return any(map(_is_search, value.values()))
    if isinstance(value, type):
        return issubclass(value, kinds)
    return isinstance(value, kinds)
