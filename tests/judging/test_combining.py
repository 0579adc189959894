"""Weights of an average: what makes the log loss small, what is accurate, and what noise must not."""

import numpy as np
import pytest

from foldless.judging._combining import KEPT, MAX_MEMBERS, log_losses, member_weights

ROWS = np.full(200, 1 / 200)


def weights_of(p_true, seed=0):
    return member_weights(p_true, p_true > 0.5, ROWS, np.random.default_rng(seed))


def test_weights_add_up_to_one_and_are_few():
    p = np.random.default_rng(0).uniform(0.3, 0.9, size=(60, 200))
    weights = weights_of(p)
    assert weights.sum() == pytest.approx(1)
    assert np.count_nonzero(weights) <= MAX_MEMBERS


def test_members_that_are_right_in_different_places_are_averaged():
    p = np.full((3, 200), 0.45)
    p[0, :120], p[1, 80:] = 0.95, 0.95
    weights = weights_of(p)
    assert weights[2] < 0.2
    assert min(weights[:2]) > 0.3
    assert log_losses((weights @ p)[None], ROWS)[0] < log_losses(p, ROWS).min()


def test_a_member_that_is_sure_and_wrong_has_little_weight():
    rng = np.random.default_rng(1)
    good = np.where(rng.random(200) < 0.8, 0.8, 0.2)
    boastful = np.where(rng.random(200) < 0.75, 0.999, 0.001)
    members = np.array([good, good * 0.99, boastful])
    weights = weights_of(members)
    assert weights[2] < 0.5 < weights[:2].sum()
    assert log_losses((weights @ members)[None], ROWS)[0] < log_losses(members, ROWS).min()


def test_one_candidate_has_all_the_weight():
    assert weights_of(np.full((1, 200), 0.7)).tolist() == [1.0]


def test_a_probability_of_zero_is_survived():
    p = np.array([[0.0] * 100 + [1.0] * 100, [1.0] * 100 + [0.0] * 100, [0.0] * 200])
    weights = weights_of(p)
    assert np.isfinite(weights).all()
    assert weights[2] < 0.1


def test_row_weights_decide():
    p = np.array([[0.9] * 100 + [0.2] * 100, [0.2] * 100 + [0.9] * 100])
    first = np.r_[np.full(100, 0.0099), np.full(100, 0.0001)]
    assert member_weights(p, p > 0.5, first / first.sum(), np.random.default_rng(0))[0] > 0.9


def test_flat_members_do_not_outvote_more_accurate_ones_that_are_too_sure():
    """With few labels of many classes every member may be worse than the class shares, and flat ones lose least."""
    n, classes, truth = 20, 6, np.arange(20) % 6
    sure, flat = np.full((n, classes), 0.0001), np.full((n, classes), (1 - 0.17) / 5)
    sure[np.arange(n), np.where(np.arange(n) < 4, truth, (truth + 1) % classes)] = 0.9995
    flat[np.arange(n), (truth + 2) % classes] = 0.17
    members = np.array([sure, sure, flat, flat])
    p_true, rows = members[:, np.arange(n), truth], np.full(n, 1 / n)
    right = members.argmax(axis=2) == truth
    losses = log_losses(p_true, rows)
    assert losses[0] > losses[2] > np.log(classes)
    weights = member_weights(p_true, right, rows, np.random.default_rng(0))
    assert weights[:2].sum() > 0.4
    assert (np.tensordot(weights, members, 1).argmax(axis=1) == truth).mean() == 0.2


def test_what_is_dropped_is_little():
    p = np.random.default_rng(2).uniform(0.4, 0.8, size=(10, 200))
    assert KEPT >= 0.95
    assert weights_of(p).max() < 0.9
