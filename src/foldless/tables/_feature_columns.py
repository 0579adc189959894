"""The columns that models read: recognized in the table of training, the same in all others."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd
from scipy import sparse

from foldless.data._column_options import ColumnOptions
from foldless.data._columns import Columns, prepare, recognize
from foldless.errors import BadInput
from foldless.io import Table
from foldless.tables import _label_column as labeling
from foldless.tables import _label_draws as label_draws
from foldless.tables import _view_columns as view_columns


class FeatureColumns(NamedTuple):
    """The columns by their kind, those that are left out, and those of each view."""

    columns: Columns
    left_out: list[str]
    views: view_columns.Views


def recognized(train: Table, label: str, options: ColumnOptions, notes: list[str]) -> FeatureColumns:
    """The columns of the table of training that models read."""
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
    return FeatureColumns(recognize(named, train.name, options.missing, kinds), left_out, views)


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
