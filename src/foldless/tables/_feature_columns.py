"""The columns that models read: recognized in the table of training, the same in all others."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse

from foldless.core import Array
from foldless.data._column_options import ColumnOptions
from foldless.data._columns import Columns, has_zone, prepare, recognize
from foldless.data._group_columns import group_notes
from foldless.data._id_columns import IdVerdict, id_columns, id_findings
from foldless.errors import BadInput, DropColumns, NameViews, Note, SetArgument
from foldless.io import Table
from foldless.results.finding import Finding
from foldless.tables import _label_column as labeling
from foldless.tables import _label_draws as label_draws

Views = tuple[tuple[str, ...], ...]


def recognized(
    train: Table, pool: Table | None, label: str, labels: "pd.Series[Any]", options: ColumnOptions, notes: list[str]
) -> tuple[Columns, list[str], Views, tuple[str, ...]]:
    """The columns of training that models read; the names of those left out, those of each view, and those of ids."""
    left_out, kinds = [label, *options.drop, *label_draws.columns(train.frame)], options.kinds
    views: Views = ()
    left_out += [] if options.groups is None else [options.groups]
    if options.views:
        known = [str(name) for name in train.frame if name not in left_out] if train.features is None else None
        views, rest = two_views(options.views, known, label)
        if rest and options.only_views:
            left_out, kinds = [*left_out, *rest], {name: kind for name, kind in kinds.items() if name not in rest}
            notes.append(f"{labeling.listed(rest)} in no view, and not read")
        elif rest:
            notes.append(f"{labeling.listed(rest)} in no view, and not read by learners of two views")
    if train.features is not None:
        return Columns({}, width=train.features.shape[1]), left_out, views, ()
    named = _without(train, left_out)
    if not len(named.columns):
        raise BadInput(f"{train.name} has no column beside the label {label!r}: a model needs features")
    seen = _Seen.of(named, pool, labels)
    read_anyway = {*options.keep, *kinds, *(name for view in views for name in view)}
    ids = seen.ids(read_anyway)
    without = tuple(name for name, verdict in ids.items() if verdict.left_out)
    notes += [*id_findings(ids), *([] if options.groups is not None else seen.groups(without))]
    left_out += without
    columns = recognize(_without(train, left_out), train.name, options.missing, kinds)
    noted = {*ids, *options.keep}
    about_others = tuple(note for note in columns.notes if noted.isdisjoint(getattr(note, "columns", ())))
    return replace(columns, notes=about_others), left_out, views, without


class _Seen(NamedTuple):
    """What tells ids and groups: the features of training and pool, and the labels of the labeled rows.

    Of a pool that stays in its files no row is there, and training decides.
    """

    tables: list[pd.DataFrame]
    labeled: Array
    y: Array | None

    @classmethod
    def of(cls, frame: pd.DataFrame, pool: Table | None, labels: "pd.Series[Any]") -> "_Seen":
        tables = [frame] if pool is None or not len(pool.frame) else [frame, pool.frame]
        labeled = np.flatnonzero(labels.notna())
        known = labels.iloc[labeled]
        if labels.dtype.kind == "f":
            return cls(tables, labeled, known.to_numpy())
        several = known.map(lambda label: isinstance(label, tuple)).any()
        return cls(tables, labeled, None if several else pd.factorize(known)[0])

    def ids(self, read_anyway: Collection[str]) -> dict[str, IdVerdict]:
        """The columns that look like ids, but for those to ``read_anyway``; none where nothing else is left to read."""
        frame = self.tables[0]
        ids = id_columns(*self, [name for name in frame if name not in read_anyway])
        return {} if len(frame.columns) == sum(verdict.left_out for verdict in ids.values()) else ids

    def groups(self, ids: Collection[str]) -> list[Finding]:
        return group_notes(*self, [name for name in self.tables[0] if name not in ids], keep_together)


def ids_left_out(
    frame: pd.DataFrame, pool: Table | None, labels: "pd.Series[Any]", read_anyway: Collection[str]
) -> list[str]:
    """The columns that look like ids, which models do not read."""
    ids = _Seen.of(frame, pool, labels).ids(read_anyway) if len(frame.columns) else {}
    return [name for name, verdict in ids.items() if verdict.left_out]


def group_findings(frame: pd.DataFrame, labels: "pd.Series[Any]") -> list[Finding]:
    """Notes on columns that look like groups, of labeled rows alone; ids are none."""
    seen = _Seen.of(frame, None, labels)
    return seen.groups([name for name, verdict in id_columns(*seen).items() if verdict.left_out])


def keep_together(column: str) -> SetArgument:
    return SetArgument("groups", column, to="keep them together")


def zone_notes(columns: Columns, tables: Sequence[Table]) -> list[str]:
    """Notes on times that have a time zone in one file and none in another; a file that mixes them is refused."""
    notes: list[str] = []
    for name in columns.of("date"):
        zones = {table.name: has_zone(table.frame[name]) for table in tables if name in table.frame}
        for source, has in zones.items():
            if len(has) > 1:
                raise BadInput(
                    f"column {name!r} has a time zone in some rows of {source} only, so nobody knows which times are "
                    f"the same hour",
                    value=name, place=source, remedy=("write all with a zone, or all without", DropColumns((name,))),
                )  # fmt: skip
        if len(set().union(*zones.values())) > 1:
            with_zone, without = (
                next(source for source, has in zones.items() if has == {kind}) for kind in (True, False)
            )
            problem = f"column {name!r} has a time zone in {with_zone} and none in {without}, which is read as UTC"
            remedy = ("write all with a zone, or all without", DropColumns((name,)))
            notes.append(Note(problem, remedy=remedy))
    return notes


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


def two_views(views: Sequence[Sequence[str]], known: Sequence[str] | None, label: str) -> tuple[Views, list[str]]:
    """The columns of each view, by their names or by patterns with * and ?, and the columns in no view."""
    if known is None:
        raise BadInput("views are made of columns with names, and columns of svmlight have none: leave the views out")
    if len(views) != 2:
        raise BadInput(f"there must be two views, got {len(views)}", remedy=NameViews())
    first, second = (_columns(view, known, label) for view in views)
    if both := [name for name in first if name in second]:
        raise BadInput(f"{labeling.listed(both)} in both views: name every column in one of them")
    return (first, second), [name for name in known if name not in (*first, *second)]


def _columns(view: Sequence[str], known: Sequence[str], label: str) -> tuple[str, ...]:
    matched = set[str]()
    for asked in view:
        if asked == label:
            raise BadInput(f"a view names {asked!r}, which is the label: name other columns")
        matching = [asked] if asked in known else [name for name in known if fnmatchcase(name, asked)]
        if not matching:
            raise BadInput(f"a view names {asked!r}, and the table has no such column: {labeling.near(asked, known)}")
        matched.update(matching)
    return tuple(name for name in known if name in matched)
