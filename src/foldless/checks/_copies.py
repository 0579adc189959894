"""FL004: labeled rows that appear more than once, beyond what chance explains (`foldless.checks._coincidence`)."""

from typing import Any

import numpy as np

from foldless.checks._coincidence import by_columns, copied_bags, copied_contents, copied_texts
from foldless.checks._tables import as_table, some_rows
from foldless.core import Array
from foldless.data._features import concatenate

POOL = 2000  # pool rows by which it is judged what chance explains
EQUAL = "{n:,} of {rows:,} labeled rows appear more than once, and copies are kept together"
KEEP_ONE = "keep one of each if they are one observation"


def copies(X: Any, contents: Array, others: Any = None) -> Array:
    """A number for each row, equal for copies, where ``contents`` are equal for equal rows.

    ``others`` are more rows of the same kind, by which to judge.
    """
    alone = np.arange(len(contents))
    _, first, at, counts = np.unique(contents, return_index=True, return_inverse=True, return_counts=True)
    if (counts == 1).all():
        return alone
    return np.where(np.isin(contents, are_copies(X, contents, others)), first[at], alone)


def are_copies(X: Any, contents: Array, others: Any = None, n_pairs: float | None = None) -> Array:
    """The contents of rows that are copies and not separate draws."""
    table = as_table(X)
    if isinstance(table, list):
        texts = None if others is None else as_table(some_rows(others, POOL))
        return copied_texts(contents, table, None, texts if isinstance(texts, list) else [], n_pairs)
    if not hasattr(table, "iloc") and not isinstance(table, np.ndarray):
        return copied_bags(contents, table)
    beside = table if others is None else as_table(concatenate([X, some_rows(others, POOL)]))
    return copied_contents(contents, by_columns(beside if type(beside) is type(table) else table), n_pairs)
