"""What is wrong with files, before anything is chosen: the columns as they are, also where no model could read them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np
import pandas as pd

from foldless.data._column_options import ColumnOptions
from foldless.data._columns import Kind, absent, recognize
from foldless.data._features import concatenate, take
from foldless.errors import BadInput, Impute, Note, some_columns
from foldless.io._dialect import FileOptions
from foldless.io._formats import Format
from foldless.io._reading import file_options
from foldless.results import ColumnSummary, Findings
from foldless.selection.check import SECONDS, check
from foldless.tables import _label_draws as label_draws
from foldless.tables._arguments import Files, Tables, check_named, label_of
from foldless.tables._feature_columns import ids_left_out
from foldless.tables._label_options import LabelOptions, LabelTask, without_label
from foldless.tables._stored_rows import stored_rows

FEWEST = 1  # labeled rows of a class: fewer than five are a finding, and no error
MISSING = "{} {} missing values, with which no model is trained by default"


def check_files(
    train: str,
    label: str | None = None,
    *,
    unlabeled: str | None = None,
    test: str | None = None,
    drop: Sequence[str] = (),
    keep: Sequence[str] = (),
    groups: str | None = None,
    merge_labels: bool = False,
    minus_one_is_class: bool = False,
    task: LabelTask | None = None,
    fmt: Format | FileOptions | None = None,
    pool_sample: int | None = None,
    ignore: Sequence[str] = (),
    fast: bool = False,
    time_budget: float = SECONDS,
    random_state: int = 0,
) -> Findings:
    """Look for what is wrong with the files of a problem, and tell how much it matters.

    Parameters
    ----------
    train, label, unlabeled, test, drop, keep, groups, merge_labels, minus_one_is_class, task, fmt, pool_sample
        As for `read_problem`. Columns need not be the same in all files: where they differ, that is a finding.
    ignore, fast, time_budget, random_state
        As for `foldless.check`.

    Examples
    --------
    >>> import pandas as pd
    >>> from foldless.tables import check_files
    >>> rows = pd.DataFrame({"size": [1.5, 2.5, 3.25] * 20, "topic": ["sport", "money", "Money "] * 20})
    >>> rows.to_csv("train.csv", index=False)
    >>> [finding.code for finding in check_files("train.csv", "topic", fast=True).findings]
    ['FL002', 'FL015']
    """
    files = Files(train, unlabeled, test, file_options(fmt))
    options = LabelOptions(None, FEWEST, minus_one_is_class, task, merge_labels)
    files.check()
    stored, read_notes = stored_rows(unlabeled, pool_sample, random_state)
    tables = files.tables(stored)
    name = label_of(tables.train, label)
    check_named(ColumnOptions(drop=tuple(drop), keep=tuple(keep), groups=groups), name, tables.train, tables.others)
    column_notes: list[str] = []
    column = options.column(tables.train, name, column_notes)
    labels = column.read(tables.train, read_notes)
    decided = tables.pool is not None or task == "regression" or labels.dtype.kind == "f" or minus_one_is_class
    empty = without_label(tables.train.name, labels, decided, read_notes)
    y = column.present(tables.train.name, labels[~empty], read_notes)
    left_out = [name, *drop, *([] if groups is None else [groups]), *label_draws.columns(tables.train.frame)]
    X, pool, X_test = _features_of(tables, left_out, empty)
    y_test = None if tables.test is None else column.truth(tables.test, tables.train.name, y, read_notes)
    of_rows = None if groups is None else tables.train.frame[groups].to_numpy()[~empty]
    findings = check(
        X, y, X_unlabeled=unlabeled if stored is not None else pool, X_test=X_test, y_test=y_test,
        groups=of_rows, ignore=ignore, keep=keep, fast=fast, time_budget=time_budget, unlabeled=None,
        names=_names(tables), task=task, random_state=random_state,
    )  # fmt: skip
    columns = _columns(tables, name, labels, drop, keep, groups)
    lacking = [each.name for each in columns if each.missing and each.taken_as in get_args(Kind)]
    notes = [*tables.train.notes, *column_notes]
    if lacking:
        have = "have" if len(lacking) > 1 else "has"
        notes.append(Note(MISSING.format(some_columns(lacking), have), remedy=Impute()))
    return replace(findings, columns=columns, notes=(*notes, *findings.notes))


def _columns(
    tables: Tables, label: str, labels: "pd.Series[Any]", drop: Sequence[str], keep: Sequence[str], groups: str | None
) -> tuple[ColumnSummary, ...]:
    """What each column of the file of labeled rows is taken as; features of svmlight files have no names."""
    if tables.train.features is not None:
        return ()
    frame = tables.train.frame
    taken: dict[str, str] = dict.fromkeys(label_draws.columns(frame), "how rows were drawn")
    taken |= dict.fromkeys(drop, "left out on request")
    taken |= {label: "label"} if groups is None else {label: "label", groups: "groups"}
    features = frame.drop(columns=[name for name in taken if name in frame])
    pool = None if tables.stored is not None else tables.pool
    taken |= dict.fromkeys(ids_left_out(features, pool, labels, keep), "left out: an id")
    return tuple(
        ColumnSummary(
            str(name), taken.get(str(name)) or _kind(frame[[name]], tables.train.name), int(absent(frame[name]).sum()),
            next((str(value) for value in frame[name][~absent(frame[name])][:1]), ""),
        )
        for name in frame
    )  # fmt: skip


def _kind(frame: pd.DataFrame, source: str) -> str:
    try:
        return next(iter(recognize(frame, source).kinds.values()))
    except BadInput:  # no model could read it: a finding says why, or the command that trains one
        return "cannot be read"


def _features_of(tables: Tables, left_out: Sequence[str], empty: Any) -> tuple[Any, Any, Any]:
    """The features of labeled rows, pool and test rows, without the columns left out; rows without a label are pool."""
    train, *others = (
        table.frame.drop(columns=left_out, errors="ignore") if table.features is None else table.features
        for table in (tables.train, *tables.others)
    )
    test = None if tables.test is None else others.pop()
    X = take(train, np.flatnonzero(~empty))
    pools = [take(train, np.flatnonzero(empty))] if empty.any() else []
    pools += others if tables.stored is None else []
    pool = None if not pools else pools[0] if len(pools) == 1 else _under(pools)
    return X.reset_index(drop=True) if isinstance(X, pd.DataFrame) else X, pool, test


def _under(parts: list[Any]) -> Any:
    """Parts under each other; columns that one of them lacks are those of the last, the file of the pool."""
    if not isinstance(parts[0], pd.DataFrame):
        return concatenate(parts)
    common = [name for name in parts[-1] if name in parts[0]]
    if len(common) < len(parts[-1].columns):
        return parts[-1]
    return pd.concat([part[common] for part in parts], ignore_index=True)


def _names(tables: Tables) -> tuple[str, str, str]:
    pool = "the pool" if tables.pool is None else tables.pool.name
    return tables.train.name, pool, "the test rows" if tables.test is None else tables.test.name
