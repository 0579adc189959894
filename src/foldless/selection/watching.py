"""Watch a run while it works: who leads, who was dropped, and what it has cost so far.

``with watched(tell): search.fit(...)`` calls ``tell`` with a `Standing` now and then. It takes at most a twentieth of
the time of the run.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from foldless.core import Candidate, Opaque
from foldless.engine._progress import Observer, observer

if TYPE_CHECKING:
    from foldless.engine._driving import Drive
    from foldless.engine._run import Engine

PACE, SHARE = 0.4, 20  # seconds between two looks, and how many times longer than a look
State = Literal["asked", "left", "failed"]


@dataclass(frozen=True)
class CandidateSoFar:
    """A candidate in a run that is not over.

    Attributes
    ----------
    name, params : the candidate
    state : "asked" while the criterion asks for more fits of it, "left" once it asks for others only, or "failed"
    fits, seconds : its fits so far, and the time they took
    right : the share of held-out labels that its fits predict right so far; None where none was held out
    """

    name: str
    params: Mapping[str, Any] = field(repr=False)
    state: State
    fits: int
    seconds: float
    right: float | None


@dataclass(frozen=True)
class Standing:
    """How a run goes: fits done and asked for so far, seconds since it began, and the candidates, leaders first."""

    done: int
    asked: int
    seconds: float
    candidates: tuple[CandidateSoFar, ...] = ()


_listener: ContextVar[Callable[[Standing], None] | None] = ContextVar("listener", default=None)


@contextmanager
def watched(tell: Callable[[Standing], None]) -> Iterator[None]:
    """Call a function with a `Standing` now and then, while searches inside the block run.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from foldless import FoldlessSearch
    >>> from foldless.selection import watched
    >>> X, y = load_iris(return_X_y=True)
    >>> seen = []
    >>> with watched(seen.append):
    ...     search = FoldlessSearch(LogisticRegression(max_iter=500), {"C": [0.01, 1]}, random_state=0).fit(X, y)
    >>> seen[-1].done == seen[-1].asked, seen[-1].candidates[0].state
    (True, 'asked')
    """
    token = _listener.set(tell)
    try:
        yield
    finally:
        _listener.reset(token)


def observing(verbose: int) -> Observer:
    """What a run tells how it goes: a bar or lines if they are asked for, and whoever watches."""
    shown, tell = observer(verbose), _listener.get()
    return shown if tell is None else _Watching(shown, tell)


class _Watching(Observer):
    """Passes on what it is told, and tells a listener the standing."""

    def __init__(self, shown: Observer, tell: Callable[[Standing], None]):
        self._shown, self._tell = shown, tell
        self.wants_best = shown.wants_best
        self._followed: tuple[Engine, Drive] | None = None
        self._began, self._next, self._done, self._asked = time.monotonic(), 0.0, 0, 0
        self._still: set[Candidate] = set()

    def follow(self, engine: "Engine", drive: "Drive") -> None:
        if drive.chooses:  # fits for test rows, which come last, say nothing of who leads
            self._followed = engine, drive
        self._shown.follow(engine, drive)

    def expect(self, fits: int) -> None:
        self._asked += fits
        self._shown.expect(fits)
        self._look()

    def advance(self, fits: int) -> None:
        self._done += fits
        self._shown.advance(fits)
        self._look()

    def read(self, share: float) -> None:
        self._shown.read(share)

    def best(self, text: str) -> None:
        self._shown.best(text)

    def close(self) -> None:
        self._shown.close()
        self._next = 0.0
        self._look()

    def _look(self) -> None:
        start = time.monotonic()
        if start >= self._next:
            self._tell(self._standing())
            now = time.monotonic()
            self._next = now + max(PACE, SHARE * (now - start))

    def _standing(self) -> Standing:
        rows: tuple[CandidateSoFar, ...] = ()
        if self._followed is not None:
            engine, drive = self._followed
            self._still = {ask.fit.candidate for ask in drive.pending} or self._still  # none are pending at the end
            rows = _candidates(engine, drive, self._still)
        return Standing(self._done, self._asked, time.monotonic() - self._began, rows)


def _candidates(engine: "Engine", drive: "Drive", still: set[Candidate]) -> tuple[CandidateSoFar, ...]:
    from foldless.selection._estimating import right_of_candidates  # imports what estimates

    found = {} if isinstance(engine.data.target, Opaque) else right_of_candidates(engine, drive.task)
    right = {candidate: float(np.nanmean(times)) for candidate, times in found.items()}

    def state(candidate: Candidate) -> State:
        return "failed" if candidate in drive.dropped else "asked" if candidate in still else "left"

    def row(candidate: Candidate) -> CandidateSoFar:
        spent = [engine.seconds[fit] for fit in drive.fits[candidate] if fit in engine.seconds]
        seconds = sum(one.fit + one.answer for one in spent)
        return CandidateSoFar(
            candidate.name, candidate.params, state(candidate), len(spent), seconds, right.get(candidate)
        )

    return tuple(sorted(map(row, drive.fits), key=_place))


def _place(row: CandidateSoFar) -> tuple[int, int, float]:
    """Those that are still asked come first; of those that have left, the ones that stayed longest."""
    stayed = row.fits if row.state == "left" else 0
    return ("asked", "left", "failed").index(row.state), -stayed, 0.0 if row.right is None else -row.right
