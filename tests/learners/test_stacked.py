"""Rows of several blocks under one numbering."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from foldless.core.batch import Part
from foldless.learners._stacked import Stacked, StackedAsGiven


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, pd.DataFrame])
def test_numbers_point_to_the_rows_of_their_block(form):
    blocks = [np.arange(6.0).reshape(3, 2), 10 + np.arange(4.0).reshape(2, 2)]
    stacked = Stacked([form(block) for block in blocks])
    X = stacked.X.toarray() if sparse.issparse(stacked.X) else stacked.X
    for part in (Part(0), Part(1), Part(1, np.array([1])), Part(0, np.array([2, 0]))):
        wanted = blocks[part.block] if part.rows is None else blocks[part.block][part.rows]
        np.testing.assert_array_equal(X[stacked.rows(part)], wanted)
    assert len(stacked.rows(None)) == 0
    assert (stacked.names is None) == (form is not pd.DataFrame)


@pytest.mark.parametrize("form", [pd.DataFrame, pl.DataFrame])
def test_frames_stay_frames_where_they_are_asked_for(form):
    blocks = [form({"a": ["x", "y"], "b": [1, 2]}), form({"a": ["z"], "b": [3]})]
    stacked = StackedAsGiven(blocks)
    assert isinstance(stacked.X, form)
    assert list(stacked.X["a"]) == ["x", "y", "z"]
    assert list(stacked.names) == ["a", "b"]
    assert stacked.rows(Part(1)).tolist() == [2]
    assert StackedAsGiven([[["x", 1.5]], [["y", 2.5]]]).X.shape == (2, 2)
    with pytest.raises(ValueError, match="could not convert string to float"):
        Stacked(blocks)
