"""Rows to label: who stops in the middle of a drawn batch has a sample of the pool, with known probabilities."""

from types import SimpleNamespace

import numpy as np
import pytest

import foldless
from foldless.app._rows_to_label import at_random, by_leaders
from foldless.labeling._known_probabilities import inclusion, systematic

N, BATCH, DONE, RUNS = 60, 12, 5, 1000


@pytest.fixture
def scores():
    return np.random.default_rng(0).random(N)


@pytest.fixture
def drawn(monkeypatch, scores):
    """Has suggest draw rows by their scores, in random order, or pick them, the highest first, without a search."""

    seeds = []

    def suggest(search, n, *, strategy, keep_valid, random_state):
        seeds.append(random_state)
        assert strategy == ("auto" if keep_valid else "diverse")
        rng, every = np.random.default_rng(random_state), inclusion(scores, n)
        rows = systematic(every, rng.permutation(N), rng)
        rows = rng.permutation(rows) if keep_valid else rows[np.argsort(-scores[rows])]
        chances = every[rows] if keep_valid else None
        return SimpleNamespace(rows=rows, reasons=["disputed"] * len(rows), probabilities=chances)

    monkeypatch.setattr(foldless, "suggest", suggest)
    return seeds


def mean_of_pool(picked, values):
    """The mean over the pool by the first rows of a batch, each weighed by its probability."""
    done = picked[:DONE]
    return sum(values[each.row] / (each.p * DONE / len(picked)) for each in done) / N


def beyond(estimates, truth):
    """How many standard errors the mean of estimates is from the truth."""
    return abs(np.mean(estimates) - truth) / (np.std(estimates) / np.sqrt(len(estimates)))


def test_the_first_rows_of_a_drawn_batch_are_a_sample_of_the_pool(drawn, scores):
    values, pool = (scores > 0.5).astype(float) + scores, np.arange(N)
    batches = [by_leaders(None, pool, set(), BATCH, seed, valid=True) for seed in range(RUNS)]
    assert {len(batch) for batch in batches} == {BATCH}
    assert beyond([mean_of_pool(batch, values) for batch in batches], values.mean()) < 4.5
    by_score = [sorted(batch, key=lambda each: -scores[each.row]) for batch in batches]
    assert beyond([mean_of_pool(batch, values) for batch in by_score], values.mean()) > 20


def test_a_second_batch_of_one_race_has_other_rows(drawn):
    first = {each.row for each in by_leaders(None, np.arange(N), set(), BATCH, 0, valid=True)}
    second = {each.row for each in by_leaders(None, np.arange(N), first, BATCH, 0, valid=True)}
    assert not first & second
    assert abs(len(second) - BATCH) <= 4
    assert len(set(drawn)) == 2  # a new draw, and not the same one of more rows


def test_disputed_rows_stay_in_their_order_and_have_no_probability(drawn, scores):
    picked = by_leaders(None, np.arange(100, 100 + N), {100, 101, 7}, BATCH, 0, valid=False)
    rows = [each.row for each in picked]
    assert len(rows) == BATCH
    assert not {100, 101} & set(rows)
    assert [scores[row - 100] for row in rows] == sorted((scores[row - 100] for row in rows), reverse=True)
    assert {each.p for each in picked} == {0.0}


def test_rows_at_random_are_all_equally_likely():
    out = {3, 4, 5, 6}
    counts = np.zeros(20)
    for seed in range(RUNS):
        picked = at_random(20, out, 4, seed, first=False)
        assert {each.p for each in picked} == {4 / 16}
        counts[[each.row for each in picked]] += 1
    assert counts[[3, 4, 5, 6]].max() == 0
    others = np.delete(counts, [3, 4, 5, 6])
    assert np.abs(others - RUNS / 4).max() < 5 * np.sqrt(RUNS * 0.25 * 0.75)
    assert {each.p for each in at_random(20, out, 4, 0, first=True)} == {None}
    assert len(at_random(20, set(range(18)), 4, 0, first=False)) == 2
