"""CAN: levels rise to the best that weights can do, at the rate of Theorem 5."""

import numpy as np
import pytest
from helpers.counting_problems import best_surrogate, drawn, surrogate, weights_of
from sklearn.exceptions import ConvergenceWarning

from foldless.learners.online import can
from foldless.measures import BKReward, CQReward, FMeasure
from foldless.online import CAN


@pytest.mark.parametrize("measure", [CQReward(), BKReward(), FMeasure()], ids=str)
def test_levels_rise_to_the_best_at_the_rate_of_the_theorem(measure):
    X, y = drawn(3000, 4, share=0.3, shift=2.0, seed=3)
    model = CAN(measure, tol=1e-9).fit(X, y)
    levels = model.levels_[0]
    best, _ = best_surrogate(measure, X, y, weights_of(model))
    np.testing.assert_allclose(levels[-1], surrogate(measure, X, y, weights_of(model)), rtol=1e-12)
    assert best - 1e-4 < levels[-1] <= best + 1e-7
    assert (np.diff(levels) >= 0).all()
    e = measure.smooth(len(y))
    corners = [type(measure).bottom(P, N, y.mean(), e, 0.0)[0] for P in (0.0, 1.0) for N in (0.0, 1.0)]
    low, high = min(corners), max(corners)  # of these measures, both ends of the bottom are in a corner
    errors = best - levels
    assert (errors[1:] <= errors[0] * (1 - low / high) ** np.arange(1, len(levels)) + 1e-4).all()


@pytest.mark.slow
def test_the_radius_is_kept_and_used():
    X, y = drawn(2000, 4, seed=3)
    free = CAN().fit(X, y)
    for radius in (0.1, 0.5):
        held = CAN(radius=radius).fit(X, y)
        np.testing.assert_allclose(np.linalg.norm(weights_of(held)), radius, rtol=2e-3)
        assert held.levels_[0][-1] < free.levels_[0][-1]
        # no direction inside the ball is better
        rng = np.random.default_rng(0)
        best = surrogate(CQReward(), X, y, weights_of(held))
        for _ in range(200):
            other = weights_of(held) + rng.normal(size=5) * rng.choice([1e-3, 1e-2, 0.1]) * radius
            other *= min(1, radius / np.linalg.norm(other))
            assert surrogate(CQReward(), X, y, other) < best + 1e-4
    wide = CAN(radius=1e6).fit(X, y)
    assert (wide.coef_ == free.coef_).all()


def test_it_says_where_it_did_not_converge(monkeypatch):
    X, y = drawn(300, 3)
    with pytest.warns(ConvergenceWarning, match="CAN did not converge in 1 turns .* raise max_iter or tol") as warned:
        CAN(max_iter=1).fit(X, y)
    assert warned[0].filename == __file__
    monkeypatch.setattr(can, "STEPS", 2)
    with pytest.warns(ConvergenceWarning, match="in 50 turns of 2 steps of L-BFGS"):
        CAN(tol=1.0).fit(X, y)


def test_the_logistic_reward():
    X, y = drawn(2000, 4, share=0.3, seed=3)
    model = CAN(reward="logistic").fit(X, y)
    best = surrogate(CQReward(), X, y, weights_of(model), "logistic")
    rng = np.random.default_rng(0)
    for _ in range(200):
        other = weights_of(model) + rng.normal(size=5) * rng.choice([1e-3, 1e-2, 0.1])
        assert surrogate(CQReward(), X, y, other, "logistic") < best + 1e-6


def test_a_class_weight_is_a_number_of_rows():
    X, y = drawn(1000, 3, share=0.3, seed=3)
    again = np.concatenate([np.arange(1000), np.flatnonzero(y), np.flatnonzero(y)])
    weighted = CAN(class_weight={0: 1.0, 1: 3.0}).fit(X, y)
    repeated = CAN().fit(X[again], y[again])
    np.testing.assert_allclose(weighted.levels_[0][-1], repeated.levels_[0][-1], atol=1e-4)
    np.testing.assert_allclose(weights_of(weighted), weights_of(repeated), atol=2e-2)
    known = CAN(shares=3 * y.sum() / (3 * y.sum() + (1 - y).sum())).fit(X, y)
    np.testing.assert_allclose(weights_of(weighted), weights_of(known), atol=1e-6)
    even = CAN(class_weight="balanced").fit(X, y)
    np.testing.assert_allclose(weights_of(even), weights_of(CAN(shares=0.5).fit(X, y)), atol=1e-6)
