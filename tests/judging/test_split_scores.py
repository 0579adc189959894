"""Scores on splits, by hand: each split by itself, several metrics, training rows, fits that failed."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from foldless.core import Ask, Candidate, Classes, Fold, PoolRows, Rows, ScorerInputs, Task
from foldless.errors import BadInput, CannotAnswer
from foldless.judging._split_scores import choices, named, scored

CANDIDATES = tuple(
    Candidate(at, f"c{at}", {}, frozenset(r))
    for at, r in enumerate([("labels", "scores"), ("labels", "probabilities")])
)
SPLITS = [Fold(Rows(np.array([0, 1])), Rows(np.array([3, 2]))), Fold(Rows(np.array([2, 3])), Rows(np.array([0, 1])))]
TASK = Task(Classes(np.array([0, 1, 1, 0]), np.arange(2)), Rows(range(4)), PoolRows(Rows(range(0))), CANDIDATES, 2, 0)
ONE = replace(TASK, candidates=CANDIDATES[:1])
RIGHT = [np.array([[0.9, 0.1], [0.2, 0.8]])] * 2


def sent(evaluation, answers):
    next(evaluation)
    with pytest.raises(StopIteration) as end:
        evaluation.send(answers)
    return end.value.value


def test_each_candidate_is_asked_about_every_split_and_scored_by_its_own_answers():
    evaluation = scored(TASK, SPLITS, "roc_auc")
    assert next(evaluation) == [
        Ask(TASK.fit(c, train), test, response)
        for c, response in zip(CANDIDATES, ("scores", "probabilities"), strict=True)
        for train, test in SPLITS
    ]
    wrong = [np.array([[0.1, 0.9], [0.8, 0.2]])] * 2
    with pytest.raises(StopIteration) as end:
        evaluation.send(RIGHT + wrong)
    assert [(own.score, own.splits[own.by]) for own in end.value.value] == [(1, (1, 1)), (0, (0, 0))]


def test_a_split_that_lacks_a_class_makes_the_metric_one_of_all_answers():
    splits = [
        Fold(Rows(np.array([3])), Rows(np.array([0, 1, 2]))),
        Fold(Rows(np.array([0, 1, 2])), Rows(np.array([3]))),
    ]
    given = [np.array([[0, 0.1], [0, 0.4], [0, 0.05]]), np.array([[0, 0.35]])]
    (own,) = sent(scored(ONE, splits, "roc_auc"), given)
    assert own.score == roc_auc_score([0, 1, 1, 0], [0.1, 0.4, 0.05, 0.35])
    assert own.splits[own.by][0] == roc_auc_score([0, 1, 1], [0.1, 0.4, 0.05])
    assert np.isnan(own.splits[own.by][1])


def test_several_metrics_and_training_rows_come_from_the_same_fits():
    evaluation = scored(ONE, SPLITS, ["accuracy", "roc_auc"], by="roc_auc", train=True)
    asks = next(evaluation)
    assert {(ask.rows, ask.response) for ask in asks} == {
        (rows, response) for fold in SPLITS for rows in fold for response in ("labels", "scores")
    }
    assert len({ask.fit for ask in asks}) == 2

    def answer(ask):
        truth = ONE.codes(ask.rows)
        return 1 - truth if ask.response == "labels" else np.eye(2)[truth]

    with pytest.raises(StopIteration) as end:
        evaluation.send([answer(ask) for ask in asks])
    (own,) = end.value.value
    assert own.score == 1
    assert own.splits == {
        "test_accuracy": (0, 0), "train_accuracy": (0, 0), "test_roc_auc": (1, 1), "train_roc_auc": (1, 1)
    }  # fmt: skip
    (choice,) = choices(ONE, [own])
    assert choice.details.metrics == own.splits


@pytest.mark.parametrize(("error_score", "score"), [(0.0, 0.5), (np.nan, np.nan), (0.25, 0.625)])
def test_a_split_whose_fit_failed_has_the_error_score(error_score, score):
    task = replace(ONE, scoring=ScorerInputs(error_score=error_score))
    (own,) = sent(scored(task, SPLITS, "accuracy"), [np.array([0, 1]), np.empty(0)])
    assert own.score == pytest.approx(score, nan_ok=True)
    assert own.splits[own.by] == pytest.approx((1, error_score), nan_ok=True)


def test_a_metric_that_scores_no_split_is_refused_and_raises_where_asked_to():
    three = replace(ONE, target=Classes(np.array([0, 1, 2, 0]), np.arange(3)))
    for task in (three, replace(three, scoring=ScorerInputs(error_score="raise"))):
        with pytest.raises(CannotAnswer, match="'roc_auc' cannot score"):
            sent(scored(task, SPLITS, "roc_auc"), [np.eye(3)[[0, 2]], np.eye(3)[[0, 1]]])


def test_weights_reach_the_metric_that_takes_them():
    task = replace(ONE, scoring=ScorerInputs({"score": np.array([1.0, 3.0, 1.0, 1.0])}))
    (own,) = sent(scored(task, SPLITS, "accuracy"), [np.array([0, 1]), np.array([1, 1])])
    assert own.splits[own.by] == (1, 0.75)


def test_any_other_scorer_is_put_to_the_fits():
    def reads_features(model, X, y):
        return X.sum()

    evaluation = scored(ONE, SPLITS, reads_features, train=True)
    asks = next(evaluation)
    assert [(ask.response, ask.may_fail) for ask in asks] == [("metrics", True)] * 4
    assert asks == next(scored(ONE, SPLITS, reads_features, train=True))  # so that a replay finds the answers
    assert asks != next(scored(ONE, SPLITS, lambda model, X, y: 0, train=True))
    answers = [np.array([(value,)], dtype=[("score", float)]) for value in (1, 2, 3, 4)]
    with pytest.raises(StopIteration) as end:
        evaluation.send(answers)
    (own,) = end.value.value
    assert own.splits == {"test_score": (1, 2), "train_score": (3, 4)}


def test_metrics_of_a_dict_are_found_in_the_answers():
    def both(model, X, y):
        return {"a": 1, "b": 2}

    answers = [np.array([(1, 2)], dtype=[("a", float), ("b", float)]), np.empty(0)]
    (own,) = sent(scored(replace(ONE, scoring=ScorerInputs(error_score=7)), SPLITS, both, by="b"), answers)
    assert own.splits == {"test_a": (1, 7), "test_b": (2, 7)}
    assert own.score == 4.5
    with pytest.raises(BadInput, match="refit must be set to a scorer key"):
        evaluation = scored(ONE, SPLITS, both, by="c")
        next(evaluation)
        evaluation.send(answers)


@pytest.mark.parametrize("scoring", [7, [1, 2], [], ["accuracy", "accuracy"], None])
def test_what_is_no_metric_is_refused(scoring):
    with pytest.raises(BadInput, match="scoring must"):
        named(scoring)
