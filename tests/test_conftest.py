"""`make test` and `make test-all` together run every test, and each of them once."""

import ast
import re
from itertools import chain, combinations
from pathlib import Path

from conftest import is_in_slow_folder, is_of_other_run

TESTS = Path(__file__).parent
RUNS = dict(re.findall(r"^(FAST|SLOW) := (.+)$", (TESTS.parent / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
FILES = sorted(TESTS.rglob("test_*.py"))


def runs_of(marks):
    """The runs that take a test with these marks."""
    known = {name: name in marks for name in ("slow", "nightly", "reproduction")}
    return [run for run, expression in RUNS.items() if eval(expression, {}, known)]


def test_marks_send_each_test_into_one_run():
    others = ("nightly", "reproduction")
    for marks in chain.from_iterable(combinations(("slow", *others), n) for n in range(4)):
        expected = [] if {*marks} & {*others} else ["SLOW" if "slow" in marks else "FAST"]
        assert runs_of(marks) == expected


def is_marked_slow(tree):
    """Whether a module has a pytestmark of slow tests."""
    assigned = [
        node for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark"
    ]
    return any("pytest.mark.slow" in ast.unparse(node.value) for node in assigned)


def test_a_file_that_is_not_imported_has_no_test_of_the_run():
    unread = {run: [path for path in FILES if is_of_other_run(path, RUNS[run])] for run in RUNS}
    assert len(unread["FAST"]) > 10
    assert len(unread["SLOW"]) > 100
    for path in unread["FAST"]:
        assert is_in_slow_folder(path) or is_marked_slow(ast.parse(path.read_text(encoding="utf-8"))), path
    for path in unread["SLOW"]:
        assert "mark.slow" not in path.read_text(encoding="utf-8"), path
        assert not is_in_slow_folder(path)


def test_other_runs_read_every_file():
    for expression in ("", "nightly", "nightly or not reproduction", "not nightly"):
        assert not any(is_of_other_run(path, expression) for path in FILES)
