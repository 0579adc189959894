"""FL004: copies are named, and left out but for one of each in the other form."""

import numpy as np
from helpers.checked_data import codes_of, diagnoses, numbers

from foldless.checks._together import spanning


def test_copies_are_named():
    columns = {name: np.append(values, values[:4]) for name, values in numbers(60).items()}
    (one,) = diagnoses("FL004", columns)
    assert one.finding.problem == "8 of 64 labeled rows appear more than once"
    assert one.finding.rows == (0, 1, 2, 3, 60, 61, 62, 63)
    assert one.variant is not None
    assert one.variant.rows.tolist() == [60, 61, 62, 63]


def test_chance_is_no_copy():
    coins = np.random.default_rng(0).integers(2, size=(80, 3))
    assert codes_of("FL004", {f"c{at}": coins[:, at] for at in range(3)}) == []
    assert codes_of("FL004", numbers(60)) == []


def test_rows_of_one_group_may_be_equal():
    columns = {name: np.append(values, values[:4]) for name, values in numbers(60).items()}
    groups = np.append(np.arange(60), np.arange(4))
    assert codes_of("FL004", columns, groups=groups) == []
    assert not spanning(groups, groups).any()
