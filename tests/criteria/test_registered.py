"""Names of criteria: read from the files without importing them, and given to classes of one's own."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from foldless import criteria
from foldless.core import Criterion
from foldless.criteria import BY_NAME, REGISTERED, KFold, register, resolve
from foldless.errors import BadInput

NAMES = "import sys, foldless.criteria as c; names = list(c.BY_NAME); print(len(names), 'sklearn' in sys.modules)"

IMPORTED = """
from importlib import import_module
from foldless.criteria import REGISTERED
read = dict(REGISTERED)
REGISTERED.clear()
for module in {entry.module for entry in read.values()}:
    import_module(module)
assert read == REGISTERED
"""


@dataclass(frozen=True)
class Plain(Criterion):
    def evaluate(self, task):
        raise NotImplementedError


@pytest.fixture
def registered():
    register("plain", place=1)(Plain)
    yield
    del REGISTERED["plain"]


def test_names_are_read_without_importing_anything():
    done = subprocess.run([sys.executable, "-c", NAMES], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(len(BY_NAME)), "False"]


@pytest.mark.slow
def test_what_is_read_is_what_the_decorators_register():
    subprocess.run([sys.executable, "-c", IMPORTED], check=True)


def test_no_file_is_without_a_criterion():
    modules = {entry.module.removeprefix("foldless.criteria.") for entry in REGISTERED.values()}
    folder = Path(criteria.__file__).parent
    files = [path.relative_to(folder).with_suffix("") for path in folder.rglob("[!_]*.py")]
    assert modules == {".".join(file.parts) for file in files}


def test_a_class_of_ones_own_is_called_by_its_name(registered):
    assert resolve("plain") == Plain()
    assert list(BY_NAME)[:2] == ["auto", "plain"]
    assert "Plain" in criteria.__all__


def test_a_name_is_taken_once():
    with pytest.raises(BadInput, match="there is a criterion 'k_fold' already"):
        register("k_fold")(Plain)
    assert BY_NAME["k_fold"] is KFold


def test_a_slip_in_a_name_is_answered_with_the_name():
    with pytest.raises(BadInput, match=r"there is no criterion 'kfold': did you mean 'k_fold'\?"):
        resolve("kfold")
    with pytest.raises(BadInput, match="criterion must be one of auto"):
        resolve("cross_validation")
