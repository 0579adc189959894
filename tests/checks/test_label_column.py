"""The label itself among the columns of X is named in every call."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression, Ridge

from foldless import FoldlessSearch
from foldless.checks._label_column import FEWEST

RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(60, 3))
NAMES = np.array(["red", "blue"])[RNG.integers(2, size=60)]
CODES = (NAMES == "red").astype(int)


def found(X, y, model=LogisticRegression):
    search = FoldlessSearch(model(), {}, criterion="k_fold", estimate=False, refit=False).fit(X, y)
    return [finding for finding in search.selection_.findings if finding.code == "FL011"]


def frame(**columns):
    return pd.DataFrame(ROWS, columns=["a", "b", "c"]).assign(**columns)


@pytest.mark.parametrize(
    ("X", "name"),
    [
        (frame(y=CODES), "y"),
        (frame(y=CODES == 1), "y"),
        (pl.from_pandas(frame(y=CODES)), "y"),
        (np.c_[ROWS, CODES], 3),
    ],
    ids=["frame", "booleans", "polars", "array"],
)
def test_a_column_with_the_labels_is_named(X, name):
    (finding,) = found(X, CODES)
    assert finding.columns == (name,)
    assert str(finding) == f"{name!r} has the value of the label in all 60 labeled rows: train without this column"


def test_of_values_too():
    values = ROWS @ [1, 2, 3]
    (finding,) = found(frame(y=values), values, Ridge)
    assert finding.columns == ("y",)


@pytest.mark.parametrize(
    "X",
    [
        frame(y=np.where(np.arange(60) == 59, 1 - CODES, CODES)),  # one row differs
        frame(y=1 - CODES),
        sparse.csr_array(np.c_[ROWS, CODES]),
        ROWS,
    ],
    ids=["nearly", "other values", "sparse", "without"],
)
def test_others_are_left_to_check(X):
    assert not found(X, CODES)


def test_few_labels_are_equal_to_a_column_by_chance():
    first = np.r_[np.flatnonzero(CODES)[:9], np.flatnonzero(CODES == 0)[:10]]
    assert len(first) < FEWEST
    assert not found(frame(y=CODES).iloc[first], CODES[first])
