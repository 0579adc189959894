"""Counts while learning: by hand, and against scikit-learn and the measures."""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, balanced_accuracy_score

from foldless.measures import BAKLD, KLD
from foldless.streams.prequential import Counts, Running
from foldless.streams.registry import judged

rng = np.random.default_rng(0)
true, said = rng.integers(0, 3, 500), rng.integers(0, 3, 500)


def test_against_scikit_learn():
    told = Counts.of(true, said, 3).told()
    assert told["accuracy"] == pytest.approx(accuracy_score(true, said))
    assert told["balanced_accuracy"] == pytest.approx(balanced_accuracy_score(true, said))


def test_kld_by_hand():
    told = Counts(np.array([[6, 2], [1, 1]])).told()
    p, q = np.array([8.5, 2.5]) / 11, np.array([7.5, 3.5]) / 11
    assert told["kld"] == pytest.approx(np.sum(p * np.log(p / q)))


def test_the_learners_measure_of_two_classes():
    two, told = true > 0, said > 1
    counts = Counts.of(two.astype(int), told.astype(int), 2)
    assert judged("bakld", counts) == pytest.approx(BAKLD().score(two, told, True))
    assert judged("kld", counts) == pytest.approx(-counts.told()["kld"])


def test_of_more_classes_it_is_the_mean_of_each_against_the_rest():
    each = [KLD().score(true == k, said == k, True) for k in range(3)]
    assert judged("kld", Counts.of(true, said, 3)) == pytest.approx(np.mean(each))


def test_a_batch_counts_for_all_and_fades_in_the_recent_ones():
    running = Running(3)
    assert judged("kld", running.whole) is None
    assert running.whole.told()["accuracy"] is None
    running.add(true[:100], said[:100])
    running.add(true[100:], said[100:])
    assert np.array_equal(running.whole.table, Counts.of(true, said, 3).table)
    assert running.recent.n == pytest.approx(0.9 * 100 + 400)
