"""A race compares candidates by what the scorer reads: labels, rankings or probabilities."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import roc_auc_score

from foldless import FoldlessSearch
from foldless.criteria import BY_NAME


class RareBy(ClassifierMixin, BaseEstimator):
    """The larger a column, the likelier the rare class, and never so likely that it is predicted."""

    def __init__(self, column=0, scale=1.0):
        self.column, self.scale = column, scale

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        rare = 0.4 / (1 + np.exp(-self.scale * X[:, self.column]))
        return np.column_stack([1 - rare, rare])

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def rare(seed, n=200, pool=400):
    """Rows of which one in 20 is positive; the later a column, the better it ranks them."""
    rng = np.random.default_rng(seed)
    y = (np.arange(n + pool + 2000) % 20 == 0).astype(int)
    X = rng.normal(size=(len(y), 4)) + y[:, None] * np.array([0.2, 0.6, 1.0, 1.4])
    return (X[:n], y[:n]), X[n : n + pool], (X[n + pool :], y[n + pool :])


@pytest.mark.parametrize("scoring", ["roc_auc", "average_precision", "neg_log_loss", "neg_brier_score"])
def test_equal_labels_do_not_merge_candidates_whose_scorer_reads_no_labels(scoring):
    chosen = []
    for seed in range(4):
        (X, y), pool, test = rare(seed)
        search = FoldlessSearch(
            RareBy(), {"column": [0, 1, 2, 3]}, scoring=scoring, estimate=False, random_state=seed
        ).fit(X, y, X_unlabeled=pool)
        notes = "; ".join(note for choice in search.selection_.ranking for note in choice.notes)
        assert "merged" not in notes
        assert "one class" not in notes
        chosen.append(roc_auc_score(test[1], search.predict_proba(test[0])[:, 1]))
    # the probabilities are far too high for the rare class, and log loss and Brier score prefer those that vary least
    assert "neg" in scoring or np.mean(chosen) > 0.8  # columns have .56, .66, .76 and .84


def test_equal_rankings_are_merged_where_only_the_ranking_is_read():
    (X, y), pool, _ = rare(0)
    grid = {"column": [1, 3], "scale": [1.0, 2.0]}
    for scoring, merged in (("roc_auc", 2), ("neg_log_loss", 0)):
        search = FoldlessSearch(RareBy(), grid, scoring=scoring, estimate=False, random_state=0)
        table = search.fit(X, y, X_unlabeled=pool).selection_.table()
        assert table["notes"].str.contains("merged").sum() == merged


@pytest.mark.parametrize("criterion", ["auto", "hold_out"])
def test_a_candidate_that_names_one_class_is_not_degenerate_where_its_ranking_is_read(criterion):
    (X, y), pool, _ = rare(1)
    how = BY_NAME[criterion](scoring="roc_auc")
    search = FoldlessSearch(RareBy(), {"column": [0, 3]}, criterion=how, estimate=False, random_state=0)
    best = search.fit(X, y, X_unlabeled=pool).selection_.best
    assert criterion == "hold_out" or best.candidate.params["column"] == 3  # a fifth of the labels has two positives
    assert not best.rank.degenerate
    assert "one class" not in " ".join(best.notes)
