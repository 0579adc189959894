"""What counts of what several people say of a row."""

import pytest

from foldless.app._row_answers import Repeat, RowAnswers


def replayed(*entries):
    answers = RowAnswers()
    for entry in entries:
        answers.apply({"row": 1, **entry})
    return answers


ANNA, BEN = {"by": "anna"}, {"by": "ben"}


@pytest.mark.parametrize(
    ("entries", "value"),
    [
        ([{**ANNA, "label": "a"}, {**BEN, "label": "a"}], "a"),
        ([{**ANNA, "label": "a"}, {**BEN, "label": "b"}], "disputed"),
        ([{**ANNA, "label": "a"}, {**BEN, "label": "b"}, {**BEN, "label": "a"}], "a"),
        ([{**ANNA, "label": "a"}, {**BEN, "label": "b"}, {**BEN, "undo": True}], "a"),
        ([{**ANNA, "label": "a"}, {**BEN, "skip": True}], "a"),
        ([{**ANNA, "label": "a"}, {**BEN, "skip": True, "state": "unsure"}], "a"),
        ([{**ANNA, "label": "a"}, {**BEN, "skip": True, "state": "none"}], "disputed"),
        ([{**ANNA, "skip": True, "state": "none"}, {**BEN, "skip": True, "state": "none"}], ("none",)),
        ([{**ANNA, "label": "a"}, {**BEN, "label": "b"}, {**ANNA, "label": "b", "settles": True}], "b"),
        ([{**ANNA, "label": "a"}, {**BEN, "label": "b"}, {"label": "b", "settles": True}, {**BEN, "label": "a"}], "b"),
        ([{**ANNA, "label": "a"}, {**BEN, "label": "b"}, {"label": "b", "settles": True},
          {"undo": True, "settles": True}], "disputed"),
        ([{**ANNA, "label": "a"}, {**BEN, "label": "b"}, {"label": "c"}], "c"),
        ([{"label": "c"}, {**ANNA, "label": "a"}], "disputed"),
        ([{**ANNA, "label": 1}, {**BEN, "label": "1"}], "disputed"),
    ],
)  # fmt: skip
def test_what_people_agree_on_counts(entries, value):
    answers = replayed(*entries)
    said = {"skip": True, "state": value[0]} if isinstance(value, tuple) else {"label": value}
    assert ("disputed" if 1 in answers.disputed else answers.value(1)) == ("disputed" if value == "disputed" else said)


def test_a_disputed_row_is_no_label_of_an_estimate_but_was_handled():
    answers, drawn = RowAnswers(), {"p": 0.5, "batch": 1, "of": 4}
    for row, by, label in ((1, "anna", "a"), (2, "anna", "a"), (2, "ben", "b")):
        answers.apply({"row": row, "label": label, "by": by, **drawn})
    assert answers.drawn() == [(1, "a", 0.25, 1)]


def test_a_row_that_is_shown_again_keeps_its_label():
    answers = replayed({**ANNA, "label": "a"}, {**ANNA, "label": "b", "repeat": True})
    assert answers.labels == {1: "a"}
    assert (answers.repeats(), answers.repeated("anna"), answers.repeated("ben")) == (
        [Repeat(1, "anna", "a", "b")], [1], [],
    )  # fmt: skip
    answers.apply({"row": 1, **ANNA, "undo": True, "repeat": True})
    assert (answers.labels, answers.repeats()) == ({1: "a"}, [])
