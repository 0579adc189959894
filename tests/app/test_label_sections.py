"""How far people agree, as the page says it."""

import pytest

from foldless.app._label_sections import agreement
from foldless.app._row_answers import RowAnswers


def replayed(*entries):
    answers = RowAnswers()
    for entry in entries:
        answers.apply(entry)
    return answers


def test_rows_of_two_people_have_an_alpha_with_an_interval():
    rows = [("a", "a")] * 12 + [("b", "b")] * 12 + [("a", "b")] * 2
    entries = [
        {"row": row, "by": name, "label": label}
        for row, labels in enumerate(rows)
        for name, label in zip(("anna", "ben"), labels, strict=True)
    ]
    said = agreement(replayed(*entries, {"row": 99, "by": "anna", "label": "a"}))
    assert said["people"] == {"anna": 27, "ben": 26}
    assert said["shared"] == 26
    assert said["alpha"]["value"] == pytest.approx(0.85, abs=0.01)
    assert said["alpha"]["lower"] < said["alpha"]["value"] < said["alpha"]["upper"] <= 1


def test_one_person_agrees_with_nobody():
    said = agreement(replayed({"row": 1, "by": "anna", "label": "a"}, {"row": 2, "by": "anna", "label": "b"}))
    assert (said["shared"], said["alpha"], said["repeated"], said["self"]) == (0, None, 0, None)
