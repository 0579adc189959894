"""The results as plain data in the words of the command line: what ``--json`` prints, and what tables are made of."""

import json
import platform
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import click
import numpy as np
import sklearn

from foldless import __version__
from foldless.cli._remedies import worded, words_of
from foldless.core.certificate import SEVERAL
from foldless.errors import Remedy
from foldless.results.finding import Finding, among
from foldless.selection import Comparison, Selection
from foldless.tables import Problem, named_parameters

SHOWN = (
    "rank", "model", "params", "score", "upper", "parts", "test_accuracy", "difference", "tied", "notes", "models",
    "members", "average",
)  # fmt: skip

AS_IN_PYTHON = ("shares", "shift", "estimate", "baseline", "measures", "assumes")


def of_selection(
    problem: Problem,
    selection: Selection,
    notes: Sequence[str],
    written: Mapping[str, str | None],
    last_notes: Sequence[str] = (),
) -> dict[str, Any]:
    """A selection: the choice, the ranking with failed candidates last, the class shares, the files it wrote."""
    plain = selection.to_dict()
    beside = {} if selection.beside is None else {"beside": _named(plain["beside"])}
    several = [SEVERAL] if beside else []
    every = [*problem.notes, *plain["notes"], *notes, *several, *last_notes]
    return {
        "criterion": plain["criterion"],
        "better": plain["better"],
        **problem.to_dict(),
        "choice": _entry(plain["choice"]),
        "certificate": _certificate(plain["certificate"]),
        **beside,
        "ranking": [_entry(entry) for entry in plain["ranking"]],
        **{key: plain[key] for key in AS_IN_PYTHON if key in plain},
        **_ran(plain, every),
        **written,
    }


def of_comparison(
    problem: Problem, comparison: Comparison, notes: Sequence[str], written: Mapping[str, str | None]
) -> dict[str, Any]:
    plain = comparison.to_dict()
    criteria = [_named(entry) | {"notes": [worded(note) for note in entry["notes"]]} for entry in plain["criteria"]]
    return {
        **problem.to_dict(),
        "criteria": criteria,
        "shift": plain["shift"],
        "baseline": plain["baseline"],
        **_ran(plain, [*problem.notes, *(_as_typed(note, criteria) for note in plain["notes"]), *notes]),
        **written,
    }


def _as_typed(note: str, criteria: Sequence[Mapping[str, Any]]) -> str:
    """A note whose first words are names of criteria, with the names as they are typed."""
    if isinstance(note, Finding):
        return note
    names, mark, rest = note.partition(": ")
    known = {entry["criterion"] for entry in criteria}
    return f"{names.replace('_', '-')}{mark}{rest}" if mark and set(names.split(", ")) <= known else note


@contextmanager
def warnings_as_notes(*shown_elsewhere: type[Warning]) -> Iterator[list[str]]:
    """Warnings as sentences: the first line of each, once."""
    notes: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield notes
    for warning in caught:
        if not issubclass(warning.category, shown_elsewhere):
            text = str(warning.message)
            times = re.search(r" \(in \d+ fits\)$", text)
            first = text.splitlines()[0].removesuffix(times[0] if times else "").rstrip(".: ")
            notes.append(first + (times[0] if times else ""))
    notes[:] = dict.fromkeys(notes)


def print_json(document: Mapping[str, Any]) -> None:
    """Print a document, and the versions behind its numbers."""
    versions = {
        "foldless": __version__,
        "python": platform.python_version(),
        "scikit-learn": sklearn.__version__,
        "numpy": np.__version__,
    }
    click.echo(json.dumps({**document, "versions": versions}, indent=2, allow_nan=False))


def _ran(plain: Mapping[str, Any], notes: Sequence[str]) -> dict[str, Any]:
    return {
        "n_fits": plain["n_fits"],
        "stopped": plain["stopped"],
        "notes": list(dict.fromkeys(map(worded, notes))),
        "findings": [finding.to_dict() for finding in among(map(with_options, notes))],
    }


def with_options(note: str) -> str:
    """A note whose remedies name options; a finding stays one."""
    if not isinstance(note, Finding):
        return worded(note)
    words = (words_of(remedy) if isinstance(remedy, Remedy) else remedy for remedy in note.remedies)
    remedies = [word for word in words if word]
    return Finding(note.code, note.problem, rows=note.rows, columns=note.columns, remedy=remedies)


def _certificate(plain: dict[str, Any] | None) -> dict[str, Any] | None:
    """A certificate with its notes in the words of the command line."""
    return None if plain is None else plain | {"notes": [worded(note) for note in plain["notes"]]}


def _entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    named = _named(entry) | {"notes": [worded(note) for note in entry["notes"]]}
    return {key: named[key] for key in SHOWN if key in named}


def _named(entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry whose candidate is the name of a model, with the parameters as they are typed."""
    model, params = (None, None) if entry["params"] is None else named_parameters(entry["params"])
    named: dict[str, Any] = {}
    for key, value in entry.items():
        value = _certificate(value) if key == "certificate" else value
        named |= {"model": model} if key == "candidate" else {"params": params} if key == "params" else {key: value}
    return named
