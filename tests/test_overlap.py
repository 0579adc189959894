import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from foldless.core import Overlap
from foldless.overlap import hashes, overlap

X = np.random.default_rng(0).integers(0, 3, (40, 4)) * 0.5
TEXTS = ["ham", "spam", "eggs", "spam and eggs", ""]


def slow(labeled, pool):
    """Pool rows found among the labeled ones, row by row."""
    rows = {tuple(row) for row in np.asarray(labeled).tolist()}
    return sum(tuple(row) in rows for row in np.asarray(pool).tolist())


@given(arrays(float, (6, 3), elements=st.sampled_from([0.0, 1.0, -1.0, 2.5])), st.integers(1, 5))
def test_rows_are_counted_as_one_by_one(values, cut):
    labeled, pool = values[:cut], values[cut:]
    expected = slow(labeled, pool)
    assert overlap(labeled, pool).rows == expected
    assert overlap(sparse.csr_array(labeled), sparse.csc_array(pool)).rows == expected
    assert overlap(pd.DataFrame(labeled), pd.DataFrame(pool)).rows == expected
    assert overlap(labeled.tolist(), pool.tolist()).rows == expected


FORMS = {
    "array": np.asarray,
    "integers": lambda rows: (rows * 2).astype(int),
    "float32": lambda rows: rows.astype(np.float32),
    "bytes": lambda rows: (rows * 2).astype(np.uint8),
    "booleans": lambda rows: rows > 0.4,
    "objects": lambda rows: rows.astype(object),
    "strings": lambda rows: rows.astype(str),
    "three axes": lambda rows: rows.reshape(len(rows), 2, 2),
    "csr": sparse.csr_matrix,
    "frame": pd.DataFrame,
    "mixed frame": lambda rows: pd.DataFrame(rows).astype({0: "string", 1: "category", 2: "Float64", 3: object}),
    "polars": lambda rows: pl.DataFrame(rows, schema=list("abcd")),
    "texts": lambda rows: [str(row) for row in rows],
    "series of texts": lambda rows: pd.Series([str(row) for row in rows]),
    "lists": lambda rows: rows.tolist(),
    "ragged lists": lambda rows: [row[: 1 + at % 4].tolist() for at, row in enumerate(rows)],
    "dicts": lambda rows: [dict(enumerate(row.tolist())) for row in rows],
    "frame of lists": lambda rows: pd.DataFrame({"a": rows.tolist()}),
    "dates": lambda rows: pd.DataFrame({"a": pd.to_datetime(rows[:, 0] * 1e18)}),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_the_same_rows_in_any_order_are_the_same(form):
    made = FORMS[form]
    shuffled = np.random.default_rng(1).permutation(40)
    if form != "ragged lists":  # where a row is depends on its number
        assert overlap(made(X), made(X[shuffled])) == Overlap(40, same=True)
    assert overlap(made(X), made(X.copy())) == Overlap(40, same=True)
    other = overlap(made(X), made(X[:-1]))
    assert other == Overlap(39, same=False)


def test_the_same_object_is_the_same():
    for rows in (X, sparse.csr_array(X), TEXTS):
        assert overlap(rows, rows).same


def test_a_multiset_counts_how_often():
    assert not overlap(X[[0, 0, 1]], X[[0, 1, 1]]).same
    assert overlap(X[[0, 0, 1]], X[[1, 0, 0]]).same


def test_texts():
    assert overlap(TEXTS[:3], TEXTS[2:]) == Overlap(1)
    assert overlap(np.array(TEXTS[:3]), np.array(TEXTS[2:])) == Overlap(1)


def test_values_that_are_equal_hash_alike():
    whole = np.array([[1, 0, 2], [0, 0, 0]])
    for other in (
        whole.astype(float),
        whole.astype(np.float32),
        whole * np.array([1, -0.0, 1]),
        whole.astype(np.int8),
    ):
        assert hashes(other).tolist() == hashes(whole).tolist()
    assert hashes(np.array([[np.nan, 1]])) == hashes(np.array([[-np.nan, 1]]))
    assert hashes(sparse.csr_array(whole)).tolist() == hashes(whole).tolist()
    frame = pd.DataFrame({"a": [1, 2], "b": [0.5, np.nan]})
    assert hashes(frame).tolist() == hashes(frame.astype({"a": float})).tolist()
    assert hashes(frame["b"].astype("Float64")).tolist() == hashes(frame["b"]).tolist()


def test_values_that_differ_do_not():
    made = [
        [0, 0, 1],
        [0, 1, 0],
        [1, 0, 0],
        [1, 1, 0],
        [0, 0, 2],
        [0, 0, -1],
        [0, 0, 0.5],
        [0, 0, np.nan],
        [0, 0, np.inf],
    ]
    assert len(set(hashes(np.array(made)).tolist())) == len(made)
    large = np.array([[2**53], [2**53 + 1], [2**62], [2**62 + 1], [-(2**62) - 1]])
    assert len(set(hashes(large).tolist())) == len(large)


def test_how_a_sparse_row_is_stored_does_not_matter():
    plain = sparse.csr_array(np.array([[0, 3, 0, 4.0], [0, 0, 0, 0], [1, 0, 0, 0]]))
    stored = sparse.csr_array(
        (np.array([4, 1, 2, 0, 1.0]), np.array([3, 1, 1, 2, 0]), np.array([0, 4, 4, 5])), shape=(3, 4)
    )  # unsorted, twice in one place, an explicit zero
    before = stored.data.copy()
    assert hashes(stored).tolist() == hashes(plain).tolist()
    assert stored.data.tolist() == before.tolist()  # the user's matrix is left as it is


def test_many_columns_and_blocks(monkeypatch):
    wide = np.random.default_rng(0).normal(size=(50, 30))
    whole = hashes(wide)
    monkeypatch.setattr("foldless.overlap.BLOCK", 64)
    assert hashes(wide).tolist() == whole.tolist()
    assert len(set(whole.tolist())) == 50


def test_nothing():
    assert overlap(X, None) == Overlap()
    assert hashes(np.empty((0, 3))).tolist() == []
    assert hashes([]).tolist() == []
    assert hashes(np.empty((2, 0))).tolist() == [0, 0]
