"""Labels for rows of the pool: the problem with them, and the training table with the rows that have them.

A label is written as the training file spells its class: where that has 01 or TRUE, so have the new rows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np
import pandas as pd

from foldless.data._features import concatenate, take, with_columns
from foldless.data._label_spelling import one_spelling
from foldless.data._targets import objects
from foldless.errors import BadInput
from foldless.io import Table, read_table
from foldless.io._delimited import texts
from foldless.io._dialect import FileOptions
from foldless.io._formats import Format
from foldless.tables import _label_column as label_column
from foldless.tables import _label_draws as label_draws
from foldless.tables._kept_rows import exact_frame
from foldless.tables._label_draws import LabelDraws
from foldless.tables._stored_rows import at_hand
from foldless.tables.problem import Problem


def with_labels(
    problem: Problem,
    rows: Sequence[int],
    labels: Sequence[Any],
    probabilities: Sequence[float] | None = None,
    rounds: Sequence[int] | None = None,
    hinted: int = 0,
) -> Problem:
    """The problem in which some rows of the pool have labels, and left the pool.

    Parameters
    ----------
    problem : Problem
        A classification with a pool.
    rows : sequence of int
        Positions in the pool.
    labels : sequence
        Their classes, as ``problem.classes`` has them, or new ones where classes are text. Where the problem merges
        labels, case and spaces may differ. Where its rows have several labels, a tuple for each row.
    probabilities, rounds : sequences, optional
        With which probability and in which round `foldless.suggest` drew each row; 0 for rows that were chosen, NaN for
        rows drawn at random like the pool. They become ``problem.draws``.
    hinted : int
        How many of the labels were given by people who saw what a model predicts; a note says so.

    Examples
    --------
    >>> import pandas as pd
    >>> from foldless.tables import read_problem, with_labels
    >>> pd.DataFrame({"x": range(6), "topic": ["a", "b", "a", "b", None, None]}).to_csv("few.csv", index=False)
    >>> more = with_labels(read_problem("few.csv", "topic"), [1], ["b"])
    >>> more.y.tolist(), more.X["x"].tolist(), more.rows["pool"]
    (['a', 'b', 'a', 'b', 'b'], [0.0, 1.0, 2.0, 3.0, 5.0], 1)
    """
    pool, n = at_hand(problem.pool), problem.rows["pool"]
    labeled_rows = np.asarray(rows, dtype=np.int64)
    if len(labeled_rows) != len(labels) or len(np.unique(labeled_rows)) < len(labeled_rows):
        raise BadInput(f"each row has one label: got {len(labeled_rows)} rows and {len(labels)} labels, or a row twice")
    if len(labeled_rows) and not (labeled_rows.min() >= 0 and labeled_rows.max() < n):
        wrong = int(labeled_rows[(labeled_rows < 0) | (labeled_rows >= n)][0])
        raise BadInput(f"there is no row {wrong} in the pool: it has {n} rows, numbered from 0", value=wrong)
    new = objects(labels)
    if len({isinstance(label, tuple) for label in (*problem.y[:1], *new)}) > 1:
        raise BadInput("rows have one label each, or a tuple of labels each: pass labels as the problem has them")
    if problem.merge_labels:
        new = label_column.renamed(new, one_spelling(label_column.flat(new), problem.classes))
    unknown = [label for label in label_column.flat(new) if label not in problem.classes]
    are_text = all(isinstance(label, str) for label in (*problem.classes, *unknown))
    if unknown and not (are_text and all(unknown)):
        raise BadInput(f"{unknown[0]!r} is not a class of {problem.label!r}: label with its classes", value=unknown[0])
    if not len(labeled_rows):
        return problem
    left = np.setdiff1d(np.arange(n), labeled_rows)
    X = concatenate([problem.X, take(problem.X_unlabeled, labeled_rows)])
    y = np.empty(len(problem.y) + len(labeled_rows), dtype=object if problem.y.dtype.kind == "U" else problem.y.dtype)
    y[: len(problem.y)], y[len(problem.y) :] = problem.y, new
    return replace(
        problem,
        X=X.reset_index(drop=True) if isinstance(X, pd.DataFrame) else X,
        y=y,
        X_unlabeled=take(problem.X_unlabeled, left) if len(left) else None,
        pool=None if pool is None or not len(left) else pool.only(left),
        whole_pool=None,
        draws=_draws(problem, probabilities, rounds),
        notes=(*problem.notes, *label_draws.hint_notes(hinted, len(labeled_rows))),
        groups=None if problem.groups is None else problem.groups.with_labels(labeled_rows),
    )


def labeled_table(
    train: str,
    problem: Problem,
    rows: Sequence[int],
    labels: Sequence[Any],
    probabilities: Sequence[float] | None = None,
    rounds: Sequence[int] | None = None,
    fmt: Format | FileOptions | None = None,
    beside: Mapping[str, Sequence[Any]] | None = None,
    separator: str | None = None,
) -> pd.DataFrame:
    """The table ``train`` as it is written, with the labels of pool rows in their places and of others below.

    ``train`` is the file that ``problem`` was read from, the others are as for `with_labels`. Columns that the pool has
    not are empty there. Rows of ``train`` that have no label stay without one. Where a row was not drawn at random, the
    columns of `foldless suggest` say how it was drawn. ``beside`` are further columns of these rows; then the numbers
    that they have in the file of the pool are written too, by which they leave the pool wherever both files are read.
    Several labels of a row are a list, or joined by the separator where there is one.
    """
    table, pool = read_table(train, fmt), at_hand(problem.pool)
    if table.features is not None or pool is None:
        raise BadInput(f"{table.name} has no columns with names, so no row can be added: label a CSV file instead")
    frame, spelled = _as_written(table), _spelling(table, problem.label)
    cells = pd.Series([_cell(label, spelled, separator) for label in labels], index=list(rows), dtype=object)
    new_labels = pd.DataFrame({problem.label: cells})
    if probabilities is not None and not np.isnan(probabilities).all():
        new_labels[label_draws.PROBABILITY] = ["" if np.isnan(p) else p for p in probabilities]
        before = 0 if problem.draws is None else int(problem.draws.label_rounds.max())  # the next are other rounds
        new_labels[label_draws.ROUND] = before + (
            np.zeros(len(new_labels), int) if rounds is None else np.asarray(rounds, int)
        )
    for name, values in (beside or {}).items():
        new_labels[name] = list(values)
    if beside is not None:
        new_labels[label_draws.ROW] = ""
    for name in new_labels.columns.difference(frame.columns, sort=False):
        frame[name] = ""
    parts = [frame.astype(object)]
    for (source, chosen), inside, places in pool.places(np.asarray(rows, dtype=np.int64)):
        here = new_labels.iloc[inside]
        if chosen is not None and source.name == table.name:  # rows of the training table itself
            parts[0].iloc[places, parts[0].columns.get_indexer(new_labels.columns)] = here.to_numpy()
        elif len(here):
            if beside is not None:
                here = with_columns(here, {label_draws.ROW: np.asarray(places) + 1})
            added = _as_written(source).drop(columns=new_labels.columns, errors="ignore").iloc[places]
            together = pd.concat([added.reset_index(drop=True), here.reset_index(drop=True)], axis=1)
            parts.append(together.reindex(columns=frame.columns).astype(object))
    return parts[0] if len(parts) == 1 else pd.concat(parts, ignore_index=True)


def label_lists(cells: Sequence[Any], separator: str | None) -> list[list[Any] | None]:
    """The labels of each cell of a labeled table as a list of one plain type; None where there is none."""
    several = [label_column.parts(cell, separator) for cell in cells]
    are_whole = all(type(each) is int for labels in several for each in labels)
    return [(list(labels) if are_whole else [*map(str, labels)]) or None for labels in several]


def free_mark(names: Sequence[str]) -> str:
    """A separator that no name has."""
    marks = (mark * times for times in count(1) for mark in label_column.MARKS)
    return next(mark for mark in marks if not any(mark in name for name in names))


def _cell(label: Any, spelled: Mapping[Any, Any], separator: str | None) -> Any:
    """A label as the file has it; several are a list, or joined."""
    if not isinstance(label, tuple):
        return spelled.get(label, label)
    several = [spelled.get(each, each) for each in label]
    return several if separator is None else separator.join(map(str, several))


def _draws(problem: Problem, probabilities: Sequence[float] | None, rounds: Sequence[int] | None) -> LabelDraws | None:
    """How the labels of a problem and some more were drawn; None where all were drawn at random."""
    if probabilities is None:
        return problem.draws
    n = len(problem.y)
    before = problem.draws or LabelDraws(np.full(n, np.nan), np.zeros(n))
    new = np.asarray(probabilities, dtype=float)
    after = (np.zeros(len(new)) if rounds is None else np.asarray(rounds, dtype=float)) + before.label_rounds.max()
    draws = LabelDraws(np.r_[before.label_probabilities, new], np.r_[before.label_rounds, after])
    return None if np.isnan(draws.label_probabilities).all() else draws


def _as_written(table: Table) -> pd.DataFrame:
    """The cells of a table as its file has them, where that is text with cells."""
    if table.source is None or table.dialect is None:
        return exact_frame(table)
    names = [str(name) for name in table.frame]
    cells = texts(table.source, table.dialect.delimiter, names)
    return pd.DataFrame({name: pd.Series(cells[name].to_pylist(), dtype=object) for name in names})


def _spelling(table: Table, label: str) -> dict[Any, Any]:
    values = label_column.read(table, label, None, [])
    there = np.flatnonzero(values.notna())
    written = _as_written(table)[label].iloc[there].tolist()
    classes = label_column.narrow(table.name, label, values.iloc[there]).tolist()
    return dict(reversed(list(zip(classes, written, strict=True))))  # as the first row has it
