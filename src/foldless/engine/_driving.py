"""Drive criteria round by round: collect what they ask, have it answered, send the answers back.

A candidate that fails, or is not finished when the run is stopped, is left out: the criterion is replayed without it,
its answers come from memory.
"""

import logging
import time
import warnings
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from foldless._log import LOG
from foldless.core import Array, Ask, Candidate, Choice, Fit, FitCounts, Task, ranked, without
from foldless.core.criterion import Criterion, Evaluation, OutOfTime
from foldless.engine._run import Engine
from foldless.errors import BadInput, CannotAnswer
from foldless.judging._degenerate import guarded

NOTHING = np.empty(0)
"""The answer to a question that may fail, and did."""


@dataclass
class Drive:
    """One criterion at work on the candidates that are still with it; others have the question that lost them.

    A criterion that finds it cannot answer, also after some rounds, leaves its ``refusal`` and no choice. One that is
    ``guarded`` has its candidates examined for what they have learned, where it asks about the pool. One that does not
    choose measures candidates: its best one is not the answer.
    """

    criterion: Criterion
    task: Task
    choices: list[Choice] | None = None
    pending: list[Ask] = field(default_factory=list)
    fits: dict[Candidate, dict[Fit, None]] = field(default_factory=dict)
    dropped: dict[Candidate, Ask] = field(default_factory=dict)
    refusal: CannotAnswer | None = None
    guarded: bool = True
    chooses: bool = True
    _evaluation: Evaluation | None = None

    def advance(self, answers: list[Array] | None = None) -> None:
        """Send answers, and take the next questions or the choices."""
        try:
            if self._evaluation is None:
                start = guarded if self.guarded else type(self.criterion).evaluate
                self._evaluation = start(self.criterion, self.task)
                self.pending = next(self._evaluation)
            else:
                assert answers is not None
                self.pending = self._evaluation.send(answers)
            for ask in self.pending:
                self.fits.setdefault(ask.fit.candidate, {})[ask.fit] = None
        except StopIteration as end:
            self.choices, self.pending = list(end.value), []
        except CannotAnswer as error:
            self.choices, self.pending, self.refusal = [], [], error

    @property
    def begun(self) -> bool:
        return self._evaluation is not None

    def end(self, answers: Mapping[Ask, Array]) -> bool:
        """Tell the criterion that no further fit will be made; whether it chose by the answers it has."""
        assert self._evaluation is not None
        asks = {ask.fit.candidate: ask for ask in self.pending}
        try:
            while True:  # it may ask about what it would choose
                self.pending = self._evaluation.throw(OutOfTime([answers.get(ask) for ask in self.pending]))
        except StopIteration as end:
            self.choices = list(end.value)
            for c in {*self.task.candidates} - {choice.candidate for choice in self.choices}:
                self.dropped[c] = asks.get(c) or Ask(self.task.full(c), self.task.labeled)
            self.pending = []
        except OutOfTime:
            return False
        return self.choices is not None

    def restart_without(self, candidates: dict[Candidate, Ask]) -> None:
        """Begin again without some candidates, because of a question to each."""
        self.dropped |= candidates
        self.task = without(self.task, set(candidates))
        self._evaluation, self.pending = None, []
        if self.task.candidates:
            self.advance()
        else:
            self.choices = []


def drive(engine: Engine, task: Task, drives: list[Drive], later: Sequence[Drive] = ()) -> list[Drive]:
    """Run several criteria in lockstep on one engine; those that have asked already go on from there.

    Criteria that come ``later`` are asked for fits of these that they need too, and for no others.
    """
    for begun in (*drives, *later):
        if not begun.begun:
            begun.advance()
        if begun.refusal is not None:  # before anything is trained
            raise begun.refusal
    engine.observer.follow(engine, drives[0])
    shown = _BestSoFar(engine, drives[0])
    while any(d.choices is None for d in drives):
        running = [d for d in drives if d.choices is None]
        _log_candidates(running, len(task.candidates))
        asks = [ask for d in running for ask in d.pending]
        fits = {ask.fit for ask in asks}
        asks += [ask for d in later for ask in d.pending if ask.fit in fits]
        engine.answer(asks, shown.update)
        for current in running:
            unanswered = _lacking(current.pending, engine.answers, engine.error)
            failed = [ask for ask in unanswered if engine.error(ask) is not None]
            if unanswered and engine.stopped is not None and current.criterion.traits.anytime:
                if not failed and current.end(engine.answers):
                    continue
                unanswered = failed or unanswered  # those that were not reached may have answered enough
            if failed and engine.stopped is None:
                unanswered = failed  # others only compare with those that failed
            if unanswered:
                lost: dict[Candidate, Ask] = {}
                for ask in sorted(unanswered, key=lambda ask: engine.error(ask) is None):  # an error says more
                    lost.setdefault(ask.fit.candidate, ask)
                current.restart_without(lost)
            else:
                current.advance([engine.answers.get(ask, NOTHING) for ask in current.pending])
    _log_choices(drives)
    return drives


def _lacking(pending: Sequence[Ask], answers: Container[Ask], error_of: Callable[[Ask], Exception | None]) -> list[Ask]:
    """Questions without an answer, but for those that may fail, where others to the same candidate do not."""
    unanswered = [ask for ask in pending if ask not in answers]
    if not any(ask.may_fail for ask in unanswered):
        return unanswered
    for ask in unanswered:
        if ask.by is not None and isinstance(error := error_of(ask), BadInput):  # a scorer's fault, not a candidate's
            raise error
    answered = {ask.fit.candidate for ask in pending if ask.may_fail and ask in answers}
    return [ask for ask in unanswered if not ask.may_fail or error_of(ask) is None or ask.fit.candidate not in answered]


def count(engine: Engine, drives: Sequence[Drive]) -> FitCounts:
    """How many fits were trained, how many askers were served without, and where the others came from."""
    asked = [set().union(*d.fits.values()) if d.fits else set() for d in drives]
    distinct = set().union(*asked)
    return FitCounts(
        run=len(engine.ran),
        shared=sum(map(len, asked)) - len(distinct),
        resumed=len(engine.resumed - engine.ran),
        final=len(engine.final),
    )


def _log_candidates(running: Sequence[Drive], n: int) -> None:
    if LOG.isEnabledFor(logging.INFO):
        for current in running:
            asked = {ask.fit.candidate for ask in current.pending}
            LOG.info("%s asks %d of %d candidates", current.criterion.name, len(asked), n)


def _log_choices(drives: Sequence[Drive]) -> None:
    if LOG.isEnabledFor(logging.DEBUG):
        for ended in drives:
            for choice in ended.choices or ():
                notes = "; ".join(choice.notes)
                LOG.debug("%s: %s (%.4g) %s", ended.criterion.name, choice.candidate.name, choice.score, notes)


class _BestSoFar:
    """Shows the best among the complete candidates, seldom enough to cost nothing."""

    def __init__(self, engine: Engine, first: Drive):
        self._engine, self._drive = engine, first
        self._next = 0.0

    def update(self) -> None:
        if not self._drive.chooses or not self._engine.observer.wants_best or time.monotonic() < self._next:
            return
        start = time.monotonic()
        best = self._best()
        if best is not None:
            name = best.candidate.name if len(best.fits) == 1 else f"an average of {len(best.fits)}"
            self._engine.observer.best(f"{name} ({best.score:.4g})")
        self._next = time.monotonic() + max(0.5, 50 * (time.monotonic() - start))

    def _best(self) -> Choice | None:
        answers, anytime = self._engine.answers, self._drive.criterion.traits.anytime
        open_ones = set() if anytime else {ask.fit.candidate for ask in self._drive.pending if ask not in answers}
        trial = Drive(self._drive.criterion, without(self._drive.task, open_ones))
        if not trial.task.candidates:
            return None
        trial.advance()
        while trial.choices is None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # they come again at the end
                if all(ask in answers for ask in trial.pending):
                    trial.advance([answers[ask] for ask in trial.pending])
                elif not anytime or not trial.end(answers):
                    return None
        scored = [choice for choice in ranked(trial.criterion, trial.choices) if not np.isnan(choice.score)]
        return scored[0] if scored else None
