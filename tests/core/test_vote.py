"""Votes by hand: counts, means, ties and votes for nobody."""

import tracemalloc

import numpy as np
import pytest

from foldless.core._vote import Vote
from foldless.errors import BadInput


def test_labels_are_counted():
    shares = Vote().shares([[0, 1, 2], [0, 1, 1], [2, 1, 0], [0, 0, 2]], 4)
    np.testing.assert_array_equal(shares, [[0.75, 0, 0.25, 0], [0.25, 0.75, 0, 0], [0.25, 0.25, 0.5, 0]])
    np.testing.assert_array_equal(Vote().winners(shares), [0, 1, 2])


def test_probabilities_are_averaged():
    one, other = np.array([[0.6, 0.4], [0.1, 0.9]]), np.array([[0.0, 1.0], [0.5, 0.5]])
    shares = Vote("soft").shares([one, other], 2)
    np.testing.assert_allclose(shares, [[0.3, 0.7], [0.3, 0.7]])
    # three weak votes for the first class lose against one that is sure of the second
    weak, sure = np.array([[0.55, 0.45]]), np.array([[0.0, 1.0]])
    assert Vote("soft").winners(Vote("soft").shares([weak, weak, weak, sure], 2)) == [1]
    assert Vote("hard").winners(Vote("hard").shares([[0], [0], [0], [1]], 2)) == [0]


def test_ties_go_to_the_first_class():
    assert Vote().winners(Vote().shares([[2], [1], [1], [2]], 3)) == [1]


def test_minus_one_is_no_vote():
    shares = Vote().shares([[-1, 1], [1, -1], [-1, 1]], 2)
    np.testing.assert_allclose(shares, [[0, 1 / 3], [0, 2 / 3]])


def test_an_unknown_way_of_voting_is_refused():
    with pytest.raises(BadInput, match="'loud'"):
        Vote("loud")


def test_weights_are_numbers_of_votes():
    labels = [np.array([0, 1]), np.array([1, 1]), np.array([1, -1])]
    thrice = [labels[0]] * 3 + labels[1:]
    assert Vote(weights=(3, 1, 1)).shares(labels, 2) == pytest.approx(Vote().shares(thrice, 2))
    soft = [np.array([[0.9, 0.1]]), np.array([[0.2, 0.8]])]
    assert Vote("soft", weights=(1, 3)).shares(soft, 2) == pytest.approx(
        Vote("soft").shares([soft[0]] + [soft[1]] * 3, 2)
    )


@pytest.mark.parametrize("weights", [(1.0, -0.5), (0.0, 0.0)])
def test_weights_that_are_no_votes(weights):
    with pytest.raises(BadInput, match="weights must not be negative"):
        Vote(weights=weights)


@pytest.mark.parametrize("weights", [(), (0.1, 0.7, 0.3, 0.25, 1e-3)])
def test_sums_are_those_of_all_answers_at_once(weights):
    rng = np.random.default_rng(0)
    labels, tables = rng.integers(-1, 3, size=(5, 200)), rng.dirichlet(np.ones(3), size=(5, 200))
    each = np.asarray(weights or [1.0] * 5)
    counts = np.stack([((labels == k) * each[:, None]).sum(axis=0) for k in range(3)], axis=1)
    np.testing.assert_allclose(Vote(weights=weights).shares(iter(labels), 3), counts / each.sum(), rtol=1e-15)
    expected = np.average(tables, axis=0, weights=weights) if weights else np.mean(tables, axis=0)
    assert (Vote("soft", weights=weights).shares(iter(tables), 3) == expected).all()


def test_many_voters_need_the_memory_of_one():
    rows, rng = 20_000, np.random.default_rng(0)
    tracemalloc.start()
    Vote().shares((rng.integers(2, size=rows) for _ in range(300)), 2)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10 * rows * 8  # not 300
