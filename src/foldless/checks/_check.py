"""What a check is: a function of the data that returns diagnoses, known by its code.

A file of this folder has one check, and nothing else lists it::

    @check("FL016", "constant and nearly constant columns", kind="tip")
    def constant_columns(data: CheckedData) -> list[Diagnosis]: ...

``kind`` is "issue" where it changes a number that people act on, else "tip". ``level`` is how often an issue may be
reported of data that have none: all issues together must stay below `FALSE_ISSUES`, one file in twenty. A check that
cannot be made raises `DoesNotApply` with the reason.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from foldless.checks._checked_data import CheckedData, Variant
from foldless.results.finding import Finding

Kind = Literal["issue", "tip"]
FALSE_ISSUES = 0.05  # files without a fault of which an issue may be reported


class DoesNotApply(Exception):  # not an error: the reason why a check says nothing
    """A check cannot be made of these data; its message is the reason."""


class NoTime(DoesNotApply):
    """A check could not be made before the time budget was spent."""


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """A finding, and by which form of the data one can tell how much it matters; or why that cannot be told."""

    finding: Finding
    variant: Variant | None = None
    untold: str = ""
    kind: Kind | None = None  # that of the check, if it is not another
    masks: tuple[Any, ...] = ()  # columns that hide all other faults: these are looked for and measured without them


@dataclass(frozen=True, eq=False)
class Check:
    """A check that is registered."""

    code: str
    title: str
    kind: Kind
    level: float
    fast: bool
    first: bool
    run: Callable[[CheckedData], list[Diagnosis]]

    def diagnoses(self, data: CheckedData) -> list[Diagnosis]:
        """What it finds, each with its kind."""
        return [one if one.kind else replace(one, kind=self.kind) for one in self.run(data)]


_KNOWN: dict[str, Check] = {}


def check(
    code: str, title: str, *, kind: Kind, level: float = 0.0, fast: bool = True, first: bool = False
) -> Callable[[Callable[[CheckedData], list[Diagnosis]]], Callable[[CheckedData], list[Diagnosis]]]:
    """Make a function known as the check with this code.

    ``fast`` where it needs no fit of a model, ``first`` where it finds what hides other faults.
    """

    def known(run: Callable[[CheckedData], list[Diagnosis]]) -> Callable[[CheckedData], list[Diagnosis]]:
        before = _KNOWN.get(code)
        if before is not None and before.run.__module__ != run.__module__:
            raise ValueError(f"there is a check {code} already, in {before.run.__module__}: choose another code")
        _KNOWN[code] = Check(code, title, kind, level, fast, first, run)
        return run

    return known


def registered() -> Mapping[str, Check]:
    """All checks by their codes; the files of this folder are imported the first time."""
    _import_all()
    return dict(sorted(_KNOWN.items()))


@cache
def _import_all() -> None:
    for path in Path(__file__).parent.glob("_*.py"):
        if path.stem != "__init__" and "\n@check(" in path.read_text(encoding="utf-8"):
            import_module(f"{__package__}.{path.stem}")
