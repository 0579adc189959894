import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldless.errors import BadInput
from foldless.quantifiers import classify_and_count


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.int64])
def test_shares_are_counts_over_rows(kind):
    assert classify_and_count(np.array([0, 2, 2, 0, 0], dtype=kind), 4).tolist() == [0.6, 0.0, 0.4, 0.0]


def test_rows_given_to_no_class_count_for_none():
    assert classify_and_count(np.array([0, -1, 1, -1]), 2).tolist() == [0.25, 0.25]
    assert classify_and_count(np.array([-1, -1]), 2).tolist() == [0.0, 0.0]


@given(st.lists(st.integers(0, 4), min_size=1, max_size=30), st.randoms())
def test_shares_sum_to_one_and_forget_the_order(labels, random):
    shares = classify_and_count(np.array(labels), 5)
    assert shares.sum() == pytest.approx(1)
    assert shares.shape == (5,)
    random.shuffle(labels)
    assert classify_and_count(np.array(labels), 5).tolist() == shares.tolist()


def test_shares_of_nothing():
    with pytest.raises(BadInput, match="no rows to estimate shares from"):
        classify_and_count(np.array([], dtype=np.int8), 2)
