"""The models that have a name on the command line, with the grid each has when none is typed.

A candidate is a Pipeline: the preparation of the columns, which is the same for all points of a model's grid and so is
fitted once per training set, and then the model. The linear ones are solved along the whole path of C at once, and
kernel machines share the Gram matrix of a training set at all C; the preparation is fitted anew in each fold, so folds
do not share it.

Those for few labels learn from the pool too, and so does their preparation. Learners of two views get each view
prepared on its own, as halves of the columns.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.semi_supervised import LabelPropagation, LabelSpreading, SelfTrainingClassifier

from foldless.cli import grids
from foldless.data.columns import Columns, transformer
from foldless.errors import BadInput
from foldless.learners import (
    CoRegularizedLogisticRegression,
    CoTraining,
    GPCoTraining,
    KernelSVC,
    LinearSVC,
    LogisticRegression,
    ManifoldGP,
)
from foldless.learners.co_training.two_views import Halves

STEP, INNER = "model", "estimator"
UNTYPED = {"views", INNER, f"{INNER}1", f"{INNER}2", "per_round"}  # no word on the command line says what they are
DECADES = (1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3)
WIDTHS = (0.1, 1.0, 10.0)  # for scaled columns: below, all rows are near to each other


@dataclass(frozen=True, eq=False)
class Model:
    """A classifier, its default grid, and what it wants of its features."""

    classifier: Any
    grid: Mapping[str, Sequence[Any]]
    nonnegative: bool = False
    dense: bool = False


MODELS: Mapping[str, Model] = {
    "linear-svc": Model(LinearSVC(max_iter=10_000), {"C": DECADES}),
    "logistic-regression": Model(LogisticRegression(max_iter=10_000), {"C": DECADES}),
    "svc": Model(KernelSVC(), {"C": (0.1, 1.0, 10.0, 100.0), "gamma": ("scale", 0.001, 0.01, 0.1)}),
    "random-forest": Model(
        RandomForestClassifier(n_estimators=200), {"max_features": ("sqrt", 0.3), "min_samples_leaf": (1, 2, 5)}
    ),
    "gradient-boosting": Model(
        HistGradientBoostingClassifier(min_samples_leaf=5),
        {"learning_rate": (0.03, 0.1, 0.3), "min_samples_leaf": (3, 20)},
        dense=True,
    ),
    "nearest-neighbors": Model(
        KNeighborsClassifier(), {"n_neighbors": (1, 3, 5, 9), "weights": ("uniform", "distance")}
    ),
    "naive-bayes": Model(MultinomialNB(), {"alpha": (0.001, 0.01, 0.1, 1.0, 10.0)}, nonnegative=True),
    "manifold-gp": Model(ManifoldGP(), {"ratio": (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)}),
    "label-spreading": Model(LabelSpreading(max_iter=1000), {"gamma": WIDTHS}),
    "label-propagation": Model(LabelPropagation(max_iter=1000), {"gamma": WIDTHS}),
    "self-training": Model(
        SelfTrainingClassifier(LogisticRegression(max_iter=10_000)),
        {"C": (0.01, 0.1, 1.0, 10.0, 100.0), "threshold": (0.75, 0.9)},
    ),
}
TWO_VIEWS: Mapping[str, Model] = {
    "gp-co-training": Model(GPCoTraining(), {"sigma1": (100.0, 1.0, 0.01), "sigma2": (100.0, 1.0, 0.01)}),
    "co-training": Model(CoTraining(), {"l1": (0.1, 0.01, 0.001), "l2": (0.1, 0.01, 0.001)}),
    "co-regularized": Model(
        CoRegularizedLogisticRegression(), {"lam": (0.1, 0.01, 0.001), "mu": (0.0, 0.01, 1.0, 100.0)}
    ),
}
NAMES = (*MODELS, *TWO_VIEWS)


def candidates(
    names: Sequence[str], typed: Sequence[str], columns: Columns, views: Sequence[Sequence[str]] = ()
) -> dict[str, tuple[Pipeline, Any]]:
    """The chosen models behind their preparation, each with the grid typed for it or its own."""
    chosen = {name: {**MODELS, **TWO_VIEWS}[name] for name in names}
    given = grids.assign(typed, {name: _parameters(model) for name, model in chosen.items()})
    return {
        name: _candidate(name, model, given.get(name, model.grid), columns, views if name in TWO_VIEWS else ())
        for name, model in chosen.items()
    }


def plain(params: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The model and the parameters of a candidate, as they are typed."""
    keys = [key for key in params if key != "estimator"]
    return params["estimator"], {_typed(key.removeprefix(f"{STEP}__"), params): params[key] for key in keys}


def _candidate(
    name: str, model: Model, grid: Mapping[str, Sequence[Any]], columns: Columns, views: Sequence[Sequence[str]]
) -> tuple[Pipeline, dict[str, list[Any]]]:
    if model.dense and (text := columns.of("text")):
        raise BadInput(
            f"{name} cannot read the text column {text[0]!r}: choose another model, or leave the column out with --drop"
        )
    parts = [replace(columns, kinds={column: columns.kinds[column] for column in view}) for view in views] or [columns]
    prepared = [transformer(part, nonnegative=model.nonnegative, dense=model.dense) for part in parts]
    preparation = Halves(*prepared) if views else prepared[0]
    pipeline = Pipeline([("columns", preparation), (STEP, clone(model.classifier))])
    known = model.classifier.get_params()
    full = {key: key if key in known else f"{INNER}__{key}" for key in grid}
    return pipeline, {f"{STEP}__{full[key]}": list(values) for key, values in grid.items()}


def _parameters(model: Model) -> dict[str, Any]:
    """The parameters that can be typed, with their defaults; those of a classifier inside have their own names."""
    known = model.classifier.get_params()
    whole = {key: value for key, value in known.items() if key not in UNTYPED}
    return {key.removeprefix(f"{INNER}__"): value for key, value in whole.items()} | whole


def _typed(key: str, params: Mapping[str, Any]) -> str:
    """A parameter without the classifier that it is inside of, where another has not that name."""
    short = key.removeprefix(f"{INNER}__")
    return key if f"{STEP}__{short}" in params else short
