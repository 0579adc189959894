"""Labels that were drawn or picked count for the rows that they stand for, in the race too; checks take one thread."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_classification
from threadpoolctl import ThreadpoolController, threadpool_limits

from foldless import FoldlessSearch
from foldless.core import Candidate, Classes, LabelWeights, PoolRows, Rows, Task
from foldless.core._threads import FEW
from foldless.data._metadata import Draws, Metadata
from foldless.data._sample import Sample
from foldless.judging._left_out import LeftOut
from foldless.judging._scoring import ClassJudge
from foldless.learners import LinearSVC
from foldless.selection import _compared_rows
from foldless.selection._compared_rows import stands_for


def data(labels, pool, chances):
    y = np.arange(labels.shape[0]) % 2
    metadata = Metadata(draws=Draws(np.array(chances), np.zeros(len(y))))
    return Sample(labels, Classes(y, np.arange(2)), pool, metadata=metadata)


@pytest.mark.parametrize("kind", [np.array, sparse.csr_array])
def test_a_label_counts_half_by_the_rows_that_are_nearest_to_it(kind):
    labels, pool = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[1.0, 0.1]] * 6 + [[0.1, 1.0]] * 2)
    assert stands_for(data(kind(labels), kind(pool), [np.nan, 0.0]), np.array([1.0, 0.0])) == pytest.approx([0.6, 0.4])


def test_where_no_label_was_picked_those_that_were_drawn_have_their_weights():
    rows, drawn = np.eye(2), np.array([0.3, 0.7])
    assert stands_for(data(rows, rows, [np.nan, 0.5]), drawn) is drawn
    assert stands_for(data(rows, rows, [np.nan, np.nan]), None) is None
    assert stands_for(Sample(rows, Classes(np.arange(2), np.arange(2)), rows), None) is None
    assert stands_for(data(rows, None, [0.0, 0.5]), drawn) is None


@pytest.mark.parametrize(("weights", "scores"), [(None, [0.75, 0.25]), (np.array([0.7, 0.1, 0.1, 0.1]), [0.3, 0.7])])
def test_scores_are_weighted(weights, scores):
    candidates = (Candidate(0, "a", {}), Candidate(1, "b", {}))
    target, pool = Classes(np.array([0, 1, 1, 1]), np.arange(2)), PoolRows(Rows(range(4, 4)))
    task = Task(target, Rows(range(4)), pool, candidates, 2, 0, draws=LabelWeights(None, weights))
    left_out = LeftOut(task, ClassJudge("accuracy", task.classes))
    for at, labels in enumerate(([1, 1, 1, 1], [0, 0, 0, 0])):  # right about the last three, or about the first
        left_out.add(at, "labels", Rows(range(4)), np.array(labels), np.array(labels))
    assert left_out.standing([0, 1]).scores == pytest.approx(scores)
    assert [left_out.score(at) for at in (0, 1)] == pytest.approx(scores)  # what is shown


def limits():
    return {library["num_threads"] for library in ThreadpoolController().info() if library["user_api"] == "blas"}


@pytest.mark.parametrize("check", ["shift", "opinion_and_weights"])
def test_checks_of_large_samples_take_one_thread_of_blas_as_well(monkeypatch, check):
    seen = []
    before = getattr(_compared_rows, check)
    monkeypatch.setattr(_compared_rows, check, lambda *args: (seen.append(limits()), before(*args))[1])
    X, y = make_classification(2 * FEW, 5, random_state=0)
    with threadpool_limits(2, user_api="blas"):
        search = FoldlessSearch(LinearSVC(), {"C": [1.0]}, criterion="k_fold", random_state=0)
        search.fit(X[:200], y[:200], X_unlabeled=X[200:])
    assert seen == [{1}]
