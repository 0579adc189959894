"""Run pieces of work on a Dask cluster, whose client joblib's backend has.

The client's own futures instead of `joblib.Parallel`, which scatters the data anew in every round, waits without end
where a worker dies, and gives up all calls where one fails. Here

* data go to a worker once for all rounds;
* small fits go in bundles, so that a call takes long against what the scheduler spends on it;
* the work of a lost worker runs elsewhere: Dask sends it, and what Dask gives up is sent again one by one, until the
  piece is found that kills its worker;
* a cluster that is gone, or whose workers cannot run the fits, is one error that names its address.
"""

import queue
import time
from asyncio import CancelledError
from asyncio import TimeoutError as SlowAnswer  # another one before Python 3.11
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Any

from sklearn import get_config

from foldless._log import LOG
from foldless.data._sample import Sample
from foldless.engine._fits import Outcome
from foldless.engine._groups import Group
from foldless.engine._run_state import RunState
from foldless.engine._stopping import died
from foldless.engine.cluster._bundles import Done, Terms, pack, run_bundle, shared_by
from foldless.engine.cluster._same_versions import WrongWorker, difference, make_probe, versions_here
from foldless.engine.cluster._scattered import Missing, Scattered
from foldless.errors import ClusterLost

BACKEND = "DaskDistributedBackend"
KILLED = "KilledWorker"  # what Dask raises after a task has killed several workers
PATIENCE, PULSE = 60.0, 1.0  # seconds that a cluster may be without workers, and between two looks
FETCH = 10.0  # seconds to wait for a result that is there
CALL, PER_CALL = 0.2, 0.004  # seconds that a call should take at least, and that the scheduler spends on it
AHEAD = 2  # calls for each worker, so that none waits for the next
TRIES = 10  # of a piece whose data or worker is lost


def call_seconds(slots: int) -> float:
    """What a call should take: the scheduler serves one call after the other for all workers."""
    return max(CALL, PER_CALL * slots)


def bundle_size(waiting: int, seconds: float, slots: int) -> int:
    """Pieces of the next call, for pieces of some seconds.

    As many as a call has time for; towards the end fewer, so that all workers end together. What is left takes n calls
    and n · PER_CALL of the scheduler, and the last call takes a n-th of it: the sum is least at the square root.
    """
    fitting = call_seconds(slots) / seconds
    share = waiting / (AHEAD * slots)
    least = sqrt(waiting * PER_CALL / seconds)
    return max(1, ceil(min(fitting, max(share, least))))


class DaskCluster:
    """The cluster of joblib's active backend, as a place to run pieces for one engine."""

    def __init__(self, backend: Any, data: Sample, n_jobs: int | None):
        self._backend, self._client = backend, backend.client
        self._most = n_jobs if n_jobs is not None and n_jobs > 0 else None
        self._patience = max(PATIENCE, getattr(backend, "wait_for_workers_timeout", None) or 0)
        self.address = str(getattr(self._client.scheduler, "address", "") or self._client)
        self._settings = dict(getattr(backend, "submit_kwargs", {}))
        self._versions = versions_here()
        self._scattered = Scattered(self._client, data)
        self._checked = False
        self._deadly: set[int] = set()  # candidates

    def is_of(self, backend: Any) -> bool:
        """Whether it is the cluster of a backend, which may be another one in a later round."""
        return self._client is backend.client

    def slots(self) -> int:
        """Calls that the cluster can run at once; waits for the first worker, and looks what it has installed."""
        begun = time.monotonic()
        while not (n := sum(self._threads().values())):
            self._check_patience(begun)
            time.sleep(PULSE / 10)
        if not self._checked:
            self._check_versions()
        return n if self._most is None else min(n, self._most)

    def run(
        self, pieces: Sequence[Group], state: RunState, stopped: Callable[[], bool]
    ) -> Iterator[tuple[int, list[Outcome]]]:
        """The outcomes of pieces as they come; once ``stopped``, of those only that are under way."""
        round_ = _Round(pieces, self.slots(), self._most is None, self._workers(len(pieces), self._threads()))
        with self._backend.retrieval_context():  # a search inside a worker makes room for its own calls
            try:
                yield from self._given_up(round_)
                while round_.waiting or round_.flying:
                    self._submit(round_, state, stopped)
                    if not round_.flying:
                        return
                    for call in self._gathered(round_.finished(PULSE)):
                        yield from self._collect(round_, call)
                    self._look(round_)
            finally:
                if round_.flying and self._client.status == "running":
                    with suppress(Exception):  # of a cluster that is just leaving
                        self._client.cancel([call.future for call in round_.flying.values()], force=True)

    def _workers(self, n: int, threads: Mapping[str, int]) -> list[str]:
        """The addresses of workers for so many pieces, which will hold the data."""
        wanted = self._settings.get("workers")
        allowed = None if wanted is None else {wanted} if isinstance(wanted, str) else set(wanted)
        return [worker for worker in sorted(threads) if allowed is None or worker in allowed][:n]

    def _submit(self, round_: "_Round", state: RunState, stopped: Callable[[], bool]) -> None:
        while round_.waiting and len(round_.flying) < round_.most and not stopped():
            numbers = round_.next()
            bundle = {at: state.prepared(round_.pieces[at]) for at in numbers}
            parts = sorted({part for piece in bundle.values() for part in state.touched(piece)})
            round_.parts.update(parts)
            try:
                keys = self._scattered.parts(parts, round_.workers)
                shared = [each for piece in bundle.values() for each in shared_by(piece)]
                holes, fillings = self._scattered.large(shared)
                terms = Terms(self._versions, get_config(), round_.seconds)
                few = {"workers": round_.workers, "allow_other_workers": True} if round_.few else {}
                settings = {**few, **self._settings}
                key = f"foldless-fits-{time.monotonic_ns():x}-{numbers[0]}"
                body = pack(bundle, holes)
                future = self._client.submit(run_bundle, body, terms, keys, *fillings, key=key, pure=False, **settings)
            except (Exception, CancelledError) as error:
                if not _is_of_cluster(error):
                    raise
                self._send_again(round_, numbers)
                return
            round_.fly(future, numbers)

    def _gathered(self, calls: list["_Call"]) -> list["_Call"]:
        """Calls that ended, with their results where these could be fetched all at once."""
        whole = [call for call in calls if call.future.status == "finished"]

        async def fetched() -> Any:
            return await self._client.gather([call.future for call in whole], asynchronous=True)

        if len(whole) > 1:
            with suppress(Exception, CancelledError):  # then each is asked by itself
                for call, done in zip(whole, self._client.sync(fetched, callback_timeout=FETCH), strict=True):
                    call.done = done
        return calls

    def _collect(self, round_: "_Round", call: "_Call") -> Iterator[tuple[int, list[Outcome]]]:
        """The outcomes of a call that ended in any way."""
        try:
            done = call.future.result(timeout=FETCH) if call.done is None else call.done
        except (Exception, CancelledError) as error:
            if isinstance(error, TimeoutError | SlowAnswer):  # its worker died before it was fetched: it runs again
                round_.watch(call)
            elif type(error).__name__ == KILLED:
                yield from self._killed(round_, call)
            elif isinstance(error, Missing):
                self._scattered.forget_copies(error.args[0])
                round_.workers = [*(worker for worker in round_.workers if worker != error.args[0]), error.args[0]]
                self._send_again(round_, call.numbers)
            elif isinstance(error, WrongWorker):
                raise self._unusable(error, "a worker") from None
            elif isinstance(error, ImportError) and "foldless" in str(error):
                raise self._unusable(WrongWorker("lacks foldless", "install it there"), "a worker") from None
            elif not _is_of_cluster(error):
                raise
            else:
                self._send_again(round_, call.numbers)
            return
        round_.took(done)
        round_.put_back([at for at in call.numbers if at not in {each.at for each in done}])
        for each in done:
            yield each.at, each.outcomes

    def _killed(self, round_: "_Round", call: "_Call") -> Iterator[tuple[int, list[Outcome]]]:
        """Send pieces that were there when several workers died again, each alone.

        One that kills again when it is alone is given up, and the other fits of its candidate with it: each would cost
        several workers more.
        """
        LOG.info("workers of %s died: %d groups of fits are sent again, each alone", self.address, len(call.numbers))
        for at in call.numbers:
            if at in round_.suspected and len(call.numbers) == 1:
                self._deadly |= _candidates(round_.pieces[at])
            round_.suspected.add(at)
            round_.put_back([at])
        yield from self._given_up(round_)

    def _given_up(self, round_: "_Round") -> Iterator[tuple[int, list[Outcome]]]:
        """The outcomes of pieces that wait and would kill their workers."""
        if self._deadly:
            for at in [at for at in round_.waiting if _candidates(round_.pieces[at]) <= self._deadly]:
                round_.waiting.remove(at)
                yield at, [Outcome(error=died()) for _ in round_.pieces[at].work]

    def _look(self, round_: "_Round") -> None:
        """Find calls that Dask has lost without a word, and a cluster that is gone."""
        if not round_.due():
            return
        lost = [call for call in round_.flying.values() if call.future.status in ("lost", "cancelled")]
        for call in lost:
            round_.flying.pop(call.future.key, None)
            self._send_again(round_, call.numbers)
        threads = self._threads()
        if not threads:
            round_.alone_since = round_.alone_since or time.monotonic()
            self._check_patience(round_.alone_since)
            return
        round_.alone_since = None
        if self._most is None:
            round_.slots = max(1, sum(threads.values()))
        workers = self._workers(len(round_.pieces), threads)
        if lost or workers != round_.workers:
            round_.workers = workers
            with suppress(Exception, CancelledError):  # then it is tried with the next look
                self._scattered.forget_lost()
                self._scattered.parts(sorted(round_.parts), round_.workers)

    def _send_again(self, round_: "_Round", numbers: Sequence[int]) -> None:
        """Put pieces back, unless they were sent very often already."""
        round_.put_back(numbers)
        LOG.info("%d groups of fits were lost on the way to %s and are sent again", len(numbers), self.address)
        self._scattered.forget_lost()
        if any(round_.tries[at] > TRIES for at in numbers):
            raise ClusterLost(
                f"the cluster at {self.address} repeatedly loses data that was sent to it", value=self.address
            )
        begun = time.monotonic()
        while not self._threads():
            self._check_patience(begun)
            time.sleep(PULSE / 4)

    def _check_patience(self, since: float) -> None:
        """Give up a cluster that had no worker for too long, or whose scheduler is gone."""
        if self._client.status in ("closed", "closing"):
            raise ClusterLost(f"the cluster at {self.address} is not reachable any more", value=self.address)
        if time.monotonic() - since > self._patience:
            what = "has no worker" if self._client.status == "running" else "does not answer"
            raise ClusterLost(f"the cluster at {self.address} {what}", value=self.address)

    def _threads(self) -> Mapping[str, int]:
        """The threads of each worker; none where the scheduler does not answer."""
        if self._client.status != "running":
            return {}
        try:
            return self._client.sync(self._client.scheduler.ncores, callback_timeout=self._patience) or {}
        except Exception:  # the scheduler is gone in the middle of a sentence
            return {}

    def _check_versions(self) -> None:
        """Refuse a cluster with workers that cannot run the fits, before any data go there."""
        try:
            replies = self._client.run(make_probe(tuple(set(self._versions) - {"python"})), on_error="return")
        except Exception:  # a worker left just now: each looks for itself when it is sent something
            return
        for worker, there in replies.items():
            if isinstance(there, Mapping) and (wrong := difference(self._versions, there)) is not None:
                raise self._unusable(wrong, f"the worker {worker}")
        self._checked = True

    def _unusable(self, wrong: WrongWorker, worker: str) -> ClusterLost:
        return ClusterLost(
            f"{worker} of the cluster at {self.address} {wrong.why}", value=self.address, remedy=wrong.remedy
        )


@dataclass(eq=False)
class _Call:
    """A bundle under way."""

    future: Any
    numbers: Sequence[int]
    done: list[Done] | None = None


class _Round:
    """The pieces of one round: those that wait, those that fly, and how long they take."""

    def __init__(self, pieces: Sequence[Group], slots: int, ahead: bool, workers: Sequence[str]):
        self.pieces, self.slots, self._ahead = pieces, slots, AHEAD if ahead else 1
        self.workers = workers
        self.waiting = deque(range(len(pieces)))
        self.flying: dict[str, _Call] = {}
        self.suspected: set[int] = set()
        self.parts: set[int] = set()  # of the data
        self.tries = [0] * len(pieces)
        self.alone_since: float | None = None  # without any worker
        self._looked = time.monotonic()
        self._ended: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._spent, self._n = 0.0, 0

    @property
    def few(self) -> bool:
        """Whether there is less to do than workers, so that not all of them need the data."""
        return len(self.pieces) <= len(self.workers)

    @property
    def most(self) -> int:
        return self._ahead * self.slots

    @property
    def seconds(self) -> float:
        return call_seconds(self.slots)

    def next(self) -> list[int]:
        if self.waiting[0] in self.suspected or not self._n:
            return [self.waiting.popleft()]
        size = bundle_size(len(self.waiting), max(self._spent / self._n, 1e-6), self.slots)
        numbers = [self.waiting.popleft()]
        while self.waiting and len(numbers) < size and self.waiting[0] not in self.suspected:
            numbers.append(self.waiting.popleft())
        return numbers

    def fly(self, future: Any, numbers: Sequence[int]) -> None:
        for at in numbers:
            self.tries[at] += 1
        self.watch(_Call(future, numbers))

    def watch(self, call: _Call) -> None:
        """Hear when a call ends."""
        self.flying[call.future.key] = call
        call.future.add_done_callback(lambda ended: self._ended.put(ended.key))

    def finished(self, patience: float) -> list[_Call]:
        """Calls that ended; waits for the first of them, but not for long."""
        calls = []
        with suppress(queue.Empty):
            calls.append(self.flying.pop(self._ended.get(timeout=patience), None))
            while True:
                calls.append(self.flying.pop(self._ended.get_nowait(), None))
        return [call for call in calls if call is not None]

    def put_back(self, numbers: Sequence[int]) -> None:
        self.waiting.extend(numbers)

    def took(self, done: Sequence[Done]) -> None:
        """Learn from the last calls how long a piece takes."""
        self._spent, self._n = 0.5 * self._spent, self._n // 2
        self._spent += sum(each.seconds for each in done)
        self._n += len(done)

    def due(self) -> bool:
        """Whether it is time to look after the cluster."""
        now = time.monotonic()
        if now - self._looked < PULSE:
            return False
        self._looked = now
        return True


def _candidates(piece: Group) -> set[int]:
    return {order.fit.candidate.index for order, _ in piece.work}


def _is_of_cluster(error: BaseException) -> bool:
    """Whether an error is about connections, lost data or cancelled calls, and not about the work."""
    names = {kind.__name__ for kind in type(error).__mro__}
    return bool(names & {"CancelledError", "CommClosedError", "TimeoutError", "FutureCancelledError"}) or (
        isinstance(error, OSError | RuntimeError) and "distributed" in type(error).__module__
    )
