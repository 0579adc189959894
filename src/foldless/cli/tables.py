"""From files to a problem: labeled rows, pool and test rows with the same prepared columns.

Rows of the training file without a label join the pool. Where there is no other pool, the label −1 marks such rows too,
as it does in Python. Labels of a pool are never read, those of a test file never used for choosing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
import pandas as pd

from foldless.columns import Columns, Missing, prepare, recognize
from foldless.core import Array
from foldless.errors import BadInput
from foldless.files import Table, read_table


@dataclass(frozen=True, eq=False)
class Problem:
    """What there is to choose with; ``pool_rows`` are the rows of the pool as they were read."""

    label: str
    columns: Columns
    X: pd.DataFrame
    y: Array
    pool: pd.DataFrame | None = None
    pool_rows: pd.DataFrame | None = None
    X_test: pd.DataFrame | None = None
    y_test: Array | None = None
    notes: tuple[str, ...] = ()

    @property
    def classes(self) -> Array:
        return np.unique(self.y)


def load(
    train: str,
    label: str,
    *,
    unlabeled: str | None = None,
    test: str | None = None,
    drop: Sequence[str] = (),
    missing: Missing = "error",
    min_per_class: int = 2,
) -> Problem:
    """Read and check everything that a run needs."""
    read = read_table(train)
    others = [read_table(path) for path in (unlabeled, test) if path is not None]
    _check_drop(drop, label, [read, *others])
    notes = [note for table in (read, *others) for note in table.notes]
    labels = _labels(read, label)
    features = _without(read, [label, *drop])
    if not len(features.columns):
        raise BadInput(f"{read.name} has no column beside the label {label!r}: a model needs features")
    columns = recognize(features, read.name, missing)
    prepared = prepare(features, columns, read.name, read.name)
    empty = _unlabeled(read.name, labels, unlabeled is not None, notes)
    pools = [prepared[empty]] if empty.any() else []
    pool_rows = [read.frame[empty].drop(columns=label)] if empty.any() else []
    if unlabeled is not None:
        table = others[0]
        if label in table.frame:
            notes.append(f"the column {label!r} of {table.name} is left out: labels of a pool are not read")
        pools.append(prepare(_without(table, [label, *drop]), columns, table.name, read.name))
        pool_rows.append(table.frame.drop(columns=label, errors="ignore"))
    y = _narrow(read.name, label, labels[~empty])
    _check_classes(read.name, label, y, min_per_class)
    X_test, y_test = None, None
    if test is not None:
        X_test, y_test = _test_part(others[-1], read.name, label, drop, columns, y, notes)
    return Problem(
        label, columns, prepared[~empty].reset_index(drop=True), y,
        pool=pd.concat(pools, ignore_index=True) if pools else None,
        pool_rows=pd.concat(pool_rows, ignore_index=True) if pools else None,
        X_test=X_test, y_test=y_test, notes=(*notes, *columns.notes),
    )  # fmt: skip


def _labels(table: Table, label: str) -> "pd.Series[Any]":
    if label not in table.frame:
        raise BadInput(f"{table.name} has no column {label!r} for --label: {_near(label, list(table.frame))}")
    values = table.frame[label].astype(object)
    return values.mask(values.isna() | (values == ""), None)


def _check_drop(drop: Sequence[str], label: str, tables: Sequence[Table]) -> None:
    for name in drop:
        if name == label:
            raise BadInput(f"--drop {name} would leave out the label: drop other columns, or name another --label")
        if not any(name in table.frame for table in tables):
            raise BadInput(f"{tables[0].name} has no column {name!r} for --drop: {_near(name, list(tables[0].frame))}")


def _without(table: Table, names: Sequence[str]) -> pd.DataFrame:
    return table.frame.drop(columns=list(names), errors="ignore")


def _unlabeled(source: str, labels: "pd.Series[Any]", has_pool: bool, notes: list[str]) -> Array:
    """Which rows have no label."""
    empty = labels.isna().to_numpy()
    if empty.any():
        notes.append(f"{empty.sum()} rows of {source} without a label join the pool")
    if has_pool or empty.any():
        return empty
    marked = np.array([label in (-1, "-1") for label in labels])
    if not marked.any():
        return empty
    others = labels[~marked].unique()
    if len(others) < 2 or "-1" in labels.to_numpy():
        raise BadInput(
            f"{source} has the label −1 and no other pool, so −1 may be a class or mark unlabeled rows: pass the pool "
            f"as --unlabeled or leave labels empty (then −1 is a class), or use another label than −1"
        )
    notes.append(f"{marked.sum()} rows of {source} with the label −1 are the pool")
    return marked


def _narrow(source: str, label: str, labels: "pd.Series[Any]") -> Array:
    """Labels in one plain type; whole numbers that pandas stored as 1.0 are whole again."""
    if not len(labels):
        raise BadInput(f"no row of {source} has a label in column {label!r}: label at least two rows of each class")
    values = labels.tolist()
    if all(isinstance(value, bool) for value in values):
        return np.array(values)
    if all(isinstance(value, int | float) for value in values):
        numbers = np.array(values, dtype=float)
        odd = np.flatnonzero(~np.isfinite(numbers) | (numbers != np.round(numbers)))
        if len(odd):
            raise BadInput(
                f"column {label!r} of {source} holds {values[odd[0]]!r} in row {labels.index[odd[0]] + 1}: "
                f"labels are names or whole numbers, name a column of classes with --label"
            )
        return np.array([int(value) for value in values])
    return np.array([str(value) for value in values], dtype=object)


def _check_classes(source: str, label: str, y: Array, min_per_class: int) -> None:
    classes, counts = np.unique(y, return_counts=True)
    if len(classes) < 2:
        raise BadInput(
            f"column {label!r} of {source} holds one class only, {_shown(classes[0])}: label rows of another class too"
        )
    rare = np.flatnonzero(counts < min_per_class)
    if len(rare):
        n = int(counts[rare[0]])
        more = f" ({len(rare)} classes have too few)" if len(rare) > 1 else ""
        raise BadInput(
            f"class {_shown(classes[rare[0]])} has {n} labeled row{'s' * (n > 1)} in {source}{more}, fewer than "
            f"{min_per_class}: label more rows, or pass --min-per-class {int(counts.min())}"
        )


def _test_part(
    table: Table, like: str, label: str, drop: Sequence[str], columns: Columns, y: Array, notes: list[str]
) -> tuple[pd.DataFrame, Array]:
    labels = _labels(table, label)
    if labels.isna().any():
        row = int(np.argmax(labels.isna())) + 1
        raise BadInput(f"row {row} of {table.name} has no label in column {label!r}: label it, or take the row out")
    truth = _narrow(table.name, label, labels)
    if (truth.dtype.kind in "OU") != (y.dtype.kind in "OU"):
        if y.dtype.kind not in "OU":
            raise BadInput(
                f"labels are numbers in {like} and text such as {_shown(truth[0])} in {table.name}: "
                f"use the same in both"
            )
        truth = np.array([str(value) for value in labels], dtype=object)
    unknown = np.setdiff1d(truth, y)
    if len(unknown):
        notes.append(f"class {_shown(unknown[0])} of {table.name} has no labeled row in {like}, so it is always missed")
    return prepare(_without(table, [label, *drop]), columns, table.name, like), truth


def _near(name: str, names: list[Any]) -> str:
    near = get_close_matches(name, [str(n) for n in names], n=3, cutoff=0.5)
    if near:
        return f"did you mean {' or '.join(map(repr, near))}?"
    return f"its columns are {', '.join(map(repr, names[:8]))}{f' and {len(names) - 8} more' * (len(names) > 8)}"


def _shown(value: Any) -> str:
    return repr(value.item() if isinstance(value, np.generic) else value)
