"""``--time-budget``: seconds from the beginning of a command, with all that it imports, reads, trains and writes.

A command that has no answer when twice its budget, or five seconds more, is over says so and ends. Work is woken for
that a moment before; what is deep in compiled code cannot be woken, and the process ends.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from foldless.cli._group import OUT_OF_TIME, invocation
from foldless.errors import Overtime

if TYPE_CHECKING:
    from foldless.core import TimeBudget

# seconds before the end of all at which what is no part of the answer is left out, work is woken, and the process ends
ANSWER, WAKE, LAST = 2.0, 1.3, 0.8
NEVER = 1e9  # seconds for which no timer is needed; what is no number is refused with other settings
LONG_LIVED = ("app",)  # the budget is that of each round of training
OPTION: dict[str, Any] = {"type": click.FloatRange(min=0, min_open=True), "metavar": "SECONDS"}


def counted(context: click.Context, option: click.Parameter, seconds: float | None) -> "float | TimeBudget | None":
    """Seconds that were typed, from the beginning of the command on; the command ends with them."""
    typed = context.get_parameter_source(option.name or "") is not ParameterSource.DEFAULT
    if (
        seconds is None
        or not 0 < seconds < NEVER
        or not typed
        or context.resilient_parsing
        or context.command.name in LONG_LIVED
    ):
        return seconds
    from foldless.core import TimeBudget

    budget = TimeBudget(seconds, invocation().started)
    context.with_resource(_ended(budget))
    return budget


@contextmanager
def if_there_is_time(budget: Any) -> Iterator[None]:
    """What is no part of the answer is left where the time of a command runs out."""
    if not hasattr(budget, "until"):
        yield
        return
    try:
        with budget.until(budget.whole - ANSWER):
            yield
    except Overtime:
        pass


@contextmanager
def _ended(budget: "TimeBudget") -> Iterator[None]:
    if not invocation().is_process:  # others are not ours to end
        yield
        return
    last = threading.Timer(max(0.0, budget.whole - LAST - budget.spent), _end)
    last.daemon = True
    last.start()
    try:
        with budget.until(budget.whole - WAKE):
            yield
    finally:
        last.cancel()


def _end() -> None:
    """End what cannot be woken; workers end with their parent."""
    os.write(2, f"Error: {OUT_OF_TIME}\n".encode())
    os._exit(2)
