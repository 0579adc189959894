"""Intervals of shares cover under prior shift, and those that take the labels as certain do not."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from foldless.quantifiers import Bags, Held, intervals, resolve

RUNS, LABELS, POOL = 120, 120, 300


def answers(y, rng):
    logits = 1.5 * np.eye(2)[y] + rng.normal(size=(len(y), 2))
    p = np.exp(logits)
    return p / p.sum(axis=1, keepdims=True)


def missed(method, certain=False):
    """In how many runs the share of the pool's population is outside of its interval."""
    way, count = resolve(method), 0
    for seed in range(RUNS):
        rng = np.random.default_rng(seed)
        share = rng.random()
        y, truth = (rng.random(LABELS) < 0.3).astype(int), (rng.random(POOL) < share).astype(int)
        held = Held(answers(y, rng), y, 2)
        pool = answers(truth, rng)
        shares = way.learn(held).aggregate(pool)
        many = held
        if certain:  # as if every labeled row had been seen a thousand times
            many = replace(held, weights=np.full(LABELS, 1000.0))
        draws = intervals.share_draws(way, many, pool, Bags.whole(POOL), rng)[:, 0]
        lower, upper = intervals.interval_of(draws, shares, 0.95, many.sizes)
        count += not lower[1] <= share <= upper[1]
    return count


@pytest.mark.parametrize("method", ["acc", "pacc"])
def test_intervals_cover(method, monkeypatch):
    monkeypatch.setattr(intervals, "DRAWS", 100)
    assert binom.sf(missed(method) - 1, RUNS, 0.07) > 1e-4


def test_intervals_that_take_the_labels_as_certain_do_not(monkeypatch):
    monkeypatch.setattr(intervals, "DRAWS", 100)
    assert binom.sf(missed("acc", certain=True) - 1, RUNS, 0.07) < 1e-6
