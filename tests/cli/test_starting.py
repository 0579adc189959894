"""Help pages need no heavy package, and their words are those of the packages; seconds are in ``speed.startup``."""

import subprocess
import sys
from typing import get_args

import pytest

from foldless.accuracy._assumptions import CONFIDENCE
from foldless.cli import _options as options
from foldless.cli.commands import certify
from foldless.criteria.semi_supervised_cv import Disagreement, SemiSupervisedCV
from foldless.io._formats import FORMATS
from foldless.judging._counted import EqualRows

HEAVY = ("numba", "numpy", "pandas", "pyarrow", "rich", "scipy", "sklearn")
MAIN = "import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
MAIN += "    from foldless.cli import main; main({words!r})"


def loaded_by(code: str) -> set[str]:
    """The heavy packages that a new process has imported after some code."""
    shown = f"{code}\nimport sys; print(*sorted(set({HEAVY!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "words", [["--version"], ["--help"], ["completion", "bash"], ["select", "--help"], ["predict", "--help"]]
)
def test_a_help_page_imports_no_heavy_package(words: list[str]) -> None:
    assert loaded_by(MAIN.format(words=words)) == set()


def test_the_check_sees_imports() -> None:
    assert loaded_by("import numpy") == {"numpy"}


def test_words_of_help_pages_are_those_of_the_packages_that_they_do_not_import() -> None:
    assert options.FORMATS == FORMATS
    assert tuple(name.replace("-", "_") for name in certify.DISAGREEMENTS) == get_args(Disagreement)
    assert (SemiSupervisedCV().k, SemiSupervisedCV().disagreement) == (certify.FOLDS, certify.DISAGREEMENT)
    assert get_args(EqualRows) == certify.EQUAL_ROWS
    assert options.CONFIDENCE == CONFIDENCE
