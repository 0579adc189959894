"""Answer questions: train what is missing, here or in workers, and remember what was answered.

A fit that several questions or several criteria need is trained once.
"""

import os
import pickle
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import chain
from typing import Any

import joblib
from sklearn.utils.parallel import Parallel, delayed

from foldless._log import LOG, stage
from foldless.core import Array, Ask, Fit, Rows
from foldless.data._features import n_entries_per_row
from foldless.data._sample import Sample
from foldless.engine._callbacks import Hook, Hooks
from foldless.engine._candidates import Recipe, last_step
from foldless.engine._carried_data import Carried, Carrier, opened
from foldless.engine._fits import Order, Outcome, align, frozen_bytes, respond, train
from foldless.engine._groups import Batch, Group, Sorting, Work, cut, group, split, without_models
from foldless.engine._journal import Entry, Journal, can_answer
from foldless.engine._pairwise import check_columns
from foldless.engine._placement import Placement
from foldless.engine._progress import Observer, Silent
from foldless.engine._run_state import RunState, Seconds
from foldless.engine._stopping import (
    GRACE,
    Stop,
    apart,
    died,
    end_workers,
    interrupts_wait,
    is_death,
    watching,
    work_for,
)
from foldless.engine._stored_answers import StoredAnswers
from foldless.engine._warned import new_kinds, recorded_in_threads
from foldless.engine._workers import run_group
from foldless.engine.cluster._dask_cluster import BACKEND, DaskCluster
from foldless.errors import ClusterLost, KeepJournal, Overtime
from foldless.judging._pool_sums import PredictedShares

MEGABYTE = 2**20
LONG = (
    10**8
)  # entries of the rows × classes that one pass of a solver reads; of so many, it makes about ten in a second
PROCESSES = "LokyBackend"
OURS = (PROCESSES, "SequentialBackend")  # where the user has chosen no other


class Engine(RunState):
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
        super().__init__(data, recipes, n_jobs, journal, stop or Stop(), observer or Silent())
        self.hooks = hooks
        self.ran: set[Fit] = set()
        self.final: dict[Fit, float] = {}
        self.warnings: dict[tuple[type[Warning], str], int] = {}
        self._labeled = data.rows()[0]
        self._carrier, self._sorting = Carrier(data), Sorting(data)
        self._placement = Placement(n_jobs)
        self._cluster: DaskCluster | None = None
        self._models: dict[Fit, bytes] = {}
        self.trained: dict[Fit, Any] = {}
        self._room = keep_models * MEGABYTE
        self._full = False  # in this round
        self._stored = StoredAnswers(self, self.loan, self._room)
        self._wanted, self._for_pass = dict[Fit, None](), set[Fit]()
        self._near: Fit | None = None

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
                except Overtime:
                    self.stopped = self.stop.reason
            self._let_go()

    def _train(self, groups: list[Group], after_each: Callable[[], None]) -> None:
        left = Counter(order.fit.candidate for whole in groups for order, _ in whole.work)
        for done, outcomes in self._execute(groups):
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
        start = time.perf_counter()
        hook = None if self.hooks is None else self.hooks.refit()
        with new_kinds(self.warnings), stage("the chosen model"):
            model = self.trained[fit] = train(fit, self.recipes[fit.candidate.index].estimator, self.data, hook)
        self.final[fit] = time.perf_counter() - start
        if hook is not None:
            hook.end()
        return model

    def loan(self, fit: Fit) -> tuple[Any, int]:
        """The model of a fit for a while, and about its bytes; one that was not kept is trained once more."""
        if fit in self._models:
            return pickle.loads(self._models[fit]), len(self._models[fit])
        if fit in self.trained:
            return self.trained[fit], 0
        start = time.perf_counter()
        with new_kinds(self.warnings):
            model = train(fit, self.recipes[fit.candidate.index].estimator, self.data)
        self.final[fit] = time.perf_counter() - start
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
        for fit in self._wanted:
            if fit not in self._models and fit not in self.errors:
                by_fit.setdefault(fit, {})
        return [
            Work(
                Order(fit, tuple(asked), self._keeps(fit, may_win), self._hook(), self._start(fit)),
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

    def _hook(self) -> Hook | None:
        return None if self.hooks is None else self.hooks.next()

    def _keeps(self, fit: Fit, may_win: Collection[Fit]) -> bool:
        """Whether the model of a fit may win, and there is room for it."""
        full = fit.labels is None and fit.rows == self._labeled
        return self._room > 0 and (full or fit in may_win)

    def _resume(self, groups: list[Group]) -> list[Group]:
        """Take from the journal what it holds."""
        if self.journal is None:
            return groups
        left = []
        for whole in groups:
            batches = tuple(rest for batch in whole.batches if (rest := self._rest(batch)).work)
            if batches:
                left.append(Group(batches, whole.prefix))
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

    def _execute(self, groups: list[Group]) -> Iterator[tuple[Group, list[Outcome]]]:
        cluster = self._active_cluster()
        slots = joblib.effective_n_jobs(self.n_jobs) if cluster is None or not groups else cluster.slots()
        pieces = cut(groups, slots) if groups else []
        while pieces and self.stopped is None:
            left: list[Group] = []
            for at, outcomes in self._parallel(pieces) if cluster is None else self._on_cluster(cluster, pieces):
                done, rest = split(pieces[at], len(outcomes))
                left += rest
                yield done, outcomes
            pieces = left

    def _parallel(self, pieces: list[Group]) -> Iterator[tuple[int, list[Outcome]]]:
        """The outcomes of all pieces: of short ones in this process, of others in workers."""
        in_threads = all(piece.frees_gil for piece in pieces)
        # a single call needs no other process, and a learner with threads of its own has all cores here
        alone = self.n_jobs is not None and (len(pieces) == 1 or all(piece.threaded for piece in pieces))
        at = 0
        long = self.stop.has_budget and self._are_long(pieces)
        if not (alone or in_threads or long) and self.hooks is None and self._placement.begins_here(pieces):
            n_fits = sum(len(piece.work) for piece in pieces)
            while at < len(pieces) and not self._placement.worth_workers(len(pieces) - at, n_fits):
                if self.stop.reason is not None:
                    self.stopped = self.stop.reason
                    return
                start = time.process_time()  # what others do on this machine makes no work for workers
                try:
                    with self.stop.in_time():
                        outcomes = run_group(pieces[at], self._carrier.here(self.touched(pieces[at])))
                except Overtime:
                    self.stopped = self.stop.reason
                    return
                self._placement.ran_here(time.process_time() - start, len(outcomes))
                n_fits -= len(outcomes)
                yield at, outcomes
                at += 1
        if at < len(pieces):
            yield from self._in_workers(pieces, at, 1 if alone else self.n_jobs, in_threads)

    def _in_workers(
        self, pieces: list[Group], first: int, n_jobs: int | None, in_threads: bool
    ) -> Iterator[tuple[int, list[Outcome]]]:
        """The outcomes of the pieces from the first on, by the workers of joblib."""
        parent = os.getpid()
        broken: list[Exception] = []

        def calls() -> Iterator[Any]:
            for at, piece in enumerate(pieces[first:], first):
                if self.stop.reason is not None:
                    self.stopped = self.stop.reason
                    return
                try:
                    data = self._carrier.of(self.touched(piece), parallel)
                except Exception as error:  # in a thread of joblib, which would lose it and wait for ever
                    broken.append(error)
                    return
                yield delayed(_run)(at, piece, data, parent)

        parallel = self._workers(pieces, n_jobs, in_threads)
        undone = set(range(first, len(pieces)))
        recording = recorded_in_threads() if in_threads else nullcontext()
        try:
            with recording:
                with interrupts_wait():  # workers inherit that, and leave Ctrl-C to this process from the start
                    results = iter(parallel(calls()))
                while (result := self._in_time(results)) is not None:
                    undone.discard(result[0])
                    yield result
            if broken:
                raise broken[0]
        except Exception as error:
            if not is_death(error):
                raise
            LOG.info("a worker process died: %d groups of fits run again, each in a process of its own", len(undone))
            yield from self._one_by_one(pieces, sorted(undone))

    def _workers(self, pieces: list[Group], n_jobs: int | None, in_threads: bool) -> Any:
        """What joblib runs calls with: threads, processes, or one process for long calls that a budget may end."""
        # one queued call per worker: what is queued still runs after a stop
        settings: dict[str, Any] = {"n_jobs": n_jobs, "pre_dispatch": "n_jobs"}
        if in_threads:  # threads need no imports, kernels and rows of their own
            settings["prefer"] = "threads"
        elif type(joblib.parallel.get_active_backend()[0]).__name__ == PROCESSES:
            settings |= watching()
        if self._needs_apart(pieces, settings):
            return Parallel(n_jobs=2, backend="loky", return_as="generator_unordered", pre_dispatch=1, **watching())
        try:
            return Parallel(return_as="generator_unordered", **settings)
        except ValueError:  # a backend without generators answers all at once
            return Parallel(**settings)

    def _in_time(self, results: Iterator[tuple[int, list[Outcome]]]) -> tuple[int, list[Outcome]] | None:
        """The next result; None after the last one, and where it is not there when the time is up."""
        try:
            with self.stop.in_time():
                return next(results, None)
        except Overtime:
            self.stopped = self.stop.reason
            LOG.info("a fit that had not ended %g s after the time budget is left behind", GRACE)
            end_workers()
            return None

    def _needs_apart(self, pieces: list[Group], settings: Mapping[str, Any]) -> bool:
        """Whether long calls would run in this process although there is a time budget."""
        here = settings["n_jobs"] in (None, 1) or settings.get("prefer") == "threads"
        ours = type(joblib.parallel.get_active_backend()[0]).__name__ in OURS
        return self.stop.has_budget and here and ours and self._are_long(pieces)

    def _are_long(self, pieces: list[Group]) -> bool:
        """Whether a call may be one long piece of compiled code, which nothing but the end of its process stops."""
        rows = max((len(order.fit.rows) for piece in pieces for order, _ in piece.work), default=0)
        return rows * n_entries_per_row(self.data.labeled) * max(1, len(self.data.classes)) > LONG

    def _one_by_one(self, pieces: list[Group], undone: list[int]) -> Iterator[tuple[int, list[Outcome]]]:
        """After the death of a worker: every piece in a process of its own, to find the one that kills."""
        for at in undone:
            if self.stop.reason is not None:
                self.stopped = self.stop.reason
                return
            try:
                with interrupts_wait(), self.stop.in_time():
                    answered = apart(
                        delayed(_run)(at, pieces[at], self._carrier.here(self.touched(pieces[at])), os.getpid())
                    )
            except Overtime:
                self.stopped = self.stop.reason
                end_workers()
                return
            yield (at, [Outcome(error=died()) for _ in pieces[at].work]) if answered is None else answered

    def _active_cluster(self) -> DaskCluster | None:
        """The Dask cluster that the user chose with joblib's parallel_config, if any."""
        backend, _ = joblib.parallel.get_active_backend()
        if type(backend).__name__ != BACKEND:
            return None
        if self._cluster is None or not self._cluster.is_of(backend):
            self._cluster = DaskCluster(backend, self.data, self.n_jobs)
        return self._cluster

    def _on_cluster(self, cluster: DaskCluster, pieces: list[Group]) -> Iterator[tuple[int, list[Outcome]]]:
        def stopped() -> bool:
            self.stopped = self.stopped or self.stop.reason
            return self.stopped is not None

        try:
            yield from cluster.run(pieces, self, stopped)
        except ClusterLost as error:
            again = KeepJournal() if self.journal is None else "run it again to continue from the journal"
            raise ClusterLost(error.problem, value=error.value, remedy=error.remedies or again) from None

    def prepared(self, piece: Group) -> Group:
        """A piece as it goes to a cluster: once there is no room for a model, none comes back."""
        return without_models(piece) if self._full or self._room <= 0 else piece

    def touched(self, piece: Group) -> frozenset[int]:
        """The numbers of the parts of the data that a piece touches; the others need not travel."""
        used: set[Rows | None] = set()
        for order, _ in piece.work:
            used.update((order.fit.rows, order.fit.unlabeled, *(ask.rows for ask in order.asks)))
        return frozenset(at for rows in used if rows is not None for at in self.data.touched(rows))

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


def _run(at: int, piece: Group, data: Sample | Carried, parent: int) -> tuple[int, list[Outcome]]:
    if os.getpid() != parent:
        work_for(parent)
    return at, run_group(piece, opened(data))
