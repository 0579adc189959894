import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldless.accuracy import confidence_threshold


@given(st.lists(st.tuples(st.sampled_from([0.5, 0.6, 0.7, 0.8]), st.booleans()), min_size=1, max_size=30))
def test_on_the_labels_themselves_it_is_their_accuracy_also_with_ties(rows):
    confidence, right = np.array([c for c, _ in rows]), np.array([z for _, z in rows])
    assert confidence_threshold(confidence, right, confidence) == pytest.approx(right.mean())


def test_the_share_of_the_pool_above_the_threshold():
    confidence, right = np.array([0.5, 0.6, 0.7, 0.8, 0.9]), np.array([0, 1, 0, 1, 1])
    assert confidence_threshold(confidence, right, np.array([0.69, 0.7, 0.95, 0.1])) == 0.5


def test_always_wrong_and_always_right():
    confidence = np.array([0.5, 0.6])
    assert confidence_threshold(confidence, np.zeros(2), np.ones(4)) == 0
    assert confidence_threshold(confidence, np.ones(2), np.array([0.9, 0.4])) == 0.5
