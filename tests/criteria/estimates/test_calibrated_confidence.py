import numpy as np
import pytest

from foldless.accuracy import calibrated_confidence
from foldless.criteria import CalibratedConfidence
from foldless.errors import CannotAnswer
from foldless.judging._cross_fit import cross_fitted

Y = list("aabbabbaabab")


def probabilities(ask):
    p = np.random.default_rng(ask.fit.candidate.index).uniform(0.05, 0.95, 40)[ask.rows.indices]
    return np.column_stack([1 - p, p])


def test_the_score_is_the_estimate_from_cross_fitted_answers(make_task, answered):
    task = make_task(Y, n_pool=20, params=[{}, {}], responses=["labels", "probabilities"])
    choices = answered(CalibratedConfidence(k=4), task, probabilities)
    asking = cross_fitted(task, 4, "this test")
    asks = next(asking)
    with pytest.raises(StopIteration) as end:
        asking.send([a.reduced(probabilities(a)) for a in asks])
    for choice, a in zip(choices, end.value.value, strict=True):
        assert choice.score == pytest.approx(calibrated_confidence(a.confidence, a.right, a.pool_confidence))
        assert choice.fits == (task.full(choice.candidate),)


def test_candidates_that_give_labels_only_cannot_be_judged(make_task):
    with pytest.raises(CannotAnswer, match="calibrated_confidence needs probabilities or scores"):
        next(CalibratedConfidence().evaluate(make_task(Y, n_pool=5)))
