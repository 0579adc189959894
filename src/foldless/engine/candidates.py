"""Candidates from estimators and grids: what criteria may know of each, and the estimator to clone for its fits."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import takewhile
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone, is_regressor

from foldless.core import Candidate, Response
from foldless.errors import BadInput

METHODS: dict[Response, str] = {
    "probabilities": "predict_proba",
    "scores": "decision_function",
    "evidence": "log_marginal_likelihood",
}


@dataclass(frozen=True, eq=False)
class Recipe:
    """An unfitted estimator with its parameters set, the grid point they came from, and the base it was made of."""

    estimator: Any
    params: Mapping[str, Any]
    base: int


def build(
    estimator: Any, param_grid: Any, n_iter: int | None, seed: int
) -> tuple[tuple[Candidate, ...], tuple[Recipe, ...]]:
    """All candidates of a search, in the order of ParameterGrid."""
    candidates: list[Candidate] = []
    recipes: list[Recipe] = []
    for base, (name, prototype, grid) in enumerate(_entries(estimator, param_grid)):
        for point in _points(grid, n_iter, seed):
            configured = _set(prototype, point, seed)
            params = dict(point) if name is None else {"estimator": name, **point}
            label = ", ".join(f"{key}={_short(value)}" for key, value in _brief(point).items())
            title = label or type(prototype).__name__
            if name is not None:
                title = f"{name}({label})" if label else name
            candidates.append(
                Candidate(len(candidates), title, params, _responses(configured), is_semi_supervised(configured))
            )
            recipes.append(Recipe(configured, dict(point), base))
    return tuple(candidates), tuple(recipes)


def is_semi_supervised(estimator: Any) -> bool:
    """Whether fit takes unlabeled rows marked −1: scikit-learn's three, or a class with ``semi_supervised = True``."""
    last = last_step(estimator)
    known = ("SelfTrainingClassifier", "LabelPropagation", "LabelSpreading")
    return is_of_scikit_learn(last, known) or bool(getattr(last, "semi_supervised", False))


def is_of_scikit_learn(estimator: Any, names: tuple[str, ...]) -> bool:
    """Whether it is one of these semi-supervised classifiers, or derived from one; none is imported for the answer."""
    module = sys.modules.get("sklearn.semi_supervised")  # an object of a class needs the module of the class
    return module is not None and isinstance(estimator, tuple(getattr(module, name) for name in names))


def is_pipeline(estimator: Any, *, exactly: bool = False) -> bool:
    """Whether it is a Pipeline, ``exactly`` that or of a derived class; it is not imported for the answer."""
    module = sys.modules.get("sklearn.pipeline")
    if module is None:
        return False
    return type(estimator) is module.Pipeline if exactly else isinstance(estimator, module.Pipeline)


def last_step(estimator: Any) -> Any:
    """The learner at the end of a pipeline, or the estimator itself."""
    return estimator.steps[-1][1] if is_pipeline(estimator) else estimator


def owner_of(estimator: Any, method: str) -> Any:
    """What has the method of a response: a pipeline has all but the evidence, which is that of its last step."""
    return last_step(estimator) if method == METHODS["evidence"] else estimator


def bases(estimator: Any) -> list[Any]:
    """The estimators behind a search's ``estimator`` argument."""
    if not isinstance(estimator, Mapping):
        return [estimator]
    return [pair[0] if isinstance(pair, tuple) else pair for pair in estimator.values()]


def _entries(estimator: Any, param_grid: Any) -> list[tuple[str | None, Any, Any]]:
    if not isinstance(estimator, Mapping):
        _check_classifier(estimator)
        return [(None, estimator, param_grid)]
    if param_grid is not None:
        raise BadInput("with several estimators each brings its grid, {'svm': (estimator, grid)}: leave param_grid out")
    if not estimator:
        raise BadInput("no estimator was given: pass at least one, for example {'svm': (LinearSVC(), {'C': [1, 10]})}")
    entries: list[tuple[str | None, Any, Any]] = []
    for name, pair in estimator.items():
        prototype, grid = pair if isinstance(pair, tuple) and len(pair) == 2 else (pair, None)
        _check_classifier(prototype)
        entries.append((str(name), prototype, grid))
    return entries


def _check_classifier(estimator: Any) -> None:
    if not hasattr(estimator, "fit") or not hasattr(estimator, "get_params") or isinstance(estimator, type):
        raise BadInput(f"a candidate must be a scikit-learn classifier object, got {estimator!r}")
    if is_regressor(estimator):
        raise BadInput(f"foldless chooses among classifiers, and {estimator!r} is a regressor")


def _points(grid: Any, n_iter: int | None, seed: int) -> list[dict[str, Any]]:
    if grid is None or grid == {} or grid == []:
        return [{}]
    from sklearn.model_selection import ParameterGrid, ParameterSampler  # with metrics, which are slow to import

    try:
        if n_iter is not None:
            return list(ParameterSampler(grid, n_iter, random_state=seed))
        return list(ParameterGrid(grid))
    except (TypeError, ValueError) as error:
        drawn = [key for each in (grid if isinstance(grid, list) else [grid]) for key in _distributions(each)]
        if drawn and n_iter is None:
            raise BadInput(f"{drawn[0]!r} is a distribution: pass n_iter=, the number of candidates to draw") from error
        raise BadInput(f"param_grid cannot be used: {error}") from error


def _distributions(grid: Any) -> list[str]:
    return [key for key, values in grid.items() if hasattr(values, "rvs")] if isinstance(grid, Mapping) else []


def _set(prototype: Any, point: Mapping[str, Any], seed: int) -> Any:
    """A clone with its grid point set, and seeded where it has no seed of its own."""
    configured = clone(prototype)
    known = configured.get_params(deep=True)
    for key in point:
        if key.split("__")[0] not in known and key not in known:
            near = get_close_matches(key, list(known), n=3) or sorted(known)[:8]
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
    able = (response for response, method in METHODS.items() if hasattr(owner_of(estimator, method), method))
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
