"""The learners of streams by name, and what `train` makes of a name or of an estimator."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from foldless.errors import BadInput, SetArgument
from foldless.io._atomic import reason
from foldless.learners.online import NEMSIS, SCAN, OnePassMiniBatch
from foldless.saving.model_files import plain_value

LEARNERS: Mapping[str, Any] = {"nemsis": NEMSIS, "scan": SCAN, "one-pass": OnePassMiniBatch}
DEFAULT = "nemsis"
MEASURES = {"nemsis": "bakld", "scan": "cq_reward", "one-pass": "kld"}
FIXED = ("measure", "passes", "shuffle", "random_state")  # a stream is read once, in its order


class Learner(NamedTuple):
    """A classifier with ``partial_fit``, its name, and its parameters as plain data, the measure among them."""

    estimator: Any
    name: str
    params: dict[str, Any]


def learner_of(learner: Any, measure: Any, params: Mapping[str, Any] | None, seed: int) -> Learner:
    """The learner that a name or an estimator stands for; an estimator is copied."""
    if not isinstance(learner, str):
        return _copied(learner, measure, params, seed)
    if learner not in LEARNERS:
        near = get_close_matches(learner, LEARNERS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"use {', '.join(map(repr, LEARNERS))}, or an estimator"
        raise BadInput(f"learner {learner!r} is not known", value=learner, place="learner", remedy=hint)
    measure = MEASURES[learner] if measure is None else measure
    settings = {"measure": measure.replace("-", "_") if isinstance(measure, str) else measure, **(params or {})}
    return Learner(make(learner, settings), learner, _plain(settings))


def make(name: str, params: Mapping[str, Any]) -> Any:
    known = LEARNERS[name]().get_params()
    for key in params:
        if key != "measure" and (key not in known or key in FIXED):
            usable = [other for other in known if other not in FIXED]
            near = get_close_matches(key, usable, n=1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise BadInput(
                f"{key} is not a parameter of {name} on a stream",
                value=key, place="params", remedy=f"{hint}there are {', '.join(usable)}",
            )  # fmt: skip
    learner = LEARNERS[name](**params)
    try:
        LEARNERS[name](**params).partial_fit(np.zeros((2, 1)), [0, 1], classes=[0, 1])
    except BadInput:
        raise
    except (TypeError, ValueError) as error:  # scikit-learn's own words about a value
        raise BadInput(
            f"{name} cannot use the value of a parameter ({reason(error)})",
            place="params", remedy=SetArgument("params", to="give it another value"),
        ) from error  # fmt: skip
    return learner


def _copied(estimator: Any, measure: Any, params: Mapping[str, Any] | None, seed: int) -> Learner:
    if params:
        raise BadInput("params= are for learners by name", place="params", remedy="set them on the estimator")
    if not all(hasattr(estimator, method) for method in ("partial_fit", "predict", "get_params")):
        raise BadInput(
            f"learner must be a name or a classifier with partial_fit, got {estimator!r}",
            value=estimator, place="learner", remedy=f"use {', '.join(map(repr, LEARNERS))}",
        )  # fmt: skip
    estimator = clone(estimator)
    settings = estimator.get_params(deep=False)
    name = next((name for name, kind in LEARNERS.items() if type(estimator) is kind), type(estimator).__name__)
    if "measure" in settings and measure is not None:
        raise BadInput("measure= is for learners by name", place="measure", remedy="set it on the estimator")
    if settings.get("random_state", 0) is None:
        estimator.set_params(random_state=seed)  # a run that is resumed must draw as one that was not
    default = type(estimator)().get_params(deep=False) if name in LEARNERS else {}
    changed = {key: value for key, value in settings.items() if key not in default or repr(value) != repr(default[key])}
    measure = settings.get("measure", measure or MEASURES[DEFAULT])
    return Learner(estimator, name, _plain({**changed, "measure": measure}))


def _plain(params: Mapping[str, Any]) -> dict[str, Any]:
    return {key: plain_value(value) for key, value in params.items()}
