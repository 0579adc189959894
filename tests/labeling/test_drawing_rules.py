"""Rows that are drawn or picked: where leaders are unsure and labels are few, spread over the pool, or at random."""

from types import SimpleNamespace

import numpy as np
import pytest
from helpers.pool_views import PLACES, view_of
from scipy.stats import binom
from sklearn.datasets import make_blobs
from sklearn.naive_bayes import GaussianNB

from foldless import FoldlessSearch, suggest
from foldless.labeling import _drawing_rules
from foldless.labeling._drawing_rules import disputes, draw_at_random, draw_needed, draw_unsure, pick_diverse, walk
from foldless.labeling._known_probabilities import inclusion, systematic


def test_a_walk_goes_to_the_nearest_that_is_left():
    assert walk(np.array([[0.0], [5.0], [1.0], [2.0]])).tolist() == [0, 3, 1, 2]
    assert walk(np.zeros((1, 3))).tolist() == [0]


def test_unsure_rows_are_likelier_and_so_are_places_without_labels():
    unsure = np.where(np.arange(400) % 2 == 0, 0.9, 0.1)
    chances = inclusion(draw_needed(view_of(unsure, 30), 20, np.random.default_rng(1)).scores, 20)
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
    chances = inclusion(draw_needed(view, 20, np.random.default_rng(0)).scores, 20)
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
        scores, order, _ = draw_needed(view_of(np.full(400, 0.5), 4), 12, rng)
        rows = systematic(inclusion(scores, 12), order, rng)
        counts.append(np.bincount(rows // 100, minlength=4))
    alone = np.random.default_rng(3).multinomial(12, np.full(4, 0.25), 200)
    assert np.var(counts) < 0.5 * np.var(alone)


def places_of(rows):
    """How many rows are at each of the four places of the pool."""
    return np.bincount(np.asarray(rows) // 100, minlength=4)


@pytest.mark.parametrize("max_rows", [50, 400])
def test_rows_are_distinct_also_where_a_part_of_the_pool_places_the_centers(monkeypatch, max_rows):
    monkeypatch.setattr(_drawing_rules, "MAX_ROWS", max_rows)
    picked = pick_diverse(view_of(np.full(400, 0.5), 4), 8, np.random.default_rng(0))
    assert len(set(picked.tolist())) == 8


def test_rows_are_spread_over_the_places_without_labels():
    counts = places_of(pick_diverse(view_of(np.full(400, 0.5), 30), 9, np.random.default_rng(0)))
    assert counts[1:].min() >= 2
    assert counts[0] <= counts[1:].min()  # all labels are there


def test_disputed_rows_come_first():
    unsure = np.where(np.arange(400) % 2 == 0, 0.9, 0.05)
    picked = pick_diverse(view_of(unsure, 4), 12, np.random.default_rng(0))
    assert np.mean(picked % 2 == 0) > 0.7


def test_equal_rows_can_all_be_picked():
    view = SimpleNamespace(unsure=np.ones(60), features=(np.zeros((5, 2)), np.repeat(PLACES[:2], 30, axis=0)))
    assert len(set(pick_diverse(view, 20, np.random.default_rng(0)).tolist())) == 20
    assert sorted(pick_diverse(view, 60, np.random.default_rng(0)).tolist()) == list(range(60))


def test_a_draw_goes_by_how_unsure_the_leaders_are_and_along_what_they_say():
    view = view_of(np.arange(400) / 400, 4)
    view.labels = np.arange(400) % 3
    scores, order, _ = draw_unsure(view, 20, np.random.default_rng(0))
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


VIEW = SimpleNamespace(read=np.arange(30))


def test_all_rows_are_alike():
    scores, order, _ = draw_at_random(VIEW, 6, np.random.default_rng(0))
    assert inclusion(scores, 6).tolist() == [0.2] * 30
    assert sorted(order.tolist()) == list(range(30))


def test_neighbors_are_drawn_together_as_often_as_any_two_rows():
    """The order is random: by systematic sampling in the order of the pool they never would be."""
    rng, draws, together = np.random.default_rng(1), 2000, 0
    for _ in range(draws):
        scores, order, _ = draw_at_random(VIEW, 6, rng)
        together += {0, 1} <= set(systematic(inclusion(scores, 6), order, rng).tolist())
    chance = 0.2 * 5 / 29
    assert min(binom.cdf(together, draws, chance), binom.sf(together - 1, draws, chance)) > 1e-6
