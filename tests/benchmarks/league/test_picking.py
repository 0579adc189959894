"""Strategies that are compared with: by hand on a few rows, and by name in ``suggest``."""

from types import SimpleNamespace

import numpy as np
import pytest
from benchmarks.league.picking import COMPARED, farthest, least_sure, vote_entropy
from sklearn.datasets import make_blobs
from sklearn.naive_bayes import GaussianNB

from foldless import FoldlessSearch, suggest
from foldless.labeling import STRATEGIES


def test_the_least_sure_rows_and_the_entropy_of_votes():
    view = SimpleNamespace(
        unsure=np.array([0.1, 0.9, 0.5]), read=np.arange(3), shares=np.zeros((3, 2)), regression=False,
        votes=np.array([[0, 0, 1], [0, 1, 0]]), weights=np.array([0.5, 0.5]),
    )  # fmt: skip
    assert least_sure(view, 2, np.random.default_rng(0)).tolist() == [1, 2]
    assert vote_entropy(view) == pytest.approx([0, np.log(2), np.log(2)])


def test_the_farthest_row_comes_first():
    view = SimpleNamespace(features=(np.array([[0.0]]), np.array([[1.0], [9.0], [3.0], [5.0]])))
    assert farthest(view, 3, np.random.default_rng(0)).tolist() == [1, 3, 2]


def test_suggest_knows_them_once_they_are_added(monkeypatch):
    X, y = make_blobs(120, centers=3, cluster_std=3.0, random_state=0)
    search = FoldlessSearch(GaussianNB(), {"var_smoothing": [1e-9, 0.5]}, random_state=0)
    search.fit(X[:24], y[:24], X_unlabeled=X[24:])
    for name, strategy in COMPARED.items():
        monkeypatch.setitem(STRATEGIES, name, strategy)
        assert len(set(suggest(search, 8, strategy=name).rows.tolist())) == 8
    with pytest.raises(ValueError, match="core_set draws nothing"):
        suggest(search, 8, strategy="core_set", keep_valid=True)
