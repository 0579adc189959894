"""A race compares candidates by what the scorer reads: labels, rankings or probabilities."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import f1_score, roc_auc_score

from foldless import FoldlessSearch
from foldless.criteria import BY_NAME
from foldless.criteria.racing._meaning import ClassMeaning, LabelMeaning, meaning_of
from foldless.criteria.racing._outputs import ProbabilityMeaning, RankingMeaning
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


@pytest.mark.parametrize("share", [0.05, 0.5])
def test_areas_under_the_curve_differ_by_no_more_than_rankings_do(make_task, share):
    rng = np.random.default_rng(0)
    truth = (np.arange(160) < 160 * share).astype(int)
    meaning = RankingMeaning(make_task(truth, n_pool=160))
    for noise in (0.01, 0.1, 1.0):
        first = np.round(truth + rng.normal(size=160), 1)  # some rows are equal
        second = first + noise * rng.normal(size=160)
        views = [meaning.view(np.column_stack([-scores, scores])) for scores in (first, second)]
        (apart,) = meaning.apart(views[0], views[1:])
        assert abs(roc_auc_score(truth, first) - roc_auc_score(truth, second)) <= apart
        assert meaning.apart(views[0], [views[0]]) == 0


def test_log_losses_differ_by_what_probabilities_do_where_these_are_right(make_task):
    meaning = ProbabilityMeaning(make_task([0, 1], n_pool=2))
    first, second = np.array([[0.9, 0.1], [0.5, 0.5]]), np.array([[0.8, 0.2], [0.5, 0.5]])
    (apart,) = meaning.apart(meaning.view(first), [meaning.view(second)])
    assert apart == pytest.approx((0.85 * np.log(0.9 / 0.8) + 0.15 * np.log(2)) / 2)
    assert apart >= np.abs(first - second).sum(axis=1).mean()


def test_labels_that_differ_in_a_rare_class_are_apart_for_metrics_of_classes(make_task):
    task = make_task(np.array(list("ab")), n_pool=200)
    first = (np.arange(200) < 10).astype(int)  # 5 % are of the rare class
    second = (np.arange(200) < 7).astype(int)  # 1.5 % of the labels differ, and nearly a third of the rare ones
    assert LabelMeaning(task).apart(first, [second]) == pytest.approx(0.015)
    assert ClassMeaning(task).apart(first, [second]) == pytest.approx(1 - f1_score(first, second))
    assert ClassMeaning(task).apart(first, [first]) == 0
    assert ClassMeaning(task).apart(np.zeros(200, dtype=int), [first]) == 1


@pytest.mark.parametrize(
    ("scoring", "kind"),
    {
        "accuracy": LabelMeaning,
        "f1": ClassMeaning,
        "balanced_accuracy": ClassMeaning,
        "roc_auc": RankingMeaning,
        "average_precision": RankingMeaning,
        "neg_log_loss": ProbabilityMeaning,
        "neg_brier_score": ProbabilityMeaning,
    }.items(),
)
def test_what_a_scorer_reads(make_task, scoring, kind):
    task = make_task([0, 1, 0, 1], n_pool=2)
    assert type(meaning_of(task, judge_of(scoring, task))) is kind
