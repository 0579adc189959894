"""Parts: folders in folders, what is hidden in them, and what cannot be piped."""

import os

import pytest

from foldless.errors import BadInput
from foldless.io._parts import fingerprint, parts_of
from foldless.streams._batches import Stream

READ = ["a.parquet", "day=1/p.parquet", "day=2/hour=03/p.pq"]
NOT_READ = [".tmp/p.parquet", "_delta_log/c.parquet", "day=2/_p.parquet", "notes.txt"]


def test_a_folder_stands_for_the_files_in_it_at_any_depth(tmp_path):
    folder = tmp_path / ".hidden" / "days"  # how one gets there does not matter
    for name in READ + NOT_READ:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    parts = parts_of([str(folder)])
    assert [str(part.path.relative_to(folder)) for part in parts] == READ
    assert Stream(parts, most=1).partition_columns == ["day", "hour"]
    assert [{name: value.as_py() for name, value in part.partition.items()} for part in parts] == [
        {"day": None, "hour": None}, {"day": 1, "hour": None}, {"day": 2, "hour": 3},
    ]  # fmt: skip
    assert Stream(parts_of([str(folder / "day=1" / "p.parquet")]), most=1).partition_columns == []
    (tmp_path / "empty" / "_tmp").mkdir(parents=True)
    with pytest.raises(BadInput, match="is a folder without Parquet files"):
        parts_of([str(tmp_path / "empty")])


def test_parquet_cannot_be_piped():
    with pytest.raises(BadInput, match="Parquet has its index at the end, so it cannot be piped: name the file"):
        parts_of(["-"], "parquet")
    assert parts_of(["-"], "tsv")[0].fmt == "tsv"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no named pipes")
def test_a_named_pipe_has_no_fingerprint(tmp_path):
    os.mkfifo(tmp_path / "p.csv")  # to open it would wait forever
    (part,) = parts_of([str(tmp_path / "p.csv")])
    with pytest.raises(BadInput, match=r"p\.csv cannot be read again: name files to resume"):
        fingerprint(part)
