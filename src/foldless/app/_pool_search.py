"""Rows of the pool that contain words: what a person picks to label, and what no estimate counts as drawn."""

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd

from foldless.core import Array


def searched_columns(frame: pd.DataFrame) -> list[str]:
    """Columns that people search: texts, categories and whole numbers such as keys; no measurements."""
    kinds = {str(name): frame[name].dtype for name in frame}
    return [
        name
        for name, kind in kinds.items()
        if isinstance(kind, pd.StringDtype | pd.CategoricalDtype)
        or pd.api.types.is_object_dtype(kind)
        or pd.api.types.is_integer_dtype(kind)
    ]


def matching_rows(frame: pd.DataFrame, columns: Sequence[str], words: str, out: Collection[int]) -> Array:
    """The rows that contain all words, each in any column, without case; those that are ``out`` are left out.

    >>> pool = pd.DataFrame({"text": ["Red wine", "white wine", "red paint"], "size": [1, 2, 3]})
    >>> matching_rows(pool, ["text", "size"], "RED", out={2}).tolist()
    [0]
    >>> matching_rows(pool, ["text", "size"], "wine 2", out=()).tolist()
    [1]
    """
    wanted = words.casefold().split()
    if not wanted or not columns:
        return np.array([], dtype=np.int64)
    left = np.ones(len(frame), dtype=bool)
    left[np.fromiter(out, dtype=np.int64, count=len(out))] = False
    rows = np.flatnonzero(left)
    cells = [frame[name].iloc[rows].astype(object).where(frame[name].iloc[rows].notna(), "") for name in columns]
    lines = ("\n".join(map(str, line)).casefold() for line in zip(*cells, strict=True))
    has_all = np.fromiter((all(word in line for word in wanted) for line in lines), dtype=bool, count=len(rows))
    return rows[has_all]
