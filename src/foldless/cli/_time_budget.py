"""``--time-budget``: seconds from the beginning of a command, with all that it imports, reads, trains and writes.

A command that has no answer after twice its budget, or five seconds more than it, says so and ends. Python code is
interrupted a moment before. Compiled code cannot be interrupted, and the process ends.
"""

import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from foldless.cli._group import OUT_OF_TIME, invocation
from foldless.errors import Overtime

if TYPE_CHECKING:
    from foldless.core import TimeBudget  # numpy, which help pages do not need

# seconds before the end of all at which a report is written without further checks, what is no part of the answer is
# left out, work is woken, a report is left unfinished, and the process ends
PAGE, ANSWER, WAKE, REPORT, LAST = 5.0, 2.0, 1.3, 0.7, 0.8
NEVER = 1e9  # seconds for which no timer is needed; what is no number is refused with other settings
ENDING = "foldless.time_budget"  # what ends a command, in its context
LONG_LIVED = ("app",)  # the budget is that of each round of training
OPTION: dict[str, Any] = {"type": click.FloatRange(min=0, min_open=True), "metavar": "SECONDS"}


def counted(context: click.Context, option: click.Parameter, seconds: float | None) -> "float | TimeBudget | None":
    """Seconds that were typed, from the beginning of the command on; the command ends with them."""
    by_default = context.get_parameter_source(option.name or "") is ParameterSource.DEFAULT
    if seconds is None or by_default or context.resilient_parsing or context.command.name in LONG_LIVED:
        return seconds
    if not 0 < seconds < NEVER:
        return seconds
    from foldless.core import TimeBudget

    budget = TimeBudget(seconds, invocation().started)
    ending = context.meta[ENDING] = context.with_resource(ExitStack())
    ending.enter_context(_ended(budget))
    return budget


def in_time(budget: Any, work: Callable[[], object], before: float | None = None) -> bool:
    """Do what is no part of the answer, as long as the time of a command allows; whether it was done.

    It ends some seconds ``before`` all is over.
    """
    if not hasattr(budget, "until"):
        work()
        return True
    end = budget.whole - (ANSWER if before is None else before)
    if budget.spent > end:
        return False
    try:
        with budget.until(end):
            work()
    except Overtime:
        return False
    return True


def prepare(typed: Mapping[str, Any]) -> None:
    """Import what the files that were asked for need before the fits: after the answer there may be no time for it.

    A budget that is spent by reading has time for the answer alone.
    """
    budget = typed["time_budget"]
    if not hasattr(budget, "until") or budget.spent > budget:
        return
    if typed.get("save") is not None:
        from foldless.saving import model_files

        model_files.prepare()
    if typed.get("report") is not None:
        for name in ("jinja2", "foldless.report.pages"):
            with suppress(ImportError):  # what is not installed is said where it is needed
                import_module(name)


def answered() -> None:
    """There is an answer: to write and to show it is never broken off."""
    ending = click.get_current_context().meta.get(ENDING)
    if ending is not None:
        ending.close()


@contextmanager
def _ended(budget: "TimeBudget") -> Iterator[None]:
    if not invocation().is_process:  # others are not ours to end
        yield
        return
    last = threading.Timer(max(0.0, budget.whole - LAST - budget.spent), _end)
    last.daemon = True
    last.start()
    sys.unraisablehook = _unraisable
    try:
        with budget.until(budget.whole - WAKE):
            yield
    finally:
        last.cancel()


def _unraisable(hooked: Any) -> None:
    """What wakes work may do so where nothing can be raised, such as the end of an object: it comes again."""
    if not isinstance(hooked.exc_value, Overtime):
        sys.__unraisablehook__(hooked)


def _end() -> None:
    """End what cannot be woken; workers end with their parent."""
    os.write(2, f"Error: {OUT_OF_TIME}\n".encode())
    os._exit(2)
