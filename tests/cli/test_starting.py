"""The program starts fast because it imports little: seconds are in ``benchmarks/speed/startup.py``, modules here."""

import pickle
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import pytest

import foldless
from foldless import criteria, learners, tables
from foldless.accuracy._assumptions import CONFIDENCE
from foldless.cli import _options as options
from foldless.cli.commands import predict as predicting
from foldless.cli.commands import select as selecting
from foldless.cli.terminal._deferred_imports import is_tested
from foldless.criteria.semi_supervised_cv import Disagreement, SemiSupervisedCV
from foldless.io._formats import FORMATS
from foldless.judging._counted import EqualRows
from foldless.selection.estimate import METRICS
from foldless.tables import _model_names as model_names

HEAVY = ("numba", "numpy", "pandas", "pyarrow", "rich", "scipy", "sklearn")
MAIN = "import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
MAIN += "    from foldless.cli import main; main({words!r})"


def loaded_by(code: str, packages: Sequence[str] = HEAVY) -> set[str]:
    """The heavy packages that a new process has imported after some code."""
    shown = f"{code}\nimport sys; print(*sorted(set({packages!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "words", [["--version"], ["--help"], ["completion", "bash"], ["select", "--help"], ["predict", "--help"]]
)
def test_the_program_imports_nothing_that_the_page_does_not_need(words: list[str]) -> None:
    assert loaded_by(MAIN.format(words=words)) == set()


def test_a_select_of_few_rows_imports_neither_a_compiler_nor_distributions(tmp_path: Path) -> None:
    rows = "".join(f"{n % 7},{n % 3},{'ab'[n % 2]}\n" for n in range(40))
    (tmp_path / "train.csv").write_text(f"x,z,y\n{rows}")
    code = MAIN.format(words=["select", str(tmp_path / "train.csv"), "--label", "y"])
    later = ("scipy.stats", "scipy.optimize") if is_tested() else ()
    assert loaded_by(code, (*HEAVY, *later)) == set(HEAVY) - {"numba"}


def test_words_of_help_pages_are_those_of_the_packages_that_they_do_not_import() -> None:
    assert options.FORMATS == FORMATS
    assert (tuple(tables.MODELS), tuple(tables.TWO_VIEWS)) == (model_names.ONE_VIEW, model_names.TWO_VIEW)
    assert tuple(tables.PRESETS) == model_names.PRESET
    assert tuple(name.replace("-", "_") for name in selecting.DISAGREEMENTS) == get_args(Disagreement)
    assert (SemiSupervisedCV().k, SemiSupervisedCV().disagreement) == (selecting.FOLDS, selecting.DISAGREEMENT)
    assert get_args(EqualRows) == selecting.EQUAL_ROWS
    assert (predicting.METRICS, predicting.CONFIDENCE) == (METRICS, CONFIDENCE)


def test_the_package_imports_what_is_used() -> None:
    assert loaded_by("import foldless; foldless.__version__; dir(foldless)") == set()
    large = (*HEAVY, "sklearn.metrics", "sklearn.model_selection", "foldless.engine._run", "foldless.quantifiers")
    used = loaded_by("from foldless import FoldlessSearch, Pool, certify, compare, estimate", large)
    assert "sklearn" in used  # the check sees imports
    assert used <= set(HEAVY) - {"numba"}


@pytest.mark.parametrize("module", [foldless, learners, criteria, tables])
def test_names_that_are_looked_up_later_are_the_names_of_the_package(module: object) -> None:
    names = module.__all__  # type: ignore[attr-defined]
    assert set(names) <= set(dir(module))
    assert all(getattr(module, name) is getattr(module, name) for name in names)
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        _ = module.Nothing  # type: ignore[attr-defined]
    everything: dict[str, object] = {}
    exec(f"from {module.__name__} import *", everything)  # type: ignore[attr-defined]
    assert set(names) <= set(everything)


def test_pickles_find_their_classes_in_a_new_process() -> None:
    whole = (learners.LinearSVC(), criteria.KFold(3), foldless.FoldlessSearch(learners.KernelSVC(), {"C": [1]}))
    code = f"import pickle; print(*map(type, pickle.loads({pickle.dumps(whole)!r})))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "foldless.learners.LinearSVC" in done.stdout
    assert "FoldlessSearch" in done.stdout
