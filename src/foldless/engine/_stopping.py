"""When to stop early: a time budget, the first Ctrl-C, or a callback that asks for it.

Stopping means: start no more fits, let the running ones finish, choose among the candidates that are complete. A fit
that runs on for long after its time is up is left behind, and its worker process ended. A second Ctrl-C is the ordinary
one. SIGTERM ends this process at once as ever, and its workers with it.

Where a worker process of this machine dies, loky says so, and the fit that kills is found in a process of its own.
"""

import math
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager, suppress
from inspect import Parameter, signature
from types import FrameType
from typing import Any

from sklearn.utils.parallel import Parallel

from foldless.core.time_budget import AGAIN, TimeBudget, wall_time, woken_after
from foldless.engine._parents import begin_for, watch
from foldless.errors import Overtime

PATIENCE = 2.0  # times the budget until there is something to choose: the first run of all compiles kernels
GRACE = 2.0  # seconds that a running fit has after the end of the budget: what is lost then is seldom large
# seconds before the end of all, and part of the whole time, at which the answer must be there: a model labels a pool,
# is saved and reported then
KEPT = (2.0, 0.2)


class Stop:
    """Knows whether, and why, no further fit should start. Used as a context manager around the fits.

    The time of a budget counts from its own ``start``, if it is a `TimeBudget`; else from the one that is passed, or
    from the fits. It counts on a ``clock`` of its own, if it has one.
    """

    def __init__(self, time_budget: float | None = None, start: float | None = None):
        self._clock: Callable[[], float] = getattr(time_budget, "clock", wall_time)
        begun = getattr(time_budget, "start", start)
        self._begun = None if begun is None else self._clock() - (time.monotonic() - begun)
        self._start = self._clock() if self._begun is None else self._begun
        self._budget = None if time_budget is None else TimeBudget(time_budget)
        self.interrupted = False
        self._reason: str | None = None
        self.answered = False  # whether there is something to choose
        self.trains_choice = False  # whether the chosen model is wanted, which may have to be trained once more
        self._longest = 0.0
        self._before: Any = None
        self._owner = 0  # the process that hears SIGTERM; those that it forks are not its own

    @property
    def reason(self) -> str | None:
        if self._reason is None and self._budget is not None and self._spent >= self._limit:
            self._reason = f"the time budget of {self._budget:g} s ran out"
        return self._reason

    def request(self, reason: str) -> None:
        """Stop after the running fits."""
        self._reason = self._reason or reason

    @property
    def has_budget(self) -> bool:
        return self._budget is not None

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the end of the budget, or None without one."""
        return None if self._budget is None or math.isinf(self._budget) else max(0.0, self._budget - self._spent)

    @property
    def seconds_to_end(self) -> float:
        """Seconds until all is over that follows the fits; as long as nothing can be chosen, fits may use them too."""
        return math.inf if self._budget is None else max(0.0, self._budget.whole - self._spent)

    @property
    def _spent(self) -> float:
        return self._clock() - self._start

    @property
    def _limit(self) -> float:
        """Seconds until no further fit starts: the budget, and more as long as there is nothing to choose."""
        if self._budget is None or self.answered:
            return self._budget or 0.0
        return min(PATIENCE * self._budget, self._end - (self._longest if self.trains_choice else 0.0))

    @property
    def _end(self) -> float:
        """Seconds from the start until the answer must be there, a while before the end where it is a model."""
        if self._budget is None:
            return math.inf
        seconds, part = KEPT
        return self._budget.whole - max(seconds, part * self._budget.whole if self.trains_choice else 0.0)

    def took(self, seconds: float) -> None:
        """A fit took so long, with all that it shares with others: the one that is chosen may."""
        self._longest = max(self._longest, seconds)

    def leaves(self, seconds: float) -> bool:
        """Whether the model can be there in time if it takes so long."""
        return self._spent + seconds < self._end

    @contextmanager
    def in_time(self, grace: float = GRACE) -> Iterator[None]:
        """Raises `Overtime` in the block some seconds after the time is up."""
        if self._budget is None:
            yield
            return
        left = self._limit + (grace if self.answered else 0) - self._spent
        with woken_after(max(left, AGAIN), self._clock):
            yield

    @contextmanager
    def to_the_end(self, training: float = 0.0) -> Iterator[None]:
        """Raises `Overtime` in the block when the model must be there, or its training must begin.

        Of what is left, half at most is for training.
        """
        if self._budget is None:
            yield
            return
        left = self._end - self._spent
        if left <= 0:
            raise Overtime
        with woken_after(left - min(training, left / 2), self._clock):
            yield

    def __enter__(self) -> "Stop":
        self._start = self._clock() if self._begun is None else self._begun
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._interrupted)
            if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
                self._owner = os.getpid()
                signal.signal(signal.SIGTERM, self._terminated)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
            self._before = None
        if self._owner:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            self._owner = 0

    def _terminated(self, number: int, _: FrameType | None) -> None:
        """Workers that have not begun do not know yet whose end is theirs."""
        if os.getpid() == self._owner:
            for worker in loky_workers():
                with suppress(OSError):
                    os.kill(worker, signal.SIGTERM)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        if self._reason is not None and callable(self._before):
            self._before(number, frame)
        self.interrupted = True
        self.request("it was interrupted")


@contextmanager
def interrupts_wait() -> Iterator[None]:
    """Ctrl-C waits until the end of the block; processes that start inside never see it."""
    if not hasattr(signal, "pthread_sigmask") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def work_for(parent: int) -> None:
    """In a worker process: Ctrl-C, which reaches the whole process group, is the parent's to handle; ends with it."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if isinstance(getattr(signal.getsignal(signal.SIGTERM), "__self__", None), Stop):  # a fork has it too
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
    watch(parent)


def is_death(error: BaseException) -> bool:
    """Whether an error says that a worker process died."""
    return isinstance(error, BrokenExecutor)


def died() -> RuntimeError:
    """The error of a fit whose worker died."""
    return RuntimeError("its worker process died, possibly out of memory")


def loky_workers() -> list[int]:
    """The worker processes that joblib has started for this one, also those that are still starting."""
    from joblib.externals.loky import reusable_executor

    executor = reusable_executor._executor
    return list(getattr(executor, "_processes", None) or ())


def end_workers() -> None:
    """End the worker processes that joblib has started for this one, whatever they do; the next call starts others."""
    for worker in loky_workers():
        with suppress(OSError):
            os.kill(worker, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)


def watching() -> dict[str, Any]:
    """Arguments of `joblib.Parallel` by which its processes end with this one from their first moment."""
    taken = signature(Parallel.__init__).parameters.values()
    if not any(parameter.kind is Parameter.VAR_KEYWORD for parameter in taken):  # an older joblib
        return {}
    return {"initializer": begin_for, "initargs": (os.getpid(),)}


def apart(call: Any) -> Any:
    """What a call returns that runs in a process of its own on this machine; None if the process dies."""
    try:
        return Parallel(n_jobs=2, backend="loky", **watching())([call])[0]
    except BrokenExecutor:
        return None
