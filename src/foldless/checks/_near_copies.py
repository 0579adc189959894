"""FL005: labeled rows that are nearly equal to another one (`foldless.checks._nearness`)."""

from typing import Any

import numpy as np

from foldless.checks._coincidence import copied_texts
from foldless.checks._near_texts import near_texts
from foldless.checks._nearness import near_rows
from foldless.checks._tables import as_numbers, as_table
from foldless.core import Array

NEAR = "{n:,} of {rows:,} labeled rows are nearly equal to another one, and near copies are kept together"
NOT_SEARCHED = "nearly equal rows were not looked for among the {rows:,} labeled rows: {why}"
TOO_MANY = "there are too many"
MAX_ROWS, MAX_WORDS = 100_000, 2_000_000  # that are searched: about two seconds


def near_copies(X: Any) -> Array | str:
    """A number for each of distinct rows, equal for near copies; or why they were not searched."""
    table = as_table(X)
    if isinstance(table, list):
        return _near_texts(table)
    if table.shape[0] > MAX_ROWS:
        return TOO_MANY
    if not hasattr(table, "iloc") and not isinstance(table, np.ndarray):
        sets = near_rows(table)
        return TOO_MANY if sets is None else sets
    matrix, others = as_numbers(table)
    if not matrix.shape[1]:
        return np.arange(len(matrix))
    sets = near_rows(matrix, others)
    return TOO_MANY if sets is None else sets


def _near_texts(texts: list[str]) -> Array | str:
    """Texts that hardly differ, and have enough words not to do so by chance."""
    if len(texts) > MAX_ROWS or sum(text.count(" ") for text in texts) > MAX_WORDS:
        return TOO_MANY
    sets, changed = near_texts(texts)
    if len(np.unique(sets)) == len(sets):
        return sets
    copied = np.isin(sets, copied_texts(sets, texts, changed))
    return np.where(copied, sets, len(texts) + np.arange(len(texts)))
