"""Columns come out the same whoever wrote the file."""

import time
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from foldless.errors import BadInput
from foldless.io import read_table
from foldless.io._table import check_names

NUMBERS, WHOLE, FLAGS = [0.5, -1.25, 3.0], [7, 8, 2**53 + 1], [True, False, True]
WORDS, TEXTS = ["u", "v", "u"], ['a "quoted", one', "two\nlines", "naïve −"]


def by_pandas() -> pd.DataFrame:
    return pd.DataFrame({"number": NUMBERS, "whole": WHOLE, "flag": FLAGS, "word": WORDS, "text": TEXTS})


def by_polars() -> pl.DataFrame:
    return pl.DataFrame({"number": NUMBERS, "whole": WHOLE, "flag": FLAGS, "word": WORDS, "text": TEXTS})


def test_pandas_and_polars_csv_and_parquet_read_the_same(tmp_path: Path) -> None:
    by_pandas().to_csv(tmp_path / "a.csv", index=False)
    by_polars().write_csv(tmp_path / "b.csv")
    by_pandas().to_parquet(tmp_path / "c.parquet")
    by_polars().write_parquet(tmp_path / "d.pq")
    first, *others = [read_table(tmp_path / name).frame for name in ("a.csv", "b.csv", "c.parquet", "d.pq")]
    assert first.dtypes.astype(str).tolist() == ["float64", "Int64", "boolean", "object", "object"]
    assert first["whole"].tolist() == WHOLE
    assert first["text"].tolist() == TEXTS
    for other in others:
        pd.testing.assert_frame_equal(first, other)


def test_missing_values_leave_whole_numbers_whole(tmp_path: Path) -> None:
    frame = pl.DataFrame({"i": [1, None, 3], "b": [True, None, False], "f": [0.5, None, 1.0], "s": ["x", None, "z"]})
    frame.write_parquet(tmp_path / "a.parquet")
    frame.write_csv(tmp_path / "a.csv")
    typed = {"i": "Int64", "b": "boolean", "s": "string"}
    frame.to_pandas().astype(typed).to_parquet(tmp_path / "b.parquet")
    read = [read_table(tmp_path / name).frame for name in ("a.parquet", "b.parquet", "a.csv")]
    pd.testing.assert_frame_equal(read[0], read[1])
    assert read[0].isna().sum().tolist() == [1, 1, 1, 1]
    assert read[0]["i"].dropna().tolist() == [1, 3]
    pd.testing.assert_frame_equal(read[0][["i", "b", "f"]], read[2][["i", "b", "f"]])


def test_categories_of_any_index_type(tmp_path: Path) -> None:
    pl.DataFrame({"c": pl.Series(WORDS, dtype=pl.Categorical), "e": pl.Series(WORDS, dtype=pl.Enum(["v", "u"]))}) \
        .write_parquet(tmp_path / "polars.parquet")  # fmt: skip
    pd.DataFrame({"c": pd.Categorical(WORDS), "e": pd.Categorical(WORDS)}).to_parquet(tmp_path / "pandas.parquet")
    left, right = read_table(tmp_path / "polars.parquet").frame, read_table(tmp_path / "pandas.parquet").frame
    pd.testing.assert_frame_equal(left, right)
    assert (left.dtypes == "category").all()


@pytest.mark.parametrize("kind", [pa.large_string(), pa.string_view(), pa.dictionary(pa.uint8(), pa.large_string())])
def test_strings_of_any_arrow_type(tmp_path: Path, kind: pa.DataType) -> None:
    pq.write_table(pa.table({"s": pa.array(WORDS).cast(kind)}), tmp_path / "a.parquet")
    assert read_table(tmp_path / "a.parquet").frame["s"].astype(object).tolist() == WORDS


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "UInt64"])
def test_numbers_of_any_width(tmp_path: Path, dtype: str) -> None:
    pd.DataFrame({"n": pd.array([1, 2], dtype=dtype)}).to_parquet(tmp_path / "a.parquet")
    assert read_table(tmp_path / "a.parquet").frame["n"].tolist() == [1, 2]


def test_decimals_are_numbers_and_dates_keep_their_type(tmp_path: Path) -> None:
    frame = pl.DataFrame({"d": pl.Series(["1.50", "2"]).cast(pl.Decimal(10, 2)), "l": [[1], [2]]})
    frame.with_columns(t=pl.lit("2020-01-01").str.to_date()).write_parquet(tmp_path / "a.parquet")
    read = read_table(tmp_path / "a.parquet").frame
    assert read["d"].tolist() == [1.5, 2.0]
    assert "date" in str(read["t"].dtype)
    assert "list" in str(read["l"].dtype)


def test_an_index_of_pandas_is_no_column(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [1, 2]}, index=[10, 20])
    frame.to_csv(tmp_path / "a.csv")
    frame.to_parquet(tmp_path / "a.parquet")
    read = read_table(tmp_path / "a.csv")
    assert list(read.frame) == list(read_table(tmp_path / "a.parquet").frame) == ["a"]
    assert "index" in read.notes[0]


def test_a_named_index_is_a_column(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [1, 2]}, index=pd.Index(["x", "y"], name="id"))
    frame.to_csv(tmp_path / "a.csv")
    frame.to_parquet(tmp_path / "a.parquet")
    assert set(read_table(tmp_path / "a.csv").frame) == set(read_table(tmp_path / "a.parquet").frame) == {"a", "id"}


def test_names_are_checked_in_linear_time() -> None:
    names = [f"c{at}" for at in range(99_999)]

    def seconds() -> float:
        start = time.process_time()
        check_names("a", names)
        return time.process_time() - start

    assert min(seconds() for _ in range(3)) < 2  # it took minutes
    with pytest.raises(BadInput, match="column 'c7' occurs twice in a"):
        check_names("a", [*names, "c7"])
