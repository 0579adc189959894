"""An average of the candidates: who is asked what, what is offered, and that its score is honest."""

import time

import numpy as np
import pytest
from helpers.clock import patched
from sklearn.datasets import load_digits, make_classification
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from foldless import FoldlessSearch
from foldless.core import Ask
from foldless.core.criterion import OutOfTime
from foldless.criteria import Combination
from foldless.criteria.combination import SHIFTED
from foldless.errors import StoppedEarly
from foldless.learners import AveragingClassifier, PoolFeatures
from foldless.selection import _estimating as estimating

Y = np.array(list("aabbabbaabab"))
MIXED = {
    "logistic": (LogisticRegression(max_iter=1000), {"C": [0.1, 10.0]}),
    "rbf": (SVC(), {"C": [1.0, 10.0]}),
    "bayes": (GaussianNB(), {}),
    "neighbors": (KNeighborsClassifier(), {"n_neighbors": [1, 5]}),
}


def by_truth(task, share):
    """Probabilities that have the true class with this share."""

    def answer(ask):
        if ask.rows.indices.max() >= len(task.y):
            return np.zeros(len(ask.rows), dtype=int)
        p = np.full((len(ask.rows), task.n_classes), (1 - share) / (task.n_classes - 1))
        p[np.arange(len(ask.rows)), task.codes(ask.rows)] = share
        return p if ask.response == "probabilities" else task.codes(ask.rows)

    return answer


def test_every_candidate_is_asked_on_every_fold_and_members_about_the_rest(make_task, answered, asked):
    task = make_task(Y, n_pool=3, params=[{}, {}], responses=["labels", "probabilities"])
    choices = answered(Combination(4), task, by_truth(task, 0.9))
    folds = task.folds(4)
    expected = [Ask(task.fit(c, train), test, "probabilities") for c in task.candidates for train, test in folds]
    assert asked[:8] == expected
    first = max(choices, key=lambda choice: choice.rank.by)
    assert {ask.fit for ask in asked[8:]} == set(first.fits)
    assert first.vote.voting == "soft"
    assert sum(first.vote.weights) == pytest.approx(1)
    assert first.score == 1


def test_folds_count_that_were_answered_when_the_time_was_up(make_task):
    task = make_task(Y, n_pool=3, params=[{}, {}, {}], responses=["labels", "probabilities"])
    answer, evaluation = by_truth(task, 0.9), Combination(4).evaluate(task)
    asks, nothing = next(evaluation), Combination(4).evaluate(task)
    with pytest.raises(OutOfTime):
        nothing.throw(OutOfTime([None] * len(next(nothing))))
    there = [answer(ask) if at in (0, 1, 4, 5, 8) else None for at, ask in enumerate(asks)]
    about = evaluation.throw(OutOfTime(there))  # two folds of the first two candidates, one of the third
    with pytest.raises(StopIteration) as end:
        evaluation.send([answer(ask) for ask in about])
    choices = end.value.value
    assert [choice.candidate for choice in choices] == list(task.candidates[:2])
    assert all(len(choice.splits) == 2 for choice in choices)
    assert "judged by 2 of 4 folds" in max(choices, key=lambda choice: choice.rank.by).notes
    assert max(choices, key=lambda choice: choice.rank.by).score == 1


def test_scores_vote_with_a_temperature():
    X, y = make_classification(120, 6, n_informative=4, n_classes=3, random_state=0)
    search = FoldlessSearch(MIXED, criterion="combination", random_state=0, estimate=False).fit(X[:80], y[:80])
    average = search.best_estimator_
    assert isinstance(average, AveragingClassifier)
    by_scores = [t is not None for t in average.temperatures_]
    assert by_scores == [not hasattr(member, "predict_proba") for member in average.estimators_]
    assert any(by_scores)
    p = average.predict_proba(X[80:])
    np.testing.assert_allclose(p.sum(axis=1), 1)
    again = average.fit(X[:80], y[:80])  # trained again, it is the same average
    np.testing.assert_allclose(again.predict_proba(X[80:]), p, atol=1e-6)


@pytest.mark.slow
def test_the_average_is_better_than_the_mean_of_its_members():
    X, y = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    train, test = order[:100], order[100:]
    models = {**MIXED, "trees": (ExtraTreesClassifier(50, random_state=0), {})}
    search = FoldlessSearch(models, criterion="combination", random_state=0, estimate=False).fit(X[train], y[train])
    alone = [
        FoldlessSearch({name: pair}, criterion="k_fold", random_state=0, estimate=False).fit(X[train], y[train])
        for name, pair in models.items()
    ]
    assert search.score(X[test], y[test]) > np.mean([one.score(X[test], y[test]) for one in alone]) + 0.02


@pytest.mark.slow
def test_the_score_of_coins_is_that_of_coins(make_task, answered):
    """Weights that had seen the rows they are judged on would find a combination of 100 coins that is better."""

    def guess(ask):
        if ask.response == "labels":
            return np.zeros(len(ask.rows), dtype=int)
        p = np.array([np.random.default_rng([ask.fit.candidate.index, row]).uniform() for row in ask.rows.indices])
        return np.c_[p, 1 - p]

    scores, seen = [], []
    for seed in range(4):
        y = np.random.default_rng(seed).integers(2, size=100)
        task = make_task(y, params=[{}] * 100, responses=["labels", "probabilities"], seed=seed)
        first = max(answered(Combination(), task, guess), key=lambda choice: choice.rank.by)
        scores.append(first.score)
        votes = [guess(Ask(fit, task.labeled, "probabilities")) for fit in first.fits]
        seen.append(np.mean(np.tensordot(first.vote.weights, votes, 1).argmax(axis=1) == y))
    assert abs(np.mean(scores) - 0.5) < 3 * 0.5 / np.sqrt(400)  # three standard errors
    assert np.mean(seen) > 0.5 + 3 * 0.5 / np.sqrt(400)  # the twin: the weights of the model on rows that found them


def test_the_estimate_is_of_the_average_and_its_scores(monkeypatch):
    divided = []
    made = estimating.probabilities
    monkeypatch.setattr(estimating, "probabilities", lambda scores, t: divided.append(t) or made(scores, t))
    X, y = make_classification(300, 6, n_informative=4, random_state=0)
    search = FoldlessSearch(MIXED, criterion="combination", random_state=0).fit(X[:100], y[:100])
    estimate = search.selection_.estimate
    assert set(divided) == set(search.best_estimator_.temperatures_) - {None}
    assert estimate.lower <= search.score(X[100:], y[100:]) <= estimate.upper
    assert abs(estimate.value - search.best_score_) < 0.05  # the weights have seen the rows of the first


def test_candidates_that_have_labels_only(make_task, answered):
    task = make_task(Y, params=[{}, {}])
    choices = answered(Combination(3), task, by_truth(task, 1.0))
    assert [choice.score for choice in choices] == pytest.approx([1.0, 1.0])


def test_one_fold_for_each_row_at_most(make_task, answered, asked):
    task = make_task(list("abab"), responses=["labels", "probabilities"])
    answered(Combination(5), task, by_truth(task, 0.8))
    assert len([ask for ask in asked if ask.response == "probabilities"]) == 4


def test_groups_stay_in_one_fold(make_task, answered, asked):
    groups = np.repeat(np.arange(6), 2)
    task = make_task(Y, groups=groups, responses=["labels", "probabilities"])
    answered(Combination(3), task, by_truth(task, 0.8))
    for ask in asked[:3]:
        assert not set(groups[ask.rows.indices]) & set(groups[ask.fit.rows.indices])


class Late(GaussianNB):
    """It is not ready within the time budget."""

    def fit(self, X, y, sample_weight=None):
        time.sleep(2.5)
        return super().fit(X, y, sample_weight)


@pytest.mark.slow
def test_a_run_that_was_stopped_says_that_it_has_no_estimate(monkeypatch):
    patched(monkeypatch)
    X, y = make_classification(60, 5, random_state=0)
    search = FoldlessSearch({"first": GaussianNB(), "late": Late()}, criterion="combination", time_budget=2)
    with pytest.warns(StoppedEarly):
        search.fit(X, y)
    assert search.selection_.estimate is None
    assert any("no estimate" in note for note in search.selection_.notes)


def test_candidates_are_not_compared_with_an_average():
    X, y = make_classification(80, 8, n_informative=4, flip_y=0.2, random_state=0)
    selection = FoldlessSearch(MIXED, criterion="combination", random_state=0).fit(X, y).selection_
    assert len(selection.members) > 1
    assert sum(selection.members.values()) == pytest.approx(1)
    assert selection.differences == {}


@pytest.mark.parametrize("moved", [False, True])
def test_a_pool_that_is_not_like_the_labels_teaches_nothing(moved):
    X, y = load_digits(n_class=4, return_X_y=True)
    models = {"logistic": LogisticRegression(C=0.01, max_iter=1000), "taught": PoolFeatures("spreading-15")}
    search = FoldlessSearch(models, criterion="combination", random_state=0, estimate=False)
    search.fit(X[:60] / 16, y[:60], X_unlabeled=X[60:300] / 16 + 9 * moved * np.eye(64)[20])
    weighed = any(member.semi_supervised for member in search.selection_.members)
    notes = [note for choice in search.selection_.ranking for note in choice.notes]
    assert weighed != moved
    assert (SHIFTED in notes) == moved
