"""Estimates and certificates hold where rows are copies, exactly or nearly; those that take them for draws do not."""

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.neighbors import KNeighborsClassifier

from foldless import FoldlessSearch, certify, estimate

DRAWS, IMPROBABLE, TRUTH = 15, 1e-6, 0.5
MOVED = pytest.mark.parametrize("moved", [0.0, 1e-6])


def coins(seed, moved, n=40, times=3):
    """Labels that nothing predicts, every row several times."""
    rng = np.random.default_rng([n, seed])
    X, y = np.repeat(rng.normal(size=(n, 3)), times, axis=0), np.repeat(rng.integers(2, size=n), times)
    return X + moved * rng.normal(size=X.shape), y


def n_covered(moved):
    covered = 0
    for seed in range(DRAWS):
        search = FoldlessSearch(KNeighborsClassifier(1), {}, criterion="k_fold", random_state=0).fit(
            *coins(seed, moved)
        )
        interval = search.selection_.estimate
        covered += interval.lower <= TRUTH <= interval.upper
    return covered


@pytest.mark.slow
@MOVED
def test_intervals_hold_the_truth_with_every_row_three_times(moved, monkeypatch) -> None:
    assert binom.cdf(n_covered(moved), DRAWS, 0.93) >= IMPROBABLE
    monkeypatch.setattr("foldless.selection._road.checked", lambda sample: sample)
    assert binom.cdf(n_covered(moved), DRAWS, 0.93) < IMPROBABLE


@pytest.mark.slow
@MOVED
def test_certificates_are_false_no_more_often_than_they_say(moved, monkeypatch) -> None:
    pool = np.random.default_rng(1).normal(size=(300, 3))

    def bounds(**how):
        return [
            certify(KNeighborsClassifier(1), *coins(seed, moved, 100), X_unlabeled=pool, random_state=0, **how).upper
            for seed in range(DRAWS)
        ]

    def n_false(**how):
        return sum(bound < TRUTH for bound in bounds(**how))

    assert binom.sf(n_false() - 1, DRAWS, 0.05) >= IMPROBABLE
    monkeypatch.setattr("foldless.selection._road.checked", lambda sample: sample)
    assert binom.sf(n_false(equal_rows="draws") - 1, DRAWS, 0.05) < IMPROBABLE


@MOVED
def test_the_estimate_of_a_fitted_model_counts_copies_once(moved) -> None:
    """Rows that the model has not seen, each three times: the interval is as wide as with each once."""
    train, (X, y) = coins(0, 0.0), coins(1, moved, 60)
    model = KNeighborsClassifier(5).fit(*train)
    thrice, once = (estimate(model, X[::step], y[::step], random_state=0) for step in (1, 3))
    assert thrice.upper - thrice.lower == pytest.approx(once.upper - once.lower, abs=0.01)
