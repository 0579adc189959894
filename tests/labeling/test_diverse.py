"""Diverse rows: disputed ones, each in another part of the pool, and first where there are no labels."""

from types import SimpleNamespace

import numpy as np
import pytest
from helpers.pool_views import PLACES, view_of
from sklearn.datasets import make_blobs
from sklearn.naive_bayes import GaussianNB

from foldless import FoldlessSearch, suggest
from foldless.labeling import _clusters
from foldless.labeling._diverse import draw, pick


def places_of(rows):
    """How many rows are at each of the four places of the pool."""
    return np.bincount(np.asarray(rows) // 100, minlength=4)


@pytest.mark.parametrize("max_rows", [50, 400])
def test_rows_are_distinct_also_where_a_part_of_the_pool_places_the_centers(monkeypatch, max_rows):
    monkeypatch.setattr(_clusters, "MAX_ROWS", max_rows)
    picked = pick(view_of(np.full(400, 0.5), 4), 8, np.random.default_rng(0))
    assert len(set(picked.tolist())) == 8


def test_rows_are_spread_over_the_places_without_labels():
    counts = places_of(pick(view_of(np.full(400, 0.5), 30), 9, np.random.default_rng(0)))
    assert counts[1:].min() >= 2
    assert counts[0] <= counts[1:].min()  # all labels are there


def test_disputed_rows_come_first():
    unsure = np.where(np.arange(400) % 2 == 0, 0.9, 0.05)
    picked = pick(view_of(unsure, 4), 12, np.random.default_rng(0))
    assert np.mean(picked % 2 == 0) > 0.7


def test_equal_rows_can_all_be_picked():
    view = SimpleNamespace(unsure=np.ones(60), features=(np.zeros((5, 2)), np.repeat(PLACES[:2], 30, axis=0)))
    assert len(set(pick(view, 20, np.random.default_rng(0)).tolist())) == 20
    assert sorted(pick(view, 60, np.random.default_rng(0)).tolist()) == list(range(60))


def test_a_draw_goes_by_how_unsure_the_leaders_are_and_along_what_they_say():
    view = view_of(np.arange(400) / 400, 4)
    view.labels = np.arange(400) % 3
    scores, order = draw(view, 20, np.random.default_rng(0))
    assert scores.tolist() == view.unsure.tolist()
    assert sorted(order.tolist()) == list(range(400))
    assert view.labels[order].tolist() == sorted(view.labels.tolist())
    assert (np.diff(view.unsure[order[:134]]) > 0).all()


@pytest.fixture(scope="module")
def search():
    X, y = make_blobs(260, centers=3, cluster_std=3.0, random_state=0)
    return FoldlessSearch(GaussianNB(), {"var_smoothing": [1e-9, 0.5]}, random_state=0).fit(
        X[:24], y[:24], X_unlabeled=X[24:]
    )


def test_picked_rows_have_no_probabilities_and_drawn_ones_do(search):
    picked = suggest(search, 12, strategy="diverse")
    assert picked.probabilities is None
    assert (np.diff(picked.scores) <= 0).all()  # the least sure first
    drawn = suggest(search, 12, strategy="diverse", keep_valid=True)
    assert drawn.probabilities.min() > 0
    assert drawn.strategy == "diverse"


def test_rows_that_have_a_label_already_are_not_picked(search):
    ground = search.selection_.ground
    pool = np.vstack([ground.data.pool, ground.data.labeled])
    again = FoldlessSearch(GaussianNB(), {"var_smoothing": [1e-9, 0.5]}, random_state=0)
    again.fit(ground.data.labeled, ground.data.y, X_unlabeled=pool)
    assert suggest(again, 1000, strategy="diverse").rows.max() < 236
