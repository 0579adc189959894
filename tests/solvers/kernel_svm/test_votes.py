"""Votes and scores of pairs, counted once more in plain Python."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.utils.multiclass import _ovr_decision_function

from foldless.solvers.kernel_svm._votes import elect, score


def drawn(k, n_rows=40, n_costs=3, seed=0):
    rng = np.random.default_rng(seed)
    products = rng.normal(size=(k, n_rows, k - 1, n_costs))
    intercepts = rng.normal(size=(n_costs, k * (k - 1) // 2))
    pairs = enumerate(combinations(range(k), 2))
    decisions = [products[a, :, b - 1] + products[b, :, a] + intercepts[:, p] for p, (a, b) in pairs]
    return products, intercepts, np.array(decisions)


def run(products, intercepts, present):
    k, n_rows, _, n_costs = products.shape
    labels, scores = np.empty((n_rows, n_costs), np.int32), np.empty((n_rows, n_costs, k))
    elect(products, intercepts, present, np.empty((n_costs, k), np.int64), labels)
    score(products, intercepts, present, np.empty((n_costs, k)), scores)
    return labels, scores


@pytest.mark.parametrize("k", [3, 5, 12])
def test_as_in_scikit_learn(k):
    products, intercepts, decisions = drawn(k)
    labels, scores = run(products, intercepts, np.ones(k, bool))
    for at in range(3):
        d = decisions[:, :, at].T
        np.testing.assert_allclose(scores[:, at], _ovr_decision_function(d < 0, -d, k), atol=1e-12)
        votes = np.zeros((40, k), int)
        for p, (a, b) in enumerate(combinations(range(k), 2)):
            votes[np.arange(40), np.where(d[:, p] > 0, a, b)] += 1
        assert (labels[:, at] == votes.argmax(axis=1)).all()


def test_two_classes_have_the_score_of_their_machine():
    products, intercepts, decisions = drawn(2)
    labels, scores = run(products, intercepts, np.ones(2, bool))
    np.testing.assert_allclose(scores, np.stack([decisions[0], -decisions[0]], axis=-1))
    assert (labels == (decisions[0] <= 0)).all()


def test_classes_that_are_not_present_get_no_vote():
    products, intercepts, _ = drawn(4)
    present = np.array([True, False, True, True])
    labels, scores = run(products, intercepts, present)
    assert set(labels.ravel()) <= {0, 2, 3}
    keep = [0, 2, 3]
    fewer = np.stack([np.delete(products[a], [b - (b > a) for b in (1,)], axis=1) for a in keep])
    pairs = [p for p, pair in enumerate(combinations(range(4), 2)) if 1 not in pair]
    again, other = run(np.ascontiguousarray(fewer), np.ascontiguousarray(intercepts[:, pairs]), np.ones(3, bool))
    assert (np.array(keep)[again] == labels).all()
    np.testing.assert_allclose(other, scores[..., keep])
