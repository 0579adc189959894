"""A selection as GridSearchCV's ``cv_results_``."""

from collections.abc import Callable, Iterable
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
    ranking = _main(selection, rows, worst)
    others = list(dict.fromkeys(key for entry in rows for key in entry.choice.details.metrics))
    if not any(key.startswith("test_") for key in others):
        table |= ranking
    for other in others:
        table |= _columns(other, rows, worst)
    return table


def _main(selection: Selection, rows: list[RankingEntry], worst: float) -> dict[str, Any]:
    """The columns of the score that ranks."""
    sign = 1 if selection.criterion.better == "higher" else -1
    n_splits = max((len(entry.choice.splits) for entry in rows), default=0)
    splits = _splits([[sign * s for s in entry.choice.splits] for entry in rows], rows, n_splits, worst)
    table: dict[str, Any] = {f"split{at}_test_{ONE}": splits[:, at] for at in range(n_splits)}
    table[f"mean_test_{ONE}"] = np.array([worst if e.status == "failed" else sign * e.choice.score for e in rows])
    own = [row[: len(e.choice.splits) or n_splits] for row, e in zip(splits, rows, strict=True)]
    table[f"std_test_{ONE}"] = np.array([_of(np.std, each) for each in own])
    last = len(selection.ranking) + 1
    table[f"rank_test_{ONE}"] = np.array([last if e.rank is None else e.rank for e in rows], dtype=np.int32)
    _warn_not_finite("test", [e.choice.score for e in rows if e.status == "ranked"], table[f"mean_test_{ONE}"])
    return table


def _columns(name: str, rows: list[RankingEntry], worst: float) -> dict[str, Any]:
    """The columns of another score, such as ``train_score`` or ``test_recall``."""
    part = name.split("_")[0]
    n_splits = max(len(entry.choice.details.metrics.get(name, ())) for entry in rows)
    splits = _splits([entry.choice.details.metrics.get(name, ()) for entry in rows], rows, n_splits, worst)
    # a race asks less
    own = [row[: len(e.choice.details.metrics.get(name, row))] for row, e in zip(splits, rows, strict=True)]
    means = np.array([e.choice.details.pooled.get(name, _of(np.mean, each)) for e, each in zip(rows, own, strict=True)])
    table: dict[str, Any] = {f"split{at}_{name}": splits[:, at] for at in range(n_splits)}
    table |= {f"mean_{name}": means, f"std_{name}": np.array([_of(np.std, each) for each in own])}
    _warn_not_finite(part, [m for m, entry in zip(means, rows, strict=True) if entry.status == "ranked"], means)
    if part == "test":
        table[f"rank_{name}"] = _ranks(means)
    return table


def _splits(given: Iterable[Any], rows: list[RankingEntry], n_splits: int, worst: float) -> Array:
    table = np.full((len(rows), n_splits), np.nan)
    for at, (own, entry) in enumerate(zip(given, rows, strict=True)):
        table[at] = worst if entry.status == "failed" else np.nan
        table[at, : len(own)] = own
    return table


def _of(function: Callable[[Array], Any], scores: Array) -> float:
    return float(function(scores)) if len(scores) else np.nan


def _ranks(means: Array) -> Array:
    """1 for the best; what is not a number is tied with the worst."""
    if np.isnan(means).all():
        return np.ones(len(means), dtype=np.int32)
    from scipy.stats import rankdata  # a large import, which a search needs late

    return rankdata(-np.where(np.isnan(means), np.nanmin(means) - 1, means), method="min").astype(np.int32)


def _warn_not_finite(part: str, judged: Iterable[float], means: Array) -> None:
    if any(not np.isfinite(mean) for mean in judged):
        warn_user(f"One or more of the {part} scores are non-finite: {means}")


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
