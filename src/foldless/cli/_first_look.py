"""The short form of a check before another command: two lines at most on standard error, fast checks only.

What it finds is in the report of the command too.
"""

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from foldless.results import Finding, Findings
    from foldless.selection import Selection
    from foldless.tables import Problem

_looked: "list[tuple[Problem, Findings | None]]" = []  # the last one
READ = ("FL002", "FL008", "FL010")  # codes on which reading the files, with all options, has decided


def show(problem: "Problem") -> list[str]:
    """Issues and tips of a problem on standard error; the same lines as they are in a file."""
    from io import StringIO

    from foldless.cli.terminal import _checked as checked
    from foldless.cli.terminal._console import Screen

    findings, text = look(problem), StringIO()
    if findings is not None:
        checked.short(findings, Screen(text))
        checked.short(findings, Screen(sys.stderr))
    return text.getvalue().splitlines()


def look(problem: "Problem") -> "Findings | None":
    """What the fast checks find, before a command and again for its report; None where rows cannot be checked."""
    if not has_looked(problem):
        _looked[:] = [(problem, _look(problem))]
    return _looked[0][1]


def has_looked(problem: "Problem") -> bool:
    """Whether a second look takes no time."""
    return bool(_looked) and _looked[0][0] is problem


def _look(problem: "Problem") -> "Findings | None":
    """None where rows have several labels, or cannot be read."""
    from foldless import check
    from foldless.cli import _documents as documents
    from foldless.errors import FoldlessError

    if any(isinstance(label, tuple) for label in problem.y[:1]):
        return None
    groups: Any = None if problem.groups is None else problem.groups.labeled
    try:
        with documents.warnings_as_notes():
            return check(
                problem.X, problem.y, X_unlabeled=problem.X_unlabeled, X_test=problem.X_test, y_test=problem.y_test,
                groups=groups, fast=True, ignore=READ, unlabeled=None, random_state=0,
                task="regression" if problem.regression else "classification",
            )  # fmt: skip
    except FoldlessError:  # the command itself says what is wrong
        return None


def further(problem: "Problem", selection: "Selection") -> "list[Finding]":
    """What the fast checks find beyond what a selection has found."""
    findings = look(problem)
    known = {finding.code for finding in (*problem.findings, *selection.findings)}
    return [] if findings is None else [finding for finding in findings.findings if finding.code not in known]
