"""The door from results to what draws them, so that results know nothing of pages and pictures.

A module of ``foldless.report`` registers what it draws of a class of results, and a result asks here for its page, its
summary in a notebook or its picture. The report is imported, by its name, when the first of them is asked for.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, TypeVar

REPORT = "foldless.report.pages"

What = Literal["page", "summary", "plot", "picture"]
Draw = TypeVar("Draw", bound=Callable[..., Any])

_registered: dict[tuple[What, type], Callable[..., Any]] = {}


def draws(what: What, kind: type) -> Callable[[Draw], Draw]:
    """A decorator: this function draws the page, the summary, the plot or the picture of such results."""

    def register(function: Draw) -> Draw:
        _registered[what, kind] = function
        return function

    return register


def write_page(result: Any, path: Any, **options: Any) -> Path:
    """Write the page of a result, one HTML file."""
    return Path(_drawing("page", result)(result, path, **options))


def summary(result: Any) -> str:
    """A result in a notebook, as HTML."""
    return str(_drawing("summary", result)(result))


def plot(result: Any, ax: Any = None) -> Any:
    """Plot a result on the axes given or on new ones; returns its display."""
    return _drawing("plot", result)(result, ax=ax)


def write_picture(result: Any, path: Any) -> Path:
    """Write the picture of a result in the size of a slide."""
    return Path(_drawing("picture", result)(result, path))


def _drawing(what: What, result: Any) -> Callable[..., Any]:
    import_module(REPORT)
    for kind in type(result).__mro__:
        if (what, kind) in _registered:
            return _registered[what, kind]
    raise TypeError(f"{REPORT} has no {what} of a {type(result).__name__}")
