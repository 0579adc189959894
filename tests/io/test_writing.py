"""Tables into files: what is written reads back, and a write that fails leaves what was there."""

import gzip
import json
import os
import stat
import threading
from pathlib import Path
from typing import TextIO

import numpy as np
import pandas as pd
import pytest

from foldless.errors import BadInput
from foldless.io import check_target, read_table, write_table
from foldless.io._atomic import placed

TEXTS = ['a "quoted", one', "two\nlines\tand a tab", "naïve −"]


def frame() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "number": [0.1 + 0.2, -1e-300, 3.0],
            "whole": pd.array([7, None, 2**53 + 1], dtype="Int64"),
            "flag": pd.array([True, False, None], dtype="boolean"),
            "text": TEXTS,
        }
    )


@pytest.mark.parametrize(
    "name",
    ["out.csv", "out.tsv", "out.jsonl", "out.parquet", "out.pq", "out.csv.gz", "out.tsv.gz", "out.jsonl.gz",
     "out.csv.zst", "out.ndjson.zst"],
)  # fmt: skip
def test_what_is_written_reads_back(tmp_path: Path, name: str) -> None:
    write_table(frame(), tmp_path / name)
    read = read_table(tmp_path / name).frame
    pd.testing.assert_frame_equal(read, frame().astype({"text": object}), check_exact=True)
    assert os.listdir(tmp_path) == [name]


def test_the_same_table_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.csv.gz", "b.csv.gz"):
        write_table(frame(), tmp_path / name)
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.csv.gz").read_bytes()).startswith(b"number,whole")


def test_json_lines_hold_plain_values(tmp_path: Path) -> None:
    table = pd.DataFrame({"d": pd.to_datetime(["2020-01-02"]), "l": [np.array(["a", "b"])], "x": [np.inf], "é": ["−"]})
    write_table(table, tmp_path / "a.jsonl")
    text = (tmp_path / "a.jsonl").read_text(encoding="utf-8")
    assert json.loads(text) == {"d": "2020-01-02T00:00:00", "l": ["a", "b"], "x": None, "é": "−"}
    assert "é" in text


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "out.csv"
    place.write_text("old")

    def half(_: pd.DataFrame, file: TextIO, **_options: object) -> None:
        file.write("ha")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pd.DataFrame, "to_csv", half)
    with pytest.raises(BadInput, match="No space left"):
        write_table(frame(), place)
    assert place.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.csv"]


def test_a_write_keeps_the_mode_and_follows_a_link(tmp_path: Path) -> None:
    place, link = tmp_path / "out.csv", tmp_path / "link.csv"
    place.write_text("old")
    place.chmod(0o640)
    link.symlink_to(place)
    write_table(frame(), link)
    assert link.is_symlink()
    assert place.read_text().startswith("number,")
    assert stat.S_IMODE(place.stat().st_mode) == 0o640


def test_targets_are_checked_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "sub.csv").mkdir()
    check_target(tmp_path / "out.csv")
    for name, words in {
        "no/out.csv": "folder of .* does not exist",
        "sub.csv": "is a folder",
        "out.txt": "'.txt'",
        "out.svm": "'.svm'",
        "out.arrow": "'.arrow'.*written as .csv",
        "out.parquet.gz": "'.parquet.gz'",
    }.items():
        with pytest.raises(BadInput, match=words):
            check_target(tmp_path / name)


def test_a_named_pipe_stays_one_and_is_written_into(tmp_path):
    pipe, read = tmp_path / "a.csv", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write_table(frame(), pipe)
    reader.join(60)
    write_table(frame(), tmp_path / "b.csv")
    assert pipe.is_fifo()
    assert read == [(tmp_path / "b.csv").read_bytes()]


def test_a_read_only_file_is_not_replaced(tmp_path):
    place = tmp_path / "a.csv"
    place.write_text("mine")
    place.chmod(0o444)
    with pytest.raises(BadInput, match=r"a.csv is read-only"):
        check_target(place)
    with pytest.raises(BadInput, match=r"a.csv is read-only"):
        write_table(frame(), place)
    assert place.read_text() == "mine"


def test_names_that_no_file_can_have(tmp_path):
    with pytest.raises(BadInput, match="File name too long"):
        check_target(tmp_path / ("x" * 300 + ".csv"))
    long = tmp_path / ("x" * 250 + ".csv")  # the longest that a file can have
    write_table(frame(), long)
    assert [path.name for path in tmp_path.iterdir()] == [long.name]


def test_a_write_removes_what_killed_runs_left_of_the_same_file(tmp_path):
    left, other = ".a.csv.foldless-99999999-0123abcd.unfinished", ".b.csv.foldless-99999999-0123abcd.unfinished"
    for name in (left, other):
        (tmp_path / name).write_text("half")
    write_table(frame(), tmp_path / "a.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == [other, "a.csv"]


@pytest.mark.skipif(os.name == "nt", reason="modes are other ones there")
def test_what_is_not_finished_is_for_its_owner_alone(tmp_path):
    for private, mode in ((False, 0o644), (True, 0o600)):
        place = tmp_path / f"out-{private}"
        before = os.umask(0o022)
        try:
            with placed(place, private=private) as beside:
                beside.write_text("x")
                assert beside.stat().st_mode & 0o777 == 0o600
        finally:
            os.umask(before)
        assert place.stat().st_mode & 0o777 == mode
