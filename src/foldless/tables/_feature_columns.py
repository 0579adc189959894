"""The columns that models read: recognized in the table of training, the same in all others."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse

from foldless.data._column_options import ColumnOptions
from foldless.data._columns import Columns, prepare, recognize
from foldless.data._id_columns import IdVerdict, id_columns, id_findings
from foldless.errors import BadInput
from foldless.io import Table
from foldless.tables import _label_column as labeling
from foldless.tables import _label_draws as label_draws
from foldless.tables import _view_columns as view_columns


class FeatureColumns(NamedTuple):
    """The columns by their kind, those that are left out, those of each view, and which were left out as ids."""

    columns: Columns
    left_out: list[str]
    views: view_columns.Views
    ids: tuple[str, ...] = ()


def recognized(
    train: Table, pool: Table | None, label: str, labels: "pd.Series[Any]", options: ColumnOptions, notes: list[str]
) -> FeatureColumns:
    """The columns of the table of training that models read; ids are left out."""
    left_out, kinds, views = [label, *options.drop, *label_draws.columns(train.frame)], options.kinds, view_columns.NONE
    if options.views:
        known = [str(name) for name in train.frame if name not in left_out] if train.features is None else None
        views, rest = view_columns.resolve(options.views, known, label)
        if rest and options.only_views:
            left_out, kinds = [*left_out, *rest], {name: kind for name, kind in kinds.items() if name not in rest}
            notes.append(f"{labeling.listed(rest)} in no view, and not read")
        elif rest:
            notes.append(f"{labeling.listed(rest)} in no view, and not read by learners of two views")
    if train.features is not None:
        return FeatureColumns(Columns({}, width=train.features.shape[1]), left_out, views)
    named = _without(train, left_out)
    if not len(named.columns):
        raise BadInput(f"{train.name} has no column beside the label {label!r}: a model needs features")
    read_anyway = {*options.keep, *kinds, *(name for view in views for name in view)}
    ids = _ids(named, None if pool is None else pool.frame, labels, read_anyway)
    notes += id_findings(ids)
    without = tuple(name for name, verdict in ids.items() if verdict.left_out)
    left_out += without
    columns = recognize(_without(train, left_out), train.name, options.missing, kinds)
    noted = {*ids, *options.keep}
    about_others = tuple(note for note in columns.notes if noted.isdisjoint(getattr(note, "columns", ())))
    return FeatureColumns(replace(columns, notes=about_others), left_out, views, without)


def _ids(
    frame: pd.DataFrame, pool: pd.DataFrame | None, labels: "pd.Series[Any]", read_anyway: Collection[str]
) -> dict[str, IdVerdict]:
    """The columns that look like ids, none of which ``read_anyway``; a model is left one column that is something else.

    Of a pool that stays in its files no row is there, and training decides.
    """
    tables = [frame] if pool is None or not len(pool) else [frame, pool]
    labeled = np.flatnonzero(labels.notna())
    known = labels.iloc[labeled]
    y = None
    if labels.dtype.kind == "f":
        y = known.to_numpy()
    elif not known.map(lambda label: isinstance(label, tuple)).any():
        y = pd.factorize(known)[0]
    ids = id_columns(tables, labeled, y, [name for name in frame if name not in read_anyway])
    if len(frame.columns) == sum(verdict.left_out for verdict in ids.values()):
        return {}
    return ids


def features(table: Table, columns: Columns, like: str, left_out: Sequence[str] = ()) -> Any:
    """The features of a table in the columns of the table ``like``."""
    if columns.width:
        X = table.features
        if X is None:
            raise BadInput(f"{like} is svmlight and {table.name} is not: give both in the same format")
        X = X[:, : columns.width]  # training has never seen the others
        return sparse.csr_array((X.data, X.indices, X.indptr), shape=(X.shape[0], columns.width))
    if table.features is not None:
        raise BadInput(f"{table.name} is svmlight and {like} is not: give both in the same format")
    return prepare(_without(table, left_out), columns, table.name, like)


def _without(table: Table, names: Sequence[str]) -> pd.DataFrame:
    return table.frame.drop(columns=list(names), errors="ignore")
