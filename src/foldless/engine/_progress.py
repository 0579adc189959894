"""What a run shows while it works: what is trained, fits done, time left and the best so far.

On a terminal it is one line that is renewed, and in a notebook a bar. In a log it is a new line every ten seconds, so
that a long run does not look like one that hangs.
"""

import sys
import threading
import time
from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from foldless.core.compiled_code import is_compiling, working_time
from foldless.engine._time_left import Remaining, TimeLeft

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

BAR_WIDTH = 24
BRIEF = 1e-3  # seconds of a look at what is left that are worth no pause
PACE = 10.0  # seconds between two lines of a log


class Observer:
    """Something that is told how a run goes, and need not show it."""

    wants_best = False

    def follow(self, engine: Any, drive: Any) -> None:
        """This is the engine of the run, and its first criterion, at work."""

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


class Silent(Observer):
    """Shows nothing."""


class Account(Observer):
    """What is shown of a run: fits done and in all, what is trained, the time left and the best so far.

    Without a criterion to follow it knows the fits that were asked for so far, and their mean time.
    """

    wants_best = True

    def __init__(self) -> None:
        self._asked, self._done, self._best, self._read = 0, 0, "", 1.0
        self._began, self._next_look = working_time(), 0.0
        self._follows: TimeLeft | None = None
        self._left = Remaining(self._began, 0, 0)  # what another thread shows is never half done

    def follow(self, engine: Any, drive: Any) -> None:
        self._follows = TimeLeft(engine, drive)

    def begin(self) -> None:
        """Begin to show it, with the first fits: what goes wrong before them ends a call that never closes this."""

    def expect(self, fits: int) -> None:
        self._asked += fits
        self._look()
        self.begin()

    def advance(self, fits: int) -> None:
        self._done += fits
        if working_time() >= self._next_look:
            self._look()
        self._show()

    def read(self, share: float) -> None:
        self._read = share
        self._show()

    def best(self, text: str) -> None:
        self._best = text

    def _show(self) -> None:
        """Renew what is shown, where nothing else does so."""

    def _look(self) -> None:
        """Look at what is left, for at most a twentieth of the time."""
        start = working_time()
        planned = None if self._follows is None else self._follows.remaining()
        if planned is not None and self._done <= planned.fits:
            self._left = planned
        else:  # fits beyond those of the criterion, such as those of an estimate, or nothing to follow
            so_far, ahead = start - self._began, max(0, self._asked - self._done)
            later = ahead * so_far / self._done if self._done else None
            left = Remaining(start, self._done, max(self._asked, self._done), later=later)
            self._left = left if self._follows is None else self._follows.in_budget(left)
        spent = working_time() - start
        self._next_look = start + (20 * spent if spent > BRIEF else 0.0)

    def parts(self) -> list[str]:
        """What is shown, the most important first."""
        left = self._left
        parts = [f"{left.done:,} of {left.fits:,} fits" if left.fits else "reading the data"]
        parts += [] if left.seconds is None else [_time_left(left)]
        parts += [f"pool read {self._read:.0%}"] if self._read < 1 else []
        parts += [f"best so far {self._best}"] if self._best else []
        if is_compiling():
            return ["compiling, once on this machine", *parts]
        return [*parts, f"training {left.running}"] if left.running else parts

    def share(self) -> float:
        """The share of the time that is over."""
        left, spent = self._left.seconds, working_time() - self._began
        return 0.0 if left is None else spent / max(spent + left, 1e-9)


class Line(Account):
    """One line on a terminal that is renewed four times a second, and gone when the run is over."""

    def __init__(self, console: "Console"):
        super().__init__()
        from rich.live import Live

        self._live = Live(self, console=console, transient=True, refresh_per_second=4)

    def begin(self) -> None:
        self._live.start()

    def close(self) -> None:
        self._live.stop()

    def __rich_console__(self, console: "Console", _: object) -> "Iterator[Text]":
        """As many parts as the terminal has room for, each of them whole."""
        from rich.text import Text

        yield Text(fitting(self.parts(), self.share(), console.width - 1), no_wrap=True)


class Notebook(Account):
    """A bar below a cell, renewed in its place; notebooks need no further package for it."""

    def __init__(self) -> None:
        super().__init__()
        from IPython.display import HTML, display

        self._page, self._next = HTML, 0.0
        self._place = display(HTML(""), display_id=True)

    def close(self) -> None:
        self._place.update(self._page(""))

    def _show(self) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + 0.25
            bar = f'<progress max="1" value="{self.share():.3f}"></progress>'
            self._place.update(self._page(f"<div>{bar} {escape(' · '.join(self.parts()))}</div>"))


class LogLines(Account):
    """A line on standard error every ten seconds, where that is no terminal; nothing about a short run."""

    def __init__(self) -> None:
        super().__init__()
        self._opened = time.monotonic()
        self._next = self._opened + PACE
        self._turn, self._over = threading.Lock(), threading.Event()
        self._clock: threading.Thread | None = None

    def begin(self) -> None:
        if self._clock is None and not self._over.is_set():
            self._clock = threading.Thread(target=self._wait, name="progress", daemon=True)
            self._clock.start()

    def close(self) -> None:
        self._over.set()

    def _wait(self) -> None:
        """During a long fit nothing else asks for a line."""
        while not self._over.wait(PACE / 10):
            self._show()

    def _show(self) -> None:
        with self._turn:
            now = time.monotonic()
            if now >= self._next and not self._over.is_set():
                self._next = now + PACE
                line = ", ".join([f"after {duration(now - self._opened)}", *self.parts()])
                print(line, file=sys.stderr, flush=True)  # noqa: T201 (a log is printed to)


def fitting(parts: Sequence[str], share: float, width: int) -> str:
    """The first parts that fit into a line, with a bar before them where there is room for all.

    >>> fitting(["3 of 12 fits", "about 8 seconds left", "best so far svc (.9)"], 0.25, 40)
    '3 of 12 fits · about 8 seconds left'
    """
    line = parts[0]
    for part in parts[1:]:
        line = longer if len(longer := f"{line} · {part}") <= width else line
    filled = round(BAR_WIDTH * min(1.0, share))
    bar = f"{'━' * filled}{'╌' * (BAR_WIDTH - filled)} "
    return f"{bar}{line}" if len(bar) + len(line) <= width else line[:width]


def _time_left(left: Remaining) -> str:
    """The time left, never more than is left of a budget; after its end, what may follow."""
    about, most = left.seconds or 0.0, left.at_most
    if most is None or (left.later is not None and about <= most):
        return f"about {duration(about)} left"
    if not most:
        return f"the time budget is over, at most {duration(left.to_end)} to finish"
    return f"at most {duration(most)} left to choose"


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
    """A line, a bar or a log where somebody asked for them, by where standard error goes."""
    if not verbose:
        return Silent()
    from rich.console import Console  # imported where something is shown

    console = Console(file=sys.stderr)
    if console.is_jupyter:
        return Notebook()
    return Line(console) if console.is_terminal and not console.is_dumb_terminal else LogLines()
