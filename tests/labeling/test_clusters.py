"""Clusters of labels and pool: how many, and by which rows."""

from types import SimpleNamespace

import numpy as np
import pytest
from helpers.pool_views import PLACES, view_of

from foldless.labeling import _drawing_rules


@pytest.mark.parametrize("rows", [50, 400])
def test_a_large_pool_is_clustered_by_a_part_of_it(monkeypatch, rows):
    monkeypatch.setattr(_drawing_rules, "MAX_ROWS", rows)
    parts = _drawing_rules.clusters(view_of(np.full(400, 0.5), 4), 8, np.random.default_rng(0))
    assert len(parts.cluster_of) == len(parts.squared_distances) == 400
    assert len(parts.centers) == len(parts.labels) == 12
    assert parts.labels.sum() == 4


def test_equal_rows_have_no_more_clusters_than_there_are_of_them():
    view = SimpleNamespace(unsure=np.ones(60), features=(np.zeros((5, 2)), np.repeat(PLACES[:2], 30, axis=0)))
    assert len(_drawing_rules.clusters(view, 20, np.random.default_rng(0)).centers) == 2


def test_rows_weigh_by_the_square_of_how_unsure_the_leaders_are():
    view = view_of(np.where(np.arange(400) < 200, 0.2, 0.4), 4)
    weights = _drawing_rules.clusters(view, 8, np.random.default_rng(0)).weights
    assert weights[:200] == pytest.approx(0.25 + _drawing_rules.MIN_WEIGHT)
    assert weights[200:] == pytest.approx(1 + _drawing_rules.MIN_WEIGHT)
