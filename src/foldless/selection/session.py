"""From data, estimators and criteria to selections: the one road behind every search and comparison."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np
from sklearn.exceptions import FitFailedWarning
from sklearn.utils import check_random_state

from foldless.core import (
    Array,
    Ask,
    Candidate,
    Certificate,
    Choice,
    Criterion,
    Evaluation,
    FitCounts,
    Rows,
    Task,
    ranked,
)
from foldless.core.resampling import check_whole
from foldless.data.opening import Data
from foldless.engine import candidates as making
from foldless.engine.callbacks import Hooks
from foldless.engine.journal import Journal
from foldless.engine.keys import Keys
from foldless.engine.progress import Observer
from foldless.engine.run import Drive, Engine, count, drive
from foldless.engine.stopping import Stop
from foldless.errors import (
    BadInput,
    CandidatesFailed,
    CannotAnswer,
    FoldlessError,
    Interrupted,
    KeepJournal,
    PassPool,
    StoppedEarly,
    Unfinished,
    WrongTypes,
    summary,
)
from foldless.learners import DaggingClassifier
from foldless.selection.selection import Selection, Timing, shares_of

ANOTHER = (
    "the model answers {rows:,} rows otherwise than the fit that was judged: its certificate rests on its own answers"
)
WITHOUT_VALUES = "{names} cannot be passed to {whom}: the pool has no such values"
FOREIGN = "the journal holds answers, but none for this data, these candidates and this version: nothing was reused"


@dataclass(frozen=True, eq=False)
class Request:
    """What to choose from, and how to run it."""

    estimator: Any
    param_grid: Any
    n_iter: Any = None
    n_jobs: int | None = None
    journal: str | None = None
    time_budget: Any = None
    keep_models: Any = 512
    tie_break: str = "first"
    random_state: Any = None
    error_score: Any = np.nan


@dataclass(frozen=True, eq=False)
class TestLabels(Criterion):
    """Asks what every candidate, trained on all labels, says about the test rows; its score is the truth."""

    rows: Any
    truth: Any

    def evaluate(self, task: Task) -> Evaluation:
        answers = yield [Ask(task.full(c), self.rows) for c in task.candidates]
        return [
            Choice(c, float(np.mean((labels == self.truth) & (self.truth >= 0))), (task.full(c),))
            for c, labels in zip(task.candidates, answers, strict=True)
        ]


class Session:
    """One run: an engine, its task, and a drive for each criterion that can be served."""

    def __init__(self, request: Request, data: Data, observer: Observer, hooks: Hooks | None = None):
        _check(request)
        self.request, self.data = request, data
        making.build(request.estimator, request.param_grid, request.n_iter, 0)  # a typo must not leave a journal behind
        self.journal = None if request.journal is None else Journal(request.journal)
        self._journaled = 0 if self.journal is None else len(self.journal)
        self.notes: list[str] = list(data.notes)
        seed = self._seed()
        self.candidates, recipes = making.build(request.estimator, request.param_grid, request.n_iter, seed)
        if data.fit_params and any(c.semi_supervised for c in self.candidates):
            names = ", ".join(sorted(data.fit_params))
            raise BadInput(WITHOUT_VALUES.format(names=names, whom="semi-supervised candidates"))
        self.stop = Stop(request.time_budget)
        self.engine = Engine(
            data, recipes, n_jobs=request.n_jobs, journal=self.journal, keep_models=request.keep_models,
            stop=self.stop, observer=observer, hooks=hooks,
        )  # fmt: skip
        labeled, unlabeled, self.test_rows = data.rows()
        self.task = Task(
            data.y, data.classes, labeled, unlabeled, self.candidates, len(self.candidates), seed, data.groups,
            data.overlap,
        )  # fmt: skip

    def run(self, criteria: Sequence[Criterion]) -> list[Drive]:
        """Drive the criteria to their choices."""
        try:
            with self.stop:
                drives = drive(self.engine, self.task, criteria)
        finally:
            self.engine.observer.close()
            if self.journal is not None:
                self.journal.close()
        if self.request.error_score == "raise" and self.engine.errors:
            raise next(iter(self.engine.errors.values()))
        self._tell(drives)
        return drives

    def selection(self, one: Drive, n_fits: FitCounts | None = None, *, refit: bool) -> Selection:
        """The result of one criterion. ``refit`` trains the chosen model where it was not kept."""
        failed = {c: e for c in sorted(one.dropped, key=lambda c: c.index) if (e := self._error(one, c)) is not None}
        unfinished = tuple(c for c in sorted(one.dropped, key=lambda c: c.index) if c not in failed)
        if one.refusal is not None:
            raise one.refusal
        if not one.choices:
            raise self._nothing(one, failed, unfinished)
        shuffle = self.task.rng("ties") if self.request.tie_break == "random" else None
        ranking = tuple(ranked(one.criterion, one.choices, shuffle))
        model = self._model(ranking[0], refit)
        certificate, about_it = self._certificate(one, ranking[0], model)
        return Selection(
            one.criterion, ranking, failed, unfinished,
            label_shares=shares_of(self.data.y, self.data.classes),
            shares=self._pool_shares(ranking[0], model),
            n_fits=n_fits or self.counts([one]),
            timings={c: self._timing(fits) for c, fits in one.fits.items()},
            stopped=self.engine.stopped,
            notes=(*self.notes, *about_it),
            model=model,
            refit_seconds=sum(self.engine.final.values()),
            certificate=certificate,
        )  # fmt: skip

    def counts(self, drives: Sequence[Drive]) -> FitCounts:
        return count(self.engine, drives)

    def said(self, choice: Choice, rows: Rows) -> Array:
        """The labels a choice gives to some rows: answered already, or by its model, trained again if need be."""
        ask, answered = Ask(choice.fits[0], rows), self.engine.answers
        if len(choice.fits) == 1 and ask in answered:
            return answered[ask]
        return self.engine.labels(self._model(choice, refit=True), rows)

    def unable(self, criterion: Criterion) -> CannotAnswer | None:
        """Why a criterion cannot be served, or None."""
        if "pool" in criterion.needs and not len(self.task.unlabeled):
            return CannotAnswer(f"{criterion.name} needs unlabeled rows", remedy=PassPool())
        if criterion.trains_on_pool and self.data.fit_params:
            names = ", ".join(sorted(self.data.fit_params))
            return CannotAnswer(WITHOUT_VALUES.format(names=names, whom=criterion.name))
        trial = Drive(criterion, self.task)
        trial.advance()
        return trial.refusal

    def _model(self, choice: Choice, refit: bool) -> Any:
        """The fit of a choice as a model, or its fits as an ensemble."""
        if not refit and not all(self.engine.has_model(fit) for fit in choice.fits):
            return None
        models = [self.engine.model(fit) for fit in choice.fits]
        if len(models) == 1:
            return models[0]
        ensemble = DaggingClassifier(
            self.engine.recipes[choice.candidate.index].estimator, len(models), voting=choice.vote.voting,
            tie_break=choice.vote.tie_break, random_state=self.task.seed,
        )  # fmt: skip
        return ensemble.around(models, self.data.classes)

    def _certificate(self, one: Drive, best: Choice, model: Any) -> tuple[Certificate | None, list[str]]:
        """The certificate of the chosen model, and what there is to say about it.

        The model may be another one than was judged (trained once more, or a path answered in lower precision): then
        the criterion is asked again with the model's own answers. They are as independent of the pool and of rows held
        out as those of the first, and the bounds hold for all candidates at once, so this one holds at the same
        confidence.
        """
        certificate = best.certificate
        if certificate is None:
            return None, []
        notes = list(certificate.notes)
        if model is not None:
            again = Drive(one.criterion, one.task)
            again.advance()
            heard = {a: self.engine.labels(model, a.rows) for a in again.pending if a.fit == best.fits[0]}
            if differing := sum(int((heard[ask] != self.engine.answers[ask]).sum()) for ask in heard):
                again.advance([heard.get(ask, self.engine.answers[ask]) for ask in again.pending])
                certificate = next(c.certificate for c in again.choices or () if c.candidate == best.candidate)
                notes.insert(0, ANOTHER.format(rows=differing))
        assert certificate is not None
        return replace(certificate, notes=tuple(notes)), notes

    def _pool_shares(self, choice: Choice, model: Any) -> Any:
        """Shares of the classes in the pool, from an answer that is there or from the model."""
        if not len(self.task.unlabeled):
            return None
        ask = Ask(choice.fits[0], self.task.unlabeled)
        if len(choice.fits) == 1 and ask in self.engine.answers:
            return shares_of(self.engine.answers[ask], self.data.classes)
        return None if model is None else shares_of(self.engine.labels(model, self.task.unlabeled), self.data.classes)

    def _timing(self, fits: Mapping[Any, None]) -> Timing:
        spent = [self.engine.seconds[fit] for fit in fits if fit in self.engine.seconds]
        return Timing(tuple(s.fit for s in spent), tuple(s.answer for s in spent))

    def _error(self, one: Drive, candidate: Candidate) -> Exception | None:
        return self.engine.error(one.dropped[candidate])

    def _nothing(
        self, one: Drive, failed: Mapping[Candidate, Exception], unfinished: Sequence[Candidate]
    ) -> FoldlessError:
        """Why a criterion has no choice at all."""
        if unfinished:
            kept = f"run it again to continue, {len(self.journal)} answers are in the journal" if self.journal else ""
            kind = Interrupted if self.stop.interrupted else Unfinished
            return kind(f"{self.engine.stopped} before one candidate was complete", remedy=kept or KeepJournal())
        first, error = next(iter(failed.items()))
        did = self._did([one.dropped[candidate] for candidate in failed])
        if one.task.candidates:  # they did not fail, and cannot be judged without those that did
            which = f"the reference, {first.name}, without which no other candidate can be judged, {did}"
        elif len(failed) > 1:
            which = f"all {len(failed)} candidates {did}; the first, {first.name}"
        else:
            which = f"the only candidate, {first.name}, {did}"
        wrong = WrongTypes if all(map(_of_type, failed.values())) else CandidatesFailed
        own = error if isinstance(error, FoldlessError) else FoldlessError(f"{type(error).__name__}: {error}")
        remedies = list(own.remedies)
        if one.task.candidates:
            remedies.append("correct the reference, or name another one")
        nothing = wrong(f"{which}{self._where(one, first)}: {own.problem}", value=first, remedy=remedies)
        nothing.__cause__ = error
        return nothing

    def _did(self, unanswered: Sequence[Ask]) -> str:
        """How candidates failed: in training, or in one answer only."""
        if any(ask.fit in self.engine.errors for ask in unanswered):
            return "failed to fit"
        return f"failed to give {unanswered[0].response}"

    def _where(self, one: Drive, candidate: Candidate) -> str:
        """On what the first fit of a candidate failed, unless it had all labels."""
        fit, n = one.dropped[candidate].fit, len(self.task.labeled)
        if self.data.touched(fit.rows) != range(1):
            return f" on {len(fit.rows):,} rows of the pool as it labeled them"
        return "" if len(fit.rows) == n else f" on {len(fit.rows):,} of the {n:,} labeled rows"

    def _tell(self, drives: Sequence[Drive]) -> None:
        """Say once what the user should know."""
        for (category, text), times in self.engine.warnings.items():
            warnings.warn(f"{text}{f' (in {times} fits)' if times > 1 else ''}", category, stacklevel=4)
        if self._journaled and not self.engine.resumed:
            self.notes.append(FOREIGN)
        failed = {c: e for one in drives for c in one.dropped if (e := self._error(one, c)) is not None}
        if failed and len(failed) < len(self.candidates) and any(one.choices for one in drives):
            first, error = next(iter(failed.items()))
            did = self._did([one.dropped[c] for one in drives for c in one.dropped if c in failed])
            warnings.warn(
                f"{len(failed)} of {len(self.candidates)} candidates {did} and are ranked last; "
                f"{first.name}: {summary(error)}",
                FitFailedWarning, stacklevel=4,
            )  # fmt: skip
        if self.engine.stopped is not None and any(one.choices for one in drives):
            n, lost = len(self.candidates), max(len(one.dropped) for one in drives if one.choices)
            text = f"{self.engine.stopped}: chosen among the {n - lost} of {n} candidates that were complete"
            self.notes.append(text)
            warnings.warn(text, StoppedEarly, stacklevel=4)

    def _seed(self) -> int:
        """One number behind every draw; a journal remembers it, so that a run without a seed can be resumed too."""
        fresh = int(check_random_state(self.request.random_state).randint(np.iinfo(np.int32).max))
        if self.journal is None or self.request.random_state is not None:
            return fresh
        return self.journal.seed(Keys(self.data, ()).data(), fresh)


def _of_type(error: Exception) -> bool:
    """Whether an error is about the type of a value; scikit-learn's for a bad parameter is of both kinds."""
    return isinstance(error, TypeError) and not isinstance(error, ValueError)


def _check(request: Request) -> None:
    if request.tie_break not in ("first", "random"):
        raise BadInput(f"tie_break must be 'first' or 'random', got {request.tie_break!r}")
    if request.error_score != "raise" and not isinstance(request.error_score, Real):
        raise BadInput(f"error_score must be 'raise' or a number, got {request.error_score!r}")
    if request.time_budget is not None and not (
        isinstance(request.time_budget, int | float) and request.time_budget > 0
    ):
        raise BadInput(f"time_budget must be a number of seconds above 0, got {request.time_budget!r}")
    if not isinstance(request.keep_models, int | float) or not request.keep_models >= 0:
        raise BadInput(f"keep_models must be a number of megabytes, 0 or more, got {request.keep_models!r}")
    if request.n_jobs == 0:
        raise BadInput("n_jobs=0 means no worker at all: give a number of workers, or -1 for all cores")
    if request.n_iter is not None:
        check_whole("n_iter", request.n_iter)
