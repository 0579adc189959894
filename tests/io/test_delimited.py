"""CSV and TSV as they are found, and what is told of broken ones."""

from pathlib import Path

import pandas as pd
import pytest

from foldless.errors import BadInput
from foldless.io import _sources as sources
from foldless.io import read_table


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
    "short line": (b'a,b\n1,"x\ny"\n3\n', ["line 4", "1 values", "header has 2"]),
    "long line": (b"a,b\n1,2\n1,2,3\n", ["line 3", "3 values", "header has 2"]),
    "Cyrillic": ("a,b\n1,x\n2,Привет\n".encode("cp1251"), ["0xcf", "line 3", "byte 11 ", "UTF-8", "encoding"]),
    "cut inside a character": ("a,b\n1,é".encode()[:-1], ["0xc3", "line 2", "byte 7 ", "UTF-8"]),
    "utf-16": ("a,b\n1,2\n".encode("utf-16-le"), ["NUL", "line 1", "UTF-8"]),
    "NUL": (b"a,b\n1,2\n3,\0\n", ["NUL", "line 3"]),
    "open quote": (b'a,b\n1,2\n3,"x\n4,y\n', ["quote", "line 3"]),
    "duplicate column": (b"a,b,a\n1,2,3\n", ["'a'", "twice"]),
    "column without a name": (b"a,,b\n1,2,3\n", ["column 2", "no name"]),
    "named by words without a name": (b",b\nx,3\n", ["column 1", "no name"]),
    "parquet": (b"PAR1....", ["Parquet", ".parquet"]),
    "gzip": (b"\x1f\x8b\x08", ["gzip", ".gz", "unpack"]),
    "zstd": (b"\x28\xb5\x2f\xfd", ["zstd", ".zst", "unpack"]),
    "arrow": (b"ARROW1\0\0", ["an Arrow file", ".arrow"]),
    "spreadsheet": (b"PK\x03\x04....", ["spreadsheet", "CSV"]),
}


@pytest.mark.parametrize("case", BROKEN_CSV)
def test_broken_csv(tmp_path: Path, case: str) -> None:
    content, words = BROKEN_CSV[case]
    (tmp_path / "a.csv").write_bytes(content)
    with pytest.raises(BadInput) as raised:
        read_table(tmp_path / "a.csv")
    for word in [*words, "a.csv"]:
        assert word in str(raised.value)


def test_a_wrong_byte_is_found_behind_the_first_chunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "CHUNK", 8)
    (tmp_path / "a.csv").write_bytes("a,b\n1,ü\n1,2\n1,2\n".encode() + b"1,\xff\n")
    with pytest.raises(BadInput, match=r"0xff in line 5 \(byte 20 of"):
        read_table(tmp_path / "a.csv")


def test_tabs_as_commas(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [1, 2], "b": ["x,y", 'say "z"\tthere'], "c": [None, "é"]})
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_csv(tmp_path / "a.tsv", index=False, sep="\t")
    pd.testing.assert_frame_equal(read_table(tmp_path / "a.csv").frame, read_table(tmp_path / "a.tsv").frame)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"a\tb\n1\n", ["line 2", "1 values", "quote values that hold a tab"]),
        (b'a\tb\n1\t"x\n', ["quote in line 2"]),
    ],
    ids=["short line", "open quote"],
)
def test_broken_tsv(tmp_path: Path, content: bytes, words: list[str]) -> None:
    (tmp_path / "a.tsv").write_bytes(content)
    with pytest.raises(BadInput) as raised:
        read_table(tmp_path / "a.tsv")
    assert all(word in str(raised.value) for word in [*words, "a.tsv"])
