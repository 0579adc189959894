"""FL021: dates of the pool beyond those of the labels, if chance does not put them there."""

import numpy as np
import pandas as pd
import pytest
from helpers.checked_data import codes_of, diagnoses, numbers

from foldless.checks._check import DoesNotApply


def dated(n, first, days, seed=0):
    offsets = np.random.default_rng(seed).uniform(0, days, n)
    return {**numbers(n, 1, seed), "when": pd.Timestamp(first) + pd.to_timedelta(offsets, unit="D")}


def test_later_dates_are_named_by_month():
    labeled = dated(100, "2026-01-01", 80)
    (one,) = diagnoses("FL021", labeled, pool=dated(200, "2026-01-01", 290, 1))
    assert one.finding.problem == 'the pool has dates until 2026-10, the labels until 2026-03 (column "when")'
    assert codes_of("FL021", labeled, pool=dated(200, "2026-01-01", 80, 1)) == []
    assert codes_of("FL021", labeled, pool=dated(200, "2025-11-01", 80, 1)) == ["FL021"]


def test_strings_are_dates_too():
    labeled, pool = dated(100, "2026-01-01", 80), dated(200, "2026-01-01", 200, 1)
    labeled["when"], pool["when"] = (part["when"].strftime("%Y-%m-%d") for part in (labeled, pool))
    assert codes_of("FL021", labeled, pool=pool) == ["FL021"]


def test_it_needs_dates_and_other_rows():
    with pytest.raises(DoesNotApply, match="no column of dates"):
        diagnoses("FL021", numbers(20))
    with pytest.raises(DoesNotApply, match="no rows beside"):
        diagnoses("FL021", dated(20, "2026-01-01", 9))
