"""The models that have a name on the command line, with the grid each has when none is typed.

A candidate is a Pipeline: the preparation of the columns, which is the same for all points of a model's grid and so is
fitted once per training set, and then the model. The linear ones are solved along the whole path of C at once, and
kernel machines share the Gram matrix of a training set at all C; the preparation is fitted anew in each fold, so folds
do not share it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline

from foldless.cli import grids
from foldless.columns import Columns, transformer
from foldless.errors import BadInput
from foldless.learners import KernelSVC, LinearSVC, LogisticRegression

STEP = "model"
IN_WORDS = {
    f"{STEP}__": "",
    "X_unlabeled=, or mark them −1 in y": "--unlabeled, or leave some labels empty",
    "X_unlabeled": "the pool",
}
DECADES = (1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3)


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
}


def candidates(names: Sequence[str], typed: Sequence[str], columns: Columns) -> dict[str, tuple[Pipeline, Any]]:
    """The chosen models behind their preparation, each with the grid typed for it or its own."""
    chosen = {name: MODELS[name] for name in names}
    given = grids.assign(typed, {name: model.classifier.get_params() for name, model in chosen.items()})
    return {name: _candidate(name, model, given.get(name, model.grid), columns) for name, model in chosen.items()}


def plain(params: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The model and the parameters of a candidate, as they are typed."""
    typed = {key.removeprefix(f"{STEP}__"): value for key, value in params.items() if key != "estimator"}
    return params["estimator"], typed


def as_typed(message: str) -> str:
    """What the engine says of a candidate or of the data, in the words of the command line."""
    for python, typed in IN_WORDS.items():
        message = message.replace(python, typed)
    return message


def _candidate(
    name: str, model: Model, grid: Mapping[str, Sequence[Any]], columns: Columns
) -> tuple[Pipeline, dict[str, list[Any]]]:
    if model.dense and (text := columns.of("text")):
        raise BadInput(
            f"{name} cannot read the text column {text[0]!r}: choose another model, or leave the column out with --drop"
        )
    preparation = transformer(columns, nonnegative=model.nonnegative, dense=model.dense)
    pipeline = Pipeline([("columns", preparation), (STEP, clone(model.classifier))])
    return pipeline, {f"{STEP}__{key}": list(values) for key, values in grid.items()}
