"""Columns of rows of any kind, as labels and pool are compared by them: numbers, categories, words.

Each column is what a model sees of it: a date is its year, month, day, weekday, hour and its days, in universal time.
Texts and sparse rows are compared only by which words or features they have. Of wide rows a part is read.
"""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy import sparse

from foldless.core import Array
from foldless.data._columns import moments
from foldless.data._dates import PARTS, parts_of_dates
from foldless.data._features import concatenate
from foldless.data._numbers import LONG, plain

MAX_COLUMNS = 200  # of numbers and categories, drawn at random where there are more: time is the reason
MAX_WORDS, MAX_LEVELS = 500, 30  # of a text or a sparse matrix, and of a category: the most frequent ones
MAX_CHARACTERS = 5_000  # of a text
WORD = re.compile(r"(?u)\b\w\w+\b")  # as scikit-learn cuts texts
OTHERS = "(other values)"

Kind = Literal["number", "category", "words"]


@dataclass(frozen=True, eq=False)
class ComparedColumn:
    """A column of all rows.

    ``values`` are numbers (n,) with NaN for missing ones; or the codes (n,) of ``levels``; or, of words, a matrix
    (n, levels) of which row has which. Numbers that are ``dates`` are days since 1970-01-01.
    """

    name: Any
    kind: Kind
    values: Any
    levels: tuple[Any, ...] = ()
    dates: bool = False


@dataclass(frozen=True, eq=False)
class ComparedColumns:
    """Columns of all rows, and how many there are in all, read or not."""

    read: tuple[ComparedColumn, ...]
    n_read: int
    total: int


def compared_columns(parts: list[Any], rng: np.random.Generator) -> ComparedColumns:
    """The columns of all parts, their rows under each other.

    Examples
    --------
    >>> dates = pd.to_datetime(["2026-01-01", "2026-02-01"])
    >>> frame = pd.DataFrame({"age": [3.0, 4.0], "city": ["a", "b"], "when": dates})
    >>> [column.name for column in compared_columns([frame, frame], np.random.default_rng(0)).read]
    ['age', 'city', 'when: month', 'when: weekday', 'when: days']
    """
    stacked = concatenate([plain(part) for part in parts])
    if sparse.issparse(stacked):
        return ComparedColumns((words := _of_matrix(stacked),), len(words.levels), stacked.shape[1])
    if isinstance(stacked, list):
        return ComparedColumns((_of_texts("text", [str(row) for row in stacked]),), 1, 1)
    if not isinstance(stacked, pd.DataFrame):
        matrix = np.asarray(stacked, dtype=float).reshape(len(stacked), -1)
        chosen = _chosen(matrix.shape[1], rng)
        read = tuple(ComparedColumn(int(at), "number", matrix[:, at]) for at in chosen)
        return ComparedColumns(read, len(chosen), matrix.shape[1])
    chosen = _chosen(stacked.shape[1], rng)
    columns = [column for at in chosen for column in _of_series(stacked.columns[at], stacked.iloc[:, at])]
    return ComparedColumns(tuple(columns), len(chosen), stacked.shape[1])


def _chosen(n: int, rng: np.random.Generator) -> Array:
    return np.arange(n) if n <= MAX_COLUMNS else np.sort(rng.choice(n, MAX_COLUMNS, replace=False))


def _of_series(name: Any, values: "pd.Series[Any]") -> list[ComparedColumn]:
    if pd.api.types.is_datetime64_any_dtype(values.dtype):
        return _of_dates(name, moments(values))
    if pd.api.types.is_bool_dtype(values.dtype) or pd.api.types.is_numeric_dtype(values.dtype):
        return [ComparedColumn(name, "number", values.to_numpy(dtype=float, na_value=np.nan))]
    texts = values.astype(object).where(values.notna(), "").map(str)
    known = texts[texts != ""]
    if len(known) and (dates := moments(known)).notna().all():
        return _of_dates(name, dates.reindex(texts.index))
    if texts.str.count(" ").mean() + 1 >= LONG:
        return [_of_texts(name, texts.tolist())]
    codes, levels = pd.factorize(texts)
    counts = np.bincount(codes, minlength=len(levels))
    if len(levels) > MAX_LEVELS:  # of levels as frequent as one that is left out, none: the first rows are the labels
        common = np.flatnonzero(counts > np.sort(counts)[-MAX_LEVELS - 1])
        place = np.full(len(levels), len(common))
        place[common] = np.arange(len(common))
        return [ComparedColumn(name, "category", place[codes], (*levels[common], OTHERS))]
    return [ComparedColumn(name, "category", codes, tuple(levels))]


def _of_dates(name: Any, dates: "pd.Series[Any]") -> list[ComparedColumn]:
    """The parts that vary."""
    parts = parts_of_dates(dates.to_numpy(dtype="datetime64[us]"))
    varies = [bool(len(known := part[~np.isnan(part)])) and np.ptp(known) > 0 for part in parts.T]
    return [
        ComparedColumn(f"{name}: {what}", "number", part, dates=what == "days")
        for what, part, kept in zip(PARTS, parts.T, varies, strict=True)
        if kept
    ]


def _of_texts(name: Any, texts: list[str]) -> ComparedColumn:
    words = [set(WORD.findall(text[:MAX_CHARACTERS].lower())) for text in texts]
    counts = Counter(word for row in words for word in row)
    frequent = sorted(counts, key=lambda word: (-counts[word], word))[:MAX_WORDS]  # ties whatever the order of rows
    common = [word for word in frequent if counts[word] < len(texts)]
    place = {word: at for at, word in enumerate(common)}
    pairs = [(row, place[word]) for row, own in enumerate(words) for word in own if word in place]
    rows, columns = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    matrix = sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(texts), len(common)))
    return ComparedColumn(name, "words", matrix, tuple(common))


def _of_matrix(matrix: Any) -> ComparedColumn:
    has = sparse.csc_array(matrix != 0, dtype=float)
    counts = np.diff(has.indptr)
    common = np.argsort(-counts, kind="stable")[:MAX_WORDS]
    common = np.sort(common[(counts[common] > 0) & (counts[common] < matrix.shape[0])])
    return ComparedColumn("feature", "words", sparse.csr_array(has[:, common]), tuple(int(at) for at in common))
