"""Labels to look at again: wrong ones come first."""

import numpy as np

from foldless.labeling import unlikely_labels


def test_wrong_labels_come_first():
    rng = np.random.default_rng(0)
    y = np.arange(120) % 3
    X = rng.normal(size=(120, 4)) + 4 * np.eye(3)[y] @ np.eye(3, 4)
    names = np.array(["a", "b", "c"])[y]
    wrong = [7, 50, 93]
    names[wrong] = np.array(["b", "c", "a"])[y[wrong]]
    doubts = unlikely_labels(X, names)
    assert {doubt.row for doubt in doubts[:3]} == set(wrong)
    assert [doubt.predicted for doubt in sorted(doubts[:3])] == [["a", "b", "c"][y[row]] for row in wrong]
    assert [doubt.probability for doubt in doubts] == sorted(doubt.probability for doubt in doubts)
    assert all(0 <= doubt.probability <= 1 for doubt in doubts)


def test_without_time_nothing_is_said():
    X = np.random.default_rng(0).normal(size=(30, 2))
    assert list(unlikely_labels(X, np.arange(30) % 2, seconds=0.0)) == []
