"""Records are kept line by line, and read from packed files too."""

import gzip
import json

import pytest
from benchmarks.records import keep, kept, read


def test_what_is_kept_comes_behind_what_was_there(tmp_path):
    path = tmp_path / "new folder" / "records.jsonl"
    assert kept(path) == []
    keep(path, [{"set": "a", "seed": 0}, {"set": "b", "seed": 0}])
    keep(path, [{"set": "ä", "accuracy": 0.1}])
    assert kept(path) == [{"set": "a", "seed": 0}, {"set": "b", "seed": 0}, {"set": "ä", "accuracy": 0.1}]
    assert len(path.read_text().splitlines()) == 3


def test_packed_files_are_read(tmp_path):
    path = tmp_path / "texts.jsonl.gz"
    rows = [{"text": "eins\nzwei"}, {"text": "größer"}]
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    assert read(path) == rows


def test_a_data_set_that_is_missing_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "texts.jsonl.gz")
