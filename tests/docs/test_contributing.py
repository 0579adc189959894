"""A criterion, or a check, is one file and one test: the steps of CONTRIBUTING.md, done in a copy of the package."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from foldless.criteria import BY_NAME

pytestmark = pytest.mark.slow  # a copy of the package

ROOT = Path(__file__).parents[2]
STEP = re.compile(r"^\d\. Write `(\S+)`:\n\n   ```python\n(.*?)   ```$", flags=re.DOTALL | re.MULTILINE)
TABLE = "x,y,topic\n" + "".join(f"{at % 7},{at % 5},{'ab'[at % 2] if at < 24 else ''}\n" for at in range(60))
SCRIPT = """
from click.testing import CliRunner
from foldless.cli import main
from foldless.criteria import BY_NAME, Stability, resolve
assert resolve("stability") == Stability() == BY_NAME["stability"]()
assert resolve("stability+k_fold").name == "stability+k_fold"
print(", ".join(name.replace("_", "-") for name in BY_NAME))
print(CliRunner().invoke(main, ["select", "--help"]).stdout)
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package and what tests of criteria and checks need, with the four files of the guide and nothing else."""
    place = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "src", place / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    helpers = ("tests/helpers/__init__.py", "tests/helpers/checked_data.py")
    for name in ("pyproject.toml", "tests/conftest.py", "tests/criteria/conftest.py", *helpers):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, place / name)
    steps = STEP.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    assert [path for path, _ in steps] == [
        "src/foldless/criteria/stability.py", "tests/criteria/test_stability.py",
        "src/foldless/checks/_negative_zeros.py", "tests/checks/test_negative_zeros.py",
    ]  # fmt: skip
    for path, code in steps:
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(re.sub(r"^   ", "", code, flags=re.MULTILINE), encoding="utf-8")
    return place


def run(place: Path, *words: str) -> str:
    """What a command prints in the copy, where its package comes before any other."""
    done = subprocess.run(
        words, cwd=place, env={**os.environ, "PYTHONPATH": str(place / "src")}, capture_output=True, text=True,
        check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_its_test_passes(copy: Path) -> None:
    assert "1 passed" in run(copy, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/criteria")


def test_the_test_of_a_check_passes(copy: Path) -> None:
    assert "1 passed" in run(copy, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/checks")


def test_python_and_the_help_name_it_after_all_others(copy: Path) -> None:
    names = [*(name.replace("_", "-") for name in BY_NAME), "stability"]
    printed, _, page = run(copy, sys.executable, "-c", SCRIPT).partition("\n")
    assert printed.split(", ") == names
    assert f"{','.join(names)}," in "".join(page.split())  # lines break at hyphens


def test_the_command_line_chooses_by_it(copy: Path) -> None:
    (copy / "rows.csv").write_text(TABLE, encoding="utf-8")
    foldless = (sys.executable, "-c", "from foldless.cli import main; main()")
    options = ("--label", "topic", "--model", "naive-bayes", "--criterion", "stability")
    assert "stability" in run(copy, *foldless, "select", "rows.csv", *options)


def test_imports_are_checked_without_a_list(copy: Path) -> None:
    lint = str(Path(sysconfig.get_path("scripts")) / "lint-imports")
    assert "0 broken" in run(copy, lint, "--no-cache")
    stability = copy / "src" / "foldless" / "criteria" / "stability.py"
    code = stability.read_text(encoding="utf-8")
    stability.write_text(f"from foldless.criteria.k_fold import KFold\n{code}", encoding="utf-8")
    try:
        with pytest.raises(AssertionError, match="Criteria do not know each other BROKEN"):
            run(copy, lint, "--no-cache")
    finally:
        stability.write_text(code, encoding="utf-8")
