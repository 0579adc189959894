"""The results for people: a table, the choice in one line, and what the number rests on.

On a terminal as wide as it is; into a file or a pipe without color, and wide enough that no name is broken.
"""

import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from foldless.cli.documents import about
from foldless.core import Certificate

PIPE_WIDTH = 200
MOST_ROWS, MOST_CLASSES = 30, 10
FITS = {"run": "run", "shared": "shared", "resumed": "from the journal", "final": "more for the chosen model"}
RIGHT = {"rank", "score", "test accuracy", "macro F1", "regret", "fits", "seconds", "threads"}
SHARES = MappingProxyType({"in labels": "labels", "in pool": "pool"})
WRITTEN = {
    "predicted": "The pool with its predicted labels is",
    "saved": "The chosen model is",
    "report": "A report is",
}


def selection(document: Mapping[str, Any], journal: str | None) -> None:
    """A selection, as `documents.of_selection` gives it."""
    console = _console()
    ranking, choice = document["ranking"], document["choice"]
    _head(console, document)
    better = f"{_dashed(document['criterion'])}, {document['better']} is better"
    _say(console, f"{len(ranking)} candidates ranked by {better}")
    several = len({entry["model"] for entry in ranking}) > 1
    columns = {
        "rank": [_number(entry["rank"]) for entry in ranking],
        "model": [entry["model"] for entry in ranking] if several else [],
        "parameters": [_params(entry["params"]) for entry in ranking],
        "score": [_number(entry["score"]) for entry in ranking],
        "test accuracy": [_number(entry["test_accuracy"]) for entry in ranking if "test_accuracy" in entry],
        "notes": ["; ".join(entry["notes"]) for entry in ranking],
    }
    _table(console, columns, bold=0)
    truth = [entry["test_accuracy"] for entry in ranking if entry.get("test_accuracy") is not None]
    shown = f"score {_number(choice['score'])}"
    if choice.get("test_accuracy") is not None:
        shown += f"; test accuracy {_number(choice['test_accuracy'])}, the best candidate's is {_number(max(truth))}"
    named = " with ".join(filter(None, [choice["model"], _params(choice["params"])]))
    _say(console, f"Chosen: {named} ({shown})", style="bold")
    _shares(console, document["shares"])
    _tail(console, document, journal)
    _say(console, "The score assumes that")
    for sentence in document["assumes"]:
        _say(console, f"  - {sentence}")
    _written(console, document)


def comparison(document: Mapping[str, Any], journal: str | None) -> None:
    """A comparison, as `documents.of_comparison` gives it."""
    console = _console()
    entries = document["criteria"]
    _head(console, document)
    titles = {"score": "score", "test_accuracy": "test accuracy", "test_macro_f1": "macro F1", "regret": "regret"}
    columns = {
        "criterion": [_dashed(entry["criterion"]) for entry in entries],
        "choice": ["–" if e["model"] is None else f"{e['model']} {_params(e['params'])}".strip() for e in entries],
        **{title: [_number(entry[key]) for entry in entries if key in entry] for key, title in titles.items()},
        "fits": [str(entry["fits"]) for entry in entries],
        "seconds": [_number(entry["seconds"], 2) for entry in entries],
        "notes": ["; ".join(entry["notes"]) for entry in entries],
    }
    _table(console, columns)
    _tail(console, document, journal)
    _written(console, document)


def prediction(document: Mapping[str, Any]) -> None:
    """What a saved model said of a new table, as `predicting` gives it."""
    console, model = _console(), document["model"]
    _say(console, f"{document['rows']} rows labeled by {model['candidate']}, chosen by {_dashed(model['criterion'])}")
    if model["certificate"]:
        _say(console, str(Certificate.from_plain(model["certificate"])))
    _shares(console, document["shares"], {"predicted": "predicted"})
    for note in document["notes"]:
        _say(console, f"Note: {note}", style="yellow")
    _say(console, f"The rows with their labels are in {document['written']}")


def examination(document: Mapping[str, Any]) -> None:
    """An installation, as `doctor.examine` gives it."""
    console, threads = _console(), document["threads"]
    _say(console, f"foldless {document['foldless']} in {document['folder']}", style="bold")
    _say(console, f"Python {document['python']} ({document['executable']}) on {document['system']}")
    needed = {name: found or "missing" for name, found in document["needed"].items()}
    _table(console, {"needs": list(needed), "version": list(needed.values())})
    optional = document["optional"]
    _table(
        console,
        {
            "may use": [one["name"] for one in optional],
            "version": [one["version"] or "–" for one in optional],
            "for": [one["for"] for one in optional],
            "to install": ["" if one["version"] else one["install"] for one in optional],
        },
    )
    _say(console, f"{threads['usable']} of {threads['processors']} processors are usable")
    pools = threads["pools"]
    _table(
        console,
        {
            "thread pool": [one["library"] for one in pools],
            "kind": [one["kind"] for one in pools],
            "version": [one["version"] or "–" for one in pools],
            "threads": [str(one["threads"]) for one in pools],
            "file": [one["file"] for one in pools],
        },
    )
    for name, value in threads["settings"].items():
        _say(console, f"{name} is set to {value}")
    if cache := document["numba_cache"]:
        _say(console, f"Numba's cache {cache['folder']} is {'' if cache['writable'] else 'not '}writable")
    for sentence in document["advice"]:
        _say(console, f"Note: {sentence}", style="yellow")
    _say(console, "Something is missing" if document["advice"] else "All is well", style="bold")


def _head(console: Console, document: Mapping[str, Any]) -> None:
    for sentence in about(document):
        _say(console, sentence)


def _tail(console: Console, document: Mapping[str, Any], journal: str | None) -> None:
    counts = [f"{count} {FITS[name]}" for name, count in document["n_fits"].items() if count or name == "run"]
    _say(console, f"Fits: {', '.join(counts)}")
    for note in document["notes"]:
        _say(console, f"Note: {note}", style="yellow")
    if document["stopped"]:
        again = f"the same command goes on from {journal}" if journal else "with --journal FILE a next run could go on"
        _say(console, f"Note: {again}", style="yellow")


def _table(console: Console, columns: Mapping[str, Sequence[str]], bold: int | None = None) -> None:
    """The columns that have something in them."""
    shown = {title: cells for title, cells in columns.items() if any(cells)}
    table = Table(box=box.SIMPLE, header_style="dim", pad_edge=False)
    for title in shown:
        wraps = title == "notes"
        table.add_column(title, justify="right" if title in RIGHT else "left", no_wrap=not wraps, overflow="fold")
    rows = list(zip(*shown.values(), strict=True))
    for at, row in enumerate(rows[:MOST_ROWS]):
        table.add_row(*(Text(cell, style="bold" if at == bold else "") for cell in row))
    console.print(table)
    if len(rows) > MOST_ROWS:
        _say(console, f"and {len(rows) - MOST_ROWS} more, which --json lists")


def _written(console: Console, document: Mapping[str, Any]) -> None:
    for key, what in WRITTEN.items():
        if document.get(key):
            _say(console, f"{what} in {document[key]}")


def _shares(console: Console, shares: Sequence[Mapping[str, Any]], rows: Mapping[str, str] = SHARES) -> None:
    """Class shares side by side, the largest classes first where there are many."""
    first, *_, last = (*rows.values(), *rows.values())
    if all(entry[last] is None for entry in shares):
        return
    shown = sorted(shares, key=lambda entry: -entry[first])[:MOST_CLASSES] if len(shares) > MOST_CLASSES else shares
    table = Table(box=None, header_style="dim", pad_edge=False)
    table.add_column("share of class", no_wrap=True)
    for entry in shown:
        table.add_column(Text(str(entry["class"])), justify="right", max_width=16, no_wrap=True)
    for title, key in rows.items():
        table.add_row(title, *(_number(entry[key], 3) for entry in shown))
    console.print(table)
    if len(shown) < len(shares):
        _say(console, f"and {len(shares) - len(shown)} smaller classes, which --json lists")


def _console() -> Console:
    terminal = Console(file=sys.stdout)
    return terminal if terminal.is_terminal else Console(file=sys.stdout, width=PIPE_WIDTH, no_color=True)


def _say(console: Console, sentence: str, style: str = "") -> None:
    console.print(Text(sentence, style=style), soft_wrap=True)


def _params(params: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{key}={value:g}" if isinstance(value, float) else f"{key}={value}" for key, value in params.items()
    )


def _number(value: float | None, digits: int = 4) -> str:
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) else f"{value:.{digits}f}"


def _dashed(name: str) -> str:
    return name.replace("_", "-")
