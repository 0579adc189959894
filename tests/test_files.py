"""Tables in and out of files: what pandas and polars write reads the same, what is broken is told."""

import os
import stat
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from foldless import files
from foldless.errors import BadInput
from foldless.files import check_target, read_table, write_table

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


@pytest.mark.parametrize(
    ("content", "rows"),
    [(b"\xef\xbb\xbfa,b\n1,2\n", 1), (b"a,b\r\n1,2\r\n\r\n3,4", 2), (b'a,b\n1,5" disk\n', 1), (b'a,b\n1,"x""y"\n', 1)],
    ids=["byte order mark", "windows lines", "a quote inside", "a doubled quote"],
)
def test_csv_as_it_is_found(tmp_path: Path, content: bytes, rows: int) -> None:
    (tmp_path / "a.csv").write_bytes(content)
    read = read_table(tmp_path / "a.csv").frame
    assert (list(read), len(read)) == (["a", "b"], rows)


BROKEN_CSV = {
    "empty": (b"", ["is empty"]),
    "blank lines": (b"\n\n", ["is empty"]),
    "header only": (b"a,b\n", ["no rows"]),
    "header without a line end": (b"a,b", ["no rows"]),
    "semicolons": (b"a;b\n1,5;2\n", ["'a;b'", "';'", "commas"]),
    "tabs": (b"a\tb\n1\t2\n", ["tabs", "commas"]),
    "short line": (b'a,b\n1,"x\ny"\n3\n', ["line 4", "1 values", "header has 2"]),
    "long line": (b"a,b\n1,2\n1,2,3\n", ["line 3", "3 values", "header has 2"]),
    "latin-1": ("a,b\n1,x\n2,é\n".encode("latin-1"), ["0xe9", "line 3", "byte 11 ", "UTF-8"]),
    "cut inside a character": ("a,b\n1,é".encode()[:-1], ["0xc3", "line 2", "byte 7 ", "UTF-8"]),
    "utf-16": ("a,b\n1,2\n".encode("utf-16"), ["line 1", "UTF-8"]),
    "NUL": (b"a,b\n1,2\n3,\0\n", ["NUL", "line 3"]),
    "open quote": (b'a,b\n1,2\n3,"x\n4,y\n', ["quote", "line 3"]),
    "duplicate column": (b"a,b,a\n1,2,3\n", ["'a'", "twice"]),
    "column without a name": (b"a,,b\n1,2,3\n", ["column 2", "no name"]),
    "named by words without a name": (b",b\nx,3\n", ["column 1", "no name"]),
    "parquet": (b"PAR1....", ["Parquet", ".parquet"]),
    "gzip": (b"\x1f\x8b\x08", ["gzip", "unpack"]),
    "spreadsheet": (b"PK\x03\x04....", ["spreadsheet", "CSV"]),
}


@pytest.mark.parametrize("case", BROKEN_CSV)
def test_broken_csv(tmp_path: Path, case: str) -> None:
    content, words = BROKEN_CSV[case]
    (tmp_path / "a.csv").write_bytes(content)
    with pytest.raises(BadInput) as told:
        read_table(tmp_path / "a.csv")
    for word in [*words, "a.csv"]:
        assert word in str(told.value)


def test_a_wrong_byte_is_found_behind_the_first_chunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "CHUNK", 8)
    (tmp_path / "a.csv").write_bytes("a,b\n1,ü\n1,2\n1,2\n".encode() + b"1,\xff\n")
    with pytest.raises(BadInput, match=r"0xff in line 5 \(byte 20 of"):
        read_table(tmp_path / "a.csv")


@pytest.mark.parametrize("keep", [0, 3, 40, -1, -20], ids=["none", "magic", "head", "all but one", "no footer"])
def test_truncated_parquet(tmp_path: Path, keep: int) -> None:
    by_pandas().to_parquet(tmp_path / "a.parquet")
    content = (tmp_path / "a.parquet").read_bytes()
    (tmp_path / "a.parquet").write_bytes(content[:keep])
    with pytest.raises(BadInput, match=r"a\.parquet is (empty|no Parquet file, or it is cut off)"):
        read_table(tmp_path / "a.parquet")


def test_damaged_pages_of_parquet(tmp_path: Path) -> None:
    pd.DataFrame({"a": np.random.default_rng(0).normal(size=1000)}).to_parquet(tmp_path / "a.parquet")
    content = bytearray((tmp_path / "a.parquet").read_bytes())
    content[4:60] = b"\xff" * 56
    (tmp_path / "a.parquet").write_bytes(content)
    with pytest.raises(BadInput, match="cut off"):
        read_table(tmp_path / "a.parquet")


def test_parquet_without_rows_or_with_a_column_twice(tmp_path: Path) -> None:
    by_pandas().iloc[:0].to_parquet(tmp_path / "none.parquet")
    pq.write_table(pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"]), tmp_path / "twice.parquet")
    with pytest.raises(BadInput, match="no rows"):
        read_table(tmp_path / "none.parquet")
    with pytest.raises(BadInput, match="'a' occurs twice"):
        read_table(tmp_path / "twice.parquet")


def test_names_that_are_no_table(tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    for name, words in {
        "x.csv": "no file",
        "folder.csv": "folder",
        "x.xlsx": "'.xlsx'.*.csv, .parquet",
        "x": "no ending",
    }.items():
        with pytest.raises(BadInput, match=words):
            read_table(tmp_path / name)


@pytest.mark.parametrize("name", ["out.csv", "out.parquet", "out.pq"])
def test_what_is_written_reads_back(tmp_path: Path, name: str) -> None:
    write_table(by_pandas(), tmp_path / name)
    assert read_table(tmp_path / name).frame["text"].tolist() == TEXTS
    assert os.listdir(tmp_path) == [name]


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "out.csv"
    place.write_text("old")

    def half(frame: pd.DataFrame, path: Path) -> None:
        path.write_text("ha")
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(files.FORMATS, ".csv", files.Format(files._read_csv, half))
    with pytest.raises(BadInput, match="No space left"):
        write_table(by_pandas(), place)
    assert place.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.csv"]


def test_a_write_keeps_the_mode_and_follows_a_link(tmp_path: Path) -> None:
    place, link = tmp_path / "out.csv", tmp_path / "link.csv"
    place.write_text("old")
    place.chmod(0o640)
    link.symlink_to(place)
    write_table(by_pandas(), link)
    assert link.is_symlink()
    assert place.read_text().startswith("number,")
    assert stat.S_IMODE(place.stat().st_mode) == 0o640


def test_targets_are_checked_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "sub.csv").mkdir()
    (tmp_path / "in.csv").write_text("a\n1\n")
    check_target(tmp_path / "out.csv", [tmp_path / "in.csv"])
    for name, words in {
        "no/out.csv": "folder of .* does not exist",
        "sub.csv": "is a folder",
        "out.txt": "'.txt'",
        "./sub.csv/../in.csv": "also read",
    }.items():
        with pytest.raises(BadInput, match=words):
            check_target(tmp_path / name, [tmp_path / "in.csv"])
