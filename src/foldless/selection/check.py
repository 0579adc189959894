"""check: what is wrong with the data, and how much it matters."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pandas as pd
import pyarrow as pa
from scipy import sparse

from foldless.checks._checked_data import UNKNOWN, CheckedData, Names, kind_of, same_types
from foldless.checks._running import run_checks
from foldless.core import Classes, TimeBudget, Values
from foldless.data import Pool
from foldless.data._columns import arrow_type
from foldless.data._features import as_features, in_pandas, n_rows
from foldless.data._id_columns import id_columns
from foldless.data._minus_one import ASSUMED
from foldless.data._opening import open_sample
from foldless.data._sample import Sample
from foldless.data.pools import source_of
from foldless.errors import BadInput, counted
from foldless.results import Selection
from foldless.results.findings import Findings
from foldless.selection._cheap_fits import CheapFits

SECONDS = 20.0  # for the fits of a cheap model
TEXT = "text"  # the column of rows that are texts
WORDS = {
    "numeric": ("number", "numbers"), "boolean": ("yes/no column", "yes/no columns"), "date": ("date", "dates"),
    "categorical": ("category", "categories"), "text": ("text", "texts"), UNKNOWN: ("other", "others"),
}  # fmt: skip


def check(
    X: Any,
    y: Any,
    *,
    X_unlabeled: Any = None,
    X_test: Any = None,
    y_test: Any = None,
    groups: Any = None,
    search: Any = None,
    ignore: Sequence[str] = (),
    keep: Sequence[Any] = (),
    fast: bool = False,
    time_budget: float = SECONDS,
    unlabeled: Any = ASSUMED,
    names: Sequence[str] | None = None,
    task: Literal["classification", "regression"] | None = None,
    random_state: Any = None,
) -> Findings:
    """Look for what is wrong with labeled rows, pool and test rows, and measure how much it matters.

    Each finding has a code, and is an *issue* if it changes a number that people act on, else a *tip*. At most one in
    twenty data sets without a fault has an issue. How much a finding matters is measured by the out-of-fold accuracy of
    a cheap model, with and without the rows or columns that it is about. Data are never changed.

    Parameters
    ----------
    X, y : the labeled rows, as for `FoldlessSearch.fit`; columns of a data frame may be of any type
    X_unlabeled : the pool, optional; it may lack columns of X, which is a finding
    X_test, y_test : test rows, optional
    groups : rows of one group belong together
    search : a fitted `FoldlessSearch` or its ``selection_``, optional: its grid and its choice are looked at too
    ignore : codes of checks that are not made, such as ["FL021"]
    keep : columns that are not to be taken for ids
    fast : only what needs no model
    time_budget : the seconds that fits of the cheap model may take; a `foldless.core.TimeBudget` is of all checks
    unlabeled : what marks rows without a label, as for `FoldlessSearch`
    names : what to call labels, pool and test rows, such as the names of their files
    task : whether labels are classes, or numbers to predict; by default numbers with fractions mean regression
    random_state : the seed of every random draw

    Returns
    -------
    Findings
        ``findings``, ``issues``, ``tips``, ``table()``, ``report(path)``.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.datasets import load_iris
    >>> from foldless import check
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> rows = pd.concat([X[::2], X[:20:2]])
    >>> print(check(rows, [*y[::2], *y[:20:2]], X_unlabeled=X[1::2], fast=True, ignore=["FL015"]))
    the labels 85 rows, the pool 75 rows, 4 columns (4 numbers), 3 classes
    FL004 issue  20 of 85 labeled rows appear more than once
    16 more checks found nothing; 8 do not apply; 4 skipped as they take time; 1 ignored
    """
    random = np.random.default_rng(0 if random_state is None else random_state)
    X, X_unlabeled, X_test = (_in_pandas(part) for part in (X, X_unlabeled, X_test))
    called = Names(*names) if names is not None else Names()
    parts = _Parts.of(X, X_unlabeled, X_test, y, keep)
    kind = Values if task == "regression" or (task is None and _are_values(y)) else Classes
    sample = open_sample(
        parts.X, y, parts.pool, kind=kind, X_test=parts.test, y_test=y_test, groups=groups, unlabeled=unlabeled,
        random_state=int(random.integers(2**31)),
    )  # fmt: skip
    data = parts.data(sample, called, keep, fast, None if search is None else _selection(search))
    budget = time_budget if isinstance(time_budget, TimeBudget) else None
    data = _with_fits(data, time_budget if budget is None else budget - budget.spent, int(random.integers(2**31)))
    notes = tuple(note for note in sample.notes if not hasattr(note, "code"))
    return run_checks(data, ignore, about=_about(data), notes=notes, budget=budget)


class _Parts:
    """What was passed, with the columns that all parts have, and with all of them."""

    def __init__(self, X: Any, pool: Any, test: Any, frames: tuple[pd.DataFrame | None, ...]):
        self.X, self.pool, self.test, self.frames = X, pool, test, frames

    @classmethod
    def of(cls, X: Any, pool: Any, test: Any, y: Any, keep: Collection[Any]) -> "_Parts":
        if not isinstance(X, pd.DataFrame):
            return cls(X, pool, test, (as_frame(X), None, as_frame(test)))
        if X.columns.has_duplicates:
            raise BadInput(f"column {X.columns[X.columns.duplicated()][0]!r} occurs twice: rename or drop one of them")
        rows = pool.X if isinstance(pool, Pool) else pool
        pool_frame = rows if isinstance(rows, pd.DataFrame) else None
        if (stored := source_of(rows)) is not None:  # all columns of its first rows
            block = next(iter(stored.blocks([0], list(stored.schema.names))))
            pool_frame = pd.DataFrame(block.table.slice(0, 1000).to_pandas())
        common = list(X.columns)
        for other in (pool_frame, test):
            if isinstance(other, pd.DataFrame):
                common = [name for name in common if name in other and _alike(X[name], other[name])]
        ids = _ids(X, pool_frame, y, keep)  # rows are copies whatever their ids are
        common = [name for name in common if name not in ids] or common
        if not common:
            raise BadInput("labels, pool and test rows have no column in common: give them the same columns")
        pool, test_rows = _cut(pool, common), _cut(test, common)
        return cls(X[common], pool, test_rows, (X, pool_frame, test if isinstance(test, pd.DataFrame) else None))

    def data(
        self, sample: Sample, names: Names, keep: Collection[Any], fast: bool, selection: Selection | None
    ) -> CheckedData:
        labeled, pool, test = self.frames
        if labeled is not None and sample.numbers is not None:
            labeled = labeled.iloc[sample.numbers].reset_index(drop=True)
        if sample.pool is not None and (pool is None or sample.stored is not None or len(pool) != n_rows(sample.pool)):
            pool = _with_columns(as_frame(sample.pool), pool)
        return CheckedData(sample, labeled, pool, test, names, None, selection, fast, tuple(keep))


def _with_columns(rows: pd.DataFrame | None, seen: pd.DataFrame | None) -> pd.DataFrame | None:
    """The rows of a pool with columns that only its first rows were ``seen`` of, as others cannot be compared."""
    if rows is None or seen is None:
        return rows
    others = seen[[name for name in seen if name not in rows]].reset_index(drop=True)
    rows = rows.reset_index(drop=True)
    return pd.concat([rows, others.reindex(rows.index)], axis=1) if len(others.columns) else rows


def _with_fits(data: CheckedData, seconds: float, seed: int) -> CheckedData:
    if not isinstance(data.sample.target, Classes | Values):
        return data
    frame, X = data.labeled, data.sample.labeled
    if frame is not None and (isinstance(X, pd.DataFrame) or not isinstance(X, list | np.ndarray)):
        X = frame[[name for name in frame if _is_readable(frame[name])]]
        if not len(X.columns):
            return data
    test = None
    if data.sample.test is not None and data.sample.test_y is not None:
        rows = data.sample.test if data.test is None or not isinstance(X, pd.DataFrame) else data.test
        test = (rows, data.sample.test_y)
    groups = data.sample.groups
    fits = CheapFits(
        X, data.sample.y, None if data.codes is None else len(data.classes), test=test, groups=groups, seed=seed,
        seconds=seconds, fast=data.fast,
    )  # fmt: skip
    return replace(data, fits=fits)


def _is_readable(values: "pd.Series[Any]") -> bool:
    """Whether models can read a column: it has values, of a kind that they know."""
    if pd.api.types.is_numeric_dtype(values.dtype) or isinstance(values.dtype, pd.StringDtype):
        return bool(values.notna().any())
    try:
        distinct = pd.Series(values.unique())  # categories have few values in many rows
    except TypeError:  # lists and other values without a hash
        distinct = values
    return kind_of(distinct) != UNKNOWN


def as_frame(X: Any) -> pd.DataFrame | None:
    """Rows as a data frame whose columns are looked at; None for sparse rows, and for none."""
    if X is None or sparse.issparse(X) or isinstance(X, pd.DataFrame):
        return X if isinstance(X, pd.DataFrame) else None
    if isinstance(X, pd.Series):
        return X.to_frame(TEXT).reset_index(drop=True)
    X = as_features(X, "X")
    if isinstance(X, list) and X and not isinstance(X[0], str):
        X = np.asarray(X)
    if isinstance(X, list) or getattr(X, "ndim", 2) == 1:
        return pd.DataFrame({TEXT: list(X)})
    if not isinstance(X, np.ndarray):
        return None
    table = pd.DataFrame(X.reshape(len(X), -1))
    return table if X.dtype.kind in "biuf" else table.infer_objects()


def _in_pandas(X: Any) -> Any:
    if not isinstance(X, pd.DataFrame):
        return in_pandas(X) if hasattr(X, "hash_rows") and not isinstance(X, Pool) else X
    nested = {name: object for name, kind in X.dtypes.items() if pa.types.is_nested(arrow_type(kind))}
    return X.astype(nested) if nested else X  # Arrow does not count lists and records


def _ids(X: pd.DataFrame, pool: pd.DataFrame | None, y: Any, keep: Collection[Any]) -> set[Any]:
    """The columns that identify rows, which no model should read."""
    names = [name for name in X if isinstance(name, str) and name not in keep]
    tables = [X] if pool is None or not len(pool) else [X, pool]
    labels = np.asarray(y)
    codes = labels if labels.dtype.kind == "f" else pd.factorize(pd.Series(list(y)))[0]
    if len(codes) != len(X) or X.shape[1] < 2:
        return set()
    verdicts = id_columns(tables, np.arange(len(X)), codes, names)
    return {name for name, verdict in verdicts.items() if verdict.left_out}


def _alike(first: "pd.Series[Any]", second: "pd.Series[Any]") -> bool:
    """Whether a column can be read in both parts as one."""

    def kinds(dtype: Any) -> tuple[bool, bool, bool]:
        boolean = pd.api.types.is_bool_dtype(dtype)
        number = pd.api.types.is_numeric_dtype(dtype) and not boolean
        return boolean, number, pd.api.types.is_datetime64_any_dtype(dtype)

    return same_types(first, second) and kinds(first.dtype) == kinds(second.dtype)


def _cut(part: Any, columns: list[Any]) -> Any:
    if isinstance(part, pd.DataFrame):
        return part[columns]
    if isinstance(part, Pool) and isinstance(part.X, pd.DataFrame):
        return Pool(part.X[columns], groups=part.groups)
    return part


def _selection(search: Any) -> Selection:
    selection = search if isinstance(search, Selection) else getattr(search, "selection_", None)
    if not isinstance(selection, Selection):
        raise BadInput(f"search must be a fitted FoldlessSearch or its selection_, got {type(search).__name__}")
    return selection


def _are_values(y: Any) -> bool:
    """Whether labels are numbers to predict: some have a fraction."""
    values = np.asarray(y)
    return bool(values.dtype.kind == "f" and (np.isfinite(values) & (values != np.round(values))).any())


def _about(data: CheckedData) -> str:
    """Rows, columns and classes in one sentence."""
    rows = [f"{data.names.labeled} {counted(data.n, 'row')}"]
    if data.sample.pool is not None:
        n = data.sample.stored.n if data.sample.stored is not None else n_rows(data.sample.pool)
        rows.append(f"{data.names.pool} {counted(n, 'row')}")
    if data.sample.test is not None:
        rows.append(f"{data.names.test} {counted(n_rows(data.sample.test), 'row')}")
    columns = _columns(data)
    classes = counted(len(data.classes), "class", "classes") if data.codes is not None else "numbers to predict"
    return ", ".join([*rows, *([columns] if columns else []), classes])


def _columns(data: CheckedData) -> str:
    if data.labeled is None:
        shape: tuple[int, ...] = getattr(data.sample.labeled, "shape", (0,))
        return f"{shape[1]:,} sparse columns" if len(shape) > 1 else ""
    counts = {kind: len(data.of(kind)) for kind in WORDS if data.of(kind)}
    n = data.labeled.shape[1]
    said = ", ".join(f"{count:,} {WORDS[kind][count != 1]}" for kind, count in counts.items())
    return counted(n, "column") + (f" ({said})" if n <= len(data.read) else "")
