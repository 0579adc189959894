"""SCAN: epochs by the book, pieces as the whole, and the level of the best weights."""

from itertools import pairwise

import numpy as np
import pytest
from helpers.counting_problems import best_surrogate, by_the_book, drawn, surrogate, weights_of
from scipy import sparse

from foldless.errors import BadInput
from foldless.measures import BKReward, CQReward, FMeasure, PseudoConcave
from foldless.measures.balanced_accuracy import mean_rate
from foldless.online import CAN, NEMSIS, SCAN
from foldless.solvers.online._stream_state import records


@pytest.mark.parametrize("measure", [CQReward(), BKReward(smoothing=0.01), FMeasure()], ids=str)
@pytest.mark.parametrize("change", [{}, {"non_surrogate": True}, {"reward": "logistic"}], ids=str)
def test_the_first_epoch_by_the_book(measure, change):
    """200 rows learn at level zero, 100 find the level of their mean iterate, and the second epoch has that level."""
    X, y = drawn(320, 4)
    X = X.astype(np.float32).astype(float)
    model = SCAN(measure, first_epoch=200, eta0=0.1, **change).partial_fit(X[:300], y[:300], classes=[0, 1])
    book = NEMSIS(**{k: v for k, v in model.get_params().items() if k in NEMSIS().get_params()})
    _, mean, *_ = by_the_book(X[:200], y[:200], measure, book, level=0.0)
    np.testing.assert_allclose(weights_of(model), mean, rtol=1e-3, atol=1e-4)
    margins = np.where(y == 1, 1, -1)[200:300] * (X[200:300] @ mean[:-1] + mean[-1])
    rewards = np.minimum(margins, 1) if model.reward == "hinge" else 1 - np.logaddexp(0, -margins)
    rewards = (margins > 0).astype(float) if model.non_surrogate else np.maximum(rewards, 0)
    P, N = (rewards[y[200:300] == k].mean() for k in (1, 0))
    share = (y[:300].sum() + 0.5) / 301
    np.testing.assert_allclose(model.levels_, measure.value(P, N, share, 300), rtol=1e-3)
    assert records(model._state["scalars"])["epoch"][0] == 1
    before = weights_of(model)
    model.partial_fit(X[300:], y[300:])  # the second epoch has begun, the first one's model stays
    assert (weights_of(model) == before).all()


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_pieces_do_what_the_whole_does(form):
    X, y = drawn(5000, 18, zeros=0.5)
    for change in ({}, {"measure": "bk_reward", "non_surrogate": True}):
        whole = SCAN(first_epoch=100, **change).fit(form(X), y)
        pieces = SCAN(first_epoch=100, **change)
        cuts = [0, 1, 100, 150, 151, 700, 4000, 5000]
        for first, last in pairwise(cuts):
            pieces.partial_fit(form(X[first:last]), y[first:last], classes=[0, 1])
        assert (pieces.coef_ == whole.coef_).all()
        assert (pieces._state["scalars"] == whole._state["scalars"]).all()


def test_the_model_is_of_the_epoch_that_learned_most():
    X, y = drawn(1200, 3)
    model = SCAN(first_epoch=200).partial_fit(X[:300], y[:300], classes=[0, 1])
    first = weights_of(model)
    assert (weights_of(model.partial_fit(X[300:500], y[300:500])) == first).all()  # 200 rows each
    assert (weights_of(model.partial_fit(X[500:501], y[500:501])) != first).any()


def test_the_best_level_is_reached():
    X, y = drawn(150_000, 6, share=0.115, seed=1)
    model = SCAN(low=-np.inf, eta0=0.3).fit(X, y)
    best, _ = best_surrogate(CQReward(), X[:20_000], y[:20_000], weights_of(model))
    assert surrogate(CQReward(), X[:20_000], y[:20_000], weights_of(model)) > best - 5e-3
    assert abs(model.levels_[0] - best) < 0.02


def test_weights_have_one_type():
    X, y = drawn(400, 3)
    for n in (100, 300, 301):
        model = SCAN(first_epoch=200).partial_fit(X[:n], y[:n], classes=[0, 1])
        assert model.coef_.dtype == NEMSIS().fit(X, y).coef_.dtype == np.float64


class Product(PseudoConcave):
    """Balanced accuracy over 2 − P N, without factors."""

    top = mean_rate
    bottom = staticmethod(lambda P, N, p, e, a: (2 - P * N, -N, -P))


def test_a_ratio_of_your_own_is_for_can():
    X, y = drawn(300, 3)
    with pytest.raises(
        BadInput, match="neither factors nor a compiled dual, which a step of SCAN needs: CAN can learn"
    ):
        SCAN(Product()).fit(X, y)
    assert CAN(Product()).fit(X, y).levels_[0][-1] > 0


def test_epochs_must_stay():
    X, y = drawn(300, 3)
    for name, was, other in (("first_epoch", 200, 50), ("growth", 2.0, 3.0)):
        model = SCAN(first_epoch=200).fit(X, y).set_params(**{name: other})
        with pytest.raises(BadInput, match=f"{name} must stay as in the first call, {was}, got {other}"):
            model.partial_fit(X, y)


def test_a_level_without_rows_of_a_class_is_the_one_before():
    X, y = drawn(300, 3)
    y[200:] = 0
    model = SCAN(first_epoch=200).partial_fit(X, y, classes=[0, 1])
    assert model.levels_.tolist() == [0.0]
    assert np.isfinite(model.coef_).all()
