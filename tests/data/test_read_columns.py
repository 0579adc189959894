"""Data frames as they are become columns in plain types: the same at training and at predicting."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone

from foldless.data._read_columns import ReadColumns
from foldless.errors import BadInput

KINDS = {"size": "numeric", "flag": "boolean", "when": "date", "color": "categorical", "body": "text"}


def frame() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "size": pd.array([1, None, 3], dtype="Int64"),
            "flag": pd.array([True, False, True], dtype="boolean"),
            "when": pd.to_datetime(["2024-01-01", "2024-02-01", "2024-03-01"]),
            "color": ["red", None, "blue"],
            "body": ["the cat sat down", "a dog ran away", "birds fly very high"],
        },
        index=[7, 8, 9],
    )


def test_every_kind_in_its_plain_type() -> None:
    read = ReadColumns(KINDS, "impute").fit_transform(frame())
    assert list(read) == list(KINDS)
    assert read.index.tolist() == [0, 1, 2]
    assert read["size"].dtype == read["flag"].dtype == float
    np.testing.assert_array_equal(read["size"], [1, np.nan, 3])
    assert read["flag"].tolist() == [1, 0, 1]
    assert read["when"].dtype.kind == "M"
    assert read["color"].tolist() == ["red", "missing", "blue"]


def test_columns_in_another_order_and_frames_of_polars_are_the_same() -> None:
    reader = ReadColumns(KINDS, "impute").fit(frame())
    expected = reader.transform(frame())
    pd.testing.assert_frame_equal(reader.transform(frame()[list(KINDS)[::-1]]), expected)
    of_polars = reader.transform(pl.from_pandas(frame()))
    assert of_polars["color"].tolist() == expected["color"].tolist()
    np.testing.assert_array_equal(of_polars["size"], expected["size"])


def test_rows_without_names_have_the_columns_in_order() -> None:
    kinds = {"a": "numeric", "b": "numeric"}
    assert ReadColumns(kinds).fit_transform(np.array([[1, 2], [3, 4]])).to_dict("list") == {"a": [1, 3], "b": [2, 4]}


def test_what_it_refuses() -> None:
    reader = ReadColumns(KINDS).fit(frame())
    with pytest.raises(BadInput, match="'size' of X has no value in 1 row"):
        reader.transform(frame())
    with pytest.raises(BadInput, match="'body'"):
        reader.transform(frame().drop(columns="body"))
    with pytest.raises(BadInput, match=r"a column is one of numeric.*, got 'number'"):
        ReadColumns({"a": "number"}).fit(frame())


def test_it_is_cloned_pickled_and_names_its_columns() -> None:
    reader = ReadColumns(KINDS, "impute").fit(frame())
    again = clone(reader)
    assert again.get_params() == {"kinds": KINDS, "missing": "impute"}
    assert reader.get_feature_names_out().tolist() == reader.feature_names_in_.tolist() == list(KINDS)
    pd.testing.assert_frame_equal(pickle.loads(pickle.dumps(reader)).transform(frame()), reader.transform(frame()))
