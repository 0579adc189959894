"""The models that have a name, such as "linear-svc", with their default grids and the preparation of the columns.

A candidate is a Pipeline: the preparation of the columns, which is the same for all points of a model's grid and so is
fitted once per training set, and then the model. The linear ones are solved along the whole path of C at once, and
kernel machines share the Gram matrix of a training set at all C. The preparation is fitted in each fold by itself, so
no fold sees another.

Models for few labels learn from the pool too, and so does their preparation. For learners of two views each view is
prepared by itself.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from importlib import import_module
from typing import Any

from sklearn.base import clone
from sklearn.pipeline import Pipeline

from foldless.data._columns import Columns, transformer
from foldless.data._unit_distance import UnitDistance
from foldless.errors import BadInput, DropColumns, NameViews, SetArgument

STEP, INNER, OF_VALUES = "model", "estimator", "regressor"
OBJECTS = {"views", INNER, f"{INNER}1", f"{INNER}2", "per_round", OF_VALUES, "transformer", "func", "inverse_func"}
"""Parameters that no number or word can be."""
_OTHER = {"regression": "classification", "classification": "regression"}
DECADES = (1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3)
WIDTHS = (10.0, 30.0, 100.0)  # in units of the mean squared distance of two rows


@dataclass(frozen=True, eq=False)
class Model:
    """A classifier or regressor, its default grid, and what it needs of its features."""

    make: Callable[[], Any]
    grid: Mapping[str, Sequence[Any]]
    nonnegative: bool = False
    dense: bool = False
    by_distance: bool = False

    @cached_property
    def classifier(self) -> Any:
        """The classifier; its package is imported here, so that a run imports only what it trains."""
        return self.make()


def _a(home: str, name: str, *args: Any, **params: Any) -> Callable[[], Any]:
    """What makes a classifier from its package; arguments may be made in the same way."""
    return lambda: getattr(import_module(home), name)(*(each() for each in args), **params)


def _scaled(regressor: Callable[[], Any]) -> Callable[[], Any]:
    """A regressor whose parameters do not depend on the unit of y."""

    def make() -> Any:
        home = import_module("sklearn.compose")
        return home.TransformedTargetRegressor(regressor(), transformer=import_module(SCALING).StandardScaler())

    return make


OURS, SPREADING, SCALING = "foldless.learners", "sklearn.semi_supervised", "sklearn.preprocessing"
LOGISTIC = _a(OURS, "LogisticRegression", max_iter=10_000)
MODELS: Mapping[str, Model] = {
    "linear-svc": Model(_a(OURS, "LinearSVC", max_iter=10_000), {"C": DECADES}),
    "logistic-regression": Model(LOGISTIC, {"C": DECADES}),
    "svc": Model(_a(OURS, "KernelSVC"), {"C": (0.1, 1.0, 10.0, 100.0), "gamma": ("scale", 0.001, 0.01, 0.1)}),
    "random-forest": Model(
        _a("sklearn.ensemble", "RandomForestClassifier", n_estimators=200),
        {"max_features": ("sqrt", 0.3), "min_samples_leaf": (1, 2, 5)},
    ),
    "gradient-boosting": Model(
        _a("sklearn.ensemble", "HistGradientBoostingClassifier", min_samples_leaf=5),
        {"learning_rate": (0.03, 0.1, 0.3), "min_samples_leaf": (3, 20)},
        dense=True,
    ),
    "nearest-neighbors": Model(
        _a("sklearn.neighbors", "KNeighborsClassifier"),
        {"n_neighbors": (1, 3, 5, 9), "weights": ("uniform", "distance")},
    ),
    "naive-bayes": Model(
        _a("sklearn.naive_bayes", "MultinomialNB"), {"alpha": (0.001, 0.01, 0.1, 1.0, 10.0)}, nonnegative=True
    ),
    "manifold-gp": Model(_a(OURS, "ManifoldGP"), {"ratio": (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)}),
    "label-spreading": Model(
        _a(SPREADING, "LabelSpreading", max_iter=1000), {"gamma": WIDTHS, "alpha": (0.2, 0.9)}, by_distance=True
    ),
    "neighbor-spreading": Model(
        _a(SPREADING, "LabelSpreading", kernel="knn", max_iter=1000),
        {"n_neighbors": (10, 20), "alpha": (0.2, 0.9)},
    ),
    "label-propagation": Model(_a(SPREADING, "LabelPropagation", max_iter=1000), {"gamma": WIDTHS}, by_distance=True),
    "self-training": Model(
        _a(SPREADING, "SelfTrainingClassifier", LOGISTIC),
        {"C": (0.01, 0.1, 1.0, 10.0, 100.0), "threshold": (0.75, 0.9)},
    ),
}
TWO_VIEWS: Mapping[str, Model] = {
    "gp-co-training": Model(_a(OURS, "GPCoTraining"), {"sigma1": (100.0, 1.0, 0.01), "sigma2": (100.0, 1.0, 0.01)}),
    "co-training": Model(_a(OURS, "CoTraining"), {"l1": (0.1, 0.01, 0.001), "l2": (0.1, 0.01, 0.001)}),
    "co-regularized": Model(
        _a(OURS, "CoRegularizedLogisticRegression"), {"lam": (0.1, 0.01, 0.001), "mu": (0.0, 0.01, 1.0, 100.0)}
    ),
}
SPANS = (1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3)
REGRESSORS: Mapping[str, Model] = {
    "ridge": Model(_a("sklearn.linear_model", "Ridge"), {"alpha": SPANS}),
    "lasso": Model(
        _scaled(_a("sklearn.linear_model", "Lasso", max_iter=10_000)),
        {"alpha": (1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3)},
    ),
    "kernel-ridge": Model(
        _scaled(_a("sklearn.kernel_ridge", "KernelRidge", kernel="rbf")),
        {"alpha": (0.01, 0.1, 1.0), "gamma": (0.001, 0.01, 0.1)},
    ),
    "random-forest": Model(
        _a("sklearn.ensemble", "RandomForestRegressor", n_estimators=200),
        {"max_features": (0.3, 1.0), "min_samples_leaf": (1, 2, 5)},
    ),
    "gradient-boosting": Model(
        _a("sklearn.ensemble", "HistGradientBoostingRegressor", min_samples_leaf=5),
        {"learning_rate": (0.03, 0.1, 0.3), "min_samples_leaf": (3, 20)},
        dense=True,
    ),
    "nearest-neighbors": Model(
        _a("sklearn.neighbors", "KNeighborsRegressor"),
        {"n_neighbors": (1, 3, 5, 9, 15), "weights": ("uniform", "distance")},
    ),
}  # of numbers, in place of the classifiers of the same name
NAMES = (*MODELS, *TWO_VIEWS)
PRESETS: Mapping[str, Mapping[str, Mapping[str, Sequence[Any]] | None]] = {
    "few-labels": {
        "label-spreading": {"gamma": (30.0, 100.0, 300.0), "alpha": (0.2, 0.9)},
        "neighbor-spreading": {"n_neighbors": (20,), "alpha": (0.2, 0.9)},
        "self-training": {"C": (1.0, 10.0), "threshold": (0.9,)},
        "logistic-regression": {"C": (1.0, 10.0)},
        "nearest-neighbors": {"n_neighbors": (1,)},
    }
}  # several models with grids, under one name


def candidates(
    models: str | Sequence[str] | Mapping[str, Mapping[str, Sequence[Any]] | None],
    columns: Columns,
    views: Sequence[Sequence[str]] = (),
    *,
    regression: bool = False,
) -> dict[str, tuple[Pipeline, dict[str, list[Any]]]]:
    """Candidates by the names of their models, for `FoldlessSearch`, `compare` and `certify`.

    Parameters
    ----------
    models : str, list of str, or dict of name -> grid
        Names of `NAMES`; a grid of None, or no grid, is the model's own. The parameters of a classifier inside another
        have their own names: ``{"self-training": {"C": [0.1, 1]}}``. A name of `PRESETS`, such as "few-labels", is
        several models with grids for the purpose.
    columns : Columns
        The columns that the models read, ``problem.columns``.
    views : two lists of columns, optional
        For learners of two views, ``problem.views``.
    regression : bool
        Whether they predict numbers, ``problem.regression``: then names are those of `REGRESSORS`.

    Examples
    --------
    >>> from foldless.data._columns import Columns
    >>> from foldless.tables import candidates
    >>> found = candidates({"linear-svc": {"C": [0.1, 1]}, "naive-bayes": None}, Columns({"title": "text"}))
    >>> pipeline, grid = found["linear-svc"]
    >>> grid
    {'model__C': [0.1, 1]}
    >>> list(pipeline.named_steps)
    ['columns', 'model']
    """
    grids = with_presets(models)
    chosen = {name: _model(name, regression) for name in grids}
    _check_views([name for name in chosen if name in TWO_VIEWS], columns, views)
    return {
        name: _candidate(name, model, grids[name] or model.grid, columns, views if name in TWO_VIEWS else ())
        for name, model in chosen.items()
    }


def with_presets(
    models: str | Sequence[str] | Mapping[str, Mapping[str, Sequence[Any]] | None],
) -> dict[str, Mapping[str, Sequence[Any]] | None]:
    """Grids by the names of models, with presets taken apart; a grid that is given goes before that of a preset."""
    named = [models] if isinstance(models, str) else models
    given = dict(named) if isinstance(named, Mapping) else dict.fromkeys(named)
    grids: dict[str, Mapping[str, Sequence[Any]] | None] = {}
    for name, grid in given.items():
        if name in PRESETS and grid:
            raise BadInput(
                f"the preset {name} has the grids of its models: name a model to give it another", value=name
            )
        for own, preset in PRESETS.get(name, {name: grid}).items():
            grids[own] = given.get(own) or preset
    return grids


def parameters(name: str, *, regression: bool = False) -> dict[str, Any]:
    """The parameters of a model that a grid may name, with their defaults."""
    known = _model(name, regression).classifier.get_params()
    whole = {key: value for key, value in known.items() if key not in OBJECTS}
    return {_bare(key): value for key, value in whole.items()} | whole


def _bare(key: str) -> str:
    """A parameter without the learner that it is inside of."""
    return key.removeprefix(f"{INNER}__").removeprefix(f"{OF_VALUES}__")


def named_parameters(params: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The name of the model of a candidate, and its parameters by the names that `candidates` takes."""
    keys = [key for key in params if key != "estimator"]
    return params["estimator"], {_short(key.removeprefix(f"{STEP}__"), params): params[key] for key in keys}


def _model(name: str, regression: bool) -> Model:
    classifiers = {**MODELS, **TWO_VIEWS}
    models, others = (REGRESSORS, classifiers) if regression else (classifiers, REGRESSORS)
    if name in others and name not in models:
        kind, task = ("classifier", "regression") if regression else ("regressor", "classification")
        raise BadInput(
            f"{name} is a {kind}, and this is a {task}", value=name,
            remedy=(f"choose one of {', '.join(models)}", SetArgument("task", _OTHER[task], "say otherwise")),
        )  # fmt: skip
    if name not in models:
        known = tuple(models) if regression else (*NAMES, *PRESETS)
        near = get_close_matches(str(name), known, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise BadInput(f"there is no model {name!r}: {hint}there are {', '.join(known)}", value=name)
    return models[name]


def _check_views(readers: Sequence[str], columns: Columns, views: Sequence[Sequence[str]]) -> None:
    if views and not readers:
        raise BadInput(f"views are for {', '.join(TWO_VIEWS)}: name no views, or choose one of these models")
    if readers and columns.width:
        raise BadInput(
            f"{readers[0]} needs two views, and columns of svmlight have no names: "
            f"give a table whose columns have names, or choose another model"
        )
    if readers and len(views) != 2:
        raise BadInput(f"{readers[0]} learns from two views of each row, got {len(views)}", remedy=NameViews())


def _candidate(
    name: str, model: Model, grid: Mapping[str, Sequence[Any]], columns: Columns, views: Sequence[Sequence[str]]
) -> tuple[Pipeline, dict[str, list[Any]]]:
    if model.dense and (text := columns.of("text")):
        raise BadInput(
            f"{name} cannot read the text column {text[0]!r}", value=text[0],
            remedy=("choose another model", DropColumns((text[0],))),
        )  # fmt: skip
    parts = [replace(columns, kinds={column: columns.kinds[column] for column in view}) for view in views] or [columns]
    prepared = [transformer(part, nonnegative=model.nonnegative, dense=model.dense, whole=not views) for part in parts]
    preparation = prepared[0]
    if views:
        from foldless.learners.co_training import TwoViews

        preparation = TwoViews(*prepared)
    scaled = [("distance", UnitDistance())] if model.by_distance else []
    pipeline = Pipeline([("columns", preparation), *scaled, (STEP, clone(model.classifier))])
    known = model.classifier.get_params()
    inner = OF_VALUES if OF_VALUES in known else INNER
    full = {key: key if key in known else f"{inner}__{key}" for key in grid}
    return pipeline, {f"{STEP}__{full[key]}": list(values) for key, values in grid.items()}


def _short(key: str, params: Mapping[str, Any]) -> str:
    """A parameter without the classifier that it is inside of, unless another parameter has that name."""
    short = _bare(key)
    return key if f"{STEP}__{short}" in params else short
