"""Every quantifier on answers that are poor: absent classes, constant answers, one row, odd probabilities."""

import numpy as np
import pytest

from foldless.errors import BadInput
from foldless.quantifiers import METHODS, Bags, Held, resolve
from foldless.quantifiers._intervals import AnsweredBags, interval_of, share_draws

TWO = ("ms", "max", "x", "t50")
CASES = [(name, k) for name in METHODS for k in (2, 4) if k == 2 or name not in TWO]


def answers(n, k, seed=0, classes=None):
    rng = np.random.default_rng(seed)
    y = rng.choice(np.arange(k) if classes is None else classes, n)
    logits = 2 * np.eye(k)[y] + rng.normal(size=(n, k))
    p = np.exp(logits)
    return p / p.sum(axis=1, keepdims=True), y


def good(shares):
    shares = np.asarray(shares)
    return np.isfinite(shares).all() and shares.min() >= 0 and np.allclose(shares.sum(axis=-1), 1)


@pytest.mark.parametrize(("name", "k"), CASES)
def test_a_class_absent_from_the_pool(name, k):
    learned = resolve(name).learn(Held(*answers(300, k), k))
    shares = learned.aggregate(answers(300, k, 1, classes=[0])[0])
    assert good(shares)
    if resolve(name).corrects:
        assert shares[0] > 0.85


@pytest.mark.parametrize(("name", "k"), CASES)
def test_a_class_absent_from_the_labels(name, k):
    held = Held(*answers(100, k, classes=np.arange(k - 1)), k)
    assert good(resolve(name).learn(held).aggregate(answers(100, k, 1)[0]))
    none = Held(np.empty((0, k)), np.empty(0, dtype=int), k)
    assert good(resolve(name).learn(none).aggregate(answers(20, k, 1)[0]))


@pytest.mark.parametrize(("name", "k"), CASES)
def test_probabilities_that_do_not_sum_to_one(name, k):
    own, y = answers(200, k)
    pool, _ = answers(100, k, 1)
    expected = resolve(name).learn(Held(own, y, k)).aggregate(pool)
    learned = resolve(name).learn(Held(own * np.linspace(0.1, 3, 200)[:, None], y, k))
    assert np.allclose(learned.aggregate(pool * 0.01), expected, atol=1e-3)
    pool[:3] = 0.0
    assert good(learned.aggregate(pool))
    if resolve(name).response == "probabilities":
        with pytest.raises(BadInput, match="negative or not a number"):
            learned.aggregate(np.full((3, k), np.nan))


@pytest.mark.parametrize(("name", "k"), CASES)
def test_a_constant_classifier(name, k):
    _, y = answers(100, k)
    learned = resolve(name).learn(Held(np.full((100, k), 1 / k), y, k))
    assert good(learned.aggregate(np.full((50, k), 1 / k)))
    hard = resolve(name).learn(Held(np.eye(k)[np.zeros(100, dtype=int)], y, k))
    assert good(hard.aggregate(np.eye(k)[np.zeros(50, dtype=int)]))


@pytest.mark.parametrize(("name", "k"), CASES)
def test_bags_of_one_and_two_rows_and_their_intervals(name, k, monkeypatch):
    monkeypatch.setattr("foldless.quantifiers._intervals.DRAWS", 20)
    monkeypatch.setattr("foldless.quantifiers._intervals.DRAWS_OF_LIKELIHOOD", 10)
    held, (pool, _) = Held(*answers(60, k), k), answers(10, k, 1)
    bags, rng = [[3], [1, 1], [0, 5, 7]], np.random.default_rng(0)
    shares = resolve(name).learn(held).aggregate_many(pool, bags)
    assert good(shares)
    draws = share_draws(resolve(name), held, AnsweredBags(pool, Bags.of(bags, len(pool))), rng)
    assert all(good(draw) for draw in draws)
    lower, upper = interval_of(draws, shares, 0.95, held.sizes)
    assert (lower <= shares).all()
    assert (shares <= upper).all()


def test_what_is_refused():
    held = Held(*answers(30, 3), 3)
    with pytest.raises(BadInput, match="ms counts two classes, and there are 3"):
        resolve("ms").learn(held)
    with pytest.raises(BadInput, match="method must be one of 'cc'"):
        resolve("hd")
    with pytest.raises(BadInput, match="every bag needs at least one row"):
        Bags.of([[0], []], 2)
    with pytest.raises(BadInput, match="row numbers from 0 to 1"):
        Bags.of([[2]], 2)
    with pytest.raises(BadInput, match="3 classes, and answers have 2 columns"):
        resolve("pacc").learn(held).aggregate(np.eye(2))
    with pytest.raises(BadInput, match="30 answers for 3 labeled rows"):
        Held(held.answers, held.y[:3], 3)


@pytest.mark.parametrize("name", METHODS)
def test_weights_are_repeated_rows(name):
    own, y = answers(80, 2)
    times = np.random.default_rng(2).integers(0, 3, 80)
    pool = answers(60, 2, 1)[0]
    weighted = resolve(name).learn(Held(own, y, 2, times.astype(float))).aggregate(pool)
    rows = np.repeat(np.arange(80), times)
    assert np.allclose(weighted, resolve(name).learn(Held(own[rows], y[rows], 2)).aggregate(pool), atol=1e-4)
