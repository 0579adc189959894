"""Candidates are compared by what the scorer reads: labels, rankings or probabilities."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import roc_auc_score
from tests.helpers.races import noisy

from foldless import FoldlessSearch
from foldless.criteria import BY_NAME
from foldless.criteria.racing._resamples import resamples
from foldless.criteria.racing._standings import Standings
from foldless.judging._scoring import judge_of


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


@pytest.mark.slow
@pytest.mark.parametrize("scoring", ["roc_auc", "average_precision", "neg_log_loss", "neg_brier_score"])
def test_equal_labels_say_nothing_where_the_scorer_reads_no_labels(scoring):
    chosen = []
    for seed in range(4):
        (X, y), pool, test = rare(seed)
        search = FoldlessSearch(
            RareBy(), {"column": [0, 1, 2, 3]}, scoring=scoring, estimate=False, random_state=seed
        ).fit(X, y, X_unlabeled=pool)
        notes = "; ".join(note for choice in search.selection_.ranking for note in choice.notes)
        assert "answers alike" not in notes
        chosen.append(roc_auc_score(test[1], search.predict_proba(test[0])[:, 1]))
    # the probabilities are far too high for the rare class, and log loss and Brier score prefer those that vary least
    assert "neg" in scoring or np.mean(chosen) > 0.8  # columns have .56, .66, .76 and .84


@pytest.mark.parametrize("criterion", ["auto", "hold_out"])
def test_a_candidate_that_names_one_class_is_not_degenerate_where_its_ranking_is_read(criterion):
    (X, y), pool, _ = rare(1)
    how = BY_NAME[criterion](scoring="roc_auc")
    search = FoldlessSearch(RareBy(), {"column": [0, 3]}, criterion=how, estimate=False, random_state=0)
    best = search.fit(X, y, X_unlabeled=pool).selection_.best
    assert criterion == "hold_out" or best.candidate.params["column"] == 3  # a fifth of the labels has two positives
    assert not best.rank.degenerate
    assert "answers alike" not in " ".join(best.notes)


@pytest.mark.parametrize("scoring", ["accuracy", "f1", "roc_auc", "neg_log_loss"])
def test_what_a_scorer_reads_says_what_is_blended(make_task, scoring):
    """Labels have a consensus on the pool; rankings and probabilities are judged by the score alone."""
    task = make_task([0, 1] * 20, n_pool=60, params=[{}] * 2, responses=("labels", "probabilities"))
    standings = Standings(task, judge_of(scoring, task), resamples(task, 3), splits=False, train=False, votes=False)
    answer = noisy(task, [0.9, 0.6])
    standings.record([answer(ask) for ask in standings.asks(3, 2)])
    for entry in standings.entries:
        assert ("consensus" in entry.parts) == (scoring in ("accuracy", "f1"))
        if scoring in ("roc_auc", "neg_log_loss"):
            assert entry.parts["blend"] == entry.parts["score"]


def test_scores_get_the_temperature_of_rows_left_out(make_task):
    """Scores that are ten times as large have ten times the temperature; probabilities have none."""
    rng, scale = np.random.default_rng(0), [1.0, 10.0]
    task = make_task([0, 1] * 40, n_pool=20, params=[{}] * 2, responses=("labels", "scores"))
    truth = np.concatenate([task.y, np.arange(20) % 2])
    margins = (2 * truth - 1) + 2 * rng.normal(size=len(truth))

    def answer(ask):
        signed = margins[ask.rows.indices]
        scores = np.column_stack([-signed, signed]) * scale[ask.fit.candidate.index]
        return scores if ask.response == "scores" else (signed > 0).astype(int)

    standings = Standings(task, judge_of("accuracy", task), resamples(task, 3), splits=False, train=False, votes=True)
    standings.record([answer(ask) for ask in standings.asks(3, 2)])
    cold, hot = (standings.temperature(entry) for entry in standings.entries)
    assert hot == pytest.approx(10 * cold, rel=1e-3)
