"""The estimate of dagging is optimistic: its first stage has seen the labels by which the second is judged.

Labels are coins, so that every classifier has error ½. An honest estimate of accuracy is a mean of coins, and the test
below asks whether it can be: cross-validation passes, dagging must not.
"""

import numpy as np
import pytest
from scipy.stats import binom

from foldless import compare
from foldless.criteria import Dagging, KFold
from foldless.learners import LinearSVC

pytestmark = pytest.mark.slow  # many draws

REPEATS, N, POOL, IMPROBABLE = 12, 40, 400, 1e-6


@pytest.fixture(scope="module")
def hits():
    """Rows that each estimate takes for right, over all repeats, by the number of features."""
    found = {}
    for features in (5, 60):
        for at in range(REPEATS):
            rng = np.random.default_rng([features, at])
            X, y = rng.normal(size=(N + POOL, features)), rng.permutation(np.arange(N) % 2)
            comparison = compare(
                LinearSVC(C=100), None, X[:N], y, X_unlabeled=X[N:], random_state=at,
                criteria={"k_fold": KFold(10), "dagging": Dagging(), "undagged": Dagging(dagged=False)},
            )  # fmt: skip
            for name, selection in comparison.selections.items():
                found.setdefault((name, features), []).append(round(N * selection.best.score))
    return {key: sum(own) for key, own in found.items()}


def may_be_coins(hits):
    return min(binom.cdf(hits, REPEATS * N, 0.5), binom.sf(hits - 1, REPEATS * N, 0.5)) > IMPROBABLE


def test_cross_validation_is_honest_on_coins(hits):
    assert may_be_coins(hits["k_fold", 5])
    assert may_be_coins(hits["k_fold", 60])


@pytest.mark.parametrize("name", ["dagging", "undagged"])
def test_dagging_is_not(hits, name):
    """With more features than labels the candidate knows the labels by heart and its copies learn them from it."""
    assert not may_be_coins(hits[name, 60])
    assert hits[name, 60] > 0.75 * REPEATS * N
    assert hits[name, 60] > hits[name, 5] > 0.5 * REPEATS * N  # the fewer features, the less it can know by heart
