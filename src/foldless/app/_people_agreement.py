"""How far people agree with each other, and with themselves when a row is shown again."""

from typing import Any

from foldless.app._row_answers import RowAnswers
from foldless.app.app_setup import ELSEWHERE
from foldless.labeling import krippendorff_alpha, repeat_agreement


def agreement(answers: RowAnswers) -> dict[str, Any]:
    """Krippendorff's alpha of rows with several answers, and the share of labels that were given twice alike."""
    people = [name for name in answers.people() if name != ELSEWHERE]
    table = []
    for row in answers.rows():
        by_person = {each.by: each.label for each in answers.opinions(row) if each.state is None}
        labels = [by_person.get(name) for name in people]
        if sum(label is not None for label in labels) > 1:
            table.append(labels)
    repeats = answers.repeats()
    alpha = krippendorff_alpha(table) if table else None
    pairs = [(repeat.first, repeat.second) for repeat in repeats]
    alike = repeat_agreement(pairs) if pairs else None
    return {
        "people": {name: len(answers.of(name)) for name in people if name},
        "shared": len(table),
        "alpha": None if alpha is None else _interval(alpha),
        "repeated": len(repeats),
        "self": None if alike is None else _interval(alike),
    }


def _interval(agreed: Any) -> dict[str, float]:
    return {"value": float(agreed.value), "lower": float(agreed.lower), "upper": float(agreed.upper)}
