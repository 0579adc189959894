"""map: the shares of the labels where answers say nothing, those of em where labels are many, and rates of a table."""

import numpy as np
import pytest

from foldless.errors import BadInput
from foldless.quantifiers import ACC, EM, MAP, Bags, Held, resolve


def answers(n, shares, seed, strength=2.0):
    rng = np.random.default_rng(seed)
    y = rng.choice(len(shares), n, p=shares)
    logits = np.log(shares_of_labels(len(shares))) + strength * np.eye(len(shares))[y]
    logits = logits + strength**0.5 * rng.normal(size=logits.shape)
    p = np.exp(logits)
    return p / p.sum(axis=1, keepdims=True), y


def shares_of_labels(k):
    return np.arange(1, k + 1) / np.arange(1, k + 1).sum()


@pytest.mark.parametrize("k", [2, 4])
def test_many_labels_make_it_em(k):
    pool, _ = answers(3000, shares_of_labels(k)[::-1], 1)
    held = Held(*answers(20_000, shares_of_labels(k), 0), k)
    assert np.allclose(MAP().learn(held).aggregate(pool), EM().learn(held).aggregate(pool), atol=0.01)


@pytest.mark.parametrize("k", [2, 4])
def test_answers_that_say_nothing_leave_the_shares_of_the_labels(k):
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(k), np.arange(1, k + 1) * 10)
    constant = np.tile(shares_of_labels(k), (len(y), 1))
    assert np.allclose(MAP().learn(Held(constant, y, k)).aggregate(constant[:7]), shares_of_labels(k), atol=0.01)
    codes = np.zeros(len(y), dtype=int)
    assert np.allclose(MAP().learn(Held(codes, y, k)).aggregate(codes[:7]), shares_of_labels(k), atol=0.01)
    noise = rng.dirichlet(np.ones(k), len(y) + 500)
    found = [way.learn(Held(noise[:-500], y, k)).aggregate(noise[-500:]) for way in (MAP(), resolve("pacc"))]
    apart = [np.abs(shares - shares_of_labels(k)).sum() for shares in found]
    assert apart[0] < apart[1]


def test_a_pool_like_the_labels_has_their_shares_whatever_the_calibration():
    held = Held(*answers(60, shares_of_labels(4), 3), 4)
    assert np.allclose(MAP().learn(held).aggregate(held.answers), held.shares, atol=0.02)


def test_predicted_classes_by_the_rates_of_the_table():
    y, predicted = np.repeat([0, 1], 5000), np.repeat([0, 1, 0, 1], [4500, 500, 1000, 4000])
    held, pool = Held(predicted, y, 2), np.repeat([0, 1], [700, 300])
    assert np.allclose(MAP().learn(held).aggregate(pool), ACC().learn(held).aggregate(pool), atol=2e-3)


def test_many_bags_are_counted_as_each_alone():
    pool, _ = answers(300, shares_of_labels(4)[::-1], 1)
    learned = MAP().learn(Held(*answers(100, shares_of_labels(4), 0), 4))
    bags = np.random.default_rng(0).integers(300, size=(5, 80))
    each = [learned.aggregate(pool[bag]) for bag in bags]
    assert np.allclose(learned.aggregate_many(pool, Bags.of(bags, 300)), each)


def test_a_prior_below_zero():
    with pytest.raises(BadInput, match="prior and pull"):
        MAP(prior=-1).learn(Held(np.array([0, 1]), np.array([0, 1]), 2))
