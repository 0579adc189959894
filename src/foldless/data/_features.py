"""Features as the user passed them: counted, sliced and stacked by rows, and compared, but never converted."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from foldless.core import Array
from foldless.errors import BadInput, some_columns


class Absent:
    """Features that are somewhere else; only their number of rows is here."""

    def __init__(self, n: int):
        self.shape = (n,)


def n_rows(X: Any) -> int:
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def n_bytes(X: Any) -> int:
    """About the bytes of features; objects count as their addresses."""
    if isinstance(X, Absent):
        return 0
    if sparse.issparse(X):
        return sum(part.nbytes for part in vars(X).values() if isinstance(part, np.ndarray))
    if hasattr(X, "memory_usage"):
        return int(np.sum(X.memory_usage()))
    return int(getattr(X, "nbytes", 8 * n_rows(X)))


def n_entries_per_row(X: Any) -> float:
    """How many numbers describe a row: those stored of a sparse matrix, the columns of a table, 1 of a text."""
    if sparse.issparse(X):
        return float(X.nnz / max(1, X.shape[0]))
    return float(X.shape[1]) if len(getattr(X, "shape", ())) > 1 else 1.0


def take(X: Any, which: Array | slice) -> Any:
    """Rows of an array, sparse matrix, frame or list, in the order asked for."""
    if isinstance(which, slice) and (which.start, which.stop) == (0, n_rows(X)):
        return X
    if hasattr(X, "iloc"):
        return X.iloc[which]
    if isinstance(X, list):
        return X[which] if isinstance(which, slice) else [X[at] for at in which]
    return X[which]


def guarded(X: Any) -> Any:
    """The same features so that who is handed them cannot change the caller's: read-only, or a copy of a frame or list.

    Numbers are not copied; frames have no read-only form.
    """
    if isinstance(X, np.ndarray):
        view = X.view()
        view.flags.writeable = False
        return view
    if sparse.issparse(X) and X.format in ("csr", "csc"):
        parts = tuple(guarded(part) for part in (X.data, X.indices, X.indptr))
        view = type(X)(parts, shape=X.shape, copy=False)
        view.has_sorted_indices = X.has_sorted_indices  # known, so that nobody sorts them again
        view.has_canonical_format = X.has_canonical_format
        return view
    if isinstance(X, pd.DataFrame | pd.Series):
        return X.copy()
    if isinstance(X, list):
        return [row.copy() if isinstance(row, list | np.ndarray) else row for row in X]
    return X


def take_columns(X: Any, which: Array) -> Any:
    """Columns of an array, sparse matrix, frame or list of rows, in the order asked for."""
    if isinstance(X, pd.DataFrame):
        return X.iloc[:, which]
    return (np.asarray(X) if isinstance(X, list) else X)[:, which]


def in_pandas(X: Any) -> Any:
    """A frame of polars or Arrow as one of pandas, which has no integers of 128 bits; anything else as it is."""
    wide = [name for name in X.columns if "Int128" in str(X[name].dtype)] if hasattr(X, "hash_rows") else ()
    if wide:
        cure = "cast to 64 bits, for example by frame.cast({polars.Int128: polars.Int64})"
        raise BadInput(f"{some_columns(wide)} of polars with 128 bits cannot be read", value=wide, remedy=cure)
    return X.to_pandas() if hasattr(X, "to_pandas") else X


def with_columns(frame: pd.DataFrame, columns: Mapping[str, Any]) -> pd.DataFrame:
    """A frame with further columns, whatever their names: ``frame.assign`` takes no column named self.

    Examples
    --------
    >>> with_columns(pd.DataFrame({"a": [1]}), {"self": [2]}).columns.tolist()
    ['a', 'self']
    """
    frame = frame.copy(deep=False)
    for name, values in columns.items():
        frame[name] = values
    return frame


def concatenate(parts: list[Any]) -> Any:
    """The rows of several parts of one type under each other."""
    first = parts[0]
    if len(parts) == 1:
        return first
    if sparse.issparse(first):
        return sparse.vstack(parts, format="csr")
    if isinstance(first, pd.DataFrame | pd.Series):
        return pd.concat(parts, ignore_index=True)
    if isinstance(first, list):
        return [row for part in parts for row in part]
    if hasattr(first, "vstack"):
        stacked = first
        for part in parts[1:]:
            stacked = stacked.vstack(part)
        return stacked
    return np.concatenate(parts)


def as_features(X: Any, name: str) -> Any:
    """X, sliceable by rows."""
    if X is None or isinstance(X, list):
        return X
    if sparse.issparse(X):
        return X if X.format in ("csr", "csc") else X.tocsr()
    if not (hasattr(X, "iloc") or hasattr(X, "hash_rows") or isinstance(X, np.ndarray)):
        if not any(hasattr(X, method) for method in ("__array__", "__array_function__", "__len__")):
            raise BadInput(f"{name} must be an array, a sparse matrix, a data frame or a list, got {type(X).__name__}")
        X = X.to_pandas() if hasattr(X, "to_pandas") else np.asarray(X)  # of Arrow
    if getattr(getattr(X, "dtype", None), "names", None):
        raise BadInput(f"{name} is a structured array, which no model reads: pass pandas.DataFrame({name})", value=name)
    if getattr(X, "ndim", 2) == 0:
        raise BadInput(f"{name} must have rows, got the single value {X!r}")
    return X


def like(X: Any, other: Any) -> Any:
    """The other part in the container of X, where both hold one value per row, such as texts."""
    if isinstance(X, list) and getattr(other, "ndim", 2) == 1:
        return other.tolist()
    one_each = isinstance(other, list) or getattr(other, "ndim", 2) == 1
    if not one_each or getattr(X, "ndim", 2) != 1 or type(X) is type(other):
        return other
    if isinstance(X, pd.Series):
        return pd.Series(other, dtype=X.dtype)
    # a width of X, such as that of "<U9", would cut longer texts
    return np.asarray(other, dtype=None if X.dtype.kind in "US" else X.dtype)


def check_alike(X: Any, other: Any, name: str) -> None:
    if sparse.issparse(X) != sparse.issparse(other):
        raise BadInput(
            f"X is {'sparse' if sparse.issparse(X) else 'dense'} and {name} is not: convert one of them, for example "
            f"scipy.sparse.csr_array({'X' if sparse.issparse(other) else name})"
        )
    mine, theirs = _columns(X), _columns(other)
    if (mine is None) != (theirs is None):
        raise BadInput(f"X is a {type(X).__name__} and {name} a {type(other).__name__}: pass both as the same type")
    if mine is not None and theirs is not None:
        if isinstance(X, pd.DataFrame) != isinstance(other, pd.DataFrame):
            first, second, cure = ("pandas", "polars", f"{name}.to_pandas()")
            if not isinstance(X, pd.DataFrame):
                first, second, cure = (second, first, f"polars.from_pandas({name})")
            raise BadInput(f"X is a frame of {first} and {name} one of {second}: convert one, for example {cure}")
        _check_columns(X, other, mine, theirs, name)
    dtypes = [getattr(part, "dtype", None) for part in (X, other)]
    if mine is None and None not in dtypes and len({str(_kind(dtype)) == "numeric" for dtype in dtypes}) > 1:
        raise BadInput(f"X has the dtype {dtypes[0]} and {name} has {dtypes[1]}: make them the same type")
    n_columns, n_other = width(X), width(other)
    if (n_columns is None) != (n_other is None) and n_rows(other):
        flat, wide, n = ("X", name, n_other) if n_columns is None else (name, "X", n_columns)
        raise BadInput(
            f"{flat} holds one value per row and {wide} has {n} columns: pass {flat} as rows and columns, one "
            f"column as np.reshape({flat}, (-1, 1))"
        )
    if n_columns != n_other and n_rows(other):
        raise BadInput(f"X has {n_columns} columns and {name} has {n_other}: they must hold the same features")


def _check_columns(X: Any, other: Any, mine: dict[Any, str], theirs: dict[Any, str], name: str) -> None:
    if list(mine) != list(theirs):
        lacks, extra = [c for c in mine if c not in theirs], [c for c in theirs if c not in mine]
        if lacks or extra:
            parts = [f"lacks {some_columns(lacks)}"] * bool(lacks) + [f"has also {some_columns(extra)}"] * bool(extra)
            other = f", or drop the label and others that {name} lacks from X" if lacks and not extra else ""
            raise BadInput(f"{name} {' and '.join(parts)}: give it the columns of X{other}")
        raise BadInput(f"{name} has the columns of X in another order: reorder them, for example {name}[X.columns]")
    for column, kind in mine.items():
        if kind != theirs[column]:
            held = f"{_held(X[column], kind)} in X and {_held(other[column], theirs[column])} in {name}"
            cure = ", for example by infer_objects()" * ("of dtype object" in held)
            raise BadInput(f"column {column!r} is {held}: make them the same type{cure}")


def _held(values: Any, kind: str) -> str:
    """The kind of a column in words; objects of pandas are called text, and may be numbers."""
    held = _kind(values.infer_objects().dtype) if getattr(values, "dtype", None) is np.dtype(object) else "text"
    return kind if held == "text" else f"{held} of dtype object"


def _columns(X: Any) -> dict[Any, str] | None:
    if isinstance(X, pd.DataFrame):
        if X.columns.has_duplicates:
            twice = X.columns[X.columns.duplicated()][0]
            raise BadInput(f"column {twice!r} occurs twice: rename or drop one of them")
        return {column: _kind(dtype) for column, dtype in X.dtypes.items()}
    if hasattr(X, "hash_rows"):  # polars
        return {column: _kind(dtype) for column, dtype in zip(X.columns, X.dtypes, strict=True)}
    return None


def _kind(dtype: Any) -> str:
    text = str(dtype).lower()
    for kind, marks in {
        "boolean": ("bool",),
        "numeric": ("int", "float", "decimal", "double"),
        "a date": ("date", "time"),
        "categorical": ("category", "categorical", "enum"),
    }.items():
        if any(mark in text for mark in marks):
            return kind
    return "text"


def width(X: Any) -> int | None:
    shape: tuple[int, ...] = getattr(X, "shape", None) or (np.shape(X[:1]) if isinstance(X, list) and X else ())
    return int(shape[1]) if len(shape) > 1 else None
