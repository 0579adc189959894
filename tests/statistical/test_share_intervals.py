"""Intervals of shares cover under prior shift, and those that take the labels as certain do not."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from foldless.quantifiers import Bags, Held, resolve
from foldless.quantifiers import _intervals as intervals

pytestmark = pytest.mark.slow  # many draws

RUNS, FEW, LABELS, POOL = 120, 40, 120, 300


def answers(y, rng):
    logits = 1.5 * np.eye(2)[y] + rng.normal(size=(len(y), 2))
    p = np.exp(logits)
    return p / p.sum(axis=1, keepdims=True)


def missed(method, certain=False, runs=RUNS, pool=POOL):
    """In how many runs the share of the pool's population is outside of its interval."""
    way, count = resolve(method), 0
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        share = rng.random()
        y, truth = (rng.random(LABELS) < 0.3).astype(int), (rng.random(pool) < share).astype(int)
        held = Held(answers(y, rng), y, 2)
        if certain:  # as if every labeled row had been seen a thousand times
            held = replace(held, weights=np.full(LABELS, 1000.0))
        _, lower, upper = intervals.shares_with_ends(way, held, answers(truth, rng), Bags.whole(pool), 0.95, rng)
        count += not lower[0, 1] <= share <= upper[0, 1]
    return count


@pytest.fixture(autouse=True)
def few_draws(monkeypatch):
    monkeypatch.setattr(intervals, "DRAWS", 100)
    monkeypatch.setattr(intervals, "DRAWS_OF_LIKELIHOOD", 30)


@pytest.mark.parametrize("method", ["acc", "pacc"])
def test_intervals_cover(method):
    assert binom.sf(missed(method) - 1, RUNS, 0.07) > 1e-4


def test_intervals_that_take_the_labels_as_certain_do_not():
    assert binom.sf(missed("acc", certain=True) - 1, RUNS, 0.07) < 1e-6


@pytest.mark.parametrize("method", ["em", "map"])
def test_intervals_of_likelihoods_cover(method):
    assert binom.sf(missed(method, runs=FEW) - 1, FEW, 0.07) > 1e-4


def test_those_that_draw_no_labels_again_do_not(monkeypatch):
    monkeypatch.setattr(intervals, "label_weights", lambda y, rng: np.ones(len(y)))
    assert binom.sf(missed("map", runs=RUNS, pool=1200) - 1, RUNS, 0.07) < 1e-6


def visits(groups, rows, share, rng):
    """Answers on rows of persons, each of whom has one class and a place of their own; classes, and persons."""
    person = np.repeat(np.arange(groups), rows)
    y = (rng.random(groups) < share).astype(int)[person]
    logits = 1.5 * np.eye(2)[y] + 0.9 * rng.normal(size=(groups, 2))[person] + 0.4 * rng.normal(size=(len(y), 2))
    p = np.exp(logits)
    return p / p.sum(axis=1, keepdims=True), y, person


def missed_by_groups(method, told, runs=FEW):
    """The same of rows that belong together, which is told or not."""
    count = 0
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        share = 0.1 + 0.8 * rng.random()
        mine, y, person = visits(40, 4, 0.4, rng)
        theirs, _, others = visits(60, 5, share, rng)
        held, others = (Held(mine, y, 2, groups=person), others) if told else (Held(mine, y, 2), None)
        bags = Bags.whole(len(theirs))
        _, lower, upper = intervals.shares_with_ends(resolve(method), held, theirs, bags, 0.95, rng, 1, others)
        count += not lower[0, 1] <= share <= upper[0, 1]
    return count


@pytest.mark.parametrize("method", ["acc", "pacc", "map"])
def test_intervals_cover_where_rows_belong_together(method):
    assert binom.sf(missed_by_groups(method, True) - 1, FEW, 0.07) > 1e-4


def test_those_that_draw_rows_of_groups_do_not():
    assert binom.sf(missed_by_groups("pacc", False, RUNS) - 1, RUNS, 0.07) < 1e-5


@pytest.mark.nightly
@pytest.mark.parametrize("method", ["em", "map"])
def test_intervals_of_likelihoods_cover_for_long(method):
    count = missed(method, runs=600)
    assert binom.sf(count - 1, 600, 0.07) > 1e-4
    assert binom.cdf(count, 600, 0.01) > 1e-4
