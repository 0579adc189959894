"""What pages and files show of the labels: counts, what each person sees, who gave which, how far people agree."""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from foldless import labeling  # whose names are imported when they are used: with NumPy, which a page seldom needs
from foldless.app._label_review import DISPUTED
from foldless.app._row_answers import OWNER, RowAnswers, classes_of, codes_of
from foldless.app.app_setup import ELSEWHERE

LATEST = 50  # labels that a page lists


def shown_labels(answers: RowAnswers, codes: Mapping[Any, int], people: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """The labels as each person sees them, with what is the same for all."""
    counts = [0] * len(codes)
    for label in answers.labels.values():
        for each in classes_of(label):
            counts[codes[each]] += 1
    shared = {
        "counts": counts,
        "total": len(answers.labels),
        "states": dict(Counter(answers.states.values())),
        "disputed": len(answers.disputed),
        "picked": sum(p == 0 for _, _, p, _ in answers.drawn()),
        "hinted": answers.n_hinted(),
    }
    sections = {}
    for by in people:
        labels, states = _view(answers, by)
        mine = {
            "given": {row: codes_of(label, codes) for row, label in labels.items()},
            "skipped": sorted(states),
            "latest": [[row, codes_of(label, codes)] for row, label in list(labels.items())[-LATEST:]],
            "repeated": answers.repeated(by),
        }
        sections[by] = {**mine, **shared}
    return sections


def _view(answers: RowAnswers, by: str) -> tuple[dict[int, Any], set[int]]:
    """Labels, and rows without one, as a person sees them: the owner those that count, others their own."""
    if by == OWNER:
        return answers.labels, set(answers.states) | answers.disputed
    said = answers.of(by).items()
    labels = {row: answer.label for row, answer in said if answer.state is None}
    return labels, {row for row, answer in said if answer.state is not None}


def new_classes(answers: RowAnswers, known: Collection[Any]) -> list[Any]:
    """Classes that somebody has given, and the files have not."""
    said = [each.label for row in answers.rows() for each in answers.opinions(row) if each.state is None]
    said += [decision.label for row in answers.rows() if (decision := answers.decision(row))]
    classes = dict.fromkeys(each for label in said for each in classes_of(label))
    return [label for label in classes if label is not None and label not in known]


def beside_labels(answers: RowAnswers) -> dict[int, dict[str, Any]]:
    """What the files say of each row beside its label."""
    return {row: _beside(answers, row) for row in answers.rows()}


def _beside(answers: RowAnswers, row: int) -> dict[str, Any]:
    """Its state, who, when, why it was shown, what was in view, and notes."""
    said = answers.said(row)
    state = DISPUTED if row in answers.disputed else answers.states.get(row, "")
    draw = answers.draws.get(row)
    notes = [f"{each.by}: {each.note}" if each.by else each.note for each in said if each.note]
    return {
        "state": state,
        "by": ", ".join(dict.fromkeys(each.by for each in said if each.by)),
        "at": max((each.at for each in said if each.at), default=""),
        "why": (draw.why or "") if draw else "picked",
        "note": "; ".join(notes),
        "hints": ", ".join(answers.hints(row)),
    }


def agreement(answers: RowAnswers) -> dict[str, Any]:
    """Krippendorff's alpha of rows with several answers, and the share of labels that were given twice alike."""
    people = [name for name in answers.people() if name != ELSEWHERE]
    table = []
    for row in answers.rows():
        by_person = {each.by: each.label for each in answers.opinions(row) if each.state is None}
        labels = [by_person.get(name) for name in people]
        if sum(label is not None for label in labels) > 1:
            table.append(labels)
    repeats = [(repeat.first, repeat.second) for repeat in answers.repeats()]
    return {
        "people": {name: len(answers.of(name)) for name in people if name},
        "shared": len(table),
        "alpha": _interval(labeling.krippendorff_alpha(table)) if table else None,
        "repeated": len(repeats),
        "self": _interval(labeling.repeat_agreement(repeats)) if repeats else None,
    }


def _interval(agreed: "labeling.AnswerAgreement | None") -> dict[str, float] | None:
    return None if agreed is None else {"value": agreed.value, "lower": agreed.lower, "upper": agreed.upper}
