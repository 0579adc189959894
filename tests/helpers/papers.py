"""How tests run the reproductions in ``benchmarks/papers``, and skip where the collections are not here."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("FOLDLESS_DATA", ROOT.parent / "shared" / "data"))


def needs(collection: str = "") -> pytest.MarkDecorator:
    """Skip where a collection is not on this machine."""
    return pytest.mark.skipif(not (DATA / collection).is_dir(), reason=f"no collection {DATA / collection}")


def reproduce(paper: str, *words: object, data: Path = DATA) -> subprocess.CompletedProcess[str]:
    """Run a paper as ``make reproduce`` does, with more options."""
    command = [sys.executable, "-m", f"benchmarks.papers.{paper}.run", "--data", str(data), *map(str, words)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
