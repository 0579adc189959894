"""What a run shows while it works: fits done, time left and the best so far.

On a terminal it is one line that moves. In a log it is a new line after 30 seconds, and then once a minute, so that a
long run does not look like one that hangs.
"""

import sys
import time
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.console import Console

BAR_WIDTH = 24
FIRST, PACE = 30.0, 60.0  # seconds until the first line of a log, and between two
FIGURES_WIDTH = 32  # "fits", their numbers and the time left


class Observer(Protocol):
    """Something that is told how a run goes."""

    wants_best: bool

    def expect(self, fits: int) -> None:
        """That many more fits will run."""

    def advance(self, fits: int) -> None:
        """That many fits are done."""

    def read(self, share: float) -> None:
        """That share of a pool in files is read, in the pass that is under way."""

    def best(self, text: str) -> None:
        """The best choice among the complete candidates."""

    def close(self) -> None:
        """The run is over."""


class Silent:
    """Shows nothing."""

    wants_best = False

    def expect(self, fits: int) -> None: ...

    def advance(self, fits: int) -> None: ...

    def read(self, share: float) -> None: ...

    def best(self, text: str) -> None: ...

    def close(self) -> None: ...


class Bar:
    """One line on standard error."""

    wants_best = True

    def __init__(self, console: "Console"):
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._total = 0
        self._room = console.width - BAR_WIDTH - FIGURES_WIDTH
        self._progress = Progress(
            TextColumn("fits"),
            BarColumn(bar_width=BAR_WIDTH),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[best]}"),
            console=console,
            transient=True,
        )
        self._task = self._progress.add_task("fits", total=0, best="")
        self._progress.start()

    def expect(self, fits: int) -> None:
        self._total += fits
        self._progress.update(self._task, total=self._total)

    def advance(self, fits: int) -> None:
        self._progress.advance(self._task, fits)

    def read(self, share: float) -> None:
        self._progress.update(self._task, best=f"pool read {share:.0%}" if share < 1 else "")

    def best(self, text: str) -> None:
        whole = f"best so far {text}"
        fits = len(whole) <= self._room  # a name or a score is shown whole or not at all
        self._progress.update(self._task, best=whole.replace("[", r"\[") if fits else "")

    def close(self) -> None:
        self._progress.stop()


class LogLines:
    """A line on standard error now and then, where that is no terminal; nothing about a short run."""

    wants_best = True

    def __init__(self) -> None:
        self._total, self._done, self._best = 0, 0, ""
        self._began = time.monotonic()
        self._next = self._began + FIRST

    def expect(self, fits: int) -> None:
        self._total += fits

    def advance(self, fits: int) -> None:
        self._done += fits
        now = time.monotonic()
        if now >= self._next:
            self._next = now + PACE
            print(self._line(now - self._began), file=sys.stderr, flush=True)  # noqa: T201 (a log is printed to)

    def read(self, share: float) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + PACE
            line = f"{share:.0%} of the pool read in this pass, after {duration(now - self._began)}"
            print(line, file=sys.stderr, flush=True)  # noqa: T201 (a log is printed to)

    def best(self, text: str) -> None:
        self._best = text

    def close(self) -> None: ...

    def _line(self, spent: float) -> str:
        left = max(0, self._total - self._done) * spent / max(1, self._done)
        best = f", best so far {self._best}" if self._best else ""
        return (
            f"{self._done:,} of {self._total:,} fits asked for so far, after {duration(spent)}, "
            f"about {duration(left)} left{best}"
        )


def duration(seconds: float) -> str:
    """Seconds, minutes or hours, as one says them.

    >>> duration(0.2), duration(42), duration(200), duration(9000)
    ('1 second', '42 seconds', '3 minutes', '2.5 hours')
    """
    for unit, size in (("hour", 3600.0), ("minute", 60.0)):
        if seconds >= 1.5 * size:
            amount = seconds / size
            shown = f"{amount:.1f}".removesuffix(".0") if unit == "hour" else f"{amount:.0f}"
            return f"{shown} {unit}s"
    whole = max(1, round(seconds))
    return f"{whole} second{'s' * (whole != 1)}"


def observer(verbose: int) -> Observer:
    """A bar or lines where somebody asked for them: a bar where it can be seen."""
    if not verbose:
        return Silent()
    from rich.console import Console  # imported where something is shown

    console = Console(file=sys.stderr)
    return Bar(console) if console.is_terminal or console.is_jupyter else LogLines()
