"""Mixture weights: against a general solver, compiled code against plain, and rows that no class explains."""

import numpy as np
import pytest
from scipy.optimize import minimize

from foldless.quantifiers import Bags, _mixture
from foldless.quantifiers._mixture import mixture_weights


def height(likelihood, shares):
    return np.log(np.maximum(likelihood @ shares, 1e-300)).sum()


def likelihoods(k, n=400, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.choice(k, n, p=rng.dirichlet(np.ones(k)))
    return np.exp(1.5 * np.eye(k)[y] + rng.normal(size=(n, k)))


@pytest.mark.parametrize("k", [2, 3, 6])
def test_no_other_shares_have_a_higher_likelihood(k):
    likelihood = likelihoods(k)
    (shares,) = mixture_weights(likelihood, Bags.whole(400))
    assert shares.sum() == pytest.approx(1)
    solved = minimize(
        lambda p: -height(likelihood, p), np.full(k, 1 / k), bounds=[(1e-9, 1)] * k, method="SLSQP",
        constraints={"type": "eq", "fun": lambda p: p.sum() - 1}, options={"ftol": 1e-10},
    ).x  # fmt: skip
    assert height(likelihood, shares) > height(likelihood, solved) - _mixture.REACH
    assert np.allclose(shares, solved, atol=5e-3)


@pytest.mark.parametrize("k", [2, 3, 6])
def test_no_other_shares_have_a_higher_posterior(k):
    likelihood, prior = likelihoods(k), np.linspace(0.01, 0.2, k)

    def posterior(p):
        return height(likelihood, p) + 400 * prior @ np.log(np.maximum(p, 1e-300))

    (shares,) = mixture_weights(likelihood, Bags.whole(400), prior=prior)
    others = np.random.default_rng(0).dirichlet(400 * shares + 1, 2000)
    assert max(posterior(p) for p in others) < posterior(shares) + _mixture.REACH * 1.5
    assert shares.sum() == pytest.approx(1)


@pytest.mark.slow
def test_many_bags_by_compiled_code_are_those_of_plain_code(monkeypatch):
    likelihood, rng = likelihoods(5), np.random.default_rng(1)
    bags = Bags.of([rng.integers(400, size=rng.integers(1, 90)) for _ in range(210)], 400)
    many = mixture_weights(likelihood, bags)
    monkeypatch.setattr(_mixture, "MANY", 10**9)
    one_by_one = mixture_weights(likelihood, bags)
    for rows, a, b in zip(bags.parts(), many, one_by_one, strict=True):
        assert abs(height(likelihood[rows], a) - height(likelihood[rows], b)) < 2 * _mixture.REACH


@pytest.mark.parametrize("k", [2, 3])
def test_rows_that_no_class_explains_are_left_out(k):
    likelihood = likelihoods(k, 50)
    holes = np.vstack([likelihood, np.zeros((5, k))])
    (expected,) = mixture_weights(likelihood, Bags.whole(50))
    assert np.allclose(mixture_weights(holes, Bags.whole(55))[0], expected, atol=1e-6)
    assert np.allclose(mixture_weights(np.zeros((2, k)), Bags.whole(2)), 1 / k)


def test_shares_of_zero_and_one_are_found():
    likelihood = np.array([[0.9, 0.1], [0.8, 0.3]])
    assert mixture_weights(likelihood, Bags.whole(2)).tolist() == [[1.0, 0.0]]
    assert mixture_weights(likelihood[:, ::-1], Bags.whole(2)).tolist() == [[0.0, 1.0]]
