"""What the page shows, as plain data: the problem, what there is to choose from, rows, a race, and a selection."""

import inspect
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from foldless.app._pictures import shown_picture
from foldless.app._row_answers import classes_of
from foldless.core import plain_value
from foldless.criteria import BY_NAME
from foldless.portfolio import Facts, models, presets
from foldless.selection import Selection, Standing
from foldless.tables import Problem, named_parameters

MAX_CANDIDATES = 60
MAX_CHARACTERS, MAX_COLUMNS, MAX_PICTURES = 20_000, 200, 8  # of a text, and of a row
EXAMPLES, EXAMPLE_CHARACTERS, EXAMPLE_COLUMNS = 3, 160, 4  # of a class, and of an example


def shown_problem(problem: Problem, word: Callable[[Any], str]) -> dict[str, Any]:
    """What was read: rows, classes, columns as recognized, and notes."""
    columns, counts = problem.columns, Counter(each for label in problem.y for each in classes_of(label))
    return {
        "label": problem.label,
        "rows": problem.rows,
        "classes": [str(label) for label in problem.classes],
        "labeled": [counts[label] for label in problem.classes],
        "columns": [{"name": name, "kind": kind} for name, kind in columns.kinds.items()],
        "about": problem.describe(),
        "notes": [word(note) for note in problem.notes],
    }


def offered_models(problem: Problem) -> list[dict[str, Any]]:
    """Names of models that can read the columns, with what their grids vary."""
    readable = [m for m in models("one view").values() if not (m.dense and problem.columns.of("text"))]
    offered = [{"name": model.name, "varies": _varies(model.grid)} for model in readable]
    offered += [
        {"name": name, "varies": f"with and without the pool: {', '.join(preset.make(Facts()))}"}
        for name, preset in presets().items()
    ]
    if problem.views:
        offered += [{"name": name, "varies": _varies(model.grid)} for name, model in models("two views").items()]
    return offered


def offered_criteria() -> list[dict[str, str]]:
    """Names of criteria, with the idea of each."""
    return [{"name": name, "idea": (inspect.getdoc(kind) or "").partition("\n")[0]} for name, kind in BY_NAME.items()]


def _varies(grid: Any) -> str:
    return ", ".join(f"{len(values)} × {key}" for key, values in grid.items())


def shown_rows(
    problem: Problem, rows: Sequence[int], reasons: Sequence[str], folder: Path | None = None
) -> list[dict[str, Any]]:
    """Rows of the pool, by their positions, each with the reason to show it; pictures are files in a folder."""
    kinds = problem.columns.kinds
    if problem.pool is None or problem.columns.width:
        cells = [_features(problem.X_unlabeled, row) for row in rows]
    else:
        frame = problem.pool.frame.drop(columns=problem.label, errors="ignore").iloc[list(rows)]
        names = sorted(map(str, frame), key=lambda name: kinds.get(name) != "text")
        cells = [[(name, frame[name].iloc[at]) for name in names] for at in range(len(rows))]
    shown = []
    for row, values, why in zip(rows, cells, reasons, strict=True):
        pictures = [(name, source) for name, value in values if (source := shown_picture(folder, value)) is not None]
        drawn = {name for name, source in pictures if source.startswith("data:")}  # a picture, and no text to be read
        told = [(name, _cell(value)) for name, value in values if name not in drawn]
        texts = [(name, text) for name, text in told if kinds.get(name) == "text"]
        others = [(name, text) for name, text in told if kinds.get(name) != "text"]
        entry = {
            "row": int(row),
            "texts": texts,
            "cells": others[:MAX_COLUMNS],
            "more": max(0, len(others) - MAX_COLUMNS),
            "pictures": pictures[:MAX_PICTURES],
            "why": why,
        }
        shown.append(entry)
    return shown


def shown_examples(problem: Problem) -> dict[str, list[str]]:
    """A few labeled rows of each class, in short; the last ones, which were labeled on the page where some were."""
    if problem.columns.width:
        return {}
    texts = problem.columns.of("text")
    names = texts or [str(name) for name in problem.X][:EXAMPLE_COLUMNS]
    columns = [problem.X[name].to_numpy() for name in names]
    examples: dict[str, list[str]] = {}
    for row in range(len(problem.y) - 1, -1, -1):
        for label in classes_of(problem.y[row]):
            of_class = examples.setdefault(str(label), [])
            if len(of_class) < EXAMPLES:
                cells = [(name, _cell(values[row])) for name, values in zip(names, columns, strict=True)]
                said = " · ".join(cell if texts else f"{name} {cell}" for name, cell in cells)
                of_class.append(said if len(said) <= EXAMPLE_CHARACTERS else f"{said[:EXAMPLE_CHARACTERS]}…")
    return examples


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
    return text if len(text) <= MAX_CHARACTERS else f"{text[:MAX_CHARACTERS]}…"


SHOWN_OF_ESTIMATE = ("value", "lower", "upper", "confidence", "assumes", "population")
SHOWN_OF_CERTIFICATE = ("quantity", "upper", "confidence")


def shown_standing(standing: Standing) -> dict[str, Any]:
    """How a run goes."""
    return {
        "done": standing.done,
        "asked": standing.asked,
        "seconds": standing.seconds,
        "more": max(0, len(standing.candidates) - MAX_CANDIDATES),
        "candidates": [
            {**_named(c.params), "state": c.state, "fits": c.fits, "seconds": c.seconds, "right": c.right}
            for c in standing.candidates[:MAX_CANDIDATES]
        ],
    }


def shown_selection(selection: Selection, word: Callable[[Any], str]) -> dict[str, Any]:
    """What was chosen, and all that is known about it."""
    plain = selection.to_dict()
    estimate, shift, certificate = plain["estimate"], plain["shift"], plain["certificate"]
    return {
        "criterion": plain["criterion"],
        "better": plain["better"],
        "best": _named(selection.best.candidate.params),
        "members": len(selection.members),
        "ranking": [_entry(entry, word) for entry in plain["ranking"][:MAX_CANDIDATES]],
        "more": max(0, len(plain["ranking"]) - MAX_CANDIDATES),
        "shares": [{**share, "class": str(share["class"])} for share in plain["shares"]],
        "estimate": estimate and {key: estimate[key] for key in SHOWN_OF_ESTIMATE},
        "shift": shift and {"alarm": selection.shift.alarm, "note": word(selection.shift.note), **shift},  # type: ignore[union-attr]  # it is there
        "test_accuracy": plain_value(selection.best_test_accuracy),
        "certificate": certificate and {key: certificate[key] for key in SHOWN_OF_CERTIFICATE},
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


def _named(params: Mapping[str, Any]) -> dict[str, Any]:
    """The model and its parameters as one types them."""
    model, its_params = named_parameters(params)
    brief = {key: f"{value:.4g}" if isinstance(value, float) else str(value) for key, value in its_params.items()}
    return {"model": model, "params": ", ".join(f"{key}={text}" for key, text in brief.items())}
