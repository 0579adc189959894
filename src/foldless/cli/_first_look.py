"""The short form of a check before another command: two lines at most on standard error, fast checks only."""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from foldless.tables import Problem

READ = ("FL002", "FL008", "FL010")  # codes on which reading the files, with all options, has decided


def show(problem: "Problem | None") -> None:
    """Issues and tips of a problem; nothing where its rows have several labels, or there is none."""
    from foldless import check
    from foldless.cli import _documents as documents
    from foldless.cli.terminal import _checked as checked
    from foldless.cli.terminal._console import Screen
    from foldless.errors import FoldlessError

    if problem is None or any(isinstance(label, tuple) for label in problem.y[:1]):
        return
    groups = None if problem.groups is None else problem.groups.labeled
    try:
        with documents.warnings_as_notes():
            findings = check(
                problem.X, problem.y, X_unlabeled=problem.X_unlabeled, X_test=problem.X_test, y_test=problem.y_test,
                groups=groups, fast=True, ignore=READ, unlabeled=None, random_state=0,
            )  # fmt: skip
    except FoldlessError:  # the command itself says what is wrong
        return
    checked.short(findings, Screen(sys.stderr))
