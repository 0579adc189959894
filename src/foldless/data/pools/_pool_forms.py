"""From tables to features in the container of the labeled rows, so that a candidate sees one type in both.

Columns are found by name where the labeled rows have names, and by position where they have not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from scipy import sparse

from foldless.core import Array
from foldless.data._stored_pool import Form
from foldless.errors import BadInput
from foldless.io._table import INDEX


@dataclass(frozen=True)
class Matrix:
    """Columns of numbers as one array; missing ones are NaN."""

    dtype: "np.dtype[Any]"
    name: str

    def __call__(self, table: pa.Table) -> Array:
        out = np.empty((table.num_columns, len(table)), self.dtype)
        for at, column in enumerate(table.columns):
            if not _is_number(column.type):
                raise BadInput(
                    f"column {table.column_names[at]!r} of {self.name} holds values of type {column.type}, and X holds "
                    f"numbers: make them the same type",
                    place=self.name,
                )
            out[at] = column.to_numpy()
        return out.T


@dataclass(frozen=True, eq=False)
class Frame:
    """Columns as a pandas frame with the types of the labeled rows."""

    dtypes: "pd.Series[Any]"
    name: str

    def __call__(self, table: pa.Table) -> pd.DataFrame:
        kinds = set(self.dtypes)
        only = next(iter(kinds))
        if len(kinds) == 1 and isinstance(only, np.dtype) and only.kind == "f":
            return pd.DataFrame(Matrix(only, self.name)(table), columns=self.dtypes.index, copy=False)
        return pd.DataFrame({name: self._column(table.column(str(name)), name) for name in self.dtypes.index})

    def _column(self, column: pa.ChunkedArray, name: Any) -> "pd.Series[Any]":
        wanted, values = self.dtypes[name], column.to_pandas()
        if isinstance(wanted, np.dtype) and wanted.kind in "biu" and column.null_count:
            return values  # only floats have a place for what is missing
        other = f"column {name!r} is {wanted} in X and {column.type} in {self.name}: make them the same type"
        if pd.api.types.is_numeric_dtype(wanted) and not _is_number(column.type):  # "1" is no number
            raise BadInput(other, place=self.name)
        try:
            return values.astype("category" if isinstance(wanted, pd.CategoricalDtype) else wanted)
        except (ValueError, TypeError) as error:
            raise BadInput(other, place=self.name) from error


@dataclass(frozen=True)
class Texts:
    """The one column of texts, in a list, a Series or an array."""

    container: type

    def __call__(self, table: pa.Table) -> Any:
        values = table.column(0).to_pylist()
        if self.container is list:
            return values
        return pd.Series(values, dtype=object) if self.container is pd.Series else np.array(values, dtype=object)


@dataclass(frozen=True, eq=False)
class Polars:
    """Columns as a polars frame with the types of the labeled rows."""

    dtypes: dict[str, Any]

    def __call__(self, table: pa.Table) -> Any:
        import polars

        frame: Any = polars.from_arrow(table)
        return frame.cast(self.dtypes)


def form_like(X: Any, schema: pa.Schema, name: str) -> tuple[Form, list[str], list[str]]:
    """How tables of a pool become features like X, the columns that it takes, and those that nobody reads."""
    names = [column for column in schema.names if not INDEX.fullmatch(column)]
    form, columns = _form_and_columns(X, names, name)
    return form, columns, [column for column in names if column not in columns]


def _form_and_columns(X: Any, names: list[str], name: str) -> tuple[Form, list[str]]:
    if sparse.issparse(X):
        raise BadInput(
            f"X is sparse, and the columns of {name} are dense", place=name,
            remedy="hash texts inside the candidates, or pass the pool as a sparse matrix",
        )  # fmt: skip
    if isinstance(X, pd.DataFrame):
        return Frame(X.dtypes, name), _present_columns(list(map(str, X.columns)), names, name)
    if hasattr(X, "hash_rows"):
        return Polars(dict(X.schema)), _present_columns(X.columns, names, name)
    if isinstance(X, list) or getattr(X, "ndim", 2) == 1:
        series_name = str(getattr(X, "name", None))
        if series_name not in names and len(names) > 1:
            raise BadInput(
                f"X is a column of texts, and {name} has the columns {', '.join(map(repr, names[:5]))}", place=name,
                remedy="pass X as a Series whose name is that of the column",
            )  # fmt: skip
        column = series_name if series_name in names else names[0]
        kind = list if isinstance(X, list) else pd.Series if isinstance(X, pd.Series) else np.ndarray
        return Texts(kind), [column]
    if len(names) != X.shape[1]:
        raise BadInput(
            f"X has {X.shape[1]} columns and {name} has {len(names)}: they must hold the same features", place=name,
            remedy="pass X as a data frame, whose names say which columns are read",
        )  # fmt: skip
    return Matrix(X.dtype if X.dtype.kind == "f" else np.dtype(np.float64), name), names


def _is_number(dtype: pa.DataType) -> bool:
    kinds = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal, pa.types.is_boolean, pa.types.is_null)
    return any(kind(dtype) for kind in kinds)


def _present_columns(wanted: Sequence[str], names: Sequence[str], name: str) -> list[str]:
    lacks = [column for column in wanted if column not in names]
    if lacks:
        raise BadInput(
            f"{name} lacks the column {lacks[0]!r} of X" + (f" and {len(lacks) - 1} more" if lacks[1:] else ""),
            value=lacks[0], place=name, remedy="give it the columns of X",
        )  # fmt: skip
    return list(wanted)
