"""The door from results to what draws them, so that results know nothing of pages and pictures.

A module of ``foldless.report`` registers what it draws of a class of results, and a result asks here for its page, its
summary in a notebook or its picture. The report is imported, by its name, when the first of them is asked for.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import singledispatch
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foldless.results.finding import Finding, among

if TYPE_CHECKING:
    from typing import Self  # Python 3.10 has none

REPORT = "foldless.report.pages"


@singledispatch
def page(result: Any, **options: Any) -> str:
    """The page of a result, as HTML."""
    return str(_registered(page, result)(result, **options))


def write_page(result: Any, path: Any, **options: Any) -> Path:
    return Path(import_module(f"{REPORT}._rendering").write(page(result, **options), path))


@singledispatch
def summary(result: Any) -> str:
    return str(_registered(summary, result)(result))


@singledispatch
def plot(result: Any, *, ax: Any = None) -> Any:
    """Plot a result on the axes given or on new ones; returns its display."""
    return _registered(plot, result)(result, ax=ax)


@singledispatch
def write_picture(result: Any, path: Any) -> Path:
    return Path(_registered(write_picture, result)(result, path))


def _registered(draw: Any, result: Any) -> Callable[..., Any]:
    """What the report has registered for such a result, once it is imported."""
    import_module(REPORT)
    function: Callable[..., Any] = draw.dispatch(type(result))
    if function is draw.dispatch(object):
        raise TypeError(f"{REPORT} has no {draw.__name__.removeprefix('write_')} of a {type(result).__name__}")
    return function


class DrawnResult:
    """A result that has a page, and is a summary of it in a notebook."""

    def report(self, path: Any, *, made_by: str | None = None, about: Sequence[str] = ()) -> Path:
        """Write one HTML file with everything that is known: pictures, tables and notes.

        ``made_by`` is the command or code that makes it again; ``about`` are sentences on the data.
        """
        return write_page(self, path, made_by=made_by, about=about)

    def _repr_html_(self) -> str:
        return summary(self)


class NotedResult(DrawnResult):
    """A result with notes, some of which are findings in the data."""

    notes: tuple[str, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was found in the data: the notes that have a code, and name rows or columns."""
        return among(self.notes)

    def noting(self, notes: Sequence[str]) -> "Self":
        """The same result with further notes before its own, each once."""
        return replace(self, notes=tuple(dict.fromkeys([*notes, *self.notes])))  # type: ignore[type-var]  # a dataclass
