import numpy as np
import pytest

from foldless.accuracy import confidence_difference


def test_no_difference_leaves_the_accuracy_of_the_labels():
    confidence, right = np.array([0.9, 0.6, 0.8]), np.array([1, 0, 1])
    assert confidence_difference(confidence, right, confidence) == pytest.approx(2 / 3)


def test_accuracy_moves_with_confidence_and_stays_a_share():
    confidence, right = np.array([0.9, 0.7]), np.array([True, False])
    assert confidence_difference(confidence, right, confidence - 0.1) == pytest.approx(0.4)
    assert confidence_difference(confidence, np.array([1, 1]), np.ones(3)) == 1
    assert confidence_difference(np.ones(2), np.array([0, 0]), np.full(3, 0.5)) == 0
