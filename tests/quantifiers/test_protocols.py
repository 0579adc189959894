"""Protocols: the shares that bags have, row by row, and the errors on them."""

import numpy as np
import pytest

from foldless.errors import BadInput
from foldless.quantifiers import CC, Held, protocols
from foldless.quantifiers.share_errors import kullback_leibler

Y = np.repeat([0, 1, 2], [50, 30, 20])
Y3 = np.repeat([0, 1, 2], 400)


def shares(bags):
    return np.array([np.bincount(Y[bag], minlength=3) / len(bag) for bag in bags])


def test_a_grid_has_every_vector_of_shares():
    found = shares(protocols.artificial(Y, 10, points=6, repeats=2))
    assert len(found) == 2 * 21
    assert len(np.unique(found.round(6), axis=0)) == 21
    assert np.allclose(found * 5, (found * 5).round())


def test_rows_are_drawn_once_while_there_are_enough():
    for bag in protocols.uniform(Y, 20, n=30):
        assert len(bag) == 20
        assert len(np.unique(bag)) == 20
    assert any(len(np.unique(bag)) < 90 for bag in protocols.uniform(Y, 90, n=10))


def test_uniform_shares_are_uniform():
    drawn = np.array([np.bincount(Y3[bag], minlength=3) / 200 for bag in protocols.uniform(Y3, 200, n=600)])
    assert np.allclose(drawn.mean(axis=0), 1 / 3, atol=0.04)
    assert drawn[:, 0].var() == pytest.approx(1 / 18, rel=0.15)  # of a Dirichlet(1, 1, 1)


def test_natural_dirichlet_and_windows():
    assert np.allclose(shares(protocols.natural(Y, 50, n=60)).mean(axis=0), [0.5, 0.3, 0.2], atol=0.03)
    near = shares(protocols.dirichlet(Y, 40, n=40, alpha=[500, 300, 200]))
    assert np.allclose(near.mean(axis=0), [0.5, 0.3, 0.2], atol=0.03)
    assert [(bag[0], bag[-1]) for bag in protocols.windows(100, 40, step=30)] == [(0, 39), (30, 69), (60, 99)]


def test_a_class_without_rows_has_no_share():
    for bag in protocols.uniform(np.array([0, 0, 2, 2]), 6, n=5):
        assert len(bag) == 6
    assert [len(bag) for bag in protocols.artificial(np.array([0, 0, 2, 2]), 4, points=2, repeats=1)] == [4, 4, 4]


def test_the_same_seed_draws_the_same():
    first, again = (list(protocols.uniform(Y, 10, n=3, random_state=5)) for _ in range(2))
    assert all((a == b).all() for a, b in zip(first, again, strict=True))


def test_what_is_refused():
    with pytest.raises(BadInput, match="has 531,300 bags"):
        list(protocols.artificial(np.arange(6), 10))
    with pytest.raises(BadInput, match="error must be one of"):
        protocols.protocol_errors(CC().learn(Held(Y, Y, 3)), Y, Y, [[0]], error="mae")
    with pytest.raises(BadInput, match="eps must be a number above 0"):
        kullback_leibler([1, 0], [0, 1], eps=0)


@pytest.mark.parametrize("error", ["ae", "rae", "se", "kld", "nkld", "nmd"])
def test_right_answers_have_no_error(error):
    learned = CC().learn(Held(Y, Y, 3))
    assert np.allclose(protocols.protocol_errors(learned, Y, Y, protocols.uniform(Y, 30, n=4), error), 0)
    wrong = protocols.protocol_errors(learned, np.zeros(100, dtype=int), Y, [np.arange(80, 100)], error)
    assert wrong[0] > 0.3
