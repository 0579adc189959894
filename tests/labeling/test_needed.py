"""Rows drawn where a label is needed: where leaders are unsure and labels are few, and spread."""

from types import SimpleNamespace

import numpy as np
import pytest

from foldless.labeling import _clusters
from foldless.labeling import _diverse as diverse
from foldless.labeling._known_probabilities import inclusion, systematic
from foldless.labeling._needed import disputes, draw, walk

PLACES = np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0], [10.0, 10.0]])


def seen(unsure, labels):
    """A pool of 100 rows at each of four places, of which the first has these labels."""
    rng = np.random.default_rng(0)
    pool = np.repeat(PLACES, 100, axis=0) + rng.normal(size=(400, 2)) / 4
    labeled = np.zeros((labels, 2)) + rng.normal(size=(labels, 2)) / 4
    votes, full = np.zeros((2, 400), dtype=int), np.array([True, False])
    return SimpleNamespace(
        unsure=np.asarray(unsure, dtype=float), features=(labeled, pool), votes=votes, full=full,
        weights=np.array([0.5, 0.5]), regression=False,
    )  # fmt: skip


def test_a_walk_goes_to_the_nearest_that_is_left():
    assert walk(np.array([[0.0], [5.0], [1.0], [2.0]])).tolist() == [0, 3, 1, 2]
    assert walk(np.zeros((1, 3))).tolist() == [0]


def test_unsure_rows_are_likelier_and_so_are_places_without_labels():
    unsure = np.where(np.arange(400) % 2 == 0, 0.9, 0.1)
    chances = inclusion(draw(seen(unsure, 30), 20, np.random.default_rng(1)).scores, 20)
    assert chances[100::2].min() > 1.5 * chances[101::2].max()
    assert chances[100:].mean() > 1.3 * chances[:100].mean()
    assert chances.min() >= 0.5 * 20 / 400  # no label stands for more than two others


def test_rows_that_leaders_label_differently_are_likelier_and_bootstraps_do_not_count():
    view = seen(np.full(400, 0.5), 4)
    view.votes, view.full = np.zeros((3, 400), dtype=int), np.array([True, True, False])
    view.weights = np.array([0.5, 0.3, 0.2])
    view.votes[1, :40], view.votes[2, 200:] = 1, 1
    assert disputes(view)[:40] == pytest.approx(1 - 0.625**2 - 0.375**2)
    assert disputes(view)[40:] == pytest.approx(0)
    chances = inclusion(draw(view, 20, np.random.default_rng(0)).scores, 20)
    assert chances[:40].min() > 2 * chances[40:].max()


def test_values_are_disputed_where_they_spread():
    view = seen(np.full(400, 0.5), 4)
    view.regression, view.full = True, np.array([True, True])
    view.votes = np.array([np.zeros(400), np.arange(400.0)])
    assert disputes(view) == pytest.approx(np.arange(400) / 2)


def test_drawn_rows_are_spread_over_the_places():
    rng, counts = np.random.default_rng(2), []
    for _ in range(200):
        scores, order = draw(seen(np.full(400, 0.5), 4), 12, rng)
        rows = systematic(inclusion(scores, 12), order, rng)
        counts.append(np.bincount(rows // 100, minlength=4))
    alone = np.random.default_rng(3).multinomial(12, np.full(4, 0.25), 200)
    assert np.var(counts) < 0.5 * np.var(alone)


@pytest.mark.parametrize("rows", [50, 400])
def test_a_large_pool_is_clustered_by_a_part_of_it(monkeypatch, rows):
    monkeypatch.setattr(_clusters, "MOST_ROWS", rows)
    found = _clusters.clusters(seen(np.full(400, 0.5), 4), 8, np.random.default_rng(0))
    assert len(found.own) == len(found.apart) == 400
    assert len(found.centers) == len(found.labels) == 12
    assert found.labels.sum() == 4
    picked = diverse.pick(seen(np.full(400, 0.5), 4), 8, np.random.default_rng(0))
    assert len(set(picked.tolist())) == 8


def test_equal_rows_have_no_more_clusters_than_there_are_of_them():
    view = SimpleNamespace(unsure=np.ones(60), features=(np.zeros((5, 2)), np.repeat(PLACES[:2], 30, axis=0)))
    assert len(_clusters.clusters(view, 20, np.random.default_rng(0)).centers) == 2
    assert len(set(diverse.pick(view, 20, np.random.default_rng(0)).tolist())) == 20
