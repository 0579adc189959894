"""A selection as GridSearchCV's ``cv_results_``."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from foldless.core import Array
from foldless.core._metrics import ONE
from foldless.errors import warn_user
from foldless.results.selection import RankingEntry, Selection


def cv_results(selection: Selection, error_score: Any) -> dict[str, Any]:
    """GridSearchCV's columns, one row per choice in the order of the grid; failed candidates have the error score."""
    rows = rows_of(selection)
    every = [entry.choice.candidate for entry in rows]
    table: dict[str, Any] = {}
    for key, seconds in (("fit", [e.timing.fit for e in rows]), ("score", [e.timing.answer for e in rows])):
        absent = [0.0 if entry.status == "failed" else np.nan for entry in rows]
        table[f"mean_{key}_time"] = np.array([np.mean(s) if s else a for s, a in zip(seconds, absent, strict=True)])
        table[f"std_{key}_time"] = np.array([np.std(s) if s else a for s, a in zip(seconds, absent, strict=True)])
    for name in dict.fromkeys(name for c in every for name in c.params):
        table[f"param_{name}"] = _values(
            {at: c.params[name] for at, c in enumerate(every) if name in c.params}, len(rows)
        )
    table["params"] = [dict(c.params) for c in every]
    if len(set(every)) < len(every):  # notes tell apart the choices of one candidate
        table["notes"] = ["; ".join(entry.choice.notes) for entry in rows]
    worst = np.nan if error_score == "raise" else float(error_score)
    sign, last = 1 if selection.criterion.better == "higher" else -1, len(selection.ranking) + 1
    splits = [[sign * score for score in entry.choice.splits] for entry in rows]
    means = [worst if entry.status == "failed" else sign * entry.choice.score for entry in rows]
    ranking = _columns(f"test_{ONE}", splits, means, rows, worst)
    ranking[f"rank_test_{ONE}"] = np.array([last if e.rank is None else e.rank for e in rows], dtype=np.int32)
    others = list(dict.fromkeys(key for entry in rows for key in entry.choice.details.metrics))
    if not any(key.startswith("test_") for key in others):
        table |= ranking
    for other in others:
        details = [entry.choice.details for entry in rows]
        own, pooled = [each.metrics.get(other, ()) for each in details], [each.pooled.get(other) for each in details]
        table |= _columns(other, own, pooled, rows, worst)
        if other.startswith("test_"):
            table[f"rank_{other}"] = _ranks(table[f"mean_{other}"])
    return table


def _columns(
    name: str, given: Sequence[Sequence[float]], pooled: Sequence[float | None], rows: list[RankingEntry], worst: float
) -> dict[str, Any]:
    """The columns of a score, such as ``test_recall``: of each split, their mean unless it is pooled, and deviation."""
    n_splits = max(map(len, given), default=0)
    splits = np.full((len(rows), n_splits), np.nan)
    for at, (scores, entry) in enumerate(zip(given, rows, strict=True)):
        splits[at] = worst if entry.status == "failed" else np.nan
        splits[at, : len(scores)] = scores
    own = [row[: len(scores) or n_splits] for row, scores in zip(splits, given, strict=True)]  # a race asks less
    means = np.array([_of(np.mean, each) if mean is None else mean for mean, each in zip(pooled, own, strict=True)])
    if any(not np.isfinite(mean) for mean, entry in zip(means, rows, strict=True) if entry.status == "ranked"):
        warn_user(f"One or more of the {name.split('_')[0]} scores are non-finite: {means}")
    table: dict[str, Any] = {f"split{at}_{name}": splits[:, at] for at in range(n_splits)}
    return {**table, f"mean_{name}": means, f"std_{name}": np.array([_of(np.std, each) for each in own])}


def _of(function: Callable[[Array], Any], scores: Array) -> float:
    return float(function(scores)) if len(scores) else np.nan


def _ranks(means: Array) -> Array:
    """1 for the best; what is not a number is tied with the worst."""
    if np.isnan(means).all():
        return np.ones(len(means), dtype=np.int32)
    from scipy.stats import rankdata  # a large import, which a search needs late

    return rankdata(-np.where(np.isnan(means), np.nanmin(means) - 1, means), method="min").astype(np.int32)


def _values(given: dict[int, Any], n: int) -> Any:
    """A parameter of the candidates that have it, as a masked array."""
    try:
        array = np.array(list(given.values()))
        kind = array.dtype if array.dtype.kind != "U" and array.ndim == 1 else np.dtype(object)
    except ValueError:  # lists of different lengths
        kind = np.dtype(object)
    values = np.ma.MaskedArray(np.empty(n, kind), mask=True)
    for at, value in given.items():
        values[at] = value
    return values


def rows_of(selection: Selection) -> list[RankingEntry]:
    """The entries of a selection in the order of the grid."""
    return sorted(selection.entries(), key=lambda entry: entry.choice.candidate.index)


def split_lines(selection: Selection) -> list[str]:
    """The scores of each split of each choice, a line each, as GridSearchCV prints them with ``verbose=3``."""
    lines = []
    for entry in rows_of(selection):
        choice, n, metrics = entry.choice, len(entry.choice.splits), entry.choice.details.metrics
        tests = {ONE: choice.splits} | {key[5:]: own for key, own in metrics.items() if key.startswith("test_")}
        if len(tests) > 1:
            del tests[ONE]
        for at in range(n):
            shown = [_shown(metric, own[at], metrics.get(f"train_{metric}"), at) for metric, own in tests.items()]
            lines.append(f"[CV {at + 1}/{n}] END {choice.candidate.name};, {' '.join(shown)}")
    return lines


def _shown(metric: str, test: float, train: tuple[float, ...] | None, at: int) -> str:
    if train is None:
        return f"{metric}={test:.3f}"
    return f"{metric}=(train={train[at]:.3f}, test={test:.3f})"
