"""Rows are their numbers in their order, however they were made, and say so by their hash."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldless.core.rows import Rows, digest


@given(st.lists(st.integers(0, 9), max_size=8))
def test_rows_are_the_indices_in_their_order(indices):
    rows = Rows(np.array(indices, dtype=int))
    assert rows.indices.tolist() == indices
    assert len(rows) == len(indices)


@given(st.lists(st.integers(0, 4), max_size=5), st.lists(st.integers(0, 4), max_size=5))
def test_rows_are_equal_exactly_when_their_indices_are(one, other):
    first, second = Rows(np.array(one, dtype=int)), Rows(np.array(other, dtype=int))
    assert (first == second) == (one == other)
    assert (hash(first) == hash(second)) == (one == other)


@pytest.mark.parametrize(
    "built",
    [
        range(3, 7),
        np.arange(3, 7),
        np.arange(3, 7, dtype=np.int8),
        np.array([3, 4, 5, 6], dtype=np.uint32),
        np.arange(0, 14)[3:7],
        np.arange(6, 20, 2)[:4] // 2,
    ],
)
def test_a_span_is_the_same_however_it_is_built(built):
    assert Rows(built) == Rows(range(3, 7))
    assert Rows(built).digest == Rows(range(3, 7)).digest
    assert Rows(built).scattered is None
    assert (Rows(built).start, Rows(built).stop) == (3, 7)


def test_scattered_rows_are_the_same_however_they_are_built():
    expected = Rows(np.array([0, 2, 4]))
    assert expected.scattered is not None
    assert Rows(range(0, 5, 2)) == expected
    assert Rows(np.arange(6)[::2]) == expected
    assert Rows(range(10)).at(np.array([0, 2, 4])) == expected
    assert Rows(np.array([4, 2, 0])) != expected
    assert Rows(np.array([0, 0, 2])) != Rows(np.array([0, 2, 2]))


@pytest.mark.parametrize("built", [range(0), range(5, 5), range(9, 4), np.array([]), np.array([], dtype=int)])
def test_no_rows(built):
    rows = Rows(built)
    assert len(rows) == 0
    assert rows.indices.tolist() == []
    assert rows == Rows(range(0))


def test_rows_at_positions_keep_the_order_and_count_from_the_first():
    assert Rows(range(10, 20)).at(np.array([3, 0, 3])).indices.tolist() == [13, 10, 13]
    assert Rows(np.array([7, 1, 4])).at(np.array([2, 0])).indices.tolist() == [4, 7]


def test_a_span_of_a_billion_rows_costs_nothing():
    assert len(pickle.dumps(Rows(range(10**9)))) < 300
    assert pickle.loads(pickle.dumps(Rows(np.array([5, 1])))) == Rows(np.array([5, 1]))


def test_rows_are_not_their_digest():
    assert Rows(range(3)) != Rows(range(3)).digest
    assert "0:3" in repr(Rows(range(3)))
    assert "2 scattered" in repr(Rows(np.array([5, 1])))


def test_digest_keeps_the_borders_of_its_parts():
    assert digest("ab", "c") != digest("a", "bc")
    assert digest("ab") != digest("ab", "")
    assert digest("é") == digest("é".encode())


def test_rows_know_their_bounds():
    assert Rows(range(3, 9)).bounds == Rows(np.array([5, 3, 8])).bounds == (3, 8)
