"""From a name to a table: compressed files, standard input, and names that are none."""

import gzip
import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from foldless.errors import BadInput
from foldless.io import read_table

FRAME = pd.DataFrame({"a": [1, 2, 3], "s": ["x", "y z", "é"]})
TEXTS = {
    ".csv": FRAME.to_csv(index=False).encode(),
    ".tsv": FRAME.to_csv(index=False, sep="\t").encode(),
    ".jsonl": FRAME.to_json(orient="records", lines=True).encode(),
    ".svm": b"1 1:2\n0 2:1 5:1\n",
}


def packed(content: bytes, codec: str) -> bytes:
    return gzip.compress(content) if codec == "gz" else pa.Codec("zstd").compress(content, asbytes=True)


def stream(table: pd.DataFrame) -> bytes:
    sink, arrow = pa.BufferOutputStream(), pa.Table.from_pandas(table)
    with pa.ipc.new_stream(sink, arrow.schema) as writer:
        writer.write_table(arrow)
    return sink.getvalue().to_pybytes()


def pipe(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


@pytest.mark.parametrize("codec", ["gz", "zst"])
@pytest.mark.parametrize("ending", TEXTS)
def test_compressed_text_reads_the_same(tmp_path: Path, ending: str, codec: str) -> None:
    (tmp_path / f"a{ending}").write_bytes(TEXTS[ending])
    (tmp_path / f"a{ending}.{codec}").write_bytes(packed(TEXTS[ending], codec))
    plain, unpacked = (read_table(tmp_path / name) for name in (f"a{ending}", f"A{ending}.{codec}".lower()))
    pd.testing.assert_frame_equal(plain.frame, unpacked.frame)
    assert (plain.features is None) == (unpacked.features is None) == (ending != ".svm")


@pytest.mark.parametrize("codec", ["gz", "zst"])
@pytest.mark.parametrize("how", ["cut off", "not compressed", "empty", "damaged"])
def test_broken_compression(tmp_path: Path, codec: str, how: str) -> None:
    content = bytearray(packed(np.random.default_rng(0).bytes(5000), codec))
    content[2000:2010] = content[2000:2010] if how != "damaged" else bytes(10)
    whole = {"cut off": content[:-9], "not compressed": TEXTS[".csv"], "empty": b"", "damaged": content}[how]
    (tmp_path / f"a.csv.{codec}").write_bytes(whole)
    name = {"gz": "gzip", "zst": "zstd"}[codec]
    with pytest.raises(BadInput, match=rf"a\.csv\.{codec} is (not a {name} file, or it is truncated|empty|not UTF-8)"):
        read_table(tmp_path / f"a.csv.{codec}")


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet", "arrow", "svmlight"])
def test_standard_input_is_told_by_its_content(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    contents = {
        "csv": TEXTS[".csv"], "tsv": TEXTS[".tsv"], "jsonl": TEXTS[".jsonl"], "svmlight": TEXTS[".svm"],
        "parquet": FRAME.to_parquet(), "arrow": stream(FRAME),
    }  # fmt: skip
    for content in (contents[kind], packed(contents[kind], "gz"), packed(contents[kind], "zst")):
        pipe(monkeypatch, content)
        table = read_table("-")
        assert table.name == "standard input"
        if kind == "svmlight":
            assert table.features.shape == (2, 6)
        else:
            assert table.frame["s"].tolist() == FRAME["s"].tolist()


@pytest.mark.parametrize(
    ("content", "columns"),
    [(b"a:b,c\n1,2\n", ["a:b", "c"]), (b"when\n10:30\n", ["when"]), (b"x\t y\n1\t2\n", ["x", " y"])],
    ids=["a colon in a name", "times", "tabs"],
)
def test_text_that_looks_like_another_format(
    monkeypatch: pytest.MonkeyPatch, content: bytes, columns: list[str]
) -> None:
    pipe(monkeypatch, content)
    assert list(read_table("-").frame) == columns


def test_the_format_may_be_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe(monkeypatch, b"a,b\tc\n1,2\t3\n")
    assert list(read_table("-", "tsv").frame) == ["a,b", "c"]
    (tmp_path / "a.dat").write_bytes(TEXTS[".jsonl"])
    (tmp_path / "a.dat.gz").write_bytes(packed(TEXTS[".jsonl"], "gz"))
    assert read_table(tmp_path / "a.dat", "jsonl").frame["a"].tolist() == [1, 2, 3]
    assert read_table(tmp_path / "a.dat.gz", "jsonl").frame["a"].tolist() == [1, 2, 3]


def test_standard_input_that_is_empty_or_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe(monkeypatch, b"")
    with pytest.raises(BadInput, match="standard input is empty"):
        read_table("-")
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(BadInput, match="no standard input"):
        read_table("-")


@pytest.mark.slow
def test_a_real_pipe() -> None:
    code = "from foldless.io import read_table; print(read_table('-').frame.shape)"
    done = subprocess.run([sys.executable, "-c", code], input=packed(TEXTS[".csv"], "gz"), capture_output=True)
    assert done.stdout.split() == [b"(3,", b"2)"]


def test_names_that_are_no_table(tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    for name, words in {
        "x.csv": "no file",
        "x.csv.gz": "no file",
        "folder.csv": "folder",
        "x.docx": r"'\.docx'.*\.csv, \.parquet.*\.gz, \.zst",
        "x": "no ending",
        "x.cvs": r"'\.cvs'.*: name it x\.csv if that is its format, or read it as text with fmt=FileOptions\(",
        "x.gz": r"'\.gz'",
        "x.parquet.gz": r"'\.parquet\.gz'",
    }.items():
        with pytest.raises(BadInput, match=words):
            read_table(tmp_path / name)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_text_file_is_read_whatever_is_between_its_values(tmp_path, delimiter):
    (tmp_path / "t.txt").write_text("x,y\n1,a\n2,b\n".replace(",", delimiter))
    assert read_table(tmp_path / "t.txt").frame.to_dict("list") == {"x": [1, 2], "y": ["a", "b"]}


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_table_of_too_many_columns_is_refused_before_it_is_read(tmp_path, monkeypatch, ending):
    monkeypatch.setattr("foldless.io._table.MAX_COLUMNS", 50)
    frame, path = pd.DataFrame(np.zeros((2, 51))).rename(columns=str), tmp_path / f"wide.{ending}"
    getattr(frame, f"to_{ending}")(path, index=False)
    with pytest.raises(BadInput, match=r"has 51 columns, and tables have at most 50: keep fewer columns"):
        read_table(path)


def test_a_table_that_does_not_fit_is_refused_with_the_numbers(tmp_path, monkeypatch):
    (tmp_path / "t.csv").write_text("x,y\n" + "1,2\n" * 1000)
    monkeypatch.setattr("foldless.core._memory.free_bytes", lambda: 1000)
    with pytest.raises(BadInput, match=r"t\.csv needs about 0\.1 GB of memory, and 0\.0 GB are free"):
        read_table(tmp_path / "t.csv")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no devices")
def test_a_device_is_no_table(tmp_path):
    (tmp_path / "t.csv").symlink_to("/dev/zero")
    with pytest.raises(BadInput, match="is a device: name a file"):
        read_table(tmp_path / "t.csv")


@pytest.mark.skipif(os.name == "nt" or sys.platform == "darwin", reason="names are UTF-8 there")
@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet", "jsonl"])
def test_names_that_are_no_text_are_read(tmp_path, ending):
    frame, plain = pd.DataFrame({"x": [1, 2]}), tmp_path / f"a.{ending}"
    {"parquet": frame.to_parquet, "jsonl": lambda p, **_: frame.to_json(p, orient="records", lines=True)}.get(
        ending, frame.to_csv
    )(plain, index=False)
    odd = os.fsencode(tmp_path) + b"/\xff." + ending.encode()
    os.rename(plain, odd)
    assert read_table(os.fsdecode(odd)).frame["x"].tolist() == [1, 2]
