"""FL020: columns that differ between labels and pool; ids differ by nature."""

import re

import numpy as np
import pandas as pd
import pytest
from helpers.checked_data import codes_of, diagnoses, numbers

from foldless.checks._check import DoesNotApply


def test_a_column_that_moved_is_named():
    pool = numbers(300, seed=1)
    pool["x1"] += 1.5
    (one,) = diagnoses("FL020", numbers(100), pool=pool)
    assert one.finding.columns == ("x1",)
    assert "x1 (median" in one.finding.problem
    assert codes_of("FL020", numbers(100), pool=numbers(300, seed=1)) == []


def days(n, first, last, seed=0):
    at = np.random.default_rng(seed).uniform(first, last, n)
    return pd.Timestamp("2026-01-01") + pd.to_timedelta(at, unit="D")


def test_dates_are_shown_as_dates():
    labeled, pool = {**numbers(100), "when": days(100, 0, 60)}, {**numbers(300), "when": days(300, 40, 100)}
    (one,) = diagnoses("FL020", labeled, pool=pool)
    assert one.finding.columns == ("when",)
    assert "when: month" not in one.finding.problem  # months of dates that moved say nothing more
    assert re.search(r"when \(median 2026-0[12]-.. in the labels, 2026-03-.. in the pool\)", one.finding.problem)
    texts = [part | {"when": part["when"].astype(str)} for part in (labeled, pool)]
    assert diagnoses("FL020", texts[0], pool=texts[1])[0].finding.problem == one.finding.problem


def test_row_numbers_are_no_drift():
    labeled, pool = {**numbers(100), "id": np.arange(100)}, {**numbers(300, seed=1), "id": np.arange(1000, 1300)}
    assert codes_of("FL020", labeled, pool=pool) == []


def test_it_needs_a_pool():
    with pytest.raises(DoesNotApply, match="no pool"):
        diagnoses("FL020", numbers(20))
