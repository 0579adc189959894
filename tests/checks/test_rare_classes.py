"""FL001: classes with fewer than five rows are named with their counts."""

import pytest
from helpers.checked_data import codes_of, data_of, diagnoses, numbers

from foldless.checks._check import DoesNotApply, registered


def test_rare_classes_are_named():
    (one,) = diagnoses("FL001", numbers(20), ["a"] * 10 + ["b"] * 7 + ["c"] * 3)
    assert one.finding.problem == "class 'c' (3) has fewer than five labeled rows"
    assert one.finding.rows == (17, 18, 19)
    assert codes_of("FL001", numbers(20), ["a"] * 15 + ["b"] * 5) == []


def test_numbers_to_predict_have_no_classes():
    data = data_of(numbers(20), ["a", "b"] * 10)
    object.__setattr__(data.sample, "target", type("Values", (), {"y": data.sample.y})())
    with pytest.raises(DoesNotApply, match="numbers to predict"):
        registered()["FL001"].diagnoses(data)
