"""How long a run will still take: the fits that a criterion will ask for, each at what such fits have taken so far.

The fits of a portfolio differ in cost by a hundred, so that their number says little. A candidate that was trained
costs what it took, and one of a kind that was trained the mean of its kind. Others cost what `SECONDS` says of their
kind, times how much slower this machine was with the kinds it has trained. Fits take no longer than a time budget, and
with all that follows no longer than its whole.
"""

from collections.abc import Mapping, Sequence
from math import inf, sqrt
from statistics import fmean, median
from typing import TYPE_CHECKING, Any, NamedTuple

import joblib

from foldless.core.compiled_code import working_time
from foldless.data._features import n_entries_per_row
from foldless.engine._candidates import last_step

if TYPE_CHECKING:
    from foldless.core import Candidate, Fit

SECONDS: Mapping[str, tuple[float, float]] = {
    "LogisticRegression": (0.005, 3e-5),
    "LinearSVC": (0.005, 3e-5),
    "ShrunkenDiscriminant": (0.012, 3e-5),
    "KNeighborsClassifier": (0.006, 5e-5),
    "KernelSVC": (0.0, 2e-4),
    "PoolFeatures": (0.0, 4.2e-4),
    "ExtraTreesClassifier": (0.0, 9e-4),
    "RandomForestClassifier": (0.0, 1.1e-3),
    "HistGradientBoostingClassifier": (0.02, 8e-5),
}
"""A fit of the default portfolio, on one core: seconds, and seconds per root of rows × columns, by kind of model.

`benchmarks.speed.time_left` measures them (rates).
"""
PER_CLASS = ("LogisticRegression", "LinearSVC", "HistGradientBoostingClassifier")  # one model for each of 3 or more
OTHERS = (0.012, 3e-5)  # of models that are not in the portfolio, until one was trained
CLOSING = 0.5  # seconds in which labels and pool are compared, after the last fit
SETTLED = 1.0  # seconds of fits after which their pace, with what lies between them, is known


class Remaining(NamedTuple):
    """What was left of a run at some moment of the clock: fits done, fits in all, and what is trained.

    ``now`` are the seconds of the fits that were asked for, ``later`` those of others, None where no fit was timed yet.
    ``closing`` are the seconds after the last fit. ``allowed`` are those until the end of a time budget, and ``whole``
    those until all is over.
    """

    moment: float
    done: int
    fits: int
    running: str = ""
    now: float = 0.0
    later: float | None = None
    allowed: float | None = None
    closing: float = 0.0
    whole: float = inf

    @property
    def at_most(self) -> float | None:
        """The seconds that are left of a budget from now on, in which the choice is made."""
        return None if self.allowed is None else max(0.0, self.allowed - self._spent)

    @property
    def to_end(self) -> float:
        """The seconds from now on until all is over."""
        return max(0.0, self.whole - self._spent)

    @property
    def _spent(self) -> float:
        return working_time() - self.moment

    @property
    def seconds(self) -> float | None:
        """The seconds that are left from now on: fits that take longer than foreseen leave those of later ones."""
        if self.later is None:
            return self.at_most
        fits = self.later + max(0.0, self.now - self._spent)
        return min((fits if self.at_most is None else min(fits, self.at_most)) + self.closing, self.to_end)


class TimeLeft:
    """Follows the first criterion of a run."""

    def __init__(self, engine: Any, drive: Any):
        self._engine, self._drive = engine, drive
        self._began = self._seen = working_time()
        self._root = sqrt(len(drive.task.labeled) * n_entries_per_row(engine.data.labeled))
        self._classes = 1 if drive.task.regression else drive.task.n_classes
        self._kinds = {c: type(last_step(engine.recipes[c.index].estimator)).__name__ for c in drive.task.candidates}
        self._plan = drive.criterion.plan(drive.task)
        self._workers = max(1, joblib.effective_n_jobs(engine.n_jobs))

    def remaining(self) -> Remaining:
        """What is left when some fits are done, or asked for."""
        moment = self._seen = working_time()
        asked = {c: tuple(fits) for c, fits in self._drive.fits.items() if c not in self._drive.dropped}
        over = {c: sum(_over(self._engine, fit) for fit in fits) for c, fits in asked.items()}
        if self._engine.stopped is not None:  # no further fit is made
            return Remaining(moment, sum(over.values()), sum(over.values()), later=CLOSING)
        done, pending = sum(over.values()), {c: len(asked[c]) - over[c] for c in asked}
        ahead = self._ahead({c: len(fits) for c, fits in asked.items()})
        n_fits = round(done + sum(pending.values()) + sum(ahead.values()))
        running = next((ask.fit.candidate.name for ask in self._drive.pending if not _over(self._engine, ask.fit)), "")
        left = self.in_budget(Remaining(moment, done, n_fits, running))
        timed = {c: spent for c, fits in asked.items() if (spent := self._spent(fits))}
        if not timed and not SECONDS.keys() >= set(self._kinds.values()):
            return left
        costs, slower = self._costs(timed)
        now, later = (self._pace() * sum(n * costs[c] for c, n in fits.items()) for fits in (pending, ahead))
        after = self._pace() * self._engine.fits_after * fmean(costs.values())
        return left._replace(now=now, later=later, closing=CLOSING * slower + after)

    def in_budget(self, left: Remaining) -> Remaining:
        """The same with what a time budget allows."""
        return left._replace(allowed=self._engine.stop.seconds_left, whole=self._engine.stop.seconds_to_end)

    def _ahead(self, asked: Mapping["Candidate", int]) -> dict["Candidate", float]:
        """How many fits the criterion will ask of each candidate, beyond those it has asked for."""
        ahead: dict[Candidate, float] = {}
        before, candidates = 0, [c for c in self._drive.task.candidates if c not in self._drive.dropped]
        for each, n_best in self._plan:
            behind = [c for c in candidates if asked.get(c, 0) < each]
            lacking = min(n_best, len(candidates)) - (len(candidates) - len(behind))
            for candidate in behind if lacking > 0 else ():  # which of them is not known
                fits = each - max(before, asked.get(candidate, 0))
                ahead[candidate] = ahead.get(candidate, 0.0) + fits * lacking / len(behind)
            before = each
        return ahead

    def _costs(self, timed: Mapping["Candidate", Sequence[float]]) -> tuple[dict["Candidate", float], float]:
        """Seconds of a fit of each candidate, and how much longer fits take here than elsewhere."""
        costs = {c: median(spent) for c, spent in timed.items()}
        by_kind: dict[str, list[float]] = {}
        for c, cost in costs.items():
            by_kind.setdefault(self._kinds[c], []).append(cost)
        slower = self._slower({kind: fmean(spent) for kind, spent in by_kind.items()})
        for c in self._drive.task.candidates:
            if c not in costs:
                kind = self._kinds[c]
                costs[c] = fmean(by_kind[kind]) if kind in by_kind else slower * self._guessed(kind)
        return costs, slower

    def _slower(self, by_kind: Mapping[str, float]) -> float:
        """How much longer fits take here than elsewhere; the first kind of all is not asked, which loads code."""
        return median(
            cost / self._guessed(kind) for kind, cost in list(by_kind.items())[1:] or [("", self._guessed(""))]
        )

    def _spent(self, fits: tuple["Fit", ...]) -> list[float]:
        return [s.fit + s.answer for fit in fits if (s := self._engine.seconds.get(fit)) is not None]

    def _guessed(self, kind: str) -> float:
        seconds, per_root = SECONDS.get(kind, OTHERS)
        models = self._classes if self._classes > 2 and kind in PER_CLASS else 1
        return (seconds + per_root * self._root) * models

    def _pace(self) -> float:
        """Seconds that pass for each second of fits: fewer with several workers, more with what lies between fits."""
        ran = [s for fit in self._engine.ran if (s := self._engine.seconds.get(fit)) is not None]
        spent = sum(s.fit + s.answer for s in ran)
        return (self._seen - self._began + SETTLED / self._workers) / (spent + SETTLED)


def _over(engine: Any, fit: Any) -> bool:
    """Whether a fit is answered, or failed."""
    return fit in engine.seconds or fit in engine.errors or fit in engine.resumed
