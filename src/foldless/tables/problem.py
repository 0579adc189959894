"""From files to a problem: labeled rows, pool and test rows with the same prepared columns.

Rows of the training file without a label join the pool. Where there is no other pool, the label −1 marks such rows too,
as it does in Python. Labels of a pool are never read, those of a test file never used for choosing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from foldless.core import Array
from foldless.data.columns import Columns, Kind, Missing, prepare, recognize
from foldless.data.features import concatenate, n_rows, take
from foldless.errors import BadInput
from foldless.io import Table, read_table
from foldless.io.formats import FORMATS as FORMATS
from foldless.io.formats import Format, by_ending
from foldless.io.reading import PIPE
from foldless.io.svmlight import LABEL
from foldless.tables import label_column as labeling

OUTSIDE = "they were recognized from these rows, outside the candidates"


@dataclass(frozen=True, eq=False)
class Problem:
    """What there is to choose with; ``pool_rows`` are the rows of the pool as they were read.

    Features are a frame, or a sparse matrix where columns have no names. A label is a tuple where rows have several.
    ``views`` are the columns of each view, where a model wants them.
    """

    label: str
    columns: Columns
    X: Any
    y: Array
    pool: Any = None
    pool_rows: pd.DataFrame | None = None
    X_test: Any = None
    y_test: Array | None = None
    notes: tuple[str, ...] = ()
    views: tuple[tuple[str, ...], ...] = ()

    @property
    def classes(self) -> Array:
        return np.unique(labeling.flat(self.y))

    @property
    def assumes(self) -> tuple[str, ...]:
        """What a guarantee takes for granted of the reading: it happens before, and outside, the candidates."""
        if self.columns.width:
            return (f"it tells training nothing that there are {self.columns.width:,} features: {OUTSIDE}",)
        recognized = {name: kind for name, kind in self.columns.kinds.items() if name not in self.columns.chosen}
        counts = ", ".join(f"{n} {kind}" for kind, n in replace(self.columns, kinds=recognized).count().items())
        told = f"any rows of the population would show columns of the same kinds ({counts}): {OUTSIDE}"
        return (told,) if counts else ()

    @property
    def rows(self) -> dict[str, int]:
        """How many rows there are of each part."""
        parts = {"labeled": self.X, "pool": self.pool, "test": self.X_test}
        return {name: 0 if part is None else n_rows(part) for name, part in parts.items()}


def load(
    train: str,
    label: str | None = None,
    *,
    unlabeled: str | None = None,
    test: str | None = None,
    drop: Sequence[str] = (),
    text: Sequence[str] = (),
    categorical: Sequence[str] = (),
    label_separator: str | None = None,
    fmt: Format | None = None,
    missing: Missing = "error",
    min_per_class: int = 2,
    unread: Callable[[Sequence[str]], list[str]] | None = None,
) -> Problem:
    """Read and check everything that a run needs; ``unread`` tells which columns no model will read."""
    _check_inputs(train, unlabeled, test, fmt, label_separator)
    read, *others = _read([path for path in (train, unlabeled, test) if path is not None], fmt)
    label = _named(read, label)
    told = _told(drop, text, categorical, label, [read, *others])
    notes = [note for table in (read, *others) for note in table.notes]
    labels = labeling.read(read, label, label_separator, notes)
    left_out = [label, *drop]
    if unread is not None and read.features is None:
        rest = unread([str(name) for name in read.frame if name not in left_out])
        notes += [f"{labeling.listed(rest)} in no view, and not read"] if rest else []
        left_out, told = [*left_out, *rest], {name: kind for name, kind in told.items() if name not in rest}
    columns = _columns(read, left_out, missing, told)
    for table in others:
        if columns.width and table.features is not None and table.features.shape[1] > columns.width:
            notes.append(f"features of {table.name} above {columns.width - 1} are left out: {read.name} has none")
    prepared = features(read, columns, read.name, left_out)
    empty = _unlabeled(read.name, labels, unlabeled is not None, notes)
    pools = [take(prepared, np.flatnonzero(empty))] if empty.any() else []
    pool_rows = [read.frame[empty].drop(columns=label)] if empty.any() else []
    if unlabeled is not None:
        table = others[0]
        if label in table.frame:
            notes.append(f"the column {label!r} of {table.name} is left out: labels of a pool are not read")
        pools.append(features(table, columns, read.name, left_out))
        pool_rows.append(table.frame.drop(columns=label, errors="ignore"))
    y = labeling.narrow(read.name, label, labels[~empty])
    labeling.check_classes(read.name, label, y, min_per_class)
    X_test, y_test = None, None
    if test is not None:
        X_test = features(others[-1], columns, read.name, left_out)
        y_test = _truth(others[-1], read.name, label, label_separator, y, notes)
    X = take(prepared, np.flatnonzero(~empty))
    return Problem(
        label, columns, X.reset_index(drop=True) if isinstance(X, pd.DataFrame) else X, y,
        pool=concatenate(pools) if pools else None,
        pool_rows=pd.concat(pool_rows, ignore_index=True) if pools else None,
        X_test=X_test, y_test=y_test, notes=(*dict.fromkeys(notes), *columns.notes),
    )  # fmt: skip


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


def _check_inputs(
    train: str, unlabeled: str | None, test: str | None, fmt: Format | None, separator: str | None
) -> None:
    paths = [path for path in (train, unlabeled, test) if path is not None]
    if paths.count(PIPE) > 1:
        raise BadInput(
            f"- is standard input and named {paths.count(PIPE)} times: only one of TRAIN, --unlabeled and --test can "
            f"be -"
        )
    if fmt is not None and all(_tells(path) for path in paths):
        raise BadInput(
            f"--format {fmt} is for standard input (-) and files whose ending tells no format, and {train} is "
            f"neither: leave it out"
        )
    if separator == "":
        raise BadInput("--label-separator '' separates nothing: give the mark between labels, such as ';'")


def _tells(path: str) -> bool:
    return path != PIPE and by_ending(Path(path))[0] is not None


def _read(paths: Sequence[str], fmt: Format | None) -> list[Table]:
    return [read_table(path, None if _tells(path) else fmt) for path in paths]


def _named(table: Table, label: str | None) -> str:
    """The label column; svmlight has its own."""
    if table.features is None and label is None:
        raise BadInput(f"no label is named: say with --label which column of {table.name} holds the classes")
    if table.features is not None and label not in (None, LABEL):
        raise BadInput(f"{table.name} is svmlight, where the label stands first and has no name: leave out --label")
    return LABEL if label is None else label


def _told(
    drop: Sequence[str], text: Sequence[str], categorical: Sequence[str], label: str, tables: Sequence[Table]
) -> dict[str, Kind]:
    """The kinds that the user chose, and every option checked."""
    train, options = tables[0], {"--drop": drop, "--text": text, "--categorical": categorical}
    seen: dict[str, str] = {}
    for option, names in options.items():
        for name in dict.fromkeys(names):
            if train.features is not None:
                raise BadInput(
                    f"{option} {name} names a column, and svmlight as in {train.name} has none: leave it out"
                )
            if name == label:
                does = "would leave out the label" if option == "--drop" else "is the label, not a feature"
                raise BadInput(f"{option} {name} {does}: name other columns, or another --label")
            if name in seen:
                raise BadInput(f"column {name!r} is named by {seen[name]} and by {option}: name it once")
            if not any(name in table.frame for table in (tables if option == "--drop" else tables[:1])):
                others = labeling.near(name, list(train.frame))
                raise BadInput(f"{train.name} has no column {name!r} for {option}: {others}")
            seen[name] = option
    kinds: Mapping[str, Kind] = {"--text": "text", "--categorical": "categorical"}
    return {name: kinds[option] for name, option in seen.items() if option in kinds}


def _columns(train: Table, left_out: Sequence[str], missing: Missing, told: Mapping[str, Kind]) -> Columns:
    if train.features is not None:
        return Columns({}, width=train.features.shape[1])
    named = _without(train, left_out)
    if not len(named.columns):
        raise BadInput(f"{train.name} has no column beside the label {left_out[0]!r}: a model needs features")
    return recognize(named, train.name, missing, told)


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


def _truth(table: Table, like: str, label: str, separator: str | None, y: Array, notes: list[str]) -> Array:
    """The labels of the test rows, in the type of those of the training rows."""
    labels = labeling.read(table, label, separator, [])
    if labels.isna().any():
        row = int(np.argmax(labels.isna())) + 1
        raise BadInput(f"row {row} of {table.name} has no label in column {label!r}: label it, or take the row out")
    truth = labeling.narrow(table.name, label, labels)
    known, found = labeling.flat(y), labeling.flat(truth)
    if (found.dtype.kind in "OU") != (known.dtype.kind in "OU"):
        if known.dtype.kind not in "OU":
            raise BadInput(
                f"labels are numbers in {like} and text such as {labeling.shown(found[0])} in {table.name}: "
                f"use the same in both"
            )
        truth = labeling.as_text(truth)
    unknown = np.setdiff1d(labeling.flat(truth), known)
    if len(unknown):
        first = labeling.shown(unknown[0])
        notes.append(f"class {first} of {table.name} has no labeled row in {like}, so it is always missed")
    return truth
