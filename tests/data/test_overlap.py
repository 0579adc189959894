from itertools import combinations, permutations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from foldless.core import Overlap
from foldless.data._overlap import containment, hashes, overlap

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
    build = FORMS[form]
    shuffled = np.random.default_rng(1).permutation(40)
    if form != "ragged lists":  # where a row is depends on its number
        few = form == "dates"  # three distinct rows, which chance may do
        assert overlap(build(X), build(X[shuffled]))[:2] == (40, not few)
    assert overlap(build(X), build(X.copy()))[:2] == (40, True)
    assert overlap(build(X), build(X[:-1])).rows == 39


def test_the_same_object_is_the_same():
    for rows in (X, sparse.csr_array(X), TEXTS):
        assert overlap(rows, rows).same


REAL = np.random.default_rng(2).normal(size=(400, 3))
OTHERWISE = {
    "float32": lambda rows: rows.astype(np.float32),
    "float16": lambda rows: rows.astype(np.float16),
    "sparse": sparse.csr_array,
    "sparse float32": lambda rows: sparse.csr_array(rows.astype(np.float32)),
    "frame": pd.DataFrame,
    "frame of float32": lambda rows: pd.DataFrame(rows.astype(np.float32)),
    "frame with one of float32": lambda rows: pd.DataFrame(rows).astype({1: np.float32}),
    "nullable Float32": lambda rows: pd.DataFrame(rows).astype("Float32"),
    "sparse frame": lambda rows: pd.DataFrame(rows).astype(pd.SparseDtype(np.float32)),
    "polars": lambda rows: pl.DataFrame(rows.astype(np.float32), schema=list("abc")),
    "objects": lambda rows: rows.astype(object),
    "lists": lambda rows: rows.tolist(),
}


@pytest.mark.parametrize("form", OTHERWISE)
def test_the_same_rows_in_another_form_are_the_same(form):
    other = OTHERWISE[form]
    assert overlap(REAL[:100], other(REAL[:100])) == Overlap(100, same=True)
    assert overlap(other(REAL[:100]), REAL) == Overlap(100, same=True)
    assert overlap(REAL[:100], other(REAL[50:])) == Overlap(50, same=False)
    assert overlap(other(REAL[:100]), REAL[100:]) == Overlap(0)


@pytest.mark.parametrize("form", OTHERWISE)
def test_copies_among_the_labels_are_counted(form):
    build, twice = OTHERWISE[form], REAL[[0, 1, 2, 0, 3, 0, 2]]
    assert overlap(build(twice), REAL[100:]).copies == 5
    assert overlap(build(twice), None).copies == 5
    assert overlap(twice, twice) == Overlap(7, same=True, copies=5)
    assert overlap(REAL[:100] + np.arange(100)[:, None] * 1e-12, build(REAL[100:])).copies == 0


def test_rows_that_only_the_digits_of_the_pool_make_equal_are_no_copies():
    near = np.concatenate([REAL[:1], REAL[:1] + 1e-12])
    assert overlap(near, REAL[100:].astype(np.float32)).copies == 0


def test_digits_that_both_parts_have_tell_rows_apart():
    near = REAL + 1e-12
    assert overlap(REAL, near) == Overlap(0)
    assert overlap(REAL, near.astype(np.float32)).same


def test_one_part_within_the_other_is_the_same():
    assert overlap(REAL[:100], REAL) == Overlap(100, same=True)  # labeled rows are a part of the pool
    assert overlap(REAL, REAL[:100]) == Overlap(100, same=True)  # the pool is a part of the labeled rows
    assert overlap(REAL[:100], REAL[:101]) == Overlap(100, same=True)
    assert overlap(REAL[:5], REAL) == Overlap(5, same=True)
    assert overlap(REAL[[0, 0, 1, 2, 3, 4, 5]], REAL) == Overlap(6, same=True, copies=2)
    assert overlap(REAL[:100], REAL[1:]) == Overlap(99)  # all but one: counted


def test_few_distinct_rows_are_in_both_by_chance():
    cube = np.random.default_rng(3).integers(0, 2, (1000, 3))
    assert overlap(cube[:200], cube[200:]) == Overlap(800, copies=200)
    assert overlap(cube[:12], cube[:12][::-1])[:2] == (12, False)
    assert overlap(cube[:200], cube[:200].copy()).same  # but not in the same order


@pytest.mark.parametrize(("n", "total"), [(2, 6), (3, 7), (4, 6)])
def test_containment_is_at_most_as_probable_as_it_says(n, total):
    for contents in ([0, 0, 1, 1, 2, 2, 3], [0, 0, 0, 1, 1, 2, 3], [0, 0, 0, 0, 1, 1, 1], [0, 1, 2, 3, 4, 5, 5]):
        rows = np.array(contents[:total], dtype=np.uint64)
        parts = [(rows[list(which)], np.delete(rows, which)) for which in combinations(range(total), n)]
        within = [(mine, theirs) for mine, theirs in parts if np.isin(mine, theirs).all()]
        assert all(containment(*part) >= len(within) / len(parts) - 1e-12 for part in within if _unequal(*part))
        assert {containment(*part) for part in parts if not _one_within_the_other(*part)} <= {1.0}


def test_equal_parts_are_as_probable_as_it_says():
    rows = np.array([0, 0, 0, 0, 1, 1], dtype=np.uint64)
    parts = [(rows[list(which)], np.delete(rows, which)) for which in combinations(range(6), 3)]
    equal = np.mean([not _unequal(*part) for part in parts])
    assert containment(np.array([0, 0, 1]), np.array([0, 1, 0])) == pytest.approx(equal)
    orders = {tuple(order) for order in permutations(rows.tolist())}
    assert containment(np.array([0, 0, 1]), np.array([0, 0, 1])) == pytest.approx(
        sum(order[:3] == order[3:] for order in orders) / len(orders)
    )


def _unequal(mine, theirs):
    return sorted(mine) != sorted(theirs)


def _one_within_the_other(mine, theirs):
    return np.isin(mine, theirs).all() or np.isin(theirs, mine).all()


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
    rows = [
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
    assert len(set(hashes(np.array(rows)).tolist())) == len(rows)
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
    monkeypatch.setattr("foldless.data._overlap.BLOCK", 64)
    assert hashes(wide).tolist() == whole.tolist()
    assert len(set(whole.tolist())) == 50


def test_nothing():
    assert overlap(REAL, None) == Overlap()
    assert hashes(np.empty((0, 3))).tolist() == []
    assert hashes([]).tolist() == []
    assert hashes(np.empty((2, 0))).tolist() == [0, 0]


def test_hashes_of_a_part_are_computed_once_and_stay_here(monkeypatch):
    import pickle

    from foldless.data import _overlap

    X = np.random.default_rng(0).normal(size=(30, 3))
    known, rows = _overlap.RowHashes(), np.array([4, 2])
    expected = _overlap.hashes(X)
    np.testing.assert_array_equal(known.at(X, rows), expected[rows])
    np.testing.assert_array_equal(known.of(X), expected)
    copied = pickle.loads(pickle.dumps(known))
    monkeypatch.setattr(_overlap, "hashes", None)
    np.testing.assert_array_equal(known.of(X), expected)
    np.testing.assert_array_equal(known.at(X, rows), expected[rows])
    with pytest.raises(TypeError):
        copied.of(X)
    with pytest.raises(TypeError):
        known.of(X, np.float32)
