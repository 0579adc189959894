"""A selection as GridSearchCV's ``cv_results_``."""

from typing import Any

import numpy as np

from foldless.selection.selection import Entry, Selection


def cv_results(selection: Selection, error_score: Any) -> dict[str, Any]:
    """GridSearchCV's columns, one row per choice in the order of the grid; failed candidates have the error score."""
    rows = rows_of(selection)
    every = [entry.choice.candidate for entry in rows]
    splits = [entry.choice.splits for entry in rows]
    sign = 1 if selection.criterion.better == "higher" else -1
    worst = np.nan if error_score == "raise" else float(error_score)
    table: dict[str, Any] = {}
    for key, seconds in (("fit", [e.timing.fit for e in rows]), ("score", [e.timing.answer for e in rows])):
        table[f"mean_{key}_time"] = np.array([np.mean(s) if s else np.nan for s in seconds])
        table[f"std_{key}_time"] = np.array([np.std(s) if s else np.nan for s in seconds])
    for name in dict.fromkeys(name for c in every for name in c.params):
        given = [c.params[name] for c in every if name in c.params]
        plain = all(isinstance(value, bool | int | float | np.number | np.bool_) for value in given)
        values = np.ma.MaskedArray(np.empty(len(every), np.array(given).dtype if plain else object), mask=True)
        for at, c in enumerate(every):
            if name in c.params:
                values[at] = c.params[name]
        table[f"param_{name}"] = values
    table["params"] = [dict(c.params) for c in every]
    if len(set(every)) < len(every):  # notes tell apart the choices of one candidate
        table["notes"] = ["; ".join(entry.choice.notes) for entry in rows]
    for at in range(max(map(len, splits), default=0)):
        table[f"split{at}_test_score"] = np.array([sign * own[at] if at < len(own) else np.nan for own in splits])
    table["mean_test_score"] = np.array([worst if e.status == "failed" else sign * e.choice.score for e in rows])
    table["std_test_score"] = np.array([np.std(own) if own else np.nan for own in splits])
    ranks = [entry.rank for entry in rows]
    last = len(selection.ranking) + 1
    table["rank_test_score"] = np.array([last if rank is None else rank for rank in ranks], dtype=np.int32)
    return table


def rows_of(selection: Selection) -> list[Entry]:
    """The entries of a selection in the order of the grid."""
    return sorted(selection.entries(), key=lambda entry: entry.choice.candidate.index)
