"""Rows drawn where a label is needed: where leaders are unsure and labels are few, and spread."""

import numpy as np
import pytest
from helpers.pool_views import view_of

from foldless.labeling._known_probabilities import inclusion, systematic
from foldless.labeling._needed import disputes, draw, walk


def test_a_walk_goes_to_the_nearest_that_is_left():
    assert walk(np.array([[0.0], [5.0], [1.0], [2.0]])).tolist() == [0, 3, 1, 2]
    assert walk(np.zeros((1, 3))).tolist() == [0]


def test_unsure_rows_are_likelier_and_so_are_places_without_labels():
    unsure = np.where(np.arange(400) % 2 == 0, 0.9, 0.1)
    chances = inclusion(draw(view_of(unsure, 30), 20, np.random.default_rng(1)).scores, 20)
    assert chances[100::2].min() > 1.5 * chances[101::2].max()
    assert chances[100:].mean() > 1.3 * chances[:100].mean()
    assert chances.min() >= 0.5 * 20 / 400  # no label stands for more than two others


def test_rows_that_leaders_label_differently_are_likelier_and_bootstraps_do_not_count():
    view = view_of(np.full(400, 0.5), 4)
    view.votes, view.full = np.zeros((3, 400), dtype=int), np.array([True, True, False])
    view.weights = np.array([0.5, 0.3, 0.2])
    view.votes[1, :40], view.votes[2, 200:] = 1, 1
    assert disputes(view)[:40] == pytest.approx(1 - 0.625**2 - 0.375**2)
    assert disputes(view)[40:] == pytest.approx(0)
    chances = inclusion(draw(view, 20, np.random.default_rng(0)).scores, 20)
    assert chances[:40].min() > 2 * chances[40:].max()


def test_values_are_disputed_where_they_spread():
    view = view_of(np.full(400, 0.5), 4)
    view.regression, view.full = True, np.array([True, True])
    view.votes = np.array([np.zeros(400), np.arange(400.0)])
    assert disputes(view) == pytest.approx(np.arange(400) / 2)


@pytest.mark.slow
def test_drawn_rows_are_spread_over_the_places():
    rng, counts = np.random.default_rng(2), []
    for _ in range(200):
        scores, order = draw(view_of(np.full(400, 0.5), 4), 12, rng)
        rows = systematic(inclusion(scores, 12), order, rng)
        counts.append(np.bincount(rows // 100, minlength=4))
    alone = np.random.default_rng(3).multinomial(12, np.full(4, 0.25), 200)
    assert np.var(counts) < 0.5 * np.var(alone)
