"""Answer questions: train what is missing, here or in workers, and remember what was answered.

A fit that several questions or several criteria need is trained once.
"""

import pickle
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import chain
from typing import Any

from foldless._log import LOG, stage
from foldless.core import Array, Ask, Fit, Rows
from foldless.core.compiled_code import working_time
from foldless.data._sample import Sample
from foldless.engine._callbacks import Hooks
from foldless.engine._candidates import Recipe, last_step
from foldless.engine._executing import Executing
from foldless.engine._fits import Order, Outcome, align, frozen_bytes, respond, train
from foldless.engine._groups import Batch, Group, Sorting, Work, group, without_models
from foldless.engine._journal import Entry, Journal, can_answer
from foldless.engine._pairwise import check_columns
from foldless.engine._progress import Observer, Silent
from foldless.engine._run_state import Seconds
from foldless.engine._stopping import Stop
from foldless.engine._stored_answers import StoredAnswers
from foldless.engine._warned import new_kinds
from foldless.errors import Overtime
from foldless.judging._pool_sums import PredictedShares

MEGABYTE = 2**20


def nothing(_: Fit) -> Sequence[Ask]:
    """No question to a fit."""
    return ()


class Engine(Executing):
    """Answers questions, trains what it must, remembers everything."""

    def __init__(
        self,
        data: Sample,
        recipes: Sequence[Recipe],
        *,
        n_jobs: int | None = None,
        journal: Journal | None = None,
        keep_models: float = 512,
        stop: Stop | None = None,
        observer: Observer | None = None,
        hooks: Hooks | None = None,
    ):
        check_columns((recipe.estimator for recipe in recipes), data)
        super().__init__(data, recipes, n_jobs, journal, stop or Stop(), observer or Silent(), hooks)
        self.ran: set[Fit] = set()
        self.final: dict[Fit, float] = {}
        self.warnings: dict[tuple[type[Warning], str], int] = {}
        self._labeled = data.rows()[0]
        self._sorting = Sorting(data)
        self._models: dict[Fit, bytes] = {}
        self.trained: dict[Fit, Any] = {}
        self._room = keep_models * MEGABYTE
        self._full = False  # in this round
        self._stored = StoredAnswers(self, self.loan, self._room)
        self._wanted, self._for_pass = dict[Fit, None](), set[Fit]()
        self._near: Fit | None = None
        self.beside: Callable[[Fit], Sequence[Ask]] = nothing  # that a fit is asked beside what is asked for

    def answer(
        self, asks: Sequence[Ask], after_each: Callable[[], None] = lambda: None, *, near: Fit | None = None
    ) -> None:
        """Answer what can be answered; a fit that failed or was not reached leaves its questions open.

        Fits of the candidate of a fit on every label, ``near`` to which they are, start from it where they can.
        """
        self._near = near
        asks, about_files = self._stored.apart(asks)
        self._wanted = {fit: None for ask in about_files for fit in (ask.fit, *ask.beside)}
        groups = group(self._work(asks), self._sorting)
        about_files, self._full = self._stored.recalled(about_files, groups), False
        self._wanted = {fit: None for ask in about_files for fit in (ask.fit, *ask.beside)}
        resumed_before = len(self.resumed)
        groups = self._resume(groups)
        n_fits, n_resumed = sum(len(whole.work) for whole in groups), len(self.resumed) - resumed_before
        if n_resumed:
            LOG.info("%d fits resumed from %s", n_resumed, self.journal and self.journal.path)
        self.observer.expect(n_fits)
        with stage(f"a round of {n_fits} fits") if n_fits else nullcontext():
            self._train(groups, after_each)
        if about_files and self.stopped is None:
            with stage("a pass over the pool in its files"):
                try:
                    with self.stop.in_time():
                        self._stored.answer(about_files)
                except Overtime as woken:
                    self.end(woken)
            self._let_go()

    def _train(self, groups: list[Group], after_each: Callable[[], None]) -> None:
        left = Counter(order.fit.candidate for whole in groups for order, _ in whole.work)
        for done, outcomes in self.execute(groups):
            self._absorb(done, outcomes)
            left.subtract(order.fit.candidate for order, _ in done.work)
            self.stop.answered |= not all(left.values())
            self.observer.advance(len(outcomes))
            after_each()

    def model(self, fit: Fit) -> Any:
        """The fitted model of a fit: kept, or trained once more."""
        if fit in self.trained:
            return self.trained[fit]
        if fit in self._models:
            model = self.trained[fit] = pickle.loads(self._models[fit])
            return model
        start = working_time()
        hook = None if self.hooks is None else self.hooks.refit()
        with new_kinds(self.warnings), stage("the chosen model"):
            model = self.trained[fit] = train(fit, self.recipes[fit.candidate.index].estimator, self.data, hook)
        self.final[fit] = working_time() - start
        if hook is not None:
            hook.end()
        return model

    def loan(self, fit: Fit) -> tuple[Any, int]:
        """The model of a fit for a while, and about its bytes; one that was not kept is trained once more."""
        if fit in self._models:
            return pickle.loads(self._models[fit]), len(self._models[fit])
        if fit in self.trained:
            return self.trained[fit], 0
        start = working_time()
        with new_kinds(self.warnings):
            model = train(fit, self.recipes[fit.candidate.index].estimator, self.data)
        self.final[fit] = working_time() - start
        return model, len(frozen_bytes(model) or b"")

    def has_model(self, fit: Fit) -> bool:
        """Whether a model can be had without training."""
        return fit in self._models

    def shares(self, model: Any) -> Array:
        """The shares of the classes that a fitted model predicts in a pool that stays in its files."""
        return self._stored.of_model(model, "labels", PredictedShares(len(self.data.classes)))

    def labels(self, model: Any, rows: Rows) -> Array:
        """What a fitted model says about some rows, as class codes or values."""
        response = self.data.target.response
        return align(respond(model, self.data.take(rows), response), response, (), self.data.classes)

    def _work(self, asks: Sequence[Ask]) -> list[Work]:
        by_fit: dict[Fit, dict[Ask, None]] = {}
        may_win = {ask.fit for ask in asks if ask.may_win}  # of two equal questions only one may say so
        self._for_pass = {fit for fit in self._wanted if fit not in may_win and fit not in self._models}
        may_win |= self._for_pass
        for ask in asks:
            if ask not in self.answers and self.error(ask) is None:
                by_fit.setdefault(ask.fit, {})[ask] = None
        for fit, asked in by_fit.items():
            asked |= dict.fromkeys(ask for ask in self.beside(fit) if ask not in self.answers)
        for fit in self._wanted:
            if fit not in self._models and fit not in self.errors:
                by_fit.setdefault(fit, {})
        hook = (lambda: None) if self.hooks is None else self.hooks.next
        return [
            Work(
                Order(fit, tuple(asked), self._keeps(fit, may_win), hook(), self._start(fit)),
                self.recipes[fit.candidate.index],
            )
            for fit, asked in by_fit.items()
        ]

    def _start(self, fit: Fit) -> Any:
        """Where the learner of a fit may start: at the model of a fit near to it that is kept."""
        near = self._near
        if near is None or near not in self._models or fit.candidate != near.candidate or fit.labels is not None:
            return None
        start_of = getattr(last_step(self.recipes[fit.candidate.index].estimator), "start_of", None)
        return None if start_of is None else start_of(self._models[near], fit.rows.indices)

    def _keeps(self, fit: Fit, may_win: Collection[Fit]) -> bool:
        """Whether the model of a fit may win, and there is room for it."""
        full = fit.labels is None and fit.rows == self._labeled
        return self._room > 0 and (full or fit in may_win)

    def _resume(self, groups: list[Group]) -> list[Group]:
        if self.journal is None:
            return groups
        left = []
        for whole in groups:
            batches = tuple(rest for batch in whole.batches if (rest := self._rest(batch)).work)
            if batches:
                left.append(replace(whole, batches=batches))
        return left

    def _rest(self, batch: Batch) -> Batch:
        """What the journal does not hold of a batch; one whose members depend on each other is taken whole or not."""
        units = [(work,) for work in batch.work] if batch.independent else [batch.work]
        left = (unit for unit in units if not self._recall(unit, batch.signature))
        return replace(batch, work=tuple(chain.from_iterable(left)))

    def _recall(self, work: Sequence[Work], signature: bytes) -> bool:
        assert self.journal is not None
        if any(order.asks_metrics for order, _ in work):  # what a scorer reads has no content hash
            return False
        if any(order.fit in self._wanted for order, _ in work):  # for its model
            return False
        keys = {ask: self.keys.ask(ask, signature) for order, _ in work for ask in order.asks}
        asks, n = {key: ask for ask, key in keys.items()}, len(self.data.classes)
        entries = self.journal.read(asks, lambda key, answer: can_answer(asks[key], answer, n))
        if len(entries) < len(set(keys.values())):
            return False
        for ask, key in keys.items():
            self.answers[ask] = entries[key].answer
            self.seconds.setdefault(ask.fit, Seconds(entries[key].fit_seconds, entries[key].answer_seconds))
            self.resumed.add(ask.fit)
        return True

    def prepared(self, piece: Group) -> Group:
        """A piece as it goes to a cluster: once there is no room for a model, none comes back."""
        return without_models(piece) if self._full or self._room <= 0 else piece

    def _absorb(self, done: Group, outcomes: list[Outcome]) -> None:
        entries: list[tuple[bytes, Entry]] = []
        batches = [batch for batch in done.batches for _ in batch.work]
        for (order, _), batch, outcome in zip(done.work, batches, outcomes, strict=True):
            for warning in outcome.warnings:
                self.warnings[warning] = self.warnings.get(warning, 0) + 1
            self.ran.add(order.fit)
            if outcome.stop:
                self.stop.request("a callback asked to stop")
            if outcome.error is not None:
                self.errors[order.fit] = outcome.error
                continue
            self.seconds[order.fit] = Seconds(outcome.fit_seconds, outcome.answer_seconds)
            alone = max(outcome.alone_seconds, outcome.fit_seconds)
            self.alone[order.fit.candidate] = max(alone, self.alone.get(order.fit.candidate, 0.0))
            if not order.keep:  # what is chosen is to be trained once more
                self.stop.took(alone)
            self._keep(order.fit, outcome.model)
            for ask, answer in zip(order.asks, outcome.answers, strict=True):
                if isinstance(answer, Exception):
                    self.errors[ask] = answer
                    continue
                self.answers[ask] = answer
                if self.journal is not None and ask.by is None:
                    entry = Entry(answer, outcome.fit_seconds, outcome.answer_seconds)
                    entries.append((self.keys.ask(ask, batch.signature), entry))
        if self.journal is not None and entries:
            self.journal.write(entries)

    def _let_go(self) -> None:
        """Forget the models that were kept for a pass only."""
        for fit in self._for_pass:
            if fit in self._models and (fit.labels is not None or fit.rows != self._labeled):
                self._room += len(self._models.pop(fit))
        self._wanted, self._for_pass = {}, set()

    def _keep(self, fit: Fit, model: bytes | None) -> None:
        if model is not None and len(model) <= self._room:
            self._models[fit] = model
            self._room -= len(model)
        elif model is not None:
            self._full = True
