"""FL022: categories that labels never had, and should have had."""

import numpy as np
import pytest
from helpers.checked_data import codes_of, diagnoses, numbers

from foldless.checks._check import DoesNotApply


def cities(n, names, seed=0):
    return {**numbers(n, 1, seed), "city": np.random.default_rng(seed).choice(names, n)}


def test_a_frequent_new_category_is_named():
    pool = cities(300, ["Rome", "Oslo", "Quito"], 1)
    (one,) = diagnoses("FL022", cities(100, ["Rome", "Oslo"]), pool=pool)
    assert one.finding.problem.startswith("column \"city\" of the pool has 'Quito' (")


def test_a_rare_one_is_chance():
    pool = cities(300, ["Rome", "Oslo"], 1)
    pool["city"][:2] = "Lima"
    assert codes_of("FL022", cities(100, ["Rome", "Oslo"]), pool=pool) == []


def test_it_needs_categories():
    with pytest.raises(DoesNotApply, match="no column of categories"):
        diagnoses("FL022", numbers(20), pool=numbers(20, seed=1))
