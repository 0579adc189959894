"""Run pieces of work where they are done soonest: in this process, in threads, in workers of joblib, or on a cluster.

A time budget ends each of them, and a worker that dies costs the fits that killed it, and no others.
"""

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from typing import Any

import joblib
from sklearn.utils.parallel import Parallel, delayed

from foldless._log import LOG
from foldless.data._features import n_entries_per_row
from foldless.data._sample import Sample
from foldless.engine._carried_data import Carried, Carrier, opened
from foldless.engine._fits import Outcome
from foldless.engine._groups import Group, cut, split
from foldless.engine._placement import Placement
from foldless.engine._run_state import RunState
from foldless.engine._stopping import GRACE, apart, died, end_workers, interrupts_wait, is_death, watching, work_for
from foldless.engine._warned import recorded_in_threads
from foldless.engine._workers import run_group
from foldless.engine.cluster._dask_cluster import BACKEND, DaskCluster
from foldless.errors import ClusterLost, KeepJournal, Overtime

LONG = 10**8  # rows × classes that one pass of a solver reads; of so many, it makes about ten in a second
PROCESSES = "LokyBackend"
OURS = (PROCESSES, "SequentialBackend")  # where the user has chosen no other


class Executing(RunState):
    """A run that has pieces of work done."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._carrier, self._placement = Carrier(self.data), Placement(self.n_jobs)
        self._cluster: DaskCluster | None = None

    def execute(self, groups: list[Group]) -> Iterator[tuple[Group, list[Outcome]]]:
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
        in_threads, workers = all(piece.frees_gil for piece in pieces), self._placement.workers(pieces)
        # a single call needs no other process, and a learner with threads of its own has all cores here
        alone = self.n_jobs is not None and (len(pieces) == 1 or all(piece.threaded for piece in pieces))
        at = 0
        long = self.stop.has_budget and self._are_long(pieces)
        if not (alone or long) and self.hooks is None and self._placement.begins_here(pieces):
            n_fits = sum(len(piece.work) for piece in pieces)
            while at < len(pieces) and not self._placement.worth_workers(
                len(pieces) - at, n_fits, workers, in_threads=in_threads
            ):
                if self.stop.reason is not None:
                    self.stopped = self.stop.reason
                    return
                start = time.process_time()  # what others do on this machine makes no work for workers
                try:
                    with self.stop.in_time():
                        outcomes = run_group(pieces[at], self._carrier.here(self.touched(pieces[at])))
                except Overtime as woken:
                    self.end(woken)
                    return
                self._placement.ran_here(time.process_time() - start, len(outcomes))
                n_fits -= len(outcomes)
                yield at, outcomes
                at += 1
        if at < len(pieces):
            yield from self._in_workers(pieces, at, 1 if alone else workers, in_threads)

    def _in_workers(
        self, pieces: list[Group], first: int, n_jobs: int | None, in_threads: bool
    ) -> Iterator[tuple[int, list[Outcome]]]:
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
        except Overtime as woken:
            LOG.info("a fit that had not ended %g s after the time budget is left behind", GRACE)
            end_workers()
            self.end(woken)
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
                    data = self._carrier.here(self.touched(pieces[at]))
                    answered = apart(delayed(_run)(at, pieces[at], data, os.getpid()))
            except Overtime as woken:
                end_workers()
                self.end(woken)
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


def _run(at: int, piece: Group, data: Sample | Carried, parent: int) -> tuple[int, list[Outcome]]:
    if os.getpid() != parent:
        work_for(parent)
    return at, run_group(piece, opened(data))
