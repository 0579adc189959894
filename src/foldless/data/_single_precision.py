"""Where features hold numbers that most models cannot read: NaN, infinite, or beyond single precision.

Trees and linear classifiers work in single precision, where |x| ≤ 3.4e38: a larger number is infinite there, and what
scales it overflows. NaN and infinite numbers may have a meaning to a candidate, a larger one has none.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse

from foldless.core import Array
from foldless.data._features import as_features
from foldless.errors import BadInput

LARGEST = float(np.finfo(np.float32).max)
BEYOND = "holds {value:g} in row {row}, beyond the ±3.4e38 in which trees and linear classifiers work"
REMEDY = ("correct the value", "divide the column by a constant")
BLOCK = 2**22  # numbers of a frame that are looked at in one piece


class NumberAt(NamedTuple):
    """The first of ``n`` numbers of a kind, in the order of rows; a column is its name or its number."""

    row: int
    column: Any
    value: float
    n: int


def checked_features(X: Any, name: str) -> Any:
    """X, sliceable by rows, without a finite number beyond single precision."""
    X = as_features(X, name)
    if getattr(getattr(X, "dtype", None), "itemsize", 8) <= 4:  # single precision, or less
        return X
    if (place := first(X, _beyond, _may_be_beyond)) is not None:
        problem = f"column {place.column!r} of {name} {BEYOND.format(value=place.value, row=place.row)}"
        raise BadInput(problem, value=place.value, place=name, remedy=REMEDY)
    return X


def first_not_finite(X: Any) -> NumberAt | None:
    """The first NaN or infinite number, also in lists of rows."""
    try:
        return first(np.asarray(X, dtype=np.float64) if isinstance(X, list) else X, lambda part: ~np.isfinite(part))
    except (TypeError, ValueError):  # rows that are no numbers
        return None


def first(
    X: Any, is_one: Callable[[Array], Array], may_have: Callable[[Array], bool] = lambda _: True
) -> NumberAt | None:
    """The first number of a kind; only blocks that ``may_have`` one are searched."""
    place: NumberAt | None = None
    for start, names, block in _blocks(X):
        if not block.size or not may_have(_numbers(block)) or not (n := int(is_one(_numbers(block)).sum())):
            continue
        if place is None:
            row, column, value = _position(block, is_one)
            place = NumberAt(start + row, column if names is None else names[column], value, n)
        else:
            place = place._replace(n=place.n + n)
    return place


def _beyond(numbers: Array) -> Array:
    return np.asarray((np.abs(numbers) > LARGEST) & np.isfinite(numbers))


def _may_be_beyond(numbers: Array) -> bool:
    """Without a copy of the numbers; an infinite one may hide others."""
    return bool(np.fmax.reduce(numbers, axis=None) > LARGEST or np.fmin.reduce(numbers, axis=None) < -LARGEST)


def _blocks(X: Any) -> Iterator[tuple[int, Any, Any]]:
    """The numbers of features with a point: their first row, the names of their columns, and the numbers."""
    if isinstance(X, pd.DataFrame):
        floats = [at for at, dtype in enumerate(X.dtypes) if pd.api.types.is_float_dtype(dtype)]
        names, step = X.columns[floats].tolist(), BLOCK // max(1, len(floats)) + 1
        for start in range(0, len(X) if floats else 0, step):
            rows = X.iloc[start : start + step, floats]
            yield start, names, rows.to_numpy(dtype=np.float64, na_value=np.nan)
    elif hasattr(X, "hash_rows"):  # polars
        named = [name for name, dtype in zip(X.columns, X.dtypes, strict=True) if str(dtype).startswith("Float")]
        step = BLOCK // max(1, len(named)) + 1
        for start in range(0, len(X) if named else 0, step):
            yield start, named, X.select(named)[start : start + step].to_numpy()
    elif getattr(getattr(X, "dtype", None), "kind", "") == "f" and (sparse.issparse(X) or isinstance(X, np.ndarray)):
        yield 0, None, X


def _numbers(block: Any) -> Array:
    return np.asarray(block.data if sparse.issparse(block) else block)


def _position(block: Any, is_one: Callable[[Array], Array]) -> tuple[int, int, float]:
    """Row, column and value of the first number of a kind that is there."""
    if sparse.issparse(block):
        stored = block.tocoo()
        rows, columns = stored.coords if hasattr(stored, "coords") else (stored.row, stored.col)
        ones = np.flatnonzero(is_one(stored.data))
        at = ones[np.lexsort((columns[ones], rows[ones]))[0]]
        return int(rows[at]), int(columns[at]), float(stored.data[at])
    flat = block.reshape(len(block), -1)
    row, column = np.unravel_index(int(np.argmax(is_one(flat))), flat.shape)
    return int(row), int(column), float(flat[row, column])
