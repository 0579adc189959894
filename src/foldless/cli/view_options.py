"""Views as they are typed: ``--view 'page_*' --view links,anchors`` are two sets of columns, for learners of two views.

Names have commas between them; one that no column has may be a pattern with * and ?.
"""

from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from foldless.cli.model_catalog import TWO_VIEWS
from foldless.errors import BadInput
from foldless.tables import label_column as labels
from foldless.tables.problem import Problem

EXAMPLE = "such as --view 'page_*' --view links,anchors"


def cut(problem: Problem, typed: Sequence[str], names: Sequence[str]) -> Problem:
    """The problem with the views of its columns; ``names`` are the models that were chosen."""
    readers = [name for name in dict.fromkeys(names) if name in TWO_VIEWS]
    if typed and not readers:
        raise BadInput(
            f"--view {typed[0]!r} is for {', '.join(TWO_VIEWS)}: leave it out, or choose one of them with --model"
        )
    if not readers:
        return problem
    if problem.columns.width:
        raise BadInput(
            f"{readers[0]} wants two views by the names of columns, and svmlight has none: "
            f"give a table whose columns have names, or choose another model"
        )
    if len(typed) != 2:
        raise BadInput(
            f"{readers[0]} learns from two views of a row, and --view is given {_times(len(typed))}: "
            f"name the columns of each view, {EXAMPLE}"
        )
    first, second = (_columns(view, problem) for view in typed)
    if both := [name for name in first if name in second]:
        raise BadInput(f"{labels.listed(both)} in both views: name every column in one of them")
    rest = [name for name in problem.columns.kinds if name not in (*first, *second)]
    told = [f"{labels.listed(rest)} in no view, and not read by {' and '.join(readers)}"] if rest else []
    return replace(problem, views=(first, second), notes=(*problem.notes, *told))


def unread(typed: Sequence[str], names: Sequence[str], known: Sequence[str]) -> list[str]:
    """Columns in no view, where no model reads anything else; none where a view has a slip, which is told later."""
    if not typed or any(name not in TWO_VIEWS for name in names):
        return []
    asked = [part.strip() for view in typed for part in view.split(",")]
    found = [_matching(part, known) for part in asked]
    return [name for name in known if not any(name in own for own in found)] if all(found) else []


def _matching(asked: str, known: Sequence[str]) -> list[str]:
    return [asked] if asked in known else [name for name in known if fnmatchcase(name, asked)]


def _columns(view: str, problem: Problem) -> tuple[str, ...]:
    """The columns of a view, each once, in the order of the table."""
    known, found = list(problem.columns.kinds), set[str]()
    for asked in (part.strip() for part in view.split(",")):
        if asked == problem.label:
            raise BadInput(f"--view {view!r} names {asked!r}, which is the label, not a feature: name other columns")
        matching = _matching(asked, known)
        if not matching:
            raise BadInput(
                f"--view {view!r} asks for {asked!r}, and the table has no such column: {labels.near(asked, known)}"
            )
        found.update(matching)
    return tuple(name for name in known if name in found)


def _times(n: int) -> str:
    return {0: "not", 1: "once"}.get(n, f"{n} times")
