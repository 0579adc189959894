"""Results as plain data for the page: the standing of a run, and what it chose."""

from collections.abc import Callable, Mapping
from typing import Any

from foldless.core import plain_value
from foldless.selection import Selection, Standing
from foldless.tables import Problem, named_parameters

MOST = 60  # candidates


def shown_problem(problem: Problem, word: Callable[[Any], str]) -> dict[str, Any]:
    """What was read: rows, classes, columns as recognized, and notes."""
    columns = problem.columns
    return {
        "label": problem.label,
        "rows": problem.rows,
        "classes": [str(label) for label in problem.classes],
        "columns": [{"name": name, "kind": kind} for name, kind in columns.kinds.items()],
        "about": problem.describe(),
        "notes": [word(note) for note in problem.notes],
    }


def shown_standing(standing: Standing) -> dict[str, Any]:
    """How a run goes."""
    return {
        "done": standing.done,
        "asked": standing.asked,
        "seconds": standing.seconds,
        "more": max(0, len(standing.candidates) - MOST),
        "candidates": [
            {**_named(c.params), "state": c.state, "fits": c.fits, "seconds": c.seconds, "right": c.right}
            for c in standing.candidates[:MOST]
        ],
    }


def shown_selection(selection: Selection, word: Callable[[Any], str]) -> dict[str, Any]:
    """What was chosen, and all that is known about it."""
    plain = selection.to_dict()
    estimate, shift = plain["estimate"], plain["shift"]
    return {
        "criterion": plain["criterion"],
        "better": plain["better"],
        "best": _named(selection.best.candidate.params),
        "ranking": [_entry(entry, word) for entry in plain["ranking"][:MOST]],
        "more": max(0, len(plain["ranking"]) - MOST),
        "shares": [{**share, "class": str(share["class"])} for share in plain["shares"]],
        "estimate": estimate and {key: estimate[key] for key in ("value", "lower", "upper", "confidence", "assumes")},
        "shift": shift and {"alarm": selection.shift.alarm, "note": word(selection.shift.note), **shift},  # type: ignore[union-attr]  # it is there
        "test_accuracy": plain_value(selection.best_test_accuracy),
        "certificate": _certificate(plain["certificate"]),
        "assumes": plain["assumes"],
        "fits": plain["n_fits"],
        "stopped": plain["stopped"],
        "notes": [word(note) for note in selection.notes],
    }


def _entry(entry: Mapping[str, Any], word: Callable[[Any], str]) -> dict[str, Any]:
    seconds = sum(entry["fit_seconds"]) + sum(entry["answer_seconds"])
    difference = entry.get("difference")
    return {
        **_named(entry["params"]),
        "rank": entry["rank"],
        "score": entry["score"],
        "behind": difference and difference["value"],
        "tied": entry.get("tied"),
        "fits": len(entry["fit_seconds"]),
        "seconds": seconds,
        "test_accuracy": entry.get("test_accuracy"),
        "notes": "; ".join(word(note) for note in entry["notes"]),
    }


def _certificate(plain: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if plain is None else {key: plain[key] for key in ("quantity", "upper", "confidence", "assumes")}


def _named(params: Mapping[str, Any]) -> dict[str, Any]:
    """The model and its parameters as one types them."""
    model, own = named_parameters(params)
    return {"model": model, "params": ", ".join(f"{key}={_brief(value)}" for key, value in own.items())}


def _brief(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
