"""The tables of a report as plain values: columns, cells, and the number by which a cell is sorted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foldless.checks._check import registered
from foldless.core import Candidate
from foldless.core.certificate import Certificate, raised, rounded_up
from foldless.report._varying import MISSING, title, varying
from foldless.report._wording import cut, number, shorten, value_text
from foldless.results import Comparison, Difference, Evaluation, Finding, Findings, Selection
from foldless.results._measure_words import criterion_in_words
from foldless.results.contribution import signed

MOST_ROWS = 5000
MOST_NAMED = 10  # rows or columns of a finding
MOST_PARAMETERS = 4  # with more of them the candidate's name says it better
SHOWN, NOTE_SHOWN = 60, 240
BUDGET = 500_000  # characters that the full texts of one column may take
LONG = 24  # characters that need not fit into one line
SPREAD, BOUND = "sd over splits", "error at most"
TIED = "(tied)"  # the interval of the difference holds zero
TITLES = {"test_accuracy": "test accuracy", "test_macro_f1": "macro F1", "test_r2": "test R²", "test_rmse": "test RMSE"}


@dataclass(frozen=True)
class Cell:
    """What is shown; ``full`` what was too long to show, ``key`` the number to sort by, ``kind`` how it looks."""

    text: str
    key: float | None = None
    full: str = ""
    kind: str = ""


@dataclass(frozen=True)
class PageTable:
    """Titles with whether they hold numbers, rows of cells with how the row looks, and how many rows are missing."""

    columns: Sequence[tuple[str, bool]]
    rows: Sequence[tuple[str, Sequence[Cell]]]
    left_out: int = 0
    sorted_by: str = ""


def ranking(selection: Selection, most: int = MOST_ROWS) -> PageTable:
    """Every candidate, the best first, those without a score last."""
    entries, tested = selection.entries(), f"test {selection.quantity}"
    minus_chosen = f"{selection.quantity} minus the chosen's"
    params = _parameters([entry.choice.candidate for entry in entries])
    bounded = selection.certificate is not None
    columns = {"rank": True, **{name: numeric for name, (numeric, _) in params.items()}}
    columns |= {} if bounded and selection.criterion.better == "lower" else {"score": True}
    columns |= {BOUND: True} if bounded else {}
    columns |= {SPREAD: True} if any(len(entry.choice.splits) > 1 for entry in entries) else {}
    columns |= {tested: True} if selection.test_accuracy else {}
    columns |= {minus_chosen: True} if selection.differences else {}
    columns |= {"seconds": True} if any(entry.choice.candidate in selection.timings for entry in entries) else {}
    columns |= {"notes": False} if any(entry.notes for entry in entries) else {}
    room = BUDGET // max(1, min(most, len(entries)))
    rows: list[tuple[str, Sequence[Cell]]] = []
    for at, entry in enumerate(entries[:most]):
        splits, timing = entry.choice.splits, entry.timing
        cells = {"rank": _none() if entry.rank is None else Cell(str(entry.rank), entry.rank)}
        cells |= {name: cell[at] for name, (_, cell) in params.items()}
        cells["score"], cells[BOUND] = _score(entry.choice.score), _bound(entry.certificate)
        cells[SPREAD] = _score(float(np.std(splits))) if len(splits) > 1 else _none()
        cells[tested] = _score(np.nan if entry.test_accuracy is None else entry.test_accuracy)
        cells[minus_chosen] = _minus_chosen(selection.differences.get(entry.choice.candidate))
        cells["seconds"] = _seconds(sum(timing.fit) + sum(timing.answer)) if timing.fit else _none()
        cells["notes"] = _note("; ".join(entry.notes), room)
        look = "chosen" if at == 0 else "lost" if entry.rank is None else ""
        rows.append((look, [cells[name] for name in columns]))
    arrows = {"score": f"ranking score {arrow(selection)}", tested: f"{tested} ↑"}
    shown = [(title(name) if name in params else arrows.get(name, name), numeric) for name, numeric in columns.items()]
    return PageTable(shown, rows, len(entries) - len(rows), "rank")


def members(selection: Selection) -> PageTable | None:
    """The members of an average, and how it changes on held-out labels without each of them."""
    average = selection.average
    if average is None:
        return None
    room = BUDGET // len(average.members)
    rows: list[tuple[str, Sequence[Cell]]] = []
    for candidate, member in average.members.items():
        accuracy, loss = member.accuracy_without - average.accuracy, member.log_loss_without - average.log_loss
        changes = [Cell(signed(change), change) for change in (accuracy, loss)]
        rows.append(("", [_text(candidate.name, room), Cell(f"{member.weight:.2f}", member.weight), *changes]))
    titles = ("weight", "change of accuracy", "change of log loss")
    return PageTable([("member", False), *((title, True) for title in titles)], rows)


def findings(findings: Sequence[Finding]) -> PageTable | None:
    """What was found in the data, issues first, with the rows or columns it is about and the options that handle it."""
    if not findings:
        return None
    issues = {code for code, check in registered().items() if check.kind == "issue"}
    rows = [
        ("", [Cell(finding.code), _note(finding.problem, BUDGET), _note(_where(finding), BUDGET),
              _note("; ".join(map(str, finding.remedies)) or "–", BUDGET)])
        for finding in sorted(findings, key=lambda finding: finding.code not in issues)
    ]  # fmt: skip
    return PageTable([("code", False), ("what", False), ("where", False), ("what to do", False)], rows)


def checked_findings(findings: Findings) -> PageTable:
    """What a check found, how much each finding matters, and what to do."""
    rows = []
    for entry in findings.entries:
        finding, impact = entry.finding, entry.impact
        change = "–" if impact is None else f"{impact.difference:+.3f} ({impact.lower:+.3f} to {impact.upper:+.3f})"
        matters = _note(f"not known: {entry.untold}" if impact is None else str(impact), NOTE_SHOWN)
        cells = [Cell(finding.code), Cell(entry.kind), _note(finding.problem, BUDGET), matters, Cell(change)]
        cells += [_note(_where(finding), BUDGET), _note("; ".join(map(str, finding.remedies)) or "–", BUDGET)]
        rows.append(("chosen" if entry.kind == "issue" else "", cells))
    titles = ("code", "kind", "what", "how much it matters", "change", "where", "what to do")
    return PageTable([(title, False) for title in titles], rows)


def made_checks(outcomes: Mapping[str, Mapping[str, str]]) -> PageTable:
    rows = [
        ("", [Cell(code), Cell(outcome), _note(why, NOTE_SHOWN)])
        for outcome, checks in outcomes.items()
        for code, why in checks.items()
    ]
    return PageTable([("code", False), ("outcome", False), ("what it looks for, or why not", False)], rows)


def _where(finding: Finding) -> str:
    """The first rows and columns of a finding, and how many there are."""
    parts = []
    for noun, values in (("column", finding.columns), ("row", finding.rows)):
        if values:
            listed = ", ".join(str(value) for value in values[:MOST_NAMED])
            more = f" and {len(values) - MOST_NAMED:,} more" if len(values) > MOST_NAMED else ""
            parts.append(f"{noun}{'s' * (len(values) > 1)} {listed}{more}")
    return "; ".join(parts) or "–"


def terms(certificate: Certificate) -> PageTable:
    rows = [
        ("", [_note(term.what, NOTE_SHOWN), Cell(rounded_up(term.upper), term.upper), _score(term.observed),
              Cell(f"{term.rows:,}", term.rows), Cell(f"{term.delta:.2g}", term.delta)])
        for term in certificate.terms
    ]  # fmt: skip
    return PageTable(
        [("part", False), ("at most", True), ("observed", True), ("rows", True), ("share of δ", True)], rows
    )


def shares(selection: Selection, most: int = MOST_ROWS) -> PageTable:
    """Every class with its share in the labels, that predicted in the pool, and the difference."""
    labels = selection.label_shares.to_numpy()
    pool = None if selection.shares is None else selection.shares.to_numpy()
    room = BUDGET // max(1, min(most, len(labels)))
    rows: list[tuple[str, Sequence[Cell]]] = []
    for at, name in enumerate(list(selection.label_shares.index)[:most]):
        cells = [_text(name, room), _score(labels[at])]
        if pool is not None:
            cells += [_score(pool[at]), _score(pool[at] - labels[at])]
        rows.append(("", cells))
    columns = [("class", False), ("share in the labels", True)]
    columns += [] if pool is None else [("predicted share in the pool", True), ("difference", True)]
    return PageTable(columns, rows, len(labels) - len(rows))


def evaluated_classes(evaluation: Evaluation) -> PageTable:
    frame = evaluation.table()
    room = BUDGET // max(1, min(MOST_ROWS, len(frame)))
    rows: list[tuple[str, Sequence[Cell]]] = []
    for row in frame[:MOST_ROWS].to_dict("records"):
        low, high = row["recall_lower"], row["recall_upper"]
        counts = [Cell(f"{row[key]:,}", float(row[key])) for key in ("rows", "predicted")]
        reach = _none() if np.isnan(low) else Cell(f"{low:.3f} to {high:.3f}", low)
        shown = [_score(row["precision"]), _score(row["recall"]), reach, _score(row["f1"])]
        rows.append(("", [_text(row["class"], room), *counts, *shown]))
    titles = ("rows", "predicted", "precision", "recall", "interval", "F1")
    return PageTable([("class", False), *((title, True) for title in titles)], rows, len(frame) - len(rows))


def criteria(comparison: Comparison) -> PageTable:
    """One row per criterion, as in ``comparison.table()``, with the name of the choice for its parameters."""
    keys = [key for key in dict.fromkeys(key for row in comparison.rows for key in row) if key != "params"]
    keys.insert(1, "choice")
    certificates = {name: selection.certificate for name, selection in comparison.selections.items()}
    if any(certificates.values()):
        keys.insert(keys.index("score") + 1, BOUND)
    if not any(row.get("notes") for row in comparison.rows):
        keys = [key for key in keys if key != "notes"]
    room = BUDGET // max(1, len(comparison.rows))
    rows: list[tuple[str, Sequence[Cell]]] = []
    for row in comparison.rows:
        selection = comparison.selections.get(row["criterion"])
        chosen = _none() if selection is None else _text(selection.best.candidate.name, room)
        cells = {key: _any(key, row.get(key), room) for key in keys} | {"choice": chosen}
        cells["criterion"] = _text(criterion_in_words(row["criterion"]), room)
        cells[BOUND] = _bound(certificates.get(row["criterion"]))
        rows.append(("" if selection is not None else "lost", [cells[key] for key in keys]))
    words = ("criterion", "choice", "better", "notes")
    return PageTable([(TITLES.get(key, key.replace("_", " ")), key not in words) for key in keys], rows)


def candidates(comparison: Comparison, most: int = MOST_ROWS) -> PageTable:
    """One row per candidate with its score by every criterion; a criterion's choice stands out."""
    scores = {
        name: {choice.candidate: choice.score for choice in selection.ranking}
        for name, selection in comparison.selections.items()
    }
    best = {name: selection.best.candidate for name, selection in comparison.selections.items()}
    lost = {c for s in comparison.selections.values() for c in (*s.failed, *s.unfinished)}
    every = sorted({*lost, *(c for known in scores.values() for c in known)}, key=lambda c: c.index)
    params = _parameters(every)
    truth = {f"test {comparison.quantity}": comparison.test_accuracy} if comparison.test_accuracy else {}
    rows: list[tuple[str, Sequence[Cell]]] = []
    for at, candidate in enumerate(every[:most]):
        cells = [cell[at] for _, cell in params.values()]
        for name, known in scores.items():
            kind = "chosen" if best[name] == candidate else ""
            cells.append(_score(known.get(candidate, np.nan), kind))
        cells += [_score(known.get(candidate, np.nan)) for known in truth.values()]
        rows.append(("", cells))
    columns = [(title(name), numeric) for name, (numeric, _) in params.items()]
    columns += [(f"{criterion_in_words(name)} {arrow(comparison.selections[name])}", True) for name in scores]
    columns += [(f"{name} ↑", True) for name in truth]
    return PageTable(columns, rows, len(every) - len(rows))


def arrow(selection: Selection) -> str:
    """Where better scores are."""
    return "↑" if selection.criterion.better == "higher" else "↓"


def _parameters(every: Sequence[Candidate]) -> dict[str, tuple[bool, list[Cell]]]:
    """The columns that tell candidates apart: what varies, or their names where that is too much."""
    columns = varying(every)
    room = BUDGET // max(1, len(every))
    told_apart = len(set(zip(*columns.values(), strict=True))) == len(every)
    if not 0 < len(columns) <= MOST_PARAMETERS or not told_apart:
        return {"candidate": (False, [_text(candidate.name, room) for candidate in every])}
    shown: dict[str, tuple[bool, list[Cell]]] = {}
    for name, column in columns.items():
        numeric = all(isinstance(value, float) or value == MISSING for value in column)
        cells = [Cell(value_text(v), v) if isinstance(v, float) else _text(v, room) for v in column]
        shown[name] = (numeric, cells)
    return shown


def _any(key: str, value: Any, room: int) -> Cell:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return _none()
    if key == "seconds":
        return _seconds(value)
    if isinstance(value, int | np.integer):
        return Cell(f"{value:,}", float(value))
    if isinstance(value, float | np.floating):
        return _score(float(value))
    return _note(value, room) if key == "notes" else _text(value, room)


def _score(value: float, kind: str = "") -> Cell:
    return _none() if np.isnan(value) else Cell(number(value), float(f"{value:.10g}"), kind=kind)


def _bound(certificate: Certificate | None) -> Cell:
    return _none() if certificate is None else Cell(raised(certificate.upper), certificate.upper)


def _minus_chosen(difference: Difference | None) -> Cell:
    """How far a candidate is above or below the chosen one, with its interval."""
    if difference is None:
        return _none()
    return Cell(f"{difference.minus_chosen()}{'' if difference.told_apart else f' {TIED}'}", -difference.value)


def _seconds(value: float) -> Cell:
    return Cell(f"{value:.3f}" if value < 10 else f"{value:,.1f}", float(f"{value:.6g}"))


def _text(value: object, room: int) -> Cell:
    short = shorten(value, SHOWN)
    return Cell(
        short, full="" if len(str(value)) <= SHOWN else cut(value, room), kind="long" if len(short) > LONG else ""
    )


def _note(value: object, room: int) -> Cell:
    text = str(value)
    return Cell(cut(text, NOTE_SHOWN), full=cut(text, room) if len(text) > NOTE_SHOWN else "", kind="note")


def _none() -> Cell:
    return Cell("–", kind="none")
