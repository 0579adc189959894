"""The results as plain data: what ``--json`` prints, and all that the tables for people are made of."""

import math
import platform
from collections.abc import Mapping
from typing import Any

import numpy as np
import sklearn

from foldless._version import __version__
from foldless.cli.models import as_typed, plain
from foldless.cli.running import Run
from foldless.cli.tables import Problem
from foldless.core import Candidate, ranks_of
from foldless.results import Comparison, Selection


def of_selection(problem: Problem, run: Run, predicted: str | None) -> dict[str, Any]:
    """A selection: the choice, the ranking with failed candidates last, the class shares."""
    selection: Selection = run.result
    ranks = ranks_of(selection.criterion, selection.ranking)
    ranking = [_entry(c.candidate, run, ranks.get(c), c.score, list(c.notes)) for c in selection.ranking]
    ranking += [_entry(c, run, None, None, [f"failed: {_one_line(e)}"]) for c, e in selection.failed.items()]
    ranking += [_entry(c, run, None, None, ["not finished"]) for c in selection.unfinished]
    return {
        "criterion": selection.criterion.name,
        "better": selection.criterion.better,
        **_read(problem),
        "choice": {key: value for key, value in ranking[0].items() if key != "rank"},
        "ranking": ranking,
        "shares": _shares(selection),
        "assumes": list(selection.assumes),
        **_ran(problem, run),
        "predicted": predicted,
        "versions": versions(),
    }


def of_comparison(problem: Problem, run: Run) -> dict[str, Any]:
    """A comparison: one entry per criterion."""
    comparison: Comparison = run.result
    entries = []
    for row in comparison.rows:
        entry = {key: _plain(value) for key, value in row.items() if key not in ("params", "notes")}
        model, params = (None, None) if row["params"] is None else plain(row["params"])
        notes = [row["notes"]] if row["notes"] else []
        entries.append({"criterion": entry.pop("criterion"), "model": model, "params": params, **entry, "notes": notes})
    return {**_read(problem), "criteria": entries, **_ran(problem, run), "versions": versions()}


def versions() -> dict[str, str]:
    """What the numbers were made with."""
    return {
        "foldless": __version__,
        "python": platform.python_version(),
        "scikit-learn": sklearn.__version__,
        "numpy": np.__version__,
    }


def _read(problem: Problem) -> dict[str, Any]:
    return {
        "label": problem.label,
        "rows": {
            "labeled": len(problem.y),
            "pool": 0 if problem.pool is None else len(problem.pool),
            "test": 0 if problem.X_test is None else len(problem.X_test),
        },
        "classes": [_plain(label) for label in problem.classes],
        "columns": {**problem.columns.count(), "done": problem.columns.describe()},
    }


def _ran(problem: Problem, run: Run) -> dict[str, Any]:
    return {
        "n_fits": dict(run.result.n_fits),
        "stopped": run.result.stopped,
        "notes": [as_typed(note) for note in (*problem.notes, *run.notes)],
    }


def _entry(candidate: Candidate, run: Run, rank: int | None, score: float | None, notes: list[str]) -> dict[str, Any]:
    model, params = plain(candidate.params)
    entry = {"rank": rank, "model": model, "params": {key: _plain(value) for key, value in params.items()}}
    entry["score"] = _plain(score)
    if run.test_accuracy:
        entry["test_accuracy"] = _plain(run.test_accuracy.get(candidate))
    return {**entry, "notes": notes}


def _shares(selection: Selection) -> list[dict[str, Any]]:
    pool: Mapping[Any, float] = {} if selection.shares is None else dict(selection.shares)
    return [
        {"class": _plain(label), "labels": float(share), "pool": _plain(pool.get(label))}
        for label, share in selection.label_shares.items()
    ]


def _one_line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())


def _plain(value: Any) -> Any:
    """A value that JSON has; what is not a number is null."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
