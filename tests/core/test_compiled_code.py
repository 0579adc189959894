"""Compiled code has a place where neither the installation nor the home can be written, or it has none."""

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from numba import njit
from numba.extending import overload

import foldless
from foldless.core import compiled_code

DROP, DAC_OVERRIDE, DAC_READ_SEARCH = 24, 1, 2  # of prctl(2) and capabilities(7)
LEARN = """
import numpy as np
from foldless.learners import LinearSVC
X = np.random.default_rng(0).normal(size=(20, 8))  # so few rows for so many columns take a kernel
print(LinearSVC().fit(X, X[:, 0] > 0).score(X, X[:, 0] > 0) > 0.8)
"""


def test_the_sources_of_kernels_are_where_numba_looks_beside():
    assert any(compiled_code.SOURCES.glob("*.py"))


@pytest.fixture
def outside():
    """A folder with a package that cannot be written, and room for temporary files."""
    folder = Path(tempfile.mkdtemp())
    package = folder / "src" / "foldless"
    shutil.copytree(Path(foldless.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "tmp").mkdir()
    (folder / "src").chmod(0o555)
    for path in (folder / "src").rglob("*"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield folder
    (folder / "src").chmod(0o755)
    for path in (folder / "src").rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    shutil.rmtree(folder)


def call(outside: Path, code: list[str], temporary: Path) -> subprocess.CompletedProcess[str]:
    settings = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA", "XDG", "TMP", "TEMP"))}
    settings |= {
        "PYTHONPATH": str(outside / "src"),
        "HOME": str(outside / "src"),
        "TMPDIR": str(temporary),
        "MPLCONFIGDIR": "",
    }
    return subprocess.run(
        [sys.executable, *code], capture_output=True, text=True, check=False, env=settings, cwd=temporary,
        preexec_fn=_obey_permissions if os.getuid() == 0 else None,
    )  # fmt: skip


def _obey_permissions() -> None:
    """Take from root what lets it write everywhere."""
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in (DAC_OVERRIDE, DAC_READ_SEARCH):
        libc.prctl(DROP, capability, 0, 0, 0)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux to hold root to permissions")
def test_a_read_only_installation_without_a_home(outside: Path) -> None:
    main = ["-c", "from foldless.cli import main; main()"]
    done = call(outside, [*main, "--version"], outside / "tmp")
    assert (done.returncode, foldless.__version__ in done.stdout) == (0, True), done.stderr
    assert "True" in call(outside, ["-c", LEARN], outside / "tmp").stdout
    (kept,) = (outside / "tmp").glob("foldless-numba-*")
    assert kept.stat().st_mode & 0o777 == 0o700
    assert any(kept.rglob("*.nbi"))
    told = call(outside, [*main, "doctor"], outside / "tmp")
    assert f"compiled code is in {kept}" in told.stdout


def test_a_folder_of_somebody_else_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = tmp_path / compiled_code._name()
    folder.mkdir()
    folder.chmod(0o777)
    assert compiled_code._temporary() is None
    folder.chmod(0o700)
    assert compiled_code._temporary() == folder
    folder.rmdir()
    folder.symlink_to(tmp_path)
    assert compiled_code._temporary() is None


def test_the_clock_of_work_stands_still_while_kernels_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that a kernel compiles for itself, which are not counted twice."""
    now = [100.0]
    monkeypatch.setattr(compiled_code.time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(compiled_code, "_COMPILING", compiling := compiled_code._Compiling())
    seen = []
    for step in (lambda: None, compiling.begin, compiling.begin, compiling.end, compiling.end, lambda: None):
        step()
        now[0] += 1
        seen.append((compiled_code.working_time(), compiled_code.is_compiling()))
    assert seen == [(101, False), (101, True), (101, True), (101, True), (102, False), (103, False)]


def test_numba_tells_when_it_compiles() -> None:
    import foldless.solvers  # noqa: F401 (it watches from then on)

    asked = []
    before, began = compiled_code.working_time(), time.perf_counter()

    @overload(_asked_while_compiling)
    def told() -> Any:
        asked.append(compiled_code.is_compiling())
        return lambda: 1

    assert njit(lambda: _asked_while_compiling())() == 1
    assert asked
    assert all(asked)
    assert not compiled_code.is_compiling()
    assert compiled_code.working_time() - before < time.perf_counter() - began


LEFT_BEHIND = """
import os, threading, time
from numba import njit
from numba.extending import overload
import foldless.solvers
begun = threading.Event()
def one(): pass
@overload(one)
def compiled():
    begun.set()
    time.sleep(0.5)
    os.write(1, b"to its end")
    return lambda: 1
threading.Thread(target=njit(lambda: one()), daemon=True).start()
begun.wait()
"""


def test_a_process_ends_when_a_thread_that_was_left_behind_has_compiled() -> None:
    """LLVM that ends under a thread is a segmentation fault now and then."""
    done = subprocess.run([sys.executable, "-c", LEFT_BEHIND], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "to its end"), done.stderr


FIRST_RUN = """
from sklearn.datasets import load_iris
from foldless import FoldlessSearch
from foldless.core.time_budget import WorkingSeconds
from foldless.learners import KernelSVC
X, y = load_iris(return_X_y=True)
grid = [{"kernel": ["linear"]}, {"gamma": [0.01, 0.1]}]
search = FoldlessSearch(KernelSVC(), grid, criterion="k_fold", estimate=False, time_budget=SECONDS, random_state=0)
print(len(search.fit(X, y).cv_results_["params"]))
"""


@pytest.mark.slow
@pytest.mark.parametrize(("budget", "answer"), [("WorkingSeconds(2)", "3"), ("2.0", "StoppedEarly")])
def test_seconds_of_work_are_enough_for_a_first_run(budget: str, answer: str, tmp_path: Path) -> None:
    """A budget that counts what is compiled ends it: to compile the kernels takes some ten seconds."""
    settings = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    code = FIRST_RUN.replace("SECONDS", budget)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=settings)
    assert done.returncode == 0, done.stderr
    assert answer in done.stdout + done.stderr
    assert ("StoppedEarly" in done.stderr) == (answer == "StoppedEarly")


def _asked_while_compiling() -> int:
    raise TypeError("only in a kernel")


NOWHERE = """
from foldless.core import compiled_code
compiled_code.usual_places = lambda: []
compiled_code._temporary = lambda: None
import numba
numba.config.CACHE_LOCATOR_CLASSES = ""
from numba.core import caching
caching.CacheImpl._locator_classes = []
"""


@pytest.mark.slow
def test_without_any_folder_each_process_compiles() -> None:
    settings = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"}
    code = NOWHERE + "from foldless.solvers.linear._l1_quadratic import sweep; print(type(sweep).__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=settings)
    assert done.returncode == 0, done.stderr
    assert "Dispatcher" in done.stdout
