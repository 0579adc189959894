"""FL018: words among numbers, values of several types, and several words for missing."""

import numpy as np
import pytest
from helpers.checked_data import diagnoses, numbers


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (["1.5", "2", "?", "3"] * 10, "holds 30 numbers and 10 other values, such as '?'"),
        ([1.5, 2, "many", 3] * 10, "holds 30 numbers and 10 words, such as 'many'"),
        (["red", "NA", "n/a", "blue"] * 10, "writes missing values as 'NA' (10) and 'n/a' (10)"),
        (["red", "-", None, "blue"] * 10, "writes missing values as '-' (10) and empty cells (10)"),
    ],
)
def test_what_is_mixed_is_said(values, sentence):
    (one,) = diagnoses("FL018", {**numbers(40), "x": np.array(values, dtype=object)})
    assert one.finding.problem == f'column "x" {sentence}'


@pytest.mark.parametrize("values", [["red", "none"] * 20, [1.0, np.nan] * 20, ["red", None] * 20, ["yes", "no"] * 20])
def test_what_is_not_mixed_is_left_in_peace(values):
    assert diagnoses("FL018", {**numbers(40), "x": np.array(values, dtype=object)}) == []
