"""FL030: copies within the pool; rows that are equal by chance are none."""

import numpy as np
import pytest
from helpers.checked_data import codes_of, diagnoses, numbers

from foldless.checks._check import DoesNotApply


def test_pool_rows_that_appear_twice_are_counted():
    pool = {name: np.append(values, values[:7]) for name, values in numbers(100, seed=1).items()}
    (one,) = diagnoses("FL030", numbers(30), pool=pool)
    assert one.finding.problem == "14 of 107 pool rows appear more than once"
    assert one.finding.rows[:7] == tuple(range(7))
    assert codes_of("FL030", numbers(30), pool=numbers(100, seed=1)) == []


def test_chance_is_no_copy():
    coins = np.random.default_rng(0).integers(2, size=(300, 3))
    columns = {f"c{at}": coins[:, at] for at in range(3)}
    assert codes_of("FL030", {name: values[:50] for name, values in columns.items()}, pool=columns) == []
    with pytest.raises(DoesNotApply, match="no pool"):
        diagnoses("FL030", columns)
