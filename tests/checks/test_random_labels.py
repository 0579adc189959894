"""The test of random labels holds its level where errors of fits look like wrong labels, and has power."""

import numpy as np
import pytest
from scipy import sparse, stats

from foldless.checks import _random_labels
from foldless.checks._label_errors import LEVEL
from foldless.checks._random_labels import contradicted_labels, random_labels

TRIALS = 40


def overlapping(rng):
    """Two classes that overlap in one of eight columns."""
    y = rng.integers(2, size=100)
    return rng.normal(size=(100, 8)) + 1.5 * np.eye(8)[0] * y[:, None], y


def many_columns(rng):
    """Many columns without meaning, by which fits err."""
    X = rng.normal(size=(300, 60))
    return X, (rng.random(300) < 1 / (1 + np.exp(-3 * X[:, 0] - 2 * X[:, 1]))).astype(int)


def heavy_tails(rng):
    """Values far outside, which say less of the class than a linear score has it."""
    y = rng.integers(2, size=100)
    return rng.standard_t(3, size=(100, 6)) + 0.7 * y[:, None], y


def words(rng, n=150, vocabulary=300):
    y = rng.integers(3, size=n)
    tilt = np.exp(0.8 * rng.normal(size=(3, vocabulary))) * rng.dirichlet(np.full(vocabulary, 0.3))
    counts = np.array([rng.multinomial(15, tilt[k] / tilt[k].sum()) for k in y], dtype=float)
    return sparse.csr_matrix(counts / np.linalg.norm(counts, axis=1, keepdims=True)), y


def n_reported(law, trials=TRIALS):
    draws = [law(np.random.default_rng([seed, 36])) for seed in range(trials)]
    return sum(random_labels(*draw, np.random.default_rng(0)).chance < LEVEL for draw in draws)


def above_level(reported):
    return stats.binom.sf(reported - 1, TRIALS, LEVEL) < 1e-4


@pytest.mark.slow
@pytest.mark.parametrize("law", [overlapping, many_columns, heavy_tails, words])
def test_labels_that_are_right_are_reported_at_the_level(law):
    assert not above_level(n_reported(law))


def test_without_a_law_of_its_own_it_would_be_above_its_level(monkeypatch):
    monkeypatch.setattr(_random_labels, "_drawn_ratios", lambda *_: np.zeros(60))
    assert above_level(n_reported(overlapping))


@pytest.mark.parametrize("law", [overlapping, words])
def test_random_labels_are_seen(law):
    X, y = law(np.random.default_rng(1))
    X = X * 1.0 if sparse.issparse(X) else X + 4 * np.eye(8)[0] * y[:, None]
    flipped = y.copy()
    flipped[: len(y) // 10] = (y[: len(y) // 10] + 1) % (y.max() + 1)
    tested = random_labels(X, flipped, np.random.default_rng(0))
    assert tested.chance < 0.01
    assert 0.03 <= tested.share <= 0.2
    first = np.argsort(-tested.wrong)[:5]
    assert (first < len(y) // 10).mean() >= 0.8


def test_scores_leave_out_the_label_of_their_row():
    """Another label of a row changes the scores of others, and not its own."""
    rng = np.random.default_rng(0)
    for X in (rng.normal(size=(30, 4)), sparse.csr_matrix(rng.poisson(1.0, (30, 12)).astype(float))):
        y = rng.integers(2, size=30)
        other = y.copy()
        other[7] = 1 - y[7]
        for score in _random_labels._scores(X):
            before, after = score(np.eye(2)[y][None]), score(np.eye(2)[other][None])
            np.testing.assert_allclose(before[0, 7], after[0, 7], atol=1e-9)
            assert not np.allclose(before[0], after[0])


def test_columns_that_say_nothing_are_read():
    tested = random_labels(np.ones((40, 2)), np.arange(40) % 2, np.random.default_rng(0))
    assert tested.chance > LEVEL


# by the probabilities of models


def probabilities(flipped, seed=0, n=400, sharp=6.0, too_sure=1.0):
    """Labels by the probabilities themselves, of which some are flipped; the model may be too sure of itself."""
    rng = np.random.default_rng(seed)
    logits = sharp * rng.normal(size=n)
    codes = (rng.random(n) < 1 / (1 + np.exp(-logits))).astype(int)
    at = rng.choice(np.flatnonzero(np.abs(logits) > 3), flipped, replace=False)
    codes[at] = 1 - codes[at]
    p = 1 / (1 + np.exp(-too_sure * logits))
    return np.c_[1 - p, p], codes, at


@pytest.mark.parametrize("too_sure", [1.0, 3.0])
def test_flipped_labels_are_found_and_come_first(too_sure):
    p, codes, at = probabilities(40, too_sure=too_sure)
    tested = contradicted_labels(p, codes)
    assert tested.chance < LEVEL / 2
    assert len(set(np.argsort(-tested.wrong)[:20]) & set(at.tolist())) >= 18


@pytest.mark.parametrize("too_sure", [0.5, 1.0, 3.0])
def test_labels_that_probabilities_allow_are_left_in_peace(too_sure):
    draws = [probabilities(0, seed, too_sure=too_sure)[:2] for seed in range(TRIALS)]
    assert not above_level(sum(contradicted_labels(*draw).chance < LEVEL for draw in draws))


def test_the_share_of_random_labels_is_estimated():
    p, codes, _ = probabilities(40, n=1000)
    assert 0.02 <= contradicted_labels(p, codes).share <= 0.07
