"""The answer of ``foldless select`` in a few lines: what was chosen, how good it is, what is odd, what to type next.

Everything else is behind --verbose, in the report and in --json.
"""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

from foldless.cli.terminal import _layout as layout
from foldless.cli.terminal._console import Screen, named, number
from foldless.cli.terminal._printable import printable
from foldless.io import FileOptions
from foldless.results import Baseline, Estimate, MeasuredScore
from foldless.results.baseline import beside_test
from foldless.tables import Problem

WIDTH, LINES = 10, 12  # characters before the words; lines, so that an answer and its command fit a screen of 24
FAMILIES, NOTES, WAYS = 4, 4, 5  # names of models, notes of a kind, and ways to go on that are shown where they fit
ON_POOL = re.compile(r"pool-features\(.*?estimator=([a-z-]+[a-z])")
"""A model on features that the pool teaches: the name that is typed does not say which."""
TAUGHT = {"spreading": "labels spread in the pool", "self-training": "self-training"}
ARITHMETIC = re.compile(r"(invalid value|divide by zero|overflow|underflow) encountered")
"""What NumPy warns of inside a fit, which says nothing to most people; --verbose has it."""
OPTIONS = re.compile(r"(?<= with)( --[a-z][a-z-]*( '[^']*'| (?!-)[^\s,;:]+)?)+")
BEFORE_DETAILS = re.compile(r"(\([^()]*\)|(?<!\w)'[^']*'|[:;](?! )|[^:;])*")
EVERYTHING = "all candidates: --verbose"
NO_ESTIMATE = "there is no estimate of the model's accuracy: "  # a note with the reason, which stands beside the score
FILES = {"predicted": "predictions", "saved": "model", "report": "page"}


def verdict(document: Mapping[str, Any], problem: Problem, typed: Mapping[str, Any]) -> None:
    """A selection, as `documents.of_selection` gives it, after the options that were typed.

    On a terminal it takes at most LINES lines: notes, and then what to type next, give way to the numbers.
    """
    screen = Screen()
    shown = _rows(document, problem, typed)
    if screen.console.is_terminal:
        width = screen.console.width
        for notes, ways in ((NOTES, WAYS), (2, WAYS), (2, 2), (1, 2), (1, 1), (1, 0), (0, 1), (0, 0)):
            shown = _rows(document, problem, typed, notes, ways)
            if sum(len(list(_wrapped(row.text, width))) for row in shown) <= LINES:
                break
    for row in shown:
        parts = _wrapped(row.text, screen.console.width) if screen.console.is_terminal else [printable(row.text)]
        for at, part in enumerate(parts):
            screen.line(f"{'' if at else row.name:<{WIDTH}}{part}", row.style)


class _Row(NamedTuple):
    """A row of the answer with its name in front; on a terminal it is continued below the words."""

    name: str
    text: str
    style: str = ""


def _rows(
    document: Mapping[str, Any], problem: Problem, typed: Mapping[str, Any], notes: int = NOTES, ways: int = WAYS
) -> list[_Row]:
    """The answer with so many notes, and ways to go on."""
    rows = [_Row("Chosen", _chosen(document), "bold")]
    rows += [_Row("" if at else "Score", each.short, "bold") for at, each in enumerate(measures(document))]
    rows += [_Row(name, text, "bold") for name, text in _numbers(document).items()]
    if typed["quiet"]:
        return rows
    rows.append(_Row("Data", problem.describe()[0]))
    rows += [_Row(name, text, "yellow") for name, text in _notes(document, problem, notes).items()]
    if document["stopped"]:
        journal = typed["journal"]
        again = f"the same command continues from {journal}" if journal else "--journal FILE lets a next run continue"
        rows.append(_Row("Stopped", f"{document['stopped']}: {again}", "yellow"))
    files = [f"{what}: {document[key]}" for key, what in FILES.items() if document.get(key)]
    if files:
        rows.append(_Row("Written", ", ".join(files)))
    further = _next(document, problem, typed)[:ways] or [EVERYTHING]
    return [*rows, _Row("Next", " · ".join(further), "dim")]


def _wrapped(text: str, width: int) -> Iterator[str]:
    return layout.wrapped(printable(text), max(20, width - WIDTH))


def _chosen(document: Mapping[str, Any]) -> str:
    choice = document["choice"]
    members = choice.get("members", ())
    if not members:
        vote = f", by a vote of {choice['models']} fits" if choice["models"] > 1 else ""
        return f"{named(choice['model'], choice['params'])}{vote}"
    families = list(dict.fromkeys(_family(member["candidate"]) for member in members))
    if len(families) == 1:
        return f"an average of {len(members)} {families[0]} models"
    more = ", …" * (len(families) > FAMILIES)
    return f"an average of {len(members)} models ({', '.join(families[:FAMILIES])}{more})"


def _family(candidate: str) -> str:
    """What kind of model a candidate is, in a few words.

    Examples
    --------
    >>> [_family(f"pool-features(estimator={name}, features=few)") for name in ("spreading-7", "logistic")]
    ['labels spread in the pool', 'logistic on pool features']
    >>> _family("svc(C=10, gamma=scale)")
    'svc'
    """
    taught = ON_POOL.match(candidate)
    if taught is None:
        return candidate.partition("(")[0]
    return TAUGHT.get(taught[1], f"{taught[1]} on pool features")


def measures(document: Mapping[str, Any]) -> list[MeasuredScore]:
    """The metrics that were named, each beside that of a constant; accuracy has a line of its own."""
    every = [MeasuredScore.from_dict(plain) for plain in document.get("measures", ())]
    return [each for each in every if each.estimate.quantity not in ("accuracy", "R²")]


def _numbers(document: Mapping[str, Any]) -> dict[str, str]:
    """How good the choice is: the estimate beside the baseline, and the test rows."""
    estimate = Estimate(**document["estimate"]) if document["estimate"] else None
    baseline = Baseline(**document["baseline"]) if document["baseline"] else None
    quantity = "R²" if document.get("task") == "regression" else "Accuracy"
    constant = "" if baseline is None else f"; {baseline}"
    lines = {}
    if estimate is not None:
        words = estimate.quantity_in_words
        name = words[:1].upper() + words[1:]
        interval = f" ({estimate.ends}, {100 * estimate.confidence:g} %)" if estimate.has_interval else ""
        lines[name] = f"about {estimate.value:.3f} on {estimate.population}{interval}{constant}"
    tested = document["choice"].get("test_accuracy")
    if tested is not None:
        others = [f"{each.estimate.quantity_in_words} {each.on_test:.4f}" for each in measures(document) if each.tested]
        accuracy = f"{quantity if quantity == 'R²' else quantity.lower()} {tested:.4f}"
        lines["Test"] = ", ".join([*others, accuracy]) if others else f"{accuracy}{beside_test(baseline, '; ')}"
    reasons = [note.removeprefix(NO_ESTIMATE) for note in document["notes"] if note.startswith(NO_ESTIMATE)]
    why = "".join(f": {reason}" for reason in reasons[:1])
    if not lines and not document.get("measures"):
        lines[quantity] = f"not estimated{why}; ranking score {number(document['choice']['score'])}{constant}"
    elif estimate is None and reasons:
        lines = {quantity: f"not estimated{why}", **lines}
    return lines


def _notes(document: Mapping[str, Any], problem: Problem, most: int) -> dict[str, str]:
    """The first words of what was found in the data, and of notes on the run; of none, how many there are."""
    listed = {finding["sentence"] for finding in document["findings"]}
    in_files = {_short(note) for note in problem.notes}  # whose remedies are in the words of Python
    found = [f"{_short(finding['sentence'])} ({finding['code']})" for finding in document["findings"]]
    beside = (*listed, document["stopped"], NO_ESTIMATE[:-2])  # said on other lines
    notes = [note for note in document["notes"] if note not in beside and _short(note) not in beside]
    found += [f"{_shown(note)}{_option(note)}" for note in notes if _short(note) in in_files]
    run = [_shown(note) for note in notes if _short(note) not in in_files and not ARITHMETIC.match(note)]
    if not most:
        return {"Notes": f"{len(found) + len(run)}, which --verbose shows"} if found or run else {}
    return {name: _several(texts, most) for name, texts in (("Found", found), ("Notes", run)) if texts}


def _shown(note: str) -> str:
    """A note without its remedies, unless they are there to be repeated."""
    return note if ": as with --" in note else _short(note)


def _option(note: str) -> str:
    """The option that is the remedy of a note, where the note is shown without it.

    >>> _option("'rings' holds whole numbers, which are taken as 18 classes: predict them with --task regression")
    ' (--task regression)'
    """
    named = OPTIONS.search(note.partition(": ")[2])
    return "" if named is None or named[0] in _shown(note) else f" ({named[0].strip()})"


def _short(sentence: str) -> str:
    """A sentence without its remedies and details; marks in parentheses and in quotes do not end it.

    >>> _short("column 'Q1: age' looks like groups (87 values; some are rare): keep them together")
    "column 'Q1: age' looks like groups (87 values; some are rare)"
    """
    return BEFORE_DETAILS.match(sentence)[0]  # type: ignore[index]  # the empty string matches


def _several(texts: Sequence[str], most: int) -> str:
    more = len(texts) - most
    return "; ".join(texts[:most]) + (f"; and {more} more" if more > 0 else "")


def _next(document: Mapping[str, Any], problem: Problem, typed: Mapping[str, Any]) -> list[str]:
    """What a user may want to type now."""
    ways = []
    if problem.X_unlabeled is not None and not problem.stored and typed["train"] != "-":
        ways.append(f"label more rows: foldless suggest {shlex.join(_same_rows(typed))} --output to_label.csv")
    ways.append(EVERYTHING)
    if not document.get("report"):
        ways.append("page: --report page.html")
    if problem.X_unlabeled is not None and not document.get("predicted"):
        ways.append("predictions: --predict out.csv")
    if not document.get("saved"):
        ways.append("model: --save model.skops")
    return ways


def _same_rows(typed: Mapping[str, Any]) -> list[str]:
    """The arguments that name the same rows, read in the same way, for another command."""
    named = {name: typed.get(name) for name in ("label", "unlabeled", "task", "label_separator", "groups")}
    reading = typed.get("fmt")
    if isinstance(reading, FileOptions):
        named |= {field.name: getattr(reading, field.name) for field in fields(reading)}
    elif reading is not None:
        named["format"] = reading
    named["missing"] = "impute" if typed.get("missing") == "impute" else None
    named["min_per_class"] = typed.get("min_per_class")
    options: list[tuple[str, ...]] = [
        (f"--{name.replace('_', '-')}", str(value)) for name, value in named.items() if value is not None
    ]
    options += [
        (f"--{name}", column) for name in ("drop", "text", "categorical", "keep") for column in typed.get(name, ())
    ]
    options += [(f"--{name.replace('_', '-')}",) for name in ("minus_one_is_class", "merge_labels") if typed.get(name)]
    return [typed["train"], *(word for option in options for word in option)]
