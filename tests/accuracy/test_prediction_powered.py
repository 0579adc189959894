import numpy as np
import pytest
from scipy.stats import beta, binom

from foldless.accuracy import prediction_powered
from foldless.errors import BadInput

TRUTH = 2 / 3 - 0.1 * beta(4, 2).sf(0.5)  # E[g − .1 · 1(g > .5)] for g of Beta(4, 2)


def test_by_hand():
    z, g, pool = np.array([1.0, 0.0, 1.0, 0.0]), np.array([0.8, 0.6, 0.8, 0.6]), np.array([0.6, 0.8] * 4)
    estimate = prediction_powered(z, g, pool)
    weight = np.cov(z, g, ddof=1)[0, 1] / ((1 + 4 / 8) * np.var(np.concatenate([g, pool])))
    assert weight > 1
    assert estimate.weight == 1
    assert estimate.value == pytest.approx(pool.mean() + (z - g).mean())
    assert estimate.standard_error == pytest.approx(np.sqrt(pool.var() / 8 + (z - g).var(ddof=1) / 4))


def test_confidence_that_says_nothing_leaves_the_mean_of_the_labels():
    rng = np.random.default_rng(0)
    z = np.array([1, 1, 0, 0] * 5)
    for g, pool in ((np.full(20, 0.5), np.full(9, 0.9)), (0.7 - 0.2 * z, rng.random(9)), (z * 0.5, np.empty(0))):
        estimate = prediction_powered(z, g, pool)
        assert estimate.weight == 0
        assert estimate.value == 0.5
        assert estimate.standard_error == pytest.approx(z.std(ddof=1) / np.sqrt(20))


def covered(n, n_pool, trials, correct=True):
    """How often the 95 % interval holds the truth, for a fixed classifier and independent rows; and its mean width."""
    rng, hits, widths = np.random.default_rng(3), 0, []
    for _ in range(trials):
        g, pool = rng.beta(4, 2, n), rng.beta(4, 2, n_pool)
        z = rng.random(n) < g - 0.1 * (g > 0.5)
        estimate = prediction_powered(z, g, pool)
        truth = TRUTH
        low, high = estimate.value - 1.96 * estimate.standard_error, estimate.value + 1.96 * estimate.standard_error
        if not correct:
            low, high = low + 0.1, high + 0.1  # the broken twin: confidence is believed as it is
        hits += low <= truth <= high
        widths.append(high - low)
    return hits, np.mean(widths)


@pytest.mark.slow
def test_the_interval_covers_and_is_narrower_than_that_of_the_labels_alone():
    trials = 2000
    hits, width = covered(200, 2000, trials)
    assert binom.cdf(hits, trials, 0.93) > 1e-6
    assert width < 0.97 * 2 * 1.96 * np.sqrt(TRUTH * (1 - TRUTH) / 200)
    broken, _ = covered(200, 2000, trials, correct=False)
    assert binom.cdf(broken, trials, 0.93) < 1e-6


def test_bad_input():
    with pytest.raises(BadInput, match="at least 2"):
        prediction_powered(np.ones(1), np.ones(1), np.ones(5))
