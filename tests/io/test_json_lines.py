"""JSON lines: rows of objects, and the line that is wrong."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from foldless.errors import BadInput
from foldless.io import read_table


def read(folder: Path, text: str | bytes) -> pd.DataFrame:
    (folder / "a.jsonl").write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_table(folder / "a.jsonl").frame


def test_types_are_those_of_csv(tmp_path: Path) -> None:
    frame = pd.DataFrame({"n": [0.5, 1.0], "i": [1, 2**53 + 1], "b": [True, False], "s": ["x, y", "é\n−"]})
    frame.to_json(tmp_path / "a.jsonl", orient="records", lines=True)
    frame.to_csv(tmp_path / "a.csv", index=False)
    pd.testing.assert_frame_equal(read_table(tmp_path / "a.jsonl").frame, read_table(tmp_path / "a.csv").frame)


def test_a_missing_key_is_a_missing_value(tmp_path: Path) -> None:
    read_back = read(tmp_path, '{"a": 1}\n{"b": "x"}\n\n{"a": null, "b": null}')
    assert read_back["a"].isna().tolist() == [False, True, True]
    assert read_back["b"].isna().tolist() == [True, False, True]
    assert str(read_back["a"].dtype) == "Int64"


@pytest.mark.parametrize(
    "text",
    [
        b'\xef\xbb\xbf{"a": 1}\n{"a": 2}\n',
        b'{"a": 1}\r\n{"a": 2}\r\n',
        b'{"a": 1}\n{"a": 2}',
        b'\n{"a": 1}\n\n{"a": 2}',
    ],
    ids=["byte order mark", "windows lines", "no last line end", "blank lines"],
)
def test_as_it_is_found(tmp_path: Path, text: bytes) -> None:
    assert read(tmp_path, text)["a"].tolist() == [1, 2]


def test_lists_stay_lists(tmp_path: Path) -> None:
    frame = read(tmp_path, '{"t": ["a", "b"]}\n{"t": []}\n{}\n')
    assert str(frame["t"].dtype).startswith("list")
    assert frame["t"].isna().tolist() == [False, False, True]
    assert list(frame["t"][0]) == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": 1}\n{"a": }\n', ["line 2", "not JSON", "character 7"]),
        ('{"a": 1}\n{"a": 1', ["line 2", "not JSON"]),
        ('[{"a": 1}]\n', ["line 1", "an array", "one object per line"]),
        ('{"a": 1}\n\n3\n', ["line 3", "a number", "not an object"]),
        ('{"a": 1}\n{"a": null}\n{"a": "x"}\n', ["'a'", "a number in line 1", "a string in line 3"]),
        ('{"a": null}\n{"a": true}\n{"a": "x"}\n', ["'a'", "a boolean in line 2", "a string in line 3"]),
        ('{"a": 1, "a": 2}\n', ["'a' occurs twice in line 1"]),
        ('{"a": 1}\n{"a": "\0"}\n', ["NUL", "line 2"]),
        ('{"a": "é"}\n'.encode("latin-1"), ["0xe9", "UTF-8"]),
        ("a,b\n1,2\n", ["line 1", "not JSON"]),
        ("", ["is empty", "rows"]),
    ],
)
def test_broken_lines(tmp_path: Path, text: str | bytes, words: list[str]) -> None:
    with pytest.raises(BadInput) as raised:
        read(tmp_path, text)
    assert all(word in str(raised.value) for word in [*words, "a.jsonl"])


def test_what_is_long_needs_no_luck(tmp_path: Path) -> None:
    body = "word " * 600_000  # three megabytes in one value
    frame = read(tmp_path, f'{{"a": 1, "t": "{body}"}}\n' + '{"a": 2, "t": "x"}\n' * 3)
    assert len(frame["t"][0]) == len(body)
    assert np.array_equal(frame["a"], [1, 2, 2, 2])


@pytest.mark.parametrize(
    ("text", "line"),
    [("null\n", 1), ("  null\n{}\n", 1), ("null {}\n", 1), ('{"a": 1}\n\nnull\n', 3), ("\ufeffnull", 1)],
)
def test_a_line_of_null_ends_no_process(tmp_path, text, line):
    (tmp_path / "a.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=f"line {line} of .* is null, not an object"):
        read_table(tmp_path / "a.jsonl")
