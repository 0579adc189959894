"""The results as plain data: what ``--json`` prints, and all that the tables for people are made of."""

import json
import platform
from collections.abc import Mapping
from typing import Any

import numpy as np
import sklearn

from foldless._version import __version__
from foldless.cli.model_catalog import plain
from foldless.cli.problems import Problem
from foldless.cli.remedies import worded, words_of
from foldless.cli.running import Run
from foldless.core import Candidate, Certificate, Choice, ranks_of
from foldless.core.certificate import difference
from foldless.errors import summary
from foldless.saving.model_files import plain_value
from foldless.selection.selection import Comparison, Selection


def of_selection(problem: Problem, run: Run, written: Mapping[str, str | None]) -> dict[str, Any]:
    """A selection: the choice, the ranking with failed candidates last, the class shares, the files it wrote."""
    selection: Selection = run.result
    ranks = ranks_of(selection.criterion, selection.ranking)
    ranking = [
        _entry(c, run, ranks.get(c), c.score, list(c.notes), selection.certificate_of(c)) for c in selection.ranking
    ]
    lost = {c: f"failed: {summary(e, words_of)}" for c, e in selection.failed.items()}
    lost |= dict.fromkeys(selection.unfinished, "not finished")
    ranking += [_entry(Choice(c, np.nan, ()), run, None, None, [why]) for c, why in lost.items()]
    return {
        "criterion": selection.criterion.name,
        "better": selection.criterion.better,
        **_read(problem),
        "choice": {key: value for key, value in ranking[0].items() if key != "rank"}
        | {"models": len(selection.best.fits)},
        "certificate": None if selection.certificate is None else selection.certificate.plain(),
        **({} if run.beside is None else {"beside": _beside(run, run.beside)}),
        "ranking": ranking,
        "shares": _shares(selection),
        "assumes": list(selection.assumes),
        **_ran(problem, run),
        **written,
        "versions": versions(),
    }


def of_comparison(problem: Problem, run: Run, written: Mapping[str, str | None]) -> dict[str, Any]:
    """A comparison: one entry per criterion."""
    comparison: Comparison = run.result
    entries = []
    for row in comparison.rows:
        entry = {key: plain_value(value) for key, value in row.items() if key not in ("params", "notes")}
        model, params = (None, None) if row["params"] is None else plain(row["params"])
        unable = comparison.unable.get(row["criterion"])
        notes = [f"n/a: {worded(unable)}"] if unable else [row["notes"]] * bool(row["notes"])
        selection = comparison.selections.get(row["criterion"])
        certificate = None if selection is None else selection.certificate
        told = {
            "better": None if selection is None else selection.criterion.better,
            "certificate": None if certificate is None else certificate.plain(),
        }
        entries.append(
            {"criterion": entry.pop("criterion"), "model": model, "params": params, **entry, **told, "notes": notes}
        )
    return {**_read(problem), "criteria": entries, **_ran(problem, run), **written, "versions": versions()}


def about(document: Mapping[str, Any]) -> list[str]:
    """What a document tells about its data, in sentences."""
    rows = document["rows"]
    parts = [f"{rows['labeled']} labeled rows of {len(document['classes'])} classes"]
    parts.append(f"{rows['pool']} rows in the pool" if rows["pool"] else "no pool")
    if rows["test"]:
        parts.append(f"{rows['test']} test rows")
    return [", ".join(parts), document["columns"]["done"]]


def dumped(document: Mapping[str, Any]) -> str:
    """A document as it is printed."""
    return json.dumps(document, indent=2, allow_nan=False)


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
        "rows": problem.rows,
        "classes": [plain_value(label) for label in problem.classes],
        "columns": {**problem.columns.count(), "done": _done(problem)},
        **({"views": [list(view) for view in problem.views]} if problem.views else {}),
    }


def _done(problem: Problem) -> str:
    """What was made of the columns."""
    sizes = " and ".join(str(len(view)) for view in problem.views)
    return problem.columns.describe() + (f"; two views, of {sizes} columns" if sizes else "")


def _ran(problem: Problem, run: Run) -> dict[str, Any]:
    return {
        "n_fits": dict(run.result.n_fits),
        "stopped": run.result.stopped,
        "notes": [worded(note) for note in (*problem.notes, *run.notes)],
    }


def _entry(
    choice: Choice,
    run: Run,
    rank: int | None,
    score: float | None,
    notes: list[str],
    certificate: Certificate | None = None,
) -> dict[str, Any]:
    entry = {"rank": rank, **_candidate(choice.candidate), "score": plain_value(score)}
    if run.result.certificate is not None:
        entry["upper"] = None if certificate is None else certificate.upper
        entry["parts"] = None if certificate is None else [term.upper for term in certificate.terms]
    if run.test_accuracy:
        entry["test_accuracy"] = plain_value(run.accuracy_of(choice))
    return {**entry, "notes": notes}


def _beside(run: Run, other: Selection) -> dict[str, Any]:
    """A certificate that is shown for comparison, of a model that is not handed out."""
    assert other.certificate is not None
    entry = {"criterion": other.criterion.name, **_candidate(other.best.candidate)}
    if run.beside_accuracy is not None:
        entry["test_accuracy"] = run.beside_accuracy
    reason = difference(run.result.certificate, other.certificate)
    return {**entry, "certificate": other.certificate.plain(), "difference": reason}


def _candidate(candidate: Candidate) -> dict[str, Any]:
    model, params = plain(candidate.params)
    return {"model": model, "params": {key: plain_value(value) for key, value in params.items()}}


def _shares(selection: Selection) -> list[dict[str, Any]]:
    pool: Mapping[Any, float] = {} if selection.shares is None else dict(selection.shares)
    return [
        {"class": plain_value(label), "labels": float(share), "pool": plain_value(pool.get(label))}
        for label, share in selection.label_shares.items()
    ]
