"""The only door for user data: what is labeled, what is the pool, and which rows a fit is given.

Features stay what the user passed (array, sparse matrix, pandas or polars frame, list): they are sliced, never
converted, so a candidate sees the type it would see without foldless. Labels become class codes.

What −1 means is decided in `foldless.data._minus_one`.

Label sets become one copy of the row per label. Copies of a row are one group, so that no fold trains on one and tests
on another; rows without any label join the pool, which is not replicated, as rows do whose label is None or NaN.
"""

from bisect import bisect_right
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from foldless.core import Array, Contents, Overlap, Response, Rows
from foldless.data._features import Absent, as_features, check_alike, concatenate, like, n_bytes, n_rows, take
from foldless.data._metadata import ScoreParams, apart, is_per_row, joined
from foldless.data._minus_one import ASSUMED, TAKEN, UNLABELED, marks_pool
from foldless.data._overlap import Hashed, contents, hashed, overlap
from foldless.data._stored_pool import StoredPool, only_sampled, stored_and_sample
from foldless.data._targets import LabelSets, is_column, label_sets, n_columns, narrow, one_per_row, present_labels
from foldless.data.pool import Pool
from foldless.errors import AmbiguousLabels, BadInput, DecideMinusOne, warn_user

COPIED = (
    "y has {columns} columns, and these classifiers predict one label: they train on one copy of a row for each of its "
    "labels; use multilabel classifiers, such as OneVsRestClassifier, or pass a list of labels for each row to confirm"
)


@dataclass(frozen=True, eq=False)
class Data:
    """Labeled rows, pool and test rows under one numbering, and the codes of their labels.

    ``targets`` are the labels as the user passed them, where they need no change. Where they are ``opaque`` there are
    no codes: ``y`` is 0, without classes. ``score_params`` are of each scorer; ``draws`` say how labels were drawn. Of
    a pool that is ``stored`` in files, ``pool`` is a random sample.
    """

    labeled: Any
    y: Array
    classes: Array
    pool: Any = None
    test: Any = None
    test_y: Array | None = None
    fit_params: Mapping[str, Any] = field(default_factory=dict)
    groups: Array | None = None
    notes: tuple[str, ...] = ()
    pool_groups: Array | None = None
    targets: Any = None
    opaque: bool = False
    score_params: ScoreParams = field(default_factory=dict)
    stored: StoredPool | None = None
    draws: Mapping[str, Any] = field(default_factory=dict)

    @property
    def regression(self) -> bool:
        """Whether ``y`` holds values, and not class codes."""
        return not len(self.classes)

    @property
    def response(self) -> Response:
        """What every candidate can answer."""
        return "values" if self.regression else "labels"

    @property
    def parts(self) -> list[Any]:
        return [part for part in (self.labeled, self.pool, self.test) if part is not None]

    @property
    def n_rows(self) -> int:
        return sum(map(n_rows, self.parts))

    def __sizeof__(self) -> int:
        """About the bytes of all parts: Dask moves once, and not with every call, what is large."""
        return object.__sizeof__(self) + sum(map(n_bytes, self.parts))

    def rows(self) -> tuple[Rows, Rows, Rows]:
        """The rows of the labeled part, the pool and the test part."""
        n, m, t = (0 if part is None else n_rows(part) for part in (self.labeled, self.pool, self.test))
        return Rows(range(n)), Rows(range(n, n + m)), Rows(range(n + m, n + m + t))

    @property
    def stored_rows(self) -> Rows | None:
        """All rows of a pool that stays in its files; they are numbered behind all others."""
        return None if self.stored is None else Rows(range(self.n_rows, self.n_rows + self.stored.n))

    def take(self, rows: Rows) -> Any:
        """The features of some rows; a whole part is handed over as it is, without a copy."""
        start = 0
        touched: list[tuple[Any, Array | slice]] = []
        for part in self.parts:
            stop = start + n_rows(part)
            if rows.scattered is None:
                a, b = max(rows.start, start), min(rows.stop, stop)
                if a < b:
                    touched.append((part, slice(a - start, b - start)))
            else:
                inside = (rows.scattered >= start) & (rows.scattered < stop)
                if inside.all():
                    return take(part, rows.scattered - start)
                if inside.any():
                    touched.append((part, rows.scattered[inside] - start))
            start = stop
        if not touched:
            return take(self.labeled, slice(0, 0))
        stacked = concatenate([take(part, which) for part, which in touched])
        if rows.scattered is None or (np.diff(rows.scattered) > 0).all():
            return stacked
        by_part = np.argsort(self._part_of(rows.scattered), kind="stable")
        return take(stacked, np.argsort(by_part, kind="stable"))

    def touched(self, rows: Rows) -> range:
        """The numbers of the parts in which some rows lie, and of those between them."""
        if not len(rows):
            return range(0)
        first, last = (bisect_right(self._ends, row) for row in rows.bounds)
        return range(first, last + 1)

    def only(self, kept: Collection[int]) -> "Data":
        """The same rows under the same numbers, the features of the other parts left out."""
        names = [name for name in ("labeled", "pool", "test") if getattr(self, name) is not None]
        out: dict[str, Any] = {
            name: Absent(n_rows(getattr(self, name))) for at, name in enumerate(names) if at not in kept
        }
        return replace(self, stored=None, **out) if out or self.stored is not None else self

    def overlap(self) -> Overlap:
        """What labeled rows and pool have in common by content; computed once, when someone asks."""
        return self._overlap

    @cached_property
    def _overlap(self) -> Overlap:
        return overlap(self.labeled, self.pool, self._hashed)

    def contents(self) -> Contents:
        """Which labeled rows and pool rows have equal content; computed once, when someone asks."""
        return contents(self._hashed)

    @cached_property
    def _hashed(self) -> Hashed:
        return hashed(self.labeled, self.pool)

    def params_of(self, rows: Rows) -> dict[str, Any]:
        """Fit parameters such as sample_weight, cut to the rows."""
        return self._cut(self.fit_params, rows)

    def score_params_of(self, rows: Rows) -> dict[str, dict[str, Any]]:
        """The parameters of each scorer, cut to the rows."""
        return {name: self._cut(params, rows) for name, params in self.score_params.items()}

    def targets_of(self, rows: Rows) -> Any:
        """The true labels of labeled rows, as the user passed them."""
        if self.targets is None:
            codes = self.y[rows.indices]
            return None if self.opaque else codes if self.regression else self.classes[codes]
        return take(self.targets, slice(rows.start, rows.stop) if rows.scattered is None else rows.indices)

    def _cut(self, params: Mapping[str, Any], rows: Rows) -> dict[str, Any]:
        n = len(self.y)
        return {name: take(value, rows.indices) if is_per_row(value, n) else value for name, value in params.items()}

    def _part_of(self, indices: Array) -> Array:
        return np.searchsorted(self._ends, indices, side="right")

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(n_rows(part) for part in self.parts))


def open_data(
    X: Any,
    y: Any,
    X_unlabeled: Any = None,
    *,
    X_test: Any = None,
    y_test: Any = None,
    groups: Any = None,
    fit_params: Mapping[str, Any] | None = None,
    unlabeled: Any = ASSUMED,
    score_params: ScoreParams | None = None,
) -> Data:
    """Check what the user passed and number its rows.

    ``unlabeled`` is the label of rows without one: −1, or None where −1 is a class; if that is assumed, with a warning.
    ``score_params`` are the parameters of each scorer; as those of fit, they are cut to the labeled rows.
    """
    passed, marked = y, marks_pool(X_unlabeled, unlabeled)
    if y is None:
        raise BadInput("foldless requires y to be passed, but the target y is None: pass one label per row of X")
    X, sets = as_features(X, "X"), label_sets(y)
    y, missing = (y, np.zeros(0, dtype=bool)) if sets is not None else present_labels(y)
    n, n_labels = n_rows(X), len(missing) if sets is None else sets.n
    if n != n_labels:
        raise BadInput(f"X has {n} rows and y has {n_labels} labels: they must be of equal length")
    if not n:
        raise BadInput("X has no rows (0 samples): pass at least two labeled rows of different classes")
    stored, pool = stored_and_sample(X_unlabeled.X if isinstance(X_unlabeled, Pool) else X_unlabeled)
    pool = as_features(pool, "X_unlabeled")
    params = joined(fit_params, score_params)
    if groups is not None and len(groups := np.asarray(groups)) != n:
        raise BadInput(f"groups has {len(groups)} entries for {n} rows of X: they must be of equal length")
    if len(missing) and missing.all():
        raise BadInput("y has no label in any row (NaN or None): pass at least two labeled rows of different classes")
    pool_groups = X_unlabeled.groups if isinstance(X_unlabeled, Pool) else None
    if pool is not None:
        pool_groups = _pool_groups(pool, pool_groups, groups)
        pool = like(X, pool)
        check_alike(X, pool, "X_unlabeled")
        pool = pool if n_rows(pool) else None
    notes: list[str] = []
    if sets is not None:
        if n_columns(passed) > 1:
            warn_user(COPIED.format(columns=n_columns(passed)))
        parts = _replicate(X, sets, pool, params, groups, pool_groups, notes)
    else:
        parts = _split_missing((X, y, pool, params, groups, pool_groups), missing, marked, notes)
    X, y, pool, params, groups, pool_groups = parts
    pool, pool_groups = only_sampled(stored, pool, pool_groups, notes)
    if marked and sets is None and unlabeled == ASSUMED and n_rows(X) + int(missing.sum()) < n:
        warn_user(TAKEN.format(n=n - n_rows(X) - int(missing.sum())))
    try:
        check_classification_targets(y)
    except (ValueError, TypeError) as error:
        raise BadInput(f"y holds no class labels: {error}") from error
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise BadInput(
            f"y holds one class only, {_plain(classes[0])!r}: choosing a classifier needs at least two classes"
        )
    test, test_codes = _test_part(X, X_test, y_test, classes, notes)
    return Data(
        X, codes.astype(np.int64), classes, pool, test, test_codes, groups=groups, notes=tuple(notes),
        pool_groups=pool_groups, targets=passed if sets is None and n_rows(X) == n and is_column(passed) else None,
        stored=stored, **apart(params),
    )  # fmt: skip


def encode(labels: Array, classes: Array) -> Array:
    """Class codes in the smallest integer type; a label that is none of the classes becomes −1."""
    kind = np.int8 if len(classes) <= 127 else np.int16 if len(classes) <= 32_767 else np.int32
    labels = np.asarray(labels)
    if "O" in (classes.dtype.kind, labels.dtype.kind):  # may mix types, which do not sort
        code = {label: at for at, label in enumerate(classes.tolist())}
        return np.array([code.get(label, -1) for label in labels.tolist()], dtype=kind)
    if classes.dtype.kind in "OUS" and labels.dtype.kind in "iufb":
        return np.full(len(labels), -1, dtype=kind)
    plain = len(labels) and labels.dtype.kind in "iu" and np.array_equal(classes, np.arange(len(classes)))
    if plain and labels.min() >= 0 and labels.max() < len(classes):  # they are codes already
        return labels.astype(kind)
    at = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
    return np.where(classes[at] == labels, at, -1).astype(kind)


Parts = tuple[Any, Array, Any, dict[Any, Any], Any, Any]
"""Labeled rows, their labels, the pool, fit parameters, and the groups of labeled rows and pool."""


def _pool_groups(pool: Any, groups: Any, labeled: Any) -> Any:
    """The groups of the pool, checked."""
    if groups is None:
        return None
    if labeled is None:
        raise BadInput("the pool has groups and the labeled rows have none: pass groups= for both, or for neither")
    if len(groups := np.asarray(groups)) != n_rows(pool):
        raise BadInput(
            f"the groups of the pool have {len(groups)} entries for {n_rows(pool)} rows: they must be of equal length"
        )
    return groups


def _split_missing(parts: Parts, missing: Array, marked: bool, notes: list[str]) -> Parts:
    """Rows whose label is missing join the pool; ``marked`` if those with the label −1 do too."""
    X, y, pool, params, groups, pool_groups = parts
    if not missing.any():
        return _split_marked(X, y, params, groups) if marked else (X, narrow(y), *parts[2:])
    labeled, without = np.flatnonzero(~missing), np.flatnonzero(missing)
    params = {k: take(value, labeled) if is_per_row(value, len(missing)) else value for k, value in params.items()}
    unlabeled, own = take(X, without), None if groups is None else groups[without]
    X, groups = take(X, labeled), None if groups is None else groups[labeled]
    if marked:
        X, y, pool, params, groups, pool_groups = _split_marked(X, y, params, groups)
    n_pool = 0 if pool is None else n_rows(pool)
    if own is not None and (pool_groups is not None or not n_pool):
        pool_groups = np.concatenate([own, *([pool_groups] if n_pool else [])])
    pool = concatenate([unlabeled, *([] if pool is None else [pool])])
    notes.append(f"{len(without)} rows without a label join the pool")
    return X, narrow(y), pool, params, groups, pool_groups


def _split_marked(X: Any, y: Array, params: dict[Any, Any], groups: Any) -> Parts:
    """Labeled part and pool where rows without a label are marked −1."""
    if y.dtype.kind in "OUS" and any(isinstance(label, str) and label == str(UNLABELED) for label in y):
        raise AmbiguousLabels(
            "y holds the string '-1'",
            place="y",
            remedy=(DecideMinusOne(), "make y an array of dtype object with the number −1"),
        )
    if y.dtype.kind == "O":
        marked = np.array([isinstance(label, int | float | np.number) and label == UNLABELED for label in y])
    else:
        marked = y == UNLABELED if y.dtype.kind in "if" else np.zeros(len(y), dtype=bool)
    if not marked.any():
        return X, narrow(y), None, params, groups, None
    others = np.unique(y[~marked].astype(str if y.dtype.kind == "O" else y.dtype))
    if len(others) < 2:
        found = f"−1 and {_plain(others[0])!r}" if len(others) else "only −1"
        raise AmbiguousLabels(
            f"y holds {found}, and −1 marks unlabeled rows here, which leaves fewer than two classes",
            place="y",
            remedy=DecideMinusOne(),
        )
    labeled, unlabeled = np.flatnonzero(~marked), np.flatnonzero(marked)
    cut = {name: take(value, labeled) if is_per_row(value, len(y)) else value for name, value in params.items()}
    parts = (None, None) if groups is None else (groups[labeled], groups[unlabeled])
    return take(X, labeled), narrow(y[labeled]), take(X, unlabeled), cut, *parts


def _replicate(
    X: Any, sets: LabelSets, pool: Any, params: dict[Any, Any], groups: Any, pool_groups: Any, notes: list[str]
) -> Parts:
    """One copy of a row per label; a row without one goes to the pool."""
    without = np.setdiff1d(np.arange(sets.n), sets.rows)
    n_pool, given = 0 if pool is None else n_rows(pool), groups is not None
    if sets.ceiling < 1 and not given:  # each row of the table is a group of its own
        groups, pool_groups = np.arange(sets.n), sets.n + np.arange(n_pool)
    if len(without):
        pool = concatenate([take(X, without), *([] if pool is None else [pool])])
        notes.append(f"{len(without)} rows without any label join the pool")
        if groups is not None and (pool_groups is not None or not n_pool):
            pool_groups = np.concatenate([groups[without], *([pool_groups] if n_pool else [])])
    if sets.ceiling < 1:
        notes.append(_ceiling(sets, "y"))
    copied = {name: take(value, sets.rows) if is_per_row(value, sets.n) else value for name, value in params.items()}
    own = None if groups is None else groups[sets.rows]
    return take(X, sets.rows), sets.labels, pool, copied, own, pool_groups


def _ceiling(sets: LabelSets, name: str) -> str:
    return (
        f"{name} holds {len(sets.rows)} labels for {len(sets.labeled)} rows, and a row is copied for each of its "
        f"labels: accuracy on the copies cannot exceed {sets.ceiling:.4f}"
    )


def _test_part(X: Any, X_test: Any, y_test: Any, classes: Array, notes: list[str]) -> tuple[Any, Array | None]:
    if (X_test is None) != (y_test is None):
        raise BadInput(f"a test set needs both X_test and y_test, got only {'y_test' if X_test is None else 'X_test'}")
    if X_test is None:
        return None, None
    test, sets = as_features(X_test, "X_test"), label_sets(y_test, "y_test")
    check_alike(X, test, "X_test")
    labels = one_per_row(y_test, "y_test") if sets is None else sets.labels
    n = len(labels) if sets is None else sets.n
    if n_rows(test) != n or not n:
        raise BadInput(f"X_test has {n_rows(test)} rows and y_test has {n} labels: pass as many of both, at least one")
    if sets is not None:
        if len(sets.labeled) < n:
            row = int(np.setdiff1d(np.arange(n), sets.rows)[0])
            raise BadInput(f"y_test has no label in row {row}: leave the row out of the test set, or label it")
        if sets.ceiling < 1:
            notes.append(_ceiling(sets, "y_test"))
        test = take(test, sets.rows)
    codes = encode(narrow(labels), classes).astype(np.int64)
    if (codes < 0).all():
        raise BadInput(
            f"no label of y_test, such as {_plain(labels[0])!r}, is a class of y, such as {_plain(classes[0])!r}: "
            f"give both the same type and names"
        )
    if n_strange := int((codes < 0).sum()):
        notes.append(_strange(n_strange, list(dict.fromkeys(labels[codes < 0].tolist()))))
    return test, codes


def _strange(rows: int, names: list[Any]) -> str:
    """What is said of test rows whose classes have no labeled row."""
    first, more = repr(names[0]), len(names) - 1
    which = f"class {first}" if not more else f"{first} and {more} other class{'es' * (more > 1)}"
    count = "1 test row is" if rows == 1 else f"{rows} test rows are"
    return (
        f"{count} of {which}, which no labeled row has: every candidate is wrong about {'it' if rows == 1 else 'them'}"
    )


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label
