"""The blend by hand, part by part."""

import numpy as np
import pytest

from foldless.criteria.racing._blend import (
    CONSENSUS,
    MISSING,
    SHARES,
    TRAINING,
    agreement,
    blend_labels,
    blend_values,
    earned_weight,
)
from foldless.judging._left_out import ComparedScores


def standing(scores, error=0.1):
    return ComparedScores(np.array(scores, dtype=float), error, np.zeros((len(scores), 2)))


def test_without_a_pool_it_is_score_and_training():
    found = blend_labels(standing([0.6, 0.8]), np.array([1.0, 0.9]), None, np.array([0.5, 0.5]))
    assert found["blend"] == pytest.approx([0.6 + 0.1 * TRAINING * 1.0, 0.8 + 0.1 * TRAINING * 0.9])
    assert set(found) == {"score", "training", "blend"}


def test_with_a_pool_every_part_has_its_sign():
    """Two candidates with equal scores: the first names both classes as often as the labels do, the second only one."""
    shares, pool = np.array([0.5, 0.5]), np.array([[[0] * 10 + [1] * 10], [[0] * 20]])
    found = blend_labels(standing([0.7, 0.7]), np.array([0.9, 0.9]), pool, shares)
    assert found["shares"] == pytest.approx([1, 0.5])
    assert found["missing"] == pytest.approx([0, 0.5])
    others = TRAINING * 0.9 + SHARES / 2 * np.array([1, 0.5]) - MISSING * np.array([0, 0.5])
    votes = np.exp(others - others.max())
    consensus = (votes + 0.5 * votes[::-1]) / votes.sum()  # they agree on half of the rows
    assert found["consensus"] == pytest.approx(consensus)
    assert found["blend"] == pytest.approx(0.7 + 0.1 * (others + CONSENSUS * consensus))
    assert found["blend"][0] > found["blend"][1]


def test_sure_labels_leave_little_to_the_pool():
    """The parts beside the score count in its standard errors."""
    shares, pool = np.array([0.5, 0.5]), np.array([[[0] * 10 + [1] * 10], [[0] * 20]])
    many = blend_labels(standing([0.70, 0.72], error=0.001), np.array([0.9, 0.9]), pool, shares)
    few = blend_labels(standing([0.70, 0.72], error=0.1), np.array([0.9, 0.9]), pool, shares)
    assert many["blend"].argmax() == 1
    assert few["blend"].argmax() == 0


def test_agreement_by_hand():
    labels = np.array([[[0, 0, 1]], [[0, 1, 1]], [[-1, 1, 0]]])
    weights = np.array([2.0, 1.0, 1.0])
    # row by row the weight that says the same, over the whole weight of 4
    assert agreement(labels, weights, 2) == pytest.approx([(3 + 2 + 3) / 12, (3 + 2 + 3) / 12, (0 + 2 + 1) / 12])


def test_agreement_is_a_mean_over_resamples():
    rng = np.random.default_rng(0)
    labels, weights = rng.integers(0, 3, (4, 5, 20)), rng.random(4)
    each = [agreement(labels[:, [r]], weights, 3) for r in range(5)]
    assert agreement(labels, weights, 3) == pytest.approx(np.mean(each, axis=0))


def test_class_shares_earn_their_weight():
    scores = np.array([0.5, 0.6, 0.7, 0.8])
    assert earned_weight(scores, scores) == SHARES
    assert earned_weight(-scores, scores) == 0
    assert earned_weight(np.ones(4), scores) == SHARES / 2
    assert 0 < earned_weight(np.array([1, 2, 0, 3]), scores) <= SHARES


def test_values_near_the_others_are_preferred_as_far_as_the_labels_are_uncertain():
    """Two regressors predict alike on the pool, the third is off by one standard deviation of y."""
    pool = np.array([[[0.0, 0.0]], [[0.0, 0.0]], [[1.0, 1.0]]])
    blended = blend_values(standing([0.5, 0.5, 0.5]), np.ones(3), pool, spread=1.0)
    assert blended["consensus"] == pytest.approx([1 - 0.25, 1 - 0.25, 0.0])  # one of two others is off by 1
    assert blended["blend"] == pytest.approx(0.5 + 0.1 * 3 * np.array([0.75, 0.75, 0.0]))
    assert blend_values(standing([0.5, 0.6, 0.5]), np.ones(3), None, spread=1.0)["blend"].argmax() == 1
