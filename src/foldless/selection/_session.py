"""One run of the engine: from data, candidates and criteria to a drive of each criterion, and its selection."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.utils import check_random_state

from foldless._log import stage
from foldless.accuracy._shift import ModelOutputs
from foldless.core import (
    Array,
    Ask,
    Candidate,
    Certificate,
    Choice,
    Classes,
    Criterion,
    FitCounts,
    Opaque,
    Rows,
    ranked,
    ranks_of,
)
from foldless.core._threads import blas_for
from foldless.criteria import Combination
from foldless.data._sample import Sample
from foldless.engine._callbacks import Hooks
from foldless.engine._candidates import Recipe, build, check_classifiers
from foldless.engine._driving import Drive, count
from foldless.engine._driving import drive as drive_all
from foldless.engine._journal import Journal
from foldless.engine._keys import Keys
from foldless.engine._pairwise import is_pairwise
from foldless.engine._progress import Observer
from foldless.engine._run import Engine, nothing
from foldless.engine._stopping import Stop
from foldless.errors import (
    BadInput,
    CannotAnswer,
    FoldlessError,
    KeepJournal,
    Note,
    Overtime,
    StoppedEarly,
    Unfinished,
    counted,
    warn_user,
)
from foldless.judging._pool_sums import PredictedShares, about_pool
from foldless.results._selection_parts import NO_SHARES, LabelsAndPool, OnHeldOutLabels, RunRecord, SelectionInputs
from foldless.results.contribution import AverageOutOfFold
from foldless.results.estimate import Estimate
from foldless.results.finding import Finding
from foldless.results.out_of_fold import OutOfFoldAnswers
from foldless.results.selection import Selection, named_shares, shares_of
from foldless.results.shift import Shift
from foldless.results.timing import Timing
from foldless.selection import _failures as failures
from foldless.selection._compared_rows import shift_of
from foldless.selection._estimating import AccuracyEstimation, right_of_candidates
from foldless.selection._folds_asked import FoldsAsked
from foldless.selection._held_out_answers import contributions, differences
from foldless.selection._request import Request
from foldless.selection._sanity import doubts
from foldless.selection._task_of_sample import check_room_for, task_of
from foldless.selection._training_in_time import TrainingInTime

ANOTHER = (
    "the model predicts {rows:,} rows differently from the fit that was judged: its certificate rests on its own "
    "predictions"
)
NOT_ALIKE = (
    "{name} needs labels that were all drawn with equal probability, and some of these were drawn with unequal "
    "probabilities or selected non-randomly"
)
CERTIFY_FIRST = "certify with labels drawn at random, or read the estimate, which weights each label by its probability"
CONSTANT, NO_FEATURES = "constant", "predicts the most frequent class, or the mean, for all rows"
NO_ESTIMATE = "the run stopped early, so the model has no estimate"
NOT_MEASURED = "the time budget ended before all candidates were measured on the test rows"
WITHOUT_VALUES = "{names} cannot be passed to {whom}: the pool has no such values"
FITS_OF_ESTIMATE = 5  # at most, of the choice


class Session:
    """One run: an engine, its task, and a drive for each criterion that can be served."""

    def __init__(self, request: Request, sample: Sample, observer: Observer, hooks: Hooks | None = None):
        request.check()
        self.request, self.sample = request, sample
        check_room_for(sample)
        if not isinstance(sample.target, Opaque):
            check_classifiers(request.estimator)
        if request.journal is not None:  # a typo must not leave a journal behind
            build(request.estimator, request.param_grid, request.n_iter, 0)
        self.journal = None if request.journal is None else Journal(str(request.journal))
        self.journaled = 0 if self.journal is None else len(self.journal)
        self.notes: list[str] = list(sample.notes)
        seed = self._seed()
        self.candidates, recipes = build(request.estimator, request.param_grid, request.n_iter, seed, request.drawn_by)
        if sample.fit_params and any(c.semi_supervised for c in self.candidates):
            names = ", ".join(sorted(sample.fit_params))
            raise BadInput(WITHOUT_VALUES.format(names=names, whom="semi-supervised candidates"))
        self.estimate: Estimate | None = None
        self.shift: Shift | None = None
        self.temperature: float | None = None
        self.out_of_fold: OutOfFoldAnswers | None = None
        self.right: Mapping[Candidate, Array] = {}
        self.asked: FoldsAsked | None = None
        self.for_estimate = (0, 0, 0)  # fits trained, how many of them not before, and fits from the journal
        self._begun: dict[int, Drive] = {}  # criteria that were asked for their first questions, by identity
        self.stop = Stop(request.time_budget, request.started)
        self.engine = Engine(
            sample, recipes, n_jobs=request.n_jobs, journal=self.journal, keep_models=request.keep_models,
            stop=self.stop, observer=observer, hooks=hooks,
        )  # fmt: skip
        self.training = TrainingInTime(self.engine)
        self.pairwise = any(is_pairwise(recipe.estimator) for recipe in recipes)
        self.test_rows = sample.rows()[2]
        self.task = task_of(sample, self.candidates, seed, request.error_score)

    def run(self, criteria: Sequence[Criterion], refit: bool = False, last: Criterion | None = None) -> list[Drive]:
        """Drive the criteria to their choices; ``refit`` says that the model of the first will be wanted.

        What is left of the time is for the ``last`` one, which chooses nothing.
        """
        self.stop.trains_choice = refit and self._has_constant(criteria[0])  # others keep the model that they bound
        try:
            with self.stop, blas_for(self.sample.n_rows):
                if self.request.estimate and not isinstance(criteria[0], Combination):  # which has its answers
                    self.engine.fits_after = FITS_OF_ESTIMATE
                    self.asked = FoldsAsked(self.engine, self.task, features=not self.pairwise)
                    self.engine.beside = self.asked.beside
                waiting = [self._begun.pop(id(c)) if id(c) in self._begun else Drive(c, self.task) for c in criteria]
                later = [] if last is None else [Drive(last, self.task, chooses=False)]
                drives = drive_all(self.engine, self.task, waiting, later)
                self.engine.beside = nothing
                if not isinstance(self.sample.target, Opaque):
                    beside = set() if self.asked is None else self.asked.asks
                    self.right = right_of_candidates(self.engine, self.task, beside)
                self._compare_and_estimate(drives[0], refit)
                chosen_by = self.engine.stopped
                for ask in (ask for each in later for ask in each.pending if ask.fit in self.engine.trained):
                    self.engine.answers[ask] = self.engine.labels(self.engine.trained[ask.fit], ask.rows)
                drives += drive_all(self.engine, self.task, later) if later else []
                if chosen_by is None and self.engine.stopped is not None and not self.stop.interrupted:
                    self.engine.stopped = None  # the choice is complete
                    self.notes.append(NOT_MEASURED)
        finally:
            self.close()
        if self.request.error_score == "raise" and self.engine.errors:
            raise next(iter(self.engine.errors.values()))
        self.notes += failures.warn_once(self, drives)
        if self.journal is not None and self.journal.dropped:
            self.notes = [note for note in self.notes if note != failures.NOT_REUSED]
            n = self.journal.dropped
            entries = counted(n, "damaged entry of {} is computed again", "damaged entries of {} are computed again")
            self.notes.append(entries.format(self.journal.path))
        return drives

    def _compare_and_estimate(self, drive: Drive, refit: bool) -> None:
        """Compare labels and pool, then estimate the accuracy of what a criterion chose: by the pool if it is alike.

        The estimate takes a few fits that count apart; what they predict is compared too. A run that was stopped makes
        no further fit: its estimate is of answers that are there, as those of an average are.
        """
        wanted = self.request.estimate and not any(ask.by for ask in self.engine.answers)
        if not wanted or not drive.choices:
            self.shift = self._compare(None)
            return
        ranking, ran, resumed = self.ranking(drive), len(self.engine.ran), set(self.engine.resumed)
        training = self.training.seconds(ranking[0]) if refit else 0.0
        estimation = self._estimation(drive, refit)
        with stage("the estimate of accuracy"):
            seen = estimation.look(ranking[0])
        if self.engine.stopped is not None and isinstance(seen, CannotAnswer):  # no fits that were made tell it
            self.shift = self._compare(None, training)
            self.notes.append(NO_ESTIMATE)
            return
        self.shift = self._compare(getattr(seen, "outputs", None), training)
        differs = self.shift is not None and self.shift.alarm
        try:
            with stage("the estimate of accuracy"), self.stop.to_the_end(training):
                self.estimate, notes = estimation.estimate(ranking, ranking[0], seen, pool_differs=differs)
        except Overtime:
            notes = [NO_ESTIMATE]
        self.temperature, self.out_of_fold = estimation.temperature, estimation.out_of_fold
        self.notes += notes
        again = len(self.engine.resumed - resumed - self.engine.ran)
        self.for_estimate = estimation.trained, len(self.engine.ran) - ran, again

    def _estimation(self, drive: Drive, refit: bool) -> AccuracyEstimation:
        return AccuracyEstimation(
            self.engine, drive.task, self.right,
            features=not self.pairwise, refit=refit, keep=self.request.keep_out_of_fold, asked=self.asked,
        )  # fmt: skip

    def _estimate_instead(self, drive: Drive, trained: Choice) -> None:
        """Estimate what was trained in place of the best: fewer members of an average, whose answers are there."""
        known, differs = self.estimate is not None, self.shift is not None and self.shift.alarm
        self.estimate = self.temperature = self.out_of_fold = None
        if not known or len(trained.fits) < 2:
            return
        with suppress(Overtime), self.stop.to_the_end():
            estimation = self._estimation(drive, refit=True)
            seen = estimation.look(trained)
            self.estimate, _ = estimation.estimate(self.ranking(drive), trained, seen, pool_differs=differs)
            self.out_of_fold = estimation.out_of_fold

    def _compare(self, outputs: ModelOutputs | None, training: float = 0.0) -> Shift | None:
        if self.pairwise:
            return None
        try:
            with self.stop.to_the_end(training):
                return shift_of(self.sample, self.task, outputs)
        except Overtime:
            self.notes.append("the run stopped early, so labels and pool are not compared")
            return None

    def ranking(self, drive: Drive) -> list[Choice]:
        return ranked(drive.criterion, drive.choices or [])

    def close(self) -> None:
        self.engine.observer.close()
        if self.journal is not None:
            self.journal.close()

    def selection(self, drive: Drive, *, refit: bool) -> Selection:
        """The result of one criterion. ``refit`` trains the chosen model where it was not kept."""
        failed = {c: e for c in sorted(drive.dropped, key=lambda c: c.index) if (e := self.error(drive, c)) is not None}
        unfinished = tuple(c for c in sorted(drive.dropped, key=lambda c: c.index) if c not in failed)
        if drive.refusal is not None:
            raise drive.refusal
        if not drive.choices:
            nothing = failures.no_choice(self, drive, failed, unfinished)
            if not unfinished or self.engine.stop.interrupted or not self._has_constant(drive.criterion):
                raise nothing
            drive.choices = [self._constant(drive, nothing)]
        try:
            best = self.ranking(drive)[0]
            if refit and self._has_constant(drive.criterion):
                drive.choices = self.training.reachable(self.ranking(drive))
                self.notes += self.training.notes
            trained = self.ranking(drive)[0]
            if trained is not best:
                self._estimate_instead(drive, trained)
            model = self._model(trained, refit)
        except Unfinished as untrained:
            if not self._has_constant(drive.criterion):
                raise
            drive.choices = [self._constant(drive, untrained)]
            self.estimate = self.temperature = self.out_of_fold = None
            model = self._model(drive.choices[0], refit)
        ranking = tuple(self.ranking(drive))
        certificate, own_notes = self._certificate(drive, ranking[0], model)
        own_notes += self._ties(drive.criterion, ranking)
        label_shares, shares = NO_SHARES, None
        if isinstance(self.sample.target, Classes):
            label_shares = shares_of(self.sample.y, self.sample.classes, self.task.draws.estimating)
            shares = self._shares_in_time(ranking[0], model)
            own_notes += doubts(drive.criterion, ranking, drive.task, label_shares, shares, certificate)
        timings = {c: self._timing(fits) for c, fits in drive.fits.items()}
        refit_seconds = sum(self.engine.final.values())
        return Selection(
            drive.criterion, ranking,
            RunRecord(failed, unfinished, self.counts([drive]), timings, self.engine.stopped, refit_seconds),
            LabelsAndPool(label_shares, shares),
            notes=_once(self.notes, own_notes),
            model=model,
            certificate=certificate,
            held_out=OnHeldOutLabels(
                self.estimate, self.temperature, differences(ranking, self.right, drive.task), self._adds(ranking[0]),
                out_of_fold=self.out_of_fold,
            ),
            ground=SelectionInputs(self.sample, self.task, self.engine.recipes, self.request.n_jobs),
        )  # fmt: skip

    def _has_constant(self, criterion: Criterion) -> bool:
        """Whether a model that reads no column is an answer: it has no certificate."""
        known = not isinstance(self.sample.target, Opaque)
        return known and self.request.time_budget is not None and getattr(criterion, "confidence", None) is None

    def _constant(self, drive: Drive, nothing: FoldlessError) -> Choice:
        """The constant model, where the time was up before one candidate was complete."""
        at, target = len(self.engine.recipes), self.sample.target
        several = any("estimator" in candidate.params for candidate in self.candidates)
        model = DummyClassifier(strategy="prior") if isinstance(target, Classes) else DummyRegressor()
        candidate = Candidate(at, CONSTANT, {"estimator": CONSTANT} if several else {})
        self.engine.recipes = (*self.engine.recipes, Recipe(model, {}, -1))
        drive.fits[candidate] = {}
        note = Note(f"{nothing.problem}, so the model is the {CONSTANT} one", remedy=nothing.remedies)
        self.notes = [*(n for n in self.notes if n != note), note]
        warn_user(note, StoppedEarly)
        score = float(np.bincount(target.y).max() / len(target.y)) if isinstance(target, Classes) else 0.0
        return Choice(candidate, score, (drive.task.full(candidate),), notes=(NO_FEATURES,))

    def _adds(self, best: Choice) -> AverageOutOfFold | None:
        """What the members of an average add to it."""
        if not isinstance(self.sample.target, Classes):
            return None
        try:
            with self.stop.to_the_end():
                return contributions(self.engine, self.task, best)
        except Overtime:
            return None

    def _ties(self, criterion: Criterion, ranking: Sequence[Choice]) -> list[str]:
        """A note where no candidate is better than another."""
        n = len({choice.candidate for choice in ranking})
        if n < 2 or set(ranks_of(criterion, ranking).values()) != {1}:
            return []
        return [f"all {n} candidates have the same score by {criterion.name}: {ranking[0].candidate.name} is chosen"]

    def counts(self, drives: Sequence[Drive]) -> FitCounts:
        counts = count(self.engine, drives)
        trained, new, resumed = self.for_estimate
        return replace(counts, run=counts.run - new, resumed=counts.resumed - resumed, estimate=trained)

    def cost(self, drive: Drive) -> tuple[int, float]:
        """The number of fits that a criterion needs by itself, and their seconds."""
        fits = {fit for fits in drive.fits.values() for fit in fits}
        spent = [self.engine.seconds[fit] for fit in fits if fit in self.engine.seconds]
        return len(fits), sum(s.fit + s.answer for s in spent)

    def labels_of(self, choice: Choice, rows: Rows) -> Array:
        """The class codes, or values, that a choice predicts for some rows: answered already, or by its model."""
        ask, answered = Ask(choice.fits[0], rows, self.sample.target.response), self.engine.answers
        if len(choice.fits) == 1 and ask in answered:
            return answered[ask]
        return self.engine.labels(self._model(choice, refit=True), rows)

    def unable(self, criterion: Criterion) -> CannotAnswer | None:
        if self.sample.draws is not None and getattr(criterion, "confidence", None) is not None:
            return CannotAnswer(NOT_ALIKE.format(name=criterion.name), remedy=CERTIFY_FIRST)
        if criterion.traits.trains_on_pool and self.sample.fit_params:
            names = ", ".join(sorted(self.sample.fit_params))
            return CannotAnswer(WITHOUT_VALUES.format(names=names, whom=criterion.name))
        begun = self._begun[id(criterion)] = Drive(criterion, self.task)
        begun.advance()
        return begun.refusal

    def taken(self, selection: Selection, choice: Choice) -> Selection:
        """A selection in which this choice is taken, with its model; what was estimated of the best is left out."""
        if not choice.fits:  # a candidate that failed: its error says more than one of ours
            choice = replace(choice, fits=(self.task.full(choice.candidate),))
        model = self._model(choice, refit=True)
        taken = replace(
            selection, chosen=choice, model=model,
            data=replace(selection.data, shares=self._shares_in_time(choice, model)),
            run=replace(selection.run, refit_seconds=sum(self.engine.final.values())),
        )  # fmt: skip
        return taken if choice is selection.best else replace(taken, held_out=OnHeldOutLabels())

    @stage("the chosen model")
    def _model(self, choice: Choice, refit: bool) -> Any:
        """The fit of a choice as a model, or its fits as an ensemble."""
        if not refit and not all(self.engine.has_model(fit) for fit in choice.fits):
            return None
        try:
            with nullcontext() if choice.candidate.name == CONSTANT else self.stop.to_the_end():  # it is at once there
                if choice.candidate.name != CONSTANT and not self.training.leaves(choice.fits[0]):
                    raise Overtime
                models = [self.engine.model(fit) for fit in choice.fits]
        except Overtime:
            problem = f"{self.stop.reason} before the chosen model was trained on every label"
            raise Unfinished(problem, remedy=KeepJournal() if self.journal is None else ()) from None
        if len(models) == 1:
            return models[0]
        if all(fit.labels is None for fit in choice.fits):
            return self._average(choice, models)
        from foldless.learners import DaggingClassifier

        ensemble = DaggingClassifier(
            self.engine.recipes[choice.candidate.index].estimator, len(models), voting=choice.vote.voting,
            random_state=self.task.seed,
        )  # fmt: skip
        return ensemble.around(models, self.sample.classes, choice.vote.weights)

    def _average(self, choice: Choice, models: Sequence[Any]) -> Any:
        """Fits on the true labels, of one candidate or several, as their average."""
        from foldless.learners.ensembles.averaging_classifier import as_model

        members: dict[Candidate, list[tuple[Any, float]]] = {}
        votes = choice.vote.weights or (1 / len(models),) * len(models)
        temperatures = choice.vote.temperatures or (None,) * len(models)
        by_candidate: dict[Candidate, float | None] = {}
        for fit, model, vote, temperature in zip(choice.fits, models, votes, temperatures, strict=True):
            members.setdefault(fit.candidate, []).append((model, vote))
            by_candidate[fit.candidate] = temperature
        return as_model(
            [self.engine.recipes[candidate.index].estimator for candidate in members],
            [[model for model, _ in fits] for fits in members.values()],
            [[vote for _, vote in fits] for fits in members.values()],
            self.sample.classes, voting=choice.vote.voting, temperatures=list(by_candidate.values()),
            random_state=self.task.seed,
        )  # fmt: skip

    def _certificate(self, drive: Drive, best: Choice, model: Any) -> tuple[Certificate | None, list[str]]:
        """The certificate of the chosen model, and its notes.

        The model may differ from the fit that was judged (trained once more, or a path answered in lower precision):
        then the criterion is asked again with the model's own answers. They are as independent of the pool and of rows
        held out as those of the first, and the bounds hold for all candidates at once, so this bound holds at the same
        confidence.
        """
        certificate = best.certificate
        if certificate is None:
            return None, []
        notes = list(certificate.notes)
        if model is not None:
            again = Drive(drive.criterion, drive.task, guarded=False)
            again.advance()
            answers = {a: self.engine.labels(model, a.rows) for a in again.pending if a.fit == best.fits[0]}
            if differing := sum(int((answers[ask] != self.engine.answers[ask]).sum()) for ask in answers):
                again.advance([answers.get(ask, self.engine.answers[ask]) for ask in again.pending])
                certificate = next(c.certificate for c in again.choices or () if c.candidate == best.candidate)
                notes.insert(0, ANOTHER.format(rows=differing))
        assert certificate is not None
        return replace(certificate, notes=tuple(notes)), notes

    def _shares_in_time(self, choice: Choice, model: Any) -> Any:
        """Shares of the classes in the pool; None where the time is up before the model has read it."""
        shares = None
        with suppress(Overtime), self.stop.to_the_end():
            shares = self._pool_shares(choice, model)
        if shares is None and model is not None and len(self.task.unlabeled):
            self.notes.append("the run stopped early, so the class shares of the pool are not estimated")
        return shares

    def _pool_shares(self, choice: Choice, model: Any) -> Any:
        """Shares of the classes in the pool, from an answer that is there or from the model.

        A pool that stays in its files is read once more only for a model that nobody asked.
        """
        task, engine = self.task, self.engine
        if not len(task.unlabeled):
            return None
        fit, stored = choice.fits[0], task.pool.stored is not None
        ask = about_pool(task, fit, PredictedShares(task.n_classes)) if stored else Ask(fit, task.unlabeled)
        answer = engine.answers.get(ask) if len(choice.fits) == 1 else None
        if answer is None and model is not None:
            answer = engine.shares(model) if stored else engine.labels(model, task.unlabeled)
        named = named_shares if stored else shares_of
        return None if answer is None else named(answer, self.sample.classes)

    def _timing(self, fits: Mapping[Any, None]) -> Timing:
        spent = [self.engine.seconds[fit] for fit in fits if fit in self.engine.seconds]
        return Timing(tuple(s.fit for s in spent), tuple(s.answer for s in spent))

    def error(self, drive: Drive, candidate: Candidate) -> Exception | None:
        """Why a candidate failed; None where it was not reached."""
        return self.engine.error(drive.dropped[candidate])

    def _seed(self) -> int:
        """One number behind every draw; a journal remembers it, so that a run without a seed can be resumed too."""
        fresh = int(check_random_state(self.request.random_state).randint(np.iinfo(np.int32).max))
        if self.journal is None or self.request.random_state is not None:
            return fresh
        return self.journal.seed(Keys(self.sample, ()).data(), fresh)


def _once(notes: Sequence[str], own: Sequence[str]) -> tuple[str, ...]:
    """All notes; a finding that a note of the certificate repeats stands there, with what it means for the bound."""
    repeated = {
        note: finding
        for note in own
        for finding in notes
        if isinstance(note, Note) and isinstance(finding, Finding) and note.problem.startswith(finding.problem)
    }
    fuller = [
        Finding(of.code, note.problem, rows=of.rows, columns=of.columns, remedy=note.remedies)
        if isinstance(note, Note) and (of := repeated.get(note)) is not None
        else note
        for note in own
    ]
    return (*(note for note in notes if note not in repeated.values()), *fuller)
