"""How rows of Python are read in front of a model of the portfolio."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.pipeline import Pipeline

from foldless import Pool
from foldless.errors import BadInput
from foldless.portfolio import default_candidates
from foldless.portfolio._rows import RowReader

TEXTS = ["the cat sat down", "a dog ran away", "birds fly very high", "fish swim in water"]
NUMBERS = np.array([[1.0, -2.0], [3.0, 4.0], [5.0, 6.0], [0.0, 1.0]])
FRAME = pd.DataFrame({"x": NUMBERS[:, 0], "color": ["red", "blue", "red", "blue"]})


def read(X, X_unlabeled=None, *, nonnegative=False, dense=False):
    steps = RowReader(X, X_unlabeled).steps(nonnegative=nonnegative, dense=dense)
    return Pipeline(steps).fit(X)


@pytest.mark.parametrize(
    ("X", "text"),
    [
        (NUMBERS, False),
        (NUMBERS.tolist(), False),
        (sparse.csr_array(NUMBERS), True),
        (TEXTS, True),
        (np.array(TEXTS, dtype=object), True),
        (pd.Series(TEXTS), True),
        (FRAME, False),
        (FRAME.assign(body=TEXTS), True),
        (pl.from_pandas(FRAME), False),
    ],
)
def test_which_list_is_for_which_rows(X, text):
    assert RowReader(X).text == text
    assert ("naive-bayes" in default_candidates(X)) == text
    assert "pool-features" in default_candidates(X, pool=True)
    assert "pool-features" not in default_candidates(X, pool=False)


@pytest.mark.parametrize("X", [NUMBERS, sparse.csr_array(NUMBERS), TEXTS, FRAME, FRAME.assign(body=TEXTS)])
def test_all_models_of_the_list_read_them(X):
    for pipeline, _ in default_candidates(X).values():
        rows = pipeline[:-1].fit_transform(X)
        assert rows.shape[0] == 4


def test_no_value_is_negative_where_a_model_wants_none():
    for X in (NUMBERS, FRAME, TEXTS):
        values = read(X, nonnegative=True).transform(X)
        assert values.min() >= 0
    beyond = read(NUMBERS, nonnegative=True).transform(NUMBERS - 10)  # rows to predict go beyond those of training
    assert beyond.min() == 0


def test_gaps_of_labeled_rows_or_pool_are_filled():
    gap = NUMBERS.copy()
    gap[0, 0] = np.nan
    assert np.isfinite(read(gap).transform(gap)).all()
    assert np.isfinite(read(NUMBERS, gap).transform(gap)).all()
    holes = FRAME.assign(x=[np.nan, 1, 2, 3], color=["red", None, "red", "blue"])
    for pool in (holes, Pool(holes), pl.from_pandas(holes)):
        values = read(FRAME, pool, dense=True).transform(holes)
        assert np.isfinite(values).all()
    with pytest.raises(BadInput, match="has no value"):
        read(FRAME).transform(holes)


def test_a_pool_in_files_may_have_gaps():
    holes = FRAME.assign(x=[np.nan, 1, 2, 3])
    assert np.isfinite(read(FRAME, "pool.parquet", dense=True).transform(holes)).all()


def test_a_column_without_any_value_stays_a_column():
    empty = np.column_stack([NUMBERS, np.full(4, np.nan)])
    assert read(empty).transform(empty).shape == (4, 3)


@pytest.mark.parametrize(("X", "row"), [([1, 2, 3], "1"), ([2.5, 1.0], "2.5"), (["a text", None], "None")])
def test_rows_that_are_neither_texts_nor_numbers(X, row):
    with pytest.raises(BadInput, match=f"X must have two dimensions, or be a list of texts, got a row {row}"):
        RowReader(X)
