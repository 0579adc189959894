import numpy as np
import pytest

from foldless.accuracy import calibrated_confidence, confidence_difference, confidence_threshold, prediction_powered
from foldless.criteria import (
    CalibratedConfidence,
    ConfidenceDifference,
    ConfidenceThreshold,
    Contingency,
    KFold,
    PredictionPowered,
)
from foldless.errors import CannotAnswer
from foldless.judging._cross_fit import cross_fitted

Y = list("aabbabbaabab")
OF_CONFIDENCE = {
    CalibratedConfidence(k=4): lambda a: calibrated_confidence(a.confidence, a.right, a.pool_confidence),
    CalibratedConfidence(4, "platt"): lambda a: calibrated_confidence(
        a.confidence, a.right, a.pool_confidence, "platt"
    ),
    ConfidenceDifference(k=4): lambda a: confidence_difference(a.confidence, a.right, a.pool_confidence),
    ConfidenceThreshold(k=4): lambda a: confidence_threshold(a.confidence, a.right, a.pool_confidence),
    PredictionPowered(k=4): lambda a: prediction_powered(a.right, a.confidence, a.pool_confidence).value,
}


def probabilities(ask):
    p = np.random.default_rng(ask.fit.candidate.index).uniform(0.05, 0.95, 40)[ask.rows.indices]
    return np.column_stack([1 - p, p])


@pytest.mark.parametrize("criterion", OF_CONFIDENCE, ids=lambda criterion: criterion.name)
def test_the_score_is_the_estimate_from_cross_fitted_answers(make_task, answered, criterion):
    task = make_task(Y, n_pool=20, params=[{}, {}], responses=["labels", "probabilities"])
    choices = answered(criterion, task, probabilities)
    asking = cross_fitted(task, 4, "this test")
    asks = next(asking)
    with pytest.raises(StopIteration) as end:
        asking.send([a.reduced(probabilities(a)) for a in asks])
    for choice, a in zip(choices, end.value.value, strict=True):
        assert choice.score == pytest.approx(OF_CONFIDENCE[criterion](a))
        assert choice.fits == (task.full(choice.candidate),)


@pytest.mark.parametrize("criterion", OF_CONFIDENCE, ids=lambda criterion: criterion.name)
def test_candidates_that_give_labels_only_cannot_be_judged(make_task, criterion):
    with pytest.raises(CannotAnswer) as refused:
        next(criterion.evaluate(make_task(Y, n_pool=5)))
    assert f"{criterion.name} needs probabilities or scores" in str(refused.value)


def test_many_ties_of_confidence_are_noted(make_task, answered):
    task = make_task(Y, n_pool=20, responses=["labels", "probabilities"])
    (choice,) = answered(ConfidenceThreshold(k=4), task, lambda ask: np.full((len(ask.rows), 2), 0.5))
    assert "12 labeled rows have 1 distinct confidences" in choice.notes[0]


def test_confidence_that_says_nothing_leaves_cross_validation(make_task, answered):
    task = make_task(Y, n_pool=20, responses=["labels", "probabilities"])
    even = lambda ask: np.full((len(ask.rows), 2), 0.5)  # noqa: E731
    (choice,) = answered(PredictionPowered(k=4), task, even)
    (folds,) = answered(KFold(4), task, lambda ask: np.zeros(len(ask.rows), dtype=int))
    assert choice.score == pytest.approx(folds.score)
    assert "weight of the pool 0.00" in choice.notes[0]


def test_a_less_confident_pool_lowers_the_prediction_powered_score(make_task, answered):
    task = make_task(Y, n_pool=200, responses=["labels", "probabilities"])
    truth, rng = task.y, np.random.default_rng(0)
    sure = np.where(np.arange(12) % 4 == 0, 0.55, rng.uniform(0.9, 1, 12))
    labels = np.where(np.arange(12) % 4 == 0, 1 - truth, truth)  # wrong exactly where it is not sure

    def answer(ask, pool):
        rows = ask.rows.indices
        if rows[0] >= 12:
            return np.column_stack([np.full(len(rows), pool), np.full(len(rows), 1 - pool)])
        return np.where(labels[rows][:, None] == np.arange(2), sure[rows][:, None], 1 - sure[rows][:, None])

    high, low = (answered(PredictionPowered(k=3), task, lambda ask, p=p: answer(ask, p))[0].score for p in (0.95, 0.6))
    assert low < 0.75 < high


def test_the_accuracy_on_a_pool_with_other_class_shares(make_task, answered):
    y = np.array([0] * 50 + [1] * 50)
    task = make_task(y, n_pool=1000)
    truth = np.concatenate([y, np.array([0] * 100 + [1] * 900)])
    right = np.arange(1100) % 10 < np.array([9, 6])[truth]  # nine in ten of the first class, six in ten of the second
    labels = np.where(right, truth, 1 - truth)
    (choice,) = answered(Contingency(k=5), task, lambda ask: labels[ask.rows.indices])
    assert choice.score == pytest.approx(0.1 * 0.9 + 0.9 * 0.6, abs=0.01)
    assert choice.notes == ()
    assert np.mean(labels[:100] == y) > choice.score + 0.1  # what cross-validation says


def test_few_labels_of_a_class_are_noted(make_task, answered):
    task = make_task(list("aabbabba"), n_pool=4)
    (choice,) = answered(Contingency(k=2), task, lambda ask: np.zeros(len(ask.rows), dtype=int))
    assert "the rarest class has 4 labels" in choice.notes[0]
    assert 0 <= choice.score <= 1
