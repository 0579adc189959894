"""A file is the same whenever a run opens it, or the run ends with a sentence; a pipe is read once."""

import os
import random
import threading
from pathlib import Path

import pytest

from foldless.errors import BadInput
from foldless.io import _delimited as delimited
from foldless.io import read_table

CHANGED = r"t\.\w+ has changed since this run began to read it: keep it as it is for the run"
FILES = {"t.csv": "a,b\n1,x\n2,y\n3,z\n", "t.jsonl": '{"a": 1}\n{"a": 2}\n{"a": 3}\n', "t.svm": "1 1:1\n0 1:2\n1 1:3\n"}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        Path(name).write_text(content)


def shuffle(name: str) -> None:
    """Other rows of the same length in the place of a file."""
    rows = Path(name).read_text().splitlines(keepends=True)
    first = rows[:1] if name.endswith(".csv") else []
    rest = rows[len(first) :]
    random.Random(0).shuffle(rest)
    Path("other").write_text("".join([*first, *rest]))
    os.utime("other", ns=(0, Path(name).stat().st_mtime_ns + 1))
    os.replace("other", name)


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl"])
def test_a_file_with_other_rows_is_not_read_again(name: str) -> None:
    source = read_table(name).source
    assert source is not None
    assert source.read() == FILES[name].encode()
    shuffle(name)
    with pytest.raises(BadInput, match=CHANGED):
        source.read()
    with pytest.raises(BadInput, match=CHANGED), source.arrow():
        pass
    Path(name).unlink()
    with pytest.raises(BadInput, match=CHANGED):
        source.read()


@pytest.mark.parametrize("change", [shuffle, os.unlink, lambda name: os.truncate(name, 9)])
def test_a_file_that_changes_while_it_is_read(change, monkeypatch: pytest.MonkeyPatch) -> None:
    def found(*_: object) -> str:
        change("t.csv")
        return ","

    monkeypatch.setattr(delimited, "delimiter_of", found)
    with pytest.raises(BadInput, match=CHANGED):
        read_table("t.csv")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no named pipes")
@pytest.mark.parametrize("name", FILES)
def test_a_named_pipe_is_read_once(name: str) -> None:
    os.mkfifo(f"pipe-{name}")
    writer = threading.Thread(target=Path(f"pipe-{name}").write_text, args=(FILES[name],), daemon=True)
    writer.start()
    table = read_table(f"pipe-{name}")
    writer.join(60)
    assert len(table.frame) == 3
    if table.source is not None:
        assert table.source.read() == FILES[name].encode()
