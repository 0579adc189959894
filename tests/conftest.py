"""Property tests draw the same examples in every run, and no busy machine makes them fail.

Every test begins with the same state of NumPy's and Python's global generators, so that a search without a
random_state draws the same in every run, whatever ran before it.

Compiled kernels are cached by the sources of all of them: Numba looks only at the file of the kernel it compiles, and
would go on with the old code of a function that the kernel uses. Every version of Numba has a cache of its own.

`make test` leaves out what is marked ``slow``, and `make test-all` runs it: single tests, or files by a ``pytestmark``.
Files of the other run are not imported.
"""

import hashlib
import os
import random
import re
import tempfile
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

SOURCES = sorted((Path(__file__).parents[1] / "src" / "foldless").glob("**/*.py"))
DIGEST = hashlib.blake2b(b"".join(p.read_bytes() for p in SOURCES if "solvers" in p.parts), digest_size=8).hexdigest()
os.environ.setdefault(
    "NUMBA_CACHE_DIR", str(Path(tempfile.gettempdir()) / f"foldless-kernels-{version('numba')}-{DIGEST}")
)

settings.register_profile("seeded", derandomize=True, deadline=None)
settings.load_profile("seeded")


@pytest.fixture(autouse=True)
def seeded() -> None:
    random.seed(0)
    np.random.seed(0)  # scikit-learn's random_state=None reads this one


# Files that take longest come first, so that at the end no worker waits for one of them.
LONGEST = (
    "tests/statistical/test_certificate_validity.py",
    "tests/e2e/test_killed.py",
    "tests/cli/test_terminals.py",
    "tests/selection/test_search.py",
    "tests/cli/test_program.py",
    "tests/statistical/test_counted_rows.py",
    "tests/fuzz/test_generated_commands.py",
    "tests/docs/test_examples.py",
    "tests/docs/test_pages.py",
    "tests/saving/test_model_files.py",
    "tests/report/pages/test_page.py",
)
# Kernels, the learners around them and their measures change rarely, and take long to compile: golden runs use each of
# them in `make test`, and the tests of these folders are in `make test-all`.
SLOW_FOLDERS = (
    "learners/co_training",
    "learners/ensembles",
    "learners/gaussian_process",
    "learners/kernel_svm",
    "learners/linear",
    "learners/online",
    "measures",
    "sklearn_suite",
    "solvers",
    "streams",
)
ALL_SLOW = re.compile(r"^pytestmark = .*\bslow\b", re.MULTILINE)
SOME_SLOW = re.compile(r"\bslow\b")


def is_of_other_run(path: Path, markexpr: str) -> bool:
    """Whether all tests of a file are in the other one of `make test` and `make test-all`."""
    if not path.name.startswith("test_") or path.suffix != ".py":
        return False
    all_slow = is_in_slow_folder(path) or ALL_SLOW.search(path.read_text(encoding="utf-8")) is not None
    if markexpr.startswith("not slow"):
        return all_slow
    return markexpr.startswith("slow") and not all_slow and SOME_SLOW.search(path.read_text(encoding="utf-8")) is None


def is_in_slow_folder(path: Path) -> bool:
    """Whether all tests of a folder are in `make test-all`."""
    folder = path.relative_to(Path(__file__).parent).parent.as_posix()
    return any(folder == slow or folder.startswith(f"{slow}/") for slow in SLOW_FOLDERS)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return True if is_of_other_run(collection_path, config.getoption("markexpr") or "") else None


@pytest.hookimpl(tryfirst=True)  # before marks decide what is run
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if is_in_slow_folder(item.path):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: [not item.path.as_posix().endswith(name) for name in LONGEST])
    if "nightly" not in config.getoption("markexpr"):
        for item in items:
            if item.get_closest_marker("nightly"):
                item.add_marker(pytest.mark.skip(reason="nightly: make fuzz"))
