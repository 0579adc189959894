"""Cross-fitted answers are those of the fold fits: out of fold on the labels, and of every fold fit on the pool."""

import numpy as np
import pytest
from scipy.special import softmax

from foldless.core import Candidate, Classes, PoolRows, Rows, Task
from foldless.errors import CannotAnswer
from foldless.judging._cross_fit import Confidence, cross_fitted


def task_of(responses):
    y = np.array([0, 1] * 6)
    candidates = (Candidate(0, "a", {}, frozenset(responses)), Candidate(1, "b", {}, frozenset(responses)))
    return Task(Classes(y, np.array(["no", "yes"])), Rows(range(12)), PoolRows(Rows(range(12, 17))), candidates, 2, 0)


@pytest.mark.parametrize("response", ["probabilities", "scores"])
def test_each_row_is_answered_by_the_fit_that_did_not_see_it(response):
    task = task_of(["labels", response])
    table = np.random.default_rng(0).normal(size=(2, 17, 2))
    table = softmax(table, axis=2) if response == "probabilities" else table
    asking = cross_fitted(task, 3, "this test")
    asks = next(asking)
    assert all(not set(a.fit.rows.indices) & set(a.rows.indices) for a in asks)
    with pytest.raises(StopIteration) as end:
        asking.send([a.reduced(table[a.fit.candidate.index][a.rows.indices]) for a in asks])
    for at, fitted in enumerate(end.value.value):
        rows = np.concatenate([test.indices for _, test in task.folds(3)])
        p = table[at] if response == "probabilities" else softmax(table[at], axis=1)
        np.testing.assert_array_equal(fitted.labels, p[rows].argmax(axis=1))
        np.testing.assert_allclose(fitted.confidence, p[rows].max(axis=1))
        np.testing.assert_array_equal(fitted.truth, task.y[rows])
        np.testing.assert_array_equal(fitted.right, p[rows].argmax(axis=1) == task.y[rows])
        np.testing.assert_allclose(fitted.pool_confidence, np.tile(p[12:].max(axis=1), 3))


def test_a_class_that_a_fold_has_not_seen_has_no_confidence():
    np.testing.assert_array_equal(Confidence("scores")(np.array([[0.3, -np.inf]])), [[0], [1]])


def test_labels_alone_have_no_confidence():
    with pytest.raises(CannotAnswer, match="'a' does not give"):
        next(cross_fitted(task_of(["labels"]), 3, "this test"))
