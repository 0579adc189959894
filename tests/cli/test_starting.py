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


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of memory are other ones there")
@pytest.mark.parametrize("words", [["app", "t.csv", "--label", "y"], ["select", "t.csv", "--label", "y"], ["doctor"]])
def test_a_limit_of_memory_below_the_libraries_is_named_at_once(words: list[str]) -> None:
    ended = run_limited(500_000_000, words)
    assert ended.returncode == 2
    assert ended.stderr.startswith(
        "Error: memory is limited to 0.5 GB (ulimit -v), and the libraries alone take 0.7 GB"
    )


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of memory are other ones there")
@pytest.mark.parametrize("words", [[], ["select", "--help"], ["completion", "bash"]])
def test_help_needs_no_memory(words: list[str]) -> None:
    assert "memory" not in run_limited(500_000_000, words).stderr


def run_limited(limit: int, words: list[str]) -> "subprocess.CompletedProcess[str]":
    code = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({limit}, {limit}))\n"
    code += f"from foldless.cli import main; main({words!r})"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
