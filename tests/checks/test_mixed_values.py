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
        (
            ["2026-01-15", "15.02.2026", "March 7, 2026", "2026-02-15"] * 10,
            "holds dates in 3 forms, such as '2026-01-15', '15.02.2026' and 'March 7, 2026'",
        ),
        (
            ["2026-01-15", "2026-01-16", "2026-01-17 12:30", "later"] * 10,
            "holds 30 dates and 10 other values, such as 'later'",
        ),
        (
            ["15/02/2026", "3/4/2026"] * 20,
            "holds dates that are not read as dates, such as '15/02/2026' and '3/4/2026'",
        ),
        (["7 Mar 2026 10:15", None] * 20, "holds dates that are not read as dates, such as '7 Mar 2026 10:15'"),
    ],
)
def test_what_is_mixed_is_said(values, sentence):
    (one,) = diagnoses("FL018", {**numbers(40), "x": np.array(values, dtype=object)})
    assert one.finding.problem == f'column "x" {sentence}'


@pytest.mark.parametrize(
    "values",
    [
        ["red", "none"] * 20,
        [1.0, np.nan] * 20,
        ["red", None] * 20,
        ["yes", "no"] * 20,
        ["2026-01-15", None] * 20,
        ["1.2.3", "1.10.12"] * 20,
        ["A-1-26", "may 1"] * 20,
    ],
)
def test_what_is_not_mixed_is_left_in_peace(values):
    assert diagnoses("FL018", {**numbers(40), "x": np.array(values, dtype=object)}) == []


def test_lists_are_read_by_what_they_hold():
    tags = np.empty(40, dtype=object)
    tags[:] = [["a"], ["b", "c"]] * 20
    assert diagnoses("FL018", {**numbers(40), "tags": tags}) == []


def test_infinite_numbers_are_named():
    columns = numbers(40)
    columns["x1"][[3, 7]] = [np.inf, -np.inf]
    (one,) = diagnoses("FL018", columns)
    assert one.finding.problem == 'column "x1" holds 2 infinite numbers'
