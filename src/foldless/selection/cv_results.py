"""A selection as GridSearchCV's ``cv_results_``."""

from typing import Any

import numpy as np

from foldless.core import Choice, ranks_of
from foldless.selection.selection import Selection, Timing


def cv_results(selection: Selection, error_score: Any) -> dict[str, Any]:
    """GridSearchCV's columns, one row per choice in the order of the grid; failed candidates have the error score."""
    rows = rows_of(selection)
    every = [choice.candidate for choice in rows]
    sign = 1 if selection.criterion.better == "higher" else -1
    worst = np.nan if error_score == "raise" else float(error_score)
    timings = [selection.timings.get(c, Timing()) for c in every]
    table: dict[str, Any] = {}
    for key, seconds in (("fit", [t.fit for t in timings]), ("score", [t.answer for t in timings])):
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
    if len(set(every)) < len(every):  # a criterion that offers a candidate more than once says how in its notes
        table["notes"] = ["; ".join(choice.notes) for choice in rows]
    for at in range(max((len(choice.splits) for choice in rows), default=0)):
        table[f"split{at}_test_score"] = np.array(
            [sign * choice.splits[at] if at < len(choice.splits) else np.nan for choice in rows]
        )
    table["mean_test_score"] = np.array([worst if c.candidate in selection.failed else sign * c.score for c in rows])
    table["std_test_score"] = np.array([np.std(choice.splits) if choice.splits else np.nan for choice in rows])
    ranks = ranks_of(selection.criterion, selection.ranking)
    table["rank_test_score"] = np.array([ranks.get(choice, len(ranks) + 1) for choice in rows], dtype=np.int32)
    return table


def rows_of(selection: Selection) -> list[Choice]:
    """Every choice in the order of the grid, and one without a score for each candidate that has none."""
    lost = [*selection.failed, *selection.unfinished]
    every = [*selection.ranking, *(Choice(candidate, np.nan, ()) for candidate in lost)]
    return sorted(every, key=lambda choice: choice.candidate.index)
