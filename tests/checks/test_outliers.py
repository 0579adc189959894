"""FL014: a value beyond the tail of its column; heavy tails have none."""

import numpy as np
import pandas as pd
import pytest
from helpers.checked_data import codes_of, diagnoses, numbers

from foldless.checks._check import DoesNotApply


def test_a_typing_error_is_found():
    columns = numbers(200)
    columns["x1"][17] = 4100.0
    (one,) = diagnoses("FL014", columns)
    assert one.finding.rows == (17,)
    assert one.finding.columns == ("x1",)
    columns["x1"][[30, 40]] = -9999.0
    assert set(diagnoses("FL014", columns)[0].finding.rows) == {17, 30, 40}


@pytest.mark.slow
@pytest.mark.parametrize("draw", ["normal", "exponential", "lognormal", "standard_cauchy", "uniform"])
def test_tails_of_all_kinds_are_left_in_peace(draw):
    reported = 0
    for seed in range(100):
        values = getattr(np.random.default_rng(seed), draw)(size=150)
        reported += len(codes_of("FL014", {"x": values}))
    assert reported <= 4  # the level is .005: five or more of 100 have probability 2e-4


def test_a_text_may_be_far_too_long():
    rows = ["some words of a text"] * 50 + [f"other words {at} of another text" for at in range(50)]
    rows = [f"{row} {'more ' * (at % 13)}" for at, row in enumerate(rows)]
    rows[3] = "far " * 50_000
    assert diagnoses("FL014", {"text": rows})[0].finding.rows == (3,)


def test_dates_are_shown_as_dates():
    when = pd.Timestamp("2026-01-01") + pd.to_timedelta(np.random.default_rng(0).uniform(0, 60, 200), unit="D")
    when = when.insert(5, pd.Timestamp("1900-01-01"))
    (one,) = diagnoses("FL014", {"when": when})
    assert '(column "when": 1900-01-01, where others are from 2026-01-01 to 2026-03-01)' in one.finding.problem


def test_it_needs_numbers():
    with pytest.raises(DoesNotApply, match="no column of numbers"):
        diagnoses("FL014", {"color": np.resize(["red", "blue"], 40)})


@pytest.mark.parametrize("n", [300, 10_000])
def test_counts_have_ties_and_no_outliers_until_there_is_one(n):
    reported = 0
    for seed in range(20):
        counts = np.random.default_rng(seed).poisson(4, n).astype(float)
        reported += len(diagnoses("FL014", {"n": counts}))
    assert reported <= 2  # the level is .005: three or more of 20 have probability 1e-4
    counts[7] = 4e6
    (one,) = diagnoses("FL014", {"n": counts})
    assert one.finding.rows == (7,)
