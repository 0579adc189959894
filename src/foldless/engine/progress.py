"""What a run shows while it works: fits done, time left and the best so far, on a terminal only."""

import sys
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.console import Console

BAR_WIDTH = 24
FIGURES_WIDTH = 32  # "fits", their numbers and the time left


class Observer(Protocol):
    """Something that is told how a run goes."""

    wants_best: bool

    def expect(self, fits: int) -> None:
        """That many more fits will run."""

    def advance(self, fits: int) -> None:
        """That many fits are done."""

    def best(self, text: str) -> None:
        """The best choice among the complete candidates."""

    def close(self) -> None:
        """The run is over."""


class Silent:
    """Shows nothing."""

    wants_best = False

    def expect(self, fits: int) -> None: ...

    def advance(self, fits: int) -> None: ...

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

    def best(self, text: str) -> None:
        whole = f"best so far {text}"
        fits = len(whole) <= self._room  # a name or a score is shown whole or not at all
        self._progress.update(self._task, best=whole.replace("[", r"\[") if fits else "")

    def close(self) -> None:
        self._progress.stop()


def observer(verbose: int) -> Observer:
    """A bar where somebody asked for one and somebody can see it."""
    if not verbose:
        return Silent()
    from rich.console import Console  # imported where something is shown

    console = Console(file=sys.stderr)
    return Bar(console) if console.is_terminal or console.is_jupyter else Silent()
