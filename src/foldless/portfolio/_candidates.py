"""Candidates by the names of their models, such as "linear-svc": the preparation of the columns, and the model.

A candidate is a Pipeline: the preparation of the columns, which is the same for all points of a model's grid and so is
fitted once per training set, and then the model. The linear ones are solved along the whole path of C at once, and
kernel machines share the Gram matrix of a training set at all C. The preparation is fitted in each fold by itself, so
no fold sees another.

Models for few labels learn from the pool too, and so does their preparation. For learners of two views each view is
prepared by itself.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any

from foldless.errors import BadInput, DropColumns, NameViews, SetArgument
from foldless.portfolio import _catalog as catalog
from foldless.portfolio import _own_models as own_models
from foldless.portfolio._catalog import Facts, Grid, NamedModel, Points

if TYPE_CHECKING:  # help pages import this module, and no scikit-learn
    from sklearn.pipeline import Pipeline

    from foldless.data._columns import Columns

STEP, INNER, OF_VALUES = "model", "estimator", "regressor"
OBJECTS = {"views", INNER, f"{INNER}1", f"{INNER}2", "per_round", OF_VALUES, "transformer", "func", "inverse_func"}
"""Parameters that no number or word can be, unless their default is a word."""
BY_NAME = (Parameter.KEYWORD_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


def candidates(
    models: str | Sequence[str] | Mapping[str, Points | None],
    columns: "Columns",
    views: Sequence[Sequence[str]] = (),
    *,
    regression: bool = False,
    pool: bool = True,
    n_labels: int = 0,
) -> "dict[str, tuple[Pipeline, dict[str, list[Any]] | list[dict[str, list[Any]]]]]":
    """Candidates by the names of their models, for `FoldlessSearch`, `compare` and `certify`.

    Parameters
    ----------
    models : str, list of str, or dict of name -> grid
        Names of the catalog, ``foldless.portfolio.names()``; a grid of None, or no grid, is the model's own. The
        parameters of a classifier inside another have their own names: ``{"self-training": {"C": [0.1, 1]}}``. A
        model of your own is named by where it is, "lightgbm:LGBMClassifier", "package.module:Class(depth=3)" or
        "file.py:make_model", and its code is run. A preset is several models with grids for a
        purpose: "portfolio" is a mixed list for the criterion ``combination``, "few-labels" one for about ten labels.
    columns : Columns
        The columns that the models read, ``problem.columns``.
    views : two lists of columns, optional
        For learners of two views, ``problem.views``.
    regression : bool
        Whether they predict numbers, ``problem.regression``: then names are those of ``names("values")``.
    pool : bool
        Whether there is a pool; without one, the preset "portfolio" has no models that it teaches.
    n_labels : int
        How many labeled rows there are, where that is known: with few of them the preset has fewer neighbors, with
        thousands no kernel machines.

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
    grids = with_presets(models, Facts.of(columns, pool=pool, n_labels=n_labels))
    chosen = [_model(name, regression) for name in grids]
    _check_views([model.name for model in chosen if model.kind == "two views"], columns, views)
    return {
        model.name: _candidate(
            model, grids[model.name] or model.grid, columns, views if model.kind == "two views" else ()
        )
        for model in chosen
    }


def with_presets(
    models: str | Sequence[str] | Mapping[str, Points | None], facts: Facts | None = None
) -> dict[str, Points | None]:
    """Grids by the names of models, with presets taken apart; a grid that is given goes before that of a preset.

    ``facts`` are those of the data, for which presets may have other models.
    """
    named = [models] if isinstance(models, str) else models
    typed = dict(named) if isinstance(named, Mapping) else dict.fromkeys(named)
    presets, grids = catalog.presets(), dict[str, Points | None]()
    for name, grid in typed.items():
        if name in presets and grid:
            raise BadInput(
                f"the preset {name} has the grids of its models: name a model to give it another", value=name
            )
        members = presets[name].make(facts or Facts()) if name in presets else {name: grid}
        for member, preset_grid in members.items():
            grids[member] = typed.get(member) or preset_grid
    return grids


def parameters(name: str, *, regression: bool = False) -> dict[str, Any]:
    """The parameters of a model that a grid may name, with their defaults."""
    classifier = _model(name, regression).classifier
    hidden = {key: each.default for key, each in signature(type(classifier)).parameters.items() if each.kind in BY_NAME}
    known = {**hidden, **classifier.get_params()} if own_models.is_own(name) else classifier.get_params()
    whole = {key: value for key, value in known.items() if key not in OBJECTS or isinstance(value, str)}
    return {_bare(key): value for key, value in whole.items()} | whole


def _bare(key: str) -> str:
    """A parameter without the learner that it is inside of."""
    return key.removeprefix(f"{INNER}__").removeprefix(f"{OF_VALUES}__")


def named_parameters(params: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The name of the model of a candidate, and its parameters by the names that `candidates` takes."""
    keys = [key for key in params if key != "estimator"]
    return params["estimator"], {_short(key.removeprefix(f"{STEP}__"), params): params[key] for key in keys}


def _model(name: str, regression: bool) -> NamedModel:
    if own_models.is_own(str(name)):
        return _own(name, regression, os.getcwd())
    classifiers, regressors = catalog.models("one view", "two views"), catalog.models("values")
    models, others = (regressors, classifiers) if regression else (classifiers, regressors)
    if name in others and name not in models:
        raise _of_other_task(name, regression, f"choose one of {', '.join(models)}")
    if name not in models:
        known = tuple(models) if regression else catalog.names("one view", "two views", "preset")
        near = get_close_matches(str(name), known, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise BadInput(f"there is no model {name!r}: {hint}there are {', '.join(known)}", value=name)
    return models[name]


@cache
def _own(name: str, regression: bool, folder: str) -> NamedModel:  # noqa: ARG001 (a file is another one there)
    """A model of the user; it is made once, because making it runs code."""
    model = own_models.own_model(name)
    if (model.kind == "values") != regression:
        raise _of_other_task(name, regression, "name another")
    return model


def _of_other_task(name: str, regression: bool, remedy: str) -> BadInput:
    kind, task = ("classifier", "regression") if regression else ("regressor", "classification")
    other = "classification" if regression else "regression"
    instead = SetArgument("task", other, "say otherwise")
    return BadInput(f"{name} is a {kind}, and this is a {task}", value=name, remedy=(remedy, instead))


def _check_views(readers: Sequence[str], columns: "Columns", views: Sequence[Sequence[str]]) -> None:
    if views and not readers:
        raise BadInput(
            f"views are for {', '.join(catalog.names('two views'))}: leave the views out, or choose one of these models"
        )
    if readers and columns.width:
        raise BadInput(
            f"{readers[0]} needs two views, and columns of svmlight have no names: "
            f"give a table whose columns have names, or choose another model"
        )
    if readers and len(views) != 2:
        raise BadInput(f"{readers[0]} learns from two views of each row, got {len(views)}", remedy=NameViews())


def _candidate(
    model: NamedModel, grid: Points, columns: "Columns", views: Sequence[Sequence[str]]
) -> "tuple[Pipeline, dict[str, list[Any]] | list[dict[str, list[Any]]]]":
    from foldless.data._columns import transformer
    from foldless.portfolio._rows import text_reader

    if own_models.is_own(model.name):
        if own_models.reads_columns(model.classifier):
            return _in_pipeline(model, grid, [])
        model = replace(model, dense=not columns.of("text") and not columns.width)
    if model.dense and model.text == "words" and (text := columns.of("text")):
        raise BadInput(
            f"{model.name} cannot read the text column {text[0]!r}", value=text[0],
            remedy=("choose another model", DropColumns((text[0],))),
        )  # fmt: skip
    parts = [replace(columns, kinds={column: columns.kinds[column] for column in view}) for view in views] or [columns]
    prepared = [
        transformer(
            part, nonnegative=model.nonnegative, dense=model.dense, whole=not views, text=text_reader(model.text)
        )
        for part in parts
    ]
    preparation = prepared[0]
    if views:
        from foldless.learners.co_training import TwoViews

        preparation = TwoViews(*prepared)
    return _in_pipeline(model, grid, [("columns", preparation)])


def default_candidates(X: Any, *, pool: bool = True, n_labels: int = 0) -> "dict[str, tuple[Pipeline, Any]]":
    """The default portfolio for rows that Python hands over: numbers, a sparse matrix, texts or a data frame.

    ``pool`` says whether there are rows without a label, ``n_labels`` how many have one, where that is known.
    """
    from foldless.portfolio import _default as default
    from foldless.portfolio._rows import RowReader

    reader, models = RowReader(X), catalog.models("one view")
    points = default.grids(Facts(reader.text, pool, n_labels, reader.words, reader.mixed, reader.short))
    taken = {name: models[name] for name in points if not (reader.negative and models[name].nonnegative)}
    return {
        name: _in_pipeline(
            model, points[name], reader.steps(nonnegative=model.nonnegative, dense=model.dense, text=model.text)
        )
        for name, model in taken.items()
    }


def cheap_candidates(X: Any, *, regression: bool = False, random_state: int = 0) -> "dict[str, Pipeline]":
    """A linear model of the portfolio and, for tables, small trees: each costs a moment, for rows like X.

    With ``regression`` both predict numbers.
    """
    from foldless.portfolio import _default as default
    from foldless.portfolio._rows import RowReader

    reader, models = RowReader(X), catalog.models("values" if regression else "one view")
    params = dict[str, dict[str, Any]]()
    for name, its in default.TEXTS if reader.text else (*default.TABLES, *default.TREES):
        params.setdefault(name, its)
    linear, trees = ("ridge", "random-forest") if regression else ("logistic-regression", "extra-trees")
    small = {"n_estimators": 30, "random_state": random_state}
    chosen = {linear: {} if regression else params[linear]}
    if not reader.text:
        chosen[trees] = small if regression else {**params[trees], **small}
    steps = reader.steps(nonnegative=False, dense=False)
    return {
        name: _in_pipeline(models[name], {}, steps)[0].set_params(
            **{f"{STEP}__{key}": value for key, value in its.items()}
        )
        for name, its in chosen.items()
    }


def _in_pipeline(
    model: NamedModel, grid: Points, steps: Sequence[tuple[str, Any]]
) -> "tuple[Pipeline, dict[str, list[Any]] | list[dict[str, list[Any]]]]":
    """The model behind the preparation of its rows, and the grid by the names of the parameters there."""
    from sklearn.base import clone
    from sklearn.pipeline import Pipeline

    from foldless.data._unit_distance import UnitDistance

    scaled = [("distance", UnitDistance())] if model.by_distance else []
    pipeline = Pipeline([*steps, *scaled, (STEP, clone(model.classifier))])
    known = {**signature(type(model.classifier)).parameters, **model.classifier.get_params()}
    inner = OF_VALUES if OF_VALUES in known else INNER

    def in_pipeline(one: Grid) -> dict[str, list[Any]]:
        full = {key: key if key in known else f"{inner}__{key}" for key in one}
        return {f"{STEP}__{full[key]}": list(values) for key, values in one.items()}

    return pipeline, in_pipeline(grid) if isinstance(grid, Mapping) else [in_pipeline(one) for one in grid]


def _short(key: str, params: Mapping[str, Any]) -> str:
    """A parameter without the classifier that it is inside of, unless another parameter has that name."""
    short = _bare(key)
    return key if f"{STEP}__{short}" in params else short
