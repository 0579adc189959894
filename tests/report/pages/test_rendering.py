import os
import stat

import pytest

from foldless.errors import BadInput
from foldless.report.pages._rendering import write


def test_writes_and_replaces(tmp_path):
    path = tmp_path / "report.txt"  # the ending is the user's business
    assert write("old", path) == path
    assert write("שלום 🙂\n", str(path)) == path
    assert path.read_bytes().decode("utf-8") == "שלום 🙂\n"
    assert os.listdir(tmp_path) == ["report.txt"]


def test_others_may_read_it_as_the_umask_says(tmp_path):
    before = os.umask(0o027)
    try:
        path = write("x", tmp_path / "a.html")
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_failure_keeps_the_old_report_and_leaves_nothing(tmp_path, monkeypatch):
    path = write("old", tmp_path / "a.html")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(BadInput, match=r"a\.html.*No space left"):
        write("new", path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.html"]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("missing/a.html", "the folder of missing/a.html does not exist"),
        (".", "is a folder"),
        ("a\0b", "NUL"),
        ("", "is a folder"),
    ],
)
def test_places_that_cannot_be(tmp_path, monkeypatch, path, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match=message):
        write("x", path)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("path", [None, 3.5])
def test_not_a_path(path):
    with pytest.raises(BadInput, match=repr(path)):
        write("x", path)
