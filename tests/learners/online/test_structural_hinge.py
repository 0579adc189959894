"""The most violating labels against all labels there are."""

import numpy as np
import pytest

from foldless.learners.online import _structural_hinge as structural
from foldless.learners.online._structural_hinge import most_violating
from foldless.measures import BAKLD, KLD, NSS, BalancedAccuracy, BKReward, CQReward, FMeasure, GMean, QMeasure, rates

MEASURES = [
    KLD(), NSS(), NSS(normalize=True), BAKLD(0.3), BalancedAccuracy(), QMeasure(), CQReward(), BKReward(), FMeasure(),
    GMean(),
]  # fmt: skip


def violation(measure, scores, positive, predicted):
    n, p = len(scores), positive.mean()
    loss = measure.value(1.0, 1.0, p, n) - measure.value(*rates(positive, predicted), p, n)
    return loss + 2 * (predicted.astype(float) - positive) @ scores / n, loss


def largest_violation(measure, scores, positive):
    """Over all 2ⁿ labels."""
    n, p = len(scores), positive.mean()
    predicted = np.arange(2**n)[:, None] >> np.arange(n) & 1 == 1
    P, N = predicted[:, positive].mean(axis=1), 1 - predicted[:, ~positive].mean(axis=1)
    losses = measure.value(1.0, 1.0, p, n) - measure.value(P, N, p, n)
    return float((losses + 2 * (predicted.astype(float) - positive) @ scores / n).max())


@pytest.mark.parametrize("measure", MEASURES, ids=str)
@pytest.mark.parametrize("with_ties", [False, True])
def test_no_labels_violate_more(measure, with_ties):
    for n in range(2, 13):
        violates_most(measure, n, with_ties)


def violates_most(measure, n, with_ties):
    rng = np.random.default_rng([n, int(with_ties)])
    positive = rng.random(n) < 0.4
    positive[:2] = True, False
    scores = rng.normal(size=n) * rng.choice([0.0, 0.1, 1.0, 5.0])
    if with_ties:
        scores = scores.round(0)
    predicted, loss = most_violating(measure, scores, positive)
    found, again = violation(measure, scores, positive, predicted)
    assert loss == pytest.approx(again), n
    assert found == pytest.approx(largest_violation(measure, scores, positive), abs=1e-12), n


def test_counts_and_pairs_agree_on_many_rows():
    rng = np.random.default_rng(0)
    positive = rng.random(400) < 0.3
    scores = rng.normal(size=400) + positive
    for measure in (KLD(), NSS(), BAKLD(0.5)):
        by_count, by_pairs = (
            structural._by_count(measure, scores, positive, measure.linear),
            structural._by_pairs(measure, scores, positive),
        )
        a, b = (violation(measure, scores, positive, predicted)[0] for predicted in (by_count, by_pairs))
        assert a == pytest.approx(b, abs=1e-12)


@pytest.mark.parametrize("sign", [-1, 1])
def test_a_grid_of_counts_has_both_ends(monkeypatch, sign):
    """Where all scores say the same, all rows of one class are right and all of the other wrong."""
    positive = np.arange(60) < 23
    monkeypatch.setattr(structural, "MAX_PAIRS", 100)
    predicted, _ = most_violating(QMeasure(), np.full(60, 100.0 * sign), positive)
    assert (predicted == (sign > 0)).all()


def test_too_many_pairs_are_thinned(monkeypatch):
    rng = np.random.default_rng(0)
    positive = rng.random(400) < 0.3
    scores = rng.normal(size=400) + positive
    exact = violation(QMeasure(), scores, positive, most_violating(QMeasure(), scores, positive)[0])[0]
    monkeypatch.setattr(structural, "MAX_PAIRS", 2000)
    near = violation(QMeasure(), scores, positive, most_violating(QMeasure(), scores, positive)[0])[0]
    assert exact - 0.01 < near < exact
    monkeypatch.setattr(structural, "BLOCK", 10)  # a block of one line at a time
    again = violation(QMeasure(), scores, positive, most_violating(QMeasure(), scores, positive)[0])[0]
    assert again == near
