"""A folder with small files; tests that need others have a fixture of the same name."""

from pathlib import Path

import pytest
from helpers import blob_files


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with train.csv, pool.csv and test.csv."""
    blob_files.write(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path
