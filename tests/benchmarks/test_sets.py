"""Draws of the league: which rows become labels, pool and test rows."""

from pathlib import Path

import numpy as np
import pytest
from benchmarks.sets import KINDS, POOL, SETS, TEST, draw, kind_of

NOWHERE = Path("no data are needed")


def shares(drawn, part):
    return np.bincount(drawn.y[part], minlength=drawn.y.max() + 1) / len(drawn.y[part])


@pytest.mark.parametrize("name", ["half_space", "blobs"])
def test_under_shift_only_the_labels_have_other_shares(name):
    plain, shifted = (
        [draw(name, 200, seed, regime, NOWHERE) for seed in range(30)] for regime in ("plain", "shift")
    )  # fmt: skip
    for drawn in (*plain, *shifted):
        assert (len(drawn.y[drawn.labeled]), len(drawn.y[drawn.pool]), len(drawn.y[drawn.test])) == (200, POOL, TEST)
        natural = shares(drawn, drawn.test)
        assert np.abs(shares(drawn, drawn.pool) - natural).max() < 5 * np.sqrt(0.25 / POOL + 0.25 / TEST)
    apart = [
        np.mean([np.abs(shares(d, d.labeled) - shares(d, d.test)).sum() for d in part]) for part in (plain, shifted)
    ]
    assert apart[1] > 2.5 * apart[0]


def test_a_draw_depends_on_seed_and_labels_and_on_nothing_else():
    same = [draw("moons", 60, 3, "plain", NOWHERE) for _ in range(2)]
    assert np.array_equal(same[0].X, same[1].X)
    assert np.array_equal(same[0].y, same[1].y)
    assert not np.array_equal(same[0].y, draw("moons", 60, 4, "plain", NOWHERE).y)


def test_sets_that_are_too_small_do_not_serve():
    assert draw("iris", 60, 0, "plain", NOWHERE) is not None
    assert draw("iris", 1000, 0, "plain", NOWHERE) is None  # too few rows
    assert draw("digits", 10, 0, "plain", NOWHERE) is None  # ten classes


def test_every_set_has_one_kind():
    assert len(SETS) == len(set(SETS)) == sum(map(len, KINDS.values()))
    assert {kind_of(name) for name in SETS} == set(KINDS)
