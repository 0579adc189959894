import numpy as np
import pytest

from foldless.criteria import Contingency


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
