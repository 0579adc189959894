"""Parquet and Arrow, whole and cut off, and folders of Parquet."""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

from foldless.errors import BadInput
from foldless.io import read_table


def by_pandas() -> pd.DataFrame:
    return pd.DataFrame({"number": [0.5, -1.25, 3.0], "whole": [7, 8, 9], "word": ["u", "v", "u"]})


@pytest.mark.parametrize("keep", [0, 3, 40, -1, -20], ids=["none", "magic", "head", "all but one", "no footer"])
def test_truncated_parquet(tmp_path: Path, keep: int) -> None:
    by_pandas().to_parquet(tmp_path / "a.parquet")
    content = (tmp_path / "a.parquet").read_bytes()
    (tmp_path / "a.parquet").write_bytes(content[:keep])
    with pytest.raises(BadInput, match=r"a\.parquet is (empty|not a Parquet file, or it is truncated)"):
        read_table(tmp_path / "a.parquet")


def test_damaged_pages_of_parquet(tmp_path: Path) -> None:
    pd.DataFrame({"a": np.random.default_rng(0).normal(size=1000)}).to_parquet(tmp_path / "a.parquet")
    content = bytearray((tmp_path / "a.parquet").read_bytes())
    content[4:60] = b"\xff" * 56
    (tmp_path / "a.parquet").write_bytes(content)
    with pytest.raises(BadInput, match="truncated"):
        read_table(tmp_path / "a.parquet")


def test_parquet_without_rows_or_with_a_column_twice(tmp_path: Path) -> None:
    by_pandas().iloc[:0].to_parquet(tmp_path / "none.parquet")
    pq.write_table(pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"]), tmp_path / "twice.parquet")
    with pytest.raises(BadInput, match="no rows"):
        read_table(tmp_path / "none.parquet")
    with pytest.raises(BadInput, match="'a' occurs twice"):
        read_table(tmp_path / "twice.parquet")


def test_arrow_as_file_stream_and_feather(tmp_path: Path) -> None:
    table = pa.Table.from_pandas(by_pandas())
    with pa.OSFile(str(tmp_path / "a.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    with pa.OSFile(str(tmp_path / "stream.arrow"), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    feather.write_feather(table, tmp_path / "a.feather", compression="zstd")
    pl.from_pandas(by_pandas()).write_ipc(tmp_path / "polars.ipc")
    by_pandas().to_parquet(tmp_path / "a.parquet")
    expected = read_table(tmp_path / "a.parquet").frame
    for name in ("a.arrow", "stream.arrow", "a.feather", "polars.ipc"):
        pd.testing.assert_frame_equal(read_table(tmp_path / name).frame, expected)


@pytest.mark.parametrize("stream", [False, True], ids=["file", "stream"])
@pytest.mark.parametrize("keep", [3, 60, -20], ids=["magic", "head", "no end"])
def test_arrow_that_is_cut_off(tmp_path: Path, keep: int, stream: bool) -> None:
    table, sink = pa.Table.from_pandas(by_pandas()), pa.BufferOutputStream()
    with (pa.ipc.new_stream if stream else pa.ipc.new_file)(sink, table.schema) as writer:
        writer.write_table(table)
    (tmp_path / "a.arrow").write_bytes(sink.getvalue().to_pybytes()[:keep])
    with pytest.raises(BadInput, match=r"a\.arrow is not an Arrow file, or it is truncated \(.*write it again"):
        read_table(tmp_path / "a.arrow")


def test_feather_of_the_first_version(tmp_path: Path) -> None:
    (tmp_path / "a.feather").write_bytes(b"FEA1....FEA1")
    with pytest.raises(BadInput, match="version 1: write it again"):
        read_table(tmp_path / "a.feather")


def test_a_folder_is_one_table(tmp_path: Path) -> None:
    first, second = by_pandas(), by_pandas().iloc[::-1]
    (tmp_path / "parts").mkdir()
    first.to_parquet(tmp_path / "parts" / "1.parquet", index=False)
    second[["word", "whole", "number"]].astype({"whole": "int16", "word": "category"}).to_parquet(
        tmp_path / "parts" / "2.pq", index=False
    )
    first.assign(word=None, whole=1).to_parquet(tmp_path / "parts" / "3.parquet", index=False)
    for name in ("_SUCCESS", ".1.parquet.crc", "_metadata.parquet", "notes.txt"):
        (tmp_path / "parts" / name).write_text("no table")
    read = read_table(tmp_path / "parts").frame
    assert list(read) == ["number", "whole", "word"]
    assert read["number"].tolist() == [0.5, -1.25, 3.0, 3.0, -1.25, 0.5, 0.5, -1.25, 3.0]  # by name
    assert read["word"].isna().tolist() == [False] * 6 + [True] * 3


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (by_pandas().drop(columns="word"), r"2\.parquet lacks the column 'word' of .*1\.parquet"),
        (by_pandas().assign(more=1), r"1\.parquet lacks the column 'more' of .*2\.parquet"),
        (by_pandas().assign(whole=["a", "b", "c"]), r"'whole' is numeric in .*1\.parquet and text in .*2\.parquet"),
        (by_pandas().assign(word=pd.Timestamp("2020-01-01")), r"'word' is text in .* and a date in"),
    ],
    ids=["lacks", "has more", "another type", "a date"],
)
def test_a_folder_of_tables_that_differ(tmp_path: Path, other: pd.DataFrame, words: str) -> None:
    by_pandas().to_parquet(tmp_path / "1.parquet", index=False)
    other.to_parquet(tmp_path / "2.parquet", index=False)
    with pytest.raises(BadInput, match=words):
        read_table(tmp_path)


def test_a_folder_with_a_broken_file_or_none(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is a folder without Parquet files: name a file"):
        read_table(tmp_path)
    (tmp_path / "1.parquet").write_bytes(b"PAR1")
    with pytest.raises(BadInput, match=r"1\.parquet is not a Parquet file, or it is truncated"):
        read_table(tmp_path)


@pytest.mark.parametrize("stream", [False, True], ids=["file", "stream"])
def test_arrow_whose_offsets_lead_out_of_it(tmp_path: Path, stream: bool) -> None:
    table, sink = pa.table({"s": ["u", "v", "w"]}), pa.BufferOutputStream()
    with (pa.ipc.new_stream if stream else pa.ipc.new_file)(sink, table.schema) as writer:
        writer.write_table(table)
    offsets, wrong = (np.array(ends, dtype=np.int32).tobytes() for ends in ([0, 1, 2, 3], [0, 1, 2**30, 2**30 + 1]))
    content = sink.getvalue().to_pybytes()
    assert content.count(offsets) == 1
    (tmp_path / "a.arrow").write_bytes(content.replace(offsets, wrong))
    with pytest.raises(BadInput, match=r"a\.arrow is not an Arrow file, or it is truncated"):
        read_table(tmp_path / "a.arrow")
