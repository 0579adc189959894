"""A time budget T, from a moment on: work ends T seconds after it, and all that follows within T + 5 s or 2 T.

Work that runs on is interrupted by a timer of the process, in the main thread only. Timers nest: an inner one never
hides the end of an outer one. A call of compiled code ends first, and what is being compiled is kept for the next run.

A budget that nobody has named is of `WorkingSeconds`: what a first run answers is then what the next ones answer.
"""

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from foldless.core.compiled_code import working_time
from foldless.errors import Overtime

LATER = 5.0  # seconds after a short budget until all is over; long budgets have twice their time
AGAIN = 0.5  # seconds until work that has caught its end is woken again
NEVER = 1e9  # seconds for which no timer is needed, and above which there is none
SOON = 0.001  # seconds until a timer wakes whose time has passed


class TimeBudget(float):
    """Seconds that count from when the budget is made: several calls with one budget share it.

    A plain number of seconds counts from the beginning of each call.

    Parameters
    ----------
    seconds : float
        How long to work.
    start : float, optional
        The moment from which they count, as `time.monotonic` tells it; by default now.

    Examples
    --------
    >>> from foldless import FoldlessSearch
    >>> from foldless.core import TimeBudget
    >>> hour = TimeBudget(3600)  # reading files, and all searches that are given it
    >>> FoldlessSearch(time_budget=hour)
    FoldlessSearch(time_budget=3600.0)
    """

    start: float

    def __new__(cls, seconds: float, start: float | None = None) -> "TimeBudget":
        """Seconds, and the moment from which they count."""
        budget = super().__new__(cls, seconds)
        budget.start = time.monotonic() if start is None else start
        return budget

    @property
    def spent(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.start

    @property
    def whole(self) -> float:
        """Seconds from the start until all is over, also what is made of the work."""
        return max(self + LATER, 2 * self)

    @contextmanager
    def until(self, seconds: float) -> Iterator[None]:
        """Raises `Overtime` in the block as many seconds after the start."""
        with woken_after(seconds - self.spent):
            yield


def wall_time() -> float:
    """`time.monotonic`, by which a budget counts that somebody has named."""
    return time.monotonic()


class WorkingSeconds(float):
    """Seconds of work: those in which kernels are compiled, once on a machine, do not count."""

    clock = staticmethod(working_time)


_ENDS: list[Callable[[], bool]] = []
"""Whether the time of each block is over in which work may be woken, the innermost last."""


@contextmanager
def woken_after(seconds: float, clock: Callable[[], float] = wall_time) -> Iterator[None]:
    """Raises `Overtime` in the block after some seconds, and then every half a second.

    Only in the main thread, where there are timers, and nobody else uses them.
    """
    mine = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
    if not mine or seconds > NEVER or signal.getsignal(signal.SIGALRM) not in (signal.SIG_DFL, _raise_overtime):
        yield
        return
    outer = signal.getitimer(signal.ITIMER_REAL)[0]
    entered, end = time.perf_counter(), clock() + seconds - SOON

    def is_over() -> bool:
        return clock() >= end

    try:
        _ENDS.append(is_over)
        signal.signal(signal.SIGALRM, _raise_overtime)
        signal.setitimer(signal.ITIMER_REAL, max(min(seconds, outer or seconds), SOON), AGAIN)
        yield
    finally:
        with suppress(ValueError):
            _ENDS.remove(is_over)
        try:
            _end_timer(outer, entered)
        except Overtime:  # at the very last moment
            _end_timer(outer, entered)


def _end_timer(outer: float, entered: float) -> None:
    """Go on with what is left of the timer around this one, if there is one."""
    if outer:
        signal.setitimer(signal.ITIMER_REAL, max(outer - (time.perf_counter() - entered), SOON), AGAIN)
    else:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def _raise_overtime(*_: Any) -> None:
    # Numba that is broken off while it compiles keeps nothing, and the next run would compile again, to the same end
    numba = sys.modules.get("numba.core.compiler_lock")
    compiles = numba is not None and numba.global_compiler_lock.is_locked()
    if not compiles and any(is_over() for is_over in _ENDS):
        raise Overtime
