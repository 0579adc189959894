"""Candidates from estimators and grids: what criteria may know of each, and the estimator to clone for its fits."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from inspect import signature
from itertools import takewhile
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone, is_regressor
from sklearn.utils import get_tags

from foldless.core import Candidate, Response
from foldless.errors import BadInput

METHODS: dict[Response, str] = {
    "probabilities": "predict_proba",
    "scores": "decision_function",
    "evidence": "log_marginal_likelihood",
}


class WrongGrid(BadInput, TypeError):
    """A grid of the wrong type."""


@dataclass(frozen=True, eq=False)
class Recipe:
    """An unfitted estimator with its parameters set, the grid point they came from, and the base it was made of."""

    estimator: Any
    params: Mapping[str, Any]
    base: int


def build(
    estimator: Any, param_grid: Any, n_iter: int | None, seed: int, drawn_by: Any = None
) -> tuple[tuple[Candidate, ...], tuple[Recipe, ...]]:
    """All candidates of a search, in the order of ParameterGrid, or as RandomizedSearchCV draws them with a seed."""
    candidates: list[Candidate] = []
    recipes: list[Recipe] = []
    for base, (name, prototype, grid) in enumerate(_entries(estimator, param_grid)):
        for point in _points(grid, n_iter, seed if drawn_by is None else drawn_by):
            configured = _set(prototype, point, seed)
            params = dict(point) if name is None else {"estimator": name, **point}
            label = ", ".join(f"{key}={_short(value)}" for key, value in _brief(point).items())
            title = label or type(prototype).__name__
            if name is not None:
                title = f"{name}({label})" if label else name
            semi_supervised = not is_regressor(configured) and is_semi_supervised(configured)
            candidates.append(Candidate(len(candidates), title, params, _responses(configured), semi_supervised))
            recipes.append(Recipe(configured, dict(point), base))
    return tuple(candidates), tuple(recipes)


def is_semi_supervised(estimator: Any) -> bool:
    """Whether fit takes unlabeled rows marked −1: scikit-learn's three, or a class with ``semi_supervised = True``."""
    last = last_step(estimator)
    known = ("SelfTrainingClassifier", "LabelPropagation", "LabelSpreading")
    return is_of_scikit_learn(last, known) or bool(getattr(last, "semi_supervised", False))


def wants_codes(estimator: Any) -> bool:
    """Whether fit takes 0, 1, … for classes and nothing else: XGBoost's classifiers, also inside another estimator."""
    if "xgboost" not in sys.modules:  # an object of a class needs the module of the class
        return False
    last = last_step(estimator)
    every = [last, *(last.get_params(deep=True).values() if hasattr(last, "get_params") else ())]
    return any(kind.__module__.partition(".")[0] == "xgboost" for each in every for kind in type(each).__mro__)


def is_of_scikit_learn(estimator: Any, names: tuple[str, ...]) -> bool:
    """Whether it is one of these semi-supervised classifiers, or derived from one; none is imported for the answer."""
    module = sys.modules.get("sklearn.semi_supervised")  # an object of a class needs the module of the class
    return module is not None and isinstance(estimator, tuple(getattr(module, name) for name in names))


def is_pipeline(estimator: Any, *, exactly: bool = False) -> bool:
    """Whether it is a Pipeline, ``exactly`` that or of a derived class."""
    module = sys.modules.get("sklearn.pipeline")  # an object of a class needs the module of the class
    if module is None:
        return False
    return type(estimator) is module.Pipeline if exactly else isinstance(estimator, module.Pipeline)


def last_step(estimator: Any) -> Any:
    """The learner at the end of a pipeline, or the estimator itself."""
    return estimator.steps[-1][1] if is_pipeline(estimator) else estimator


def owner_of(estimator: Any, method: str) -> Any:
    """What has the method of a response: a pipeline has all but the evidence, which is that of its last step."""
    return last_step(estimator) if method == METHODS["evidence"] else estimator


def check_classifiers(estimator: Any) -> None:
    """Refuse estimators that say they are something else than a classifier or a regressor."""
    for base in checked_bases(estimator):
        kind = get_tags(base).estimator_type if hasattr(base, "__sklearn_tags__") else None
        if kind not in (None, "classifier", "regressor"):
            article = "an" if kind[0] in "aeiou" else "a"
            raise BadInput(
                f"foldless chooses among classifiers or regressors here, and {base!r} is {article} "
                f"{kind.replace('_', ' ')}: FoldlessSearch(criterion='k_fold') can cross-validate it"
            )


def bases(estimator: Any) -> list[Any]:
    """The estimators behind a search's ``estimator`` argument."""
    if isinstance(estimator, list | tuple | set):
        raise BadInput(
            "several estimators are a dict with a name for each, as in {'svm': LinearSVC(), 'bayes': (GaussianNB(), "
            f"grid)}}, got a {type(estimator).__name__}",
            value=estimator,
        )
    if not isinstance(estimator, Mapping):
        return [estimator]
    return [pair[0] if isinstance(pair, tuple) else pair for pair in estimator.values()]


def checked_bases(estimator: Any) -> list[Any]:
    """The same, each of which is one: a class or a name, as on the command line, is none."""
    every = bases(estimator)
    for base in every:
        _check_estimator(base)
    return every


def _entries(estimator: Any, param_grid: Any) -> list[tuple[str | None, Any, Any]]:
    if not isinstance(estimator, Mapping):
        _check_estimator(estimator)
        return [(None, estimator, param_grid)]
    if param_grid is not None:
        raise BadInput("with several estimators each brings its grid, {'svm': (estimator, grid)}: leave param_grid out")
    if not estimator:
        raise BadInput("no estimator was given: pass at least one, for example {'svm': (LinearSVC(), {'C': [1, 10]})}")
    entries: list[tuple[str | None, Any, Any]] = []
    for name, pair in estimator.items():
        prototype, grid = pair if isinstance(pair, tuple) and len(pair) == 2 else (pair, None)
        _check_estimator(prototype)
        entries.append((str(name), prototype, grid))
    return entries


def are_regressors(estimator: Any) -> bool:
    """Whether a search's estimators predict values; regressors and classifiers are not compared with each other."""
    every = checked_bases(estimator)
    regressors = [base for base in every if is_regressor(base)]
    if regressors and len(regressors) < len(every):
        other = next(base for base in every if base not in regressors)
        raise BadInput(
            f"{regressors[0]!r} is a regressor and {other!r} is not: choose among regressors or among classifiers"
        )
    return bool(regressors)


def _check_estimator(estimator: Any) -> None:
    if not hasattr(estimator, "fit") or not hasattr(estimator, "get_params") or isinstance(estimator, type):
        raise BadInput(f"a candidate must be a scikit-learn classifier or regressor object, got {estimator!r}")


def _points(grid: Any, n_iter: int | None, seed: Any) -> list[dict[str, Any]]:
    if grid is None or grid == {} or grid == []:
        return [{}]
    from sklearn.model_selection import ParameterGrid, ParameterSampler

    try:
        if n_iter is not None:
            return list(ParameterSampler(grid, n_iter, random_state=seed))
        return list(ParameterGrid(grid))
    except (TypeError, ValueError) as error:
        grids = [each for each in (grid if isinstance(grid, list) else [grid]) if isinstance(each, Mapping)]
        drawn = [key for each in grids for key, values in each.items() if hasattr(values, "rvs")]
        if drawn and n_iter is None:
            raise BadInput(f"{drawn[0]!r} is a distribution: pass n_iter=, the number of candidates to draw") from error
        kind = WrongGrid if isinstance(error, TypeError) else BadInput
        raise kind(f"param_grid cannot be used: {error}") from error


def _set(prototype: Any, point: Mapping[str, Any], seed: int) -> Any:
    """A clone with its grid point set, and seeded where it has no seed of its own."""
    configured = clone(prototype)
    known = {**signature(type(prototype)).parameters, **configured.get_params(deep=True)}  # CatBoost hides defaults
    for key in point:
        if key.split("__")[0] not in known and key not in known:
            of_steps = [name for name in known if name.endswith(f"__{key}")]  # a parameter of a step of the pipeline
            near = of_steps or get_close_matches(key, list(known), n=3) or sorted(known)[:8]
            raise BadInput(
                f"unknown grid key {key!r}: {type(prototype).__name__} has no such parameter; try {', '.join(near)}"
            )
    try:
        configured.set_params(**clone(dict(point), safe=False))
    except (ValueError, TypeError, AttributeError) as error:
        raise BadInput(f"unknown grid key in {dict(point)!r}: {error}") from error
    unseeded = {
        key: seed
        for key, value in configured.get_params(deep=True).items()
        if (key == "random_state" or key.endswith("__random_state")) and value is None
    }
    return configured.set_params(**unseeded) if unseeded else configured


def _responses(estimator: BaseEstimator) -> frozenset[Response]:
    able = [response for response, method in METHODS.items() if hasattr(owner_of(estimator, method), method)]
    if is_regressor(estimator):
        return frozenset({"values", *(response for response in able if response == "evidence")})
    return frozenset({"labels", *able})


def _brief(point: Mapping[str, Any]) -> dict[str, Any]:
    """Grid keys without the names of the steps they belong to, or of those that all share, so that they differ."""
    last = {key.split("__")[-1]: value for key, value in point.items()}
    if len(last) == len(point):
        return last
    steps = zip(*(key.split("__")[:-1] for key in point), strict=False)
    n_shared = len(list(takewhile(lambda step: len(set(step)) == 1, steps)))
    return {"__".join(key.split("__")[n_shared:]): value for key, value in point.items()}


def _short(value: Any) -> str:
    if isinstance(value, float | np.floating):
        return f"{value:g}"
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
