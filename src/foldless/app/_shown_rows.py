"""Rows of the pool as a page shows them: text to be read, other columns as a small table."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from foldless.core import plain_value
from foldless.tables import Problem

LONGEST, MOST = 20_000, 200  # characters of a text, and columns of a row


def shown_rows(problem: Problem, rows: Sequence[int], reasons: Sequence[Any] = ()) -> list[dict[str, Any]]:
    """Rows of the pool, by their positions, each with the reason to show it if there is one."""
    kinds = problem.columns.kinds
    if problem.pool is None or problem.columns.width:
        cells = [_features(problem.X_unlabeled, row) for row in rows]
    else:
        frame = problem.pool.frame.drop(columns=problem.label, errors="ignore").iloc[list(rows)]
        names = sorted(map(str, frame), key=lambda name: kinds.get(name) != "text")
        cells = [[(name, frame[name].iloc[at]) for name in names] for at in range(len(rows))]
    shown = []
    for at, (row, own) in enumerate(zip(rows, cells, strict=True)):
        texts = [(name, _cell(value)) for name, value in own if kinds.get(name) == "text"]
        others = [(name, _cell(value)) for name, value in own if kinds.get(name) != "text"]
        entry = {"row": int(row), "texts": texts, "cells": others[:MOST], "more": max(0, len(others) - MOST)}
        shown.append(entry | ({"why": str(reasons[at])} if len(reasons) else {}))
    return shown


def _features(X: Any, row: int) -> list[tuple[str, Any]]:
    """What a row of a sparse matrix holds."""
    start, end = X.indptr[row : row + 2]
    order = np.argsort(-np.abs(X.data[start:end]))
    return [(str(X.indices[start + at]), X.data[start + at]) for at in order]


def _cell(value: Any) -> str:
    plain = plain_value(value)
    if plain is None or str(plain) in ("<NA>", "NaT"):
        return ""
    if isinstance(plain, float):
        return f"{plain:.6g}"
    text = str(plain)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
