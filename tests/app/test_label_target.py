"""A target that a page sends, and what rounds say about it."""

import pytest

from foldless.app._label_target import read_target, shown_target
from foldless.errors import BadInput
from foldless.labeling import LabelingTarget


def rounds(*looks):
    estimates = [None if lower is None else {"value": value, "lower": lower, "upper": 1.0} for _, value, lower in looks]
    return [
        {"labels": n, "best": "svc", "estimate": estimate, "test": None}
        for (n, _, _), estimate in zip(looks, estimates, strict=True)
    ]


def test_enough_and_not_yet():
    few = shown_target(LabelingTarget(), rounds((50, 0.9, 0.8)), 30)
    assert (few["accurate"], few["accuracy"], few["confidence"], few["per_class"]) == (False, 0.9, 0.95, 20)
    assert few["forecast"]["lower"] is None
    assert "fewer than 3" in few["forecast"]["reason"]
    many = shown_target(LabelingTarget(), rounds((50, 0.98, 0.9), (400, 0.99, 0.97)), 30)
    assert many["accurate"]
    assert many["lower"] > 0.9
    assert many["n_labels"] == 400


def test_rounds_without_an_estimate_and_no_rounds_are_not_enough():
    for history in (rounds(), rounds((40, 0.9, None), (400, 0.9, None))):
        shown = shown_target(LabelingTarget(), history, 30)
        assert not shown["accurate"]
        assert shown["lower"] is None


@pytest.mark.parametrize(
    "values", [(0, 0.9, 1), (1, 0.9, 1), ("0.9", 0.9, 1), (True, 0.9, 1), (0.9, 95, 1), (0.9, None, 1), (0.9, 0.9, -1),
               (0.9, 0.9, 1.5), (0.9, 0.9, True), (0.9, 0.9, 10**9), (float("nan"), 0.9, 1)],
)  # fmt: skip
def test_other_targets_are_refused(values):
    with pytest.raises(BadInput):
        read_target(*values)


def test_a_target_is_read():
    assert read_target(0.85, 0.9, 0) == LabelingTarget(0.85, 0.9, 0)
