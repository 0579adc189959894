"""Prequential evaluation: by hand, and against scikit-learn and the measures."""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, balanced_accuracy_score

from foldless.measures import BAKLD, KLD
from foldless.streams import ConfusionMatrix, PrequentialEvaluation

rng = np.random.default_rng(0)
true, predicted = rng.integers(0, 3, 500), rng.integers(0, 3, 500)


def test_against_scikit_learn():
    scores = ConfusionMatrix.of(true, predicted, 3).scores()
    assert scores["accuracy"] == pytest.approx(accuracy_score(true, predicted))
    assert scores["balanced_accuracy"] == pytest.approx(balanced_accuracy_score(true, predicted))


def test_kld_by_hand():
    scores = ConfusionMatrix(np.array([[6, 2], [1, 1]])).scores()
    p, q = np.array([8.5, 2.5]) / 11, np.array([7.5, 3.5]) / 11
    assert scores["kld"] == pytest.approx(np.sum(p * np.log(p / q)))


def test_the_learners_measure_of_two_classes():
    two, guess = true > 0, predicted > 1
    counts = ConfusionMatrix.of(two.astype(int), guess.astype(int), 2)
    assert counts.value("bakld") == pytest.approx(BAKLD().score(two, guess, True))
    assert counts.value("kld") == pytest.approx(-counts.scores()["kld"])


def test_of_more_classes_it_is_the_mean_of_each_against_the_rest():
    each = [KLD().score(true == k, predicted == k, True) for k in range(3)]
    assert ConfusionMatrix.of(true, predicted, 3).value("kld") == pytest.approx(np.mean(each))


def test_a_batch_counts_for_all_and_fades_in_the_recent_ones():
    evaluation = PrequentialEvaluation(3)
    assert evaluation.whole.value("kld") is None
    assert evaluation.whole.scores()["accuracy"] is None
    evaluation.add(true[:100], predicted[:100])
    evaluation.add(true[100:], predicted[100:])
    assert np.array_equal(evaluation.whole.table, ConfusionMatrix.of(true, predicted, 3).table)
    assert evaluation.recent.n_rows == pytest.approx(0.9 * 100 + 400)
