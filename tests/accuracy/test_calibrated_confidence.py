import numpy as np
import pytest
from scipy.special import expit

from foldless.accuracy._calibrated_confidence import calibrated_confidence, chance_right, line
from foldless.errors import BadInput

METHODS = ["temperature", "platt", "isotonic"]


def overconfident(n, seed=0, temperature=3.0):
    """Confidences whose true rate of being right has a logit three times smaller."""
    rng = np.random.default_rng(seed)
    score = rng.uniform(0, 6, n)
    return expit(score), rng.random(n) < expit(score / temperature)


@pytest.mark.parametrize("method", METHODS)
def test_finds_the_true_rate_of_being_right(method):
    confidence, right = overconfident(4000)
    pool, truth = overconfident(4000, seed=1)
    assert calibrated_confidence(confidence, right, pool, method) == pytest.approx(truth.mean(), abs=0.02)
    assert abs(pool.mean() - truth.mean()) > 0.1  # what it corrects


def test_the_temperature_that_made_the_rows_is_found():
    confidence, right = overconfident(20_000, temperature=2.0)
    _, slope = line(confidence, right, "temperature")
    assert slope == pytest.approx(1 / 2, rel=0.05)


@pytest.mark.parametrize("method", METHODS)
def test_calibration_is_increasing_and_finite_where_all_are_right(method):
    rates = chance_right(np.array([0.5, 0.7, 1.0, 0.9]), np.ones(4, dtype=bool), np.linspace(0, 1, 11), method)
    assert np.isfinite(rates).all()
    assert (np.diff(rates) >= -1e-12).all()
    assert rates[-1] > 0.8


def test_a_method_that_does_not_exist():
    with pytest.raises(BadInput, match="method must be one of"):
        calibrated_confidence(np.ones(2), np.ones(2), np.ones(2), "beta")
    with pytest.raises(BadInput, match="got none"):
        calibrated_confidence(np.empty(0), np.empty(0), np.ones(2))
