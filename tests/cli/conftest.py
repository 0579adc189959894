"""A folder with small files, and what tests read of commands; who needs other files has a fixture of the same name."""

from pathlib import Path

import pytest
from helpers import blob_files

from foldless.engine import _progress


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with train.csv, pool.csv and test.csv."""
    blob_files.write(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def no_lines_of_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that takes ten seconds and more, as on a busy machine, writes none between what tests read."""
    monkeypatch.setattr(_progress, "PACE", 1e9)
