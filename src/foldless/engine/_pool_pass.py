"""One pass over the blocks of a pool: every model predicts a block once, and only running means are kept.

A pass is cut into pieces that do not depend on the number of workers, whose sums are added in their order: so the
result is the same wherever they ran. The next block is read while models predict the last one.

On a Dask cluster the pieces are its client's own futures, and the pool's files must be where workers can read. Dask
runs the pieces of a lost worker elsewhere. What the cluster gives up, or cannot finish because it is gone, is read and
reduced in this process: the files are here too.
"""

import pickle
import queue
import threading
import time
from asyncio import CancelledError
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import joblib
import numpy as np
from joblib.parallel import get_active_backend
from sklearn.utils.parallel import Parallel, delayed

from foldless.core import Array, Reduce, Response
from foldless.data._features import n_rows
from foldless.data._stored_pool import Block, StoredPool
from foldless.engine._fits import answer, portable
from foldless.engine._stopping import interrupts_wait, is_death
from foldless.engine.cluster._dask_cluster import BACKEND
from foldless.errors import FoldlessError
from foldless.judging._pool_sums import Mean

PIECES = 32
T = TypeVar("T")
LARGE = 2**20  # bytes that go to the workers once, and not with every piece
PULSE = 0.02  # seconds between two looks
RETRIES = 3


class OfAnother(Exception):
    """A mean that compares models cannot be had because another model than its own does not answer."""


@dataclass(frozen=True)
class Sought:
    """A mean over all rows: of which models, by their numbers, of what they respond, and how a block is reduced."""

    models: tuple[int, ...]
    response: Response
    reduce: Reduce


@dataclass(eq=False)
class PoolPass:
    """Models and what is sought of them."""

    pool: StoredPool
    models: Sequence[Any]
    sought: Sequence[Sought]
    classes: Array

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "models": pickle.dumps(list(self.models), protocol=5)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, models=pickle.loads(state["models"]))

    def of_units(self, units: Sequence[int]) -> list[Mean | Exception]:
        """What is sought, over the rows of some units."""
        return self(self.pool.source.blocks(units, self.pool.columns))

    def __call__(self, blocks: Iterator[Block]) -> list[Mean | Exception]:
        """What is sought, over these rows; an exception where a model cannot answer."""
        means: list[Mean | Exception] = [Mean(each.reduce) for each in self.sought]
        for place, X in ahead(self.pool.formed(blocks)):
            known: dict[tuple[int, Response], Array | Exception] = {}
            for at, each in enumerate(self.sought):
                mean = means[at]
                if isinstance(mean, Exception):
                    continue
                answers = [self._answer(known, model, each.response, X, place) for model in each.models]
                plain = [one for one in answers if not isinstance(one, Exception)]
                if isinstance(answers[0], Exception):
                    means[at] = answers[0]
                elif len(plain) < len(answers):
                    means[at] = OfAnother()
                else:
                    mean.add(each.reduce(*plain), n_rows(X))
        return means

    def _answer(
        self, known: dict[tuple[int, Response], Array | Exception], model: int, response: Response, X: Any, place: str
    ) -> Array | Exception:
        """What a model says of a block, or why it does not: those who ask other models have their answers."""
        if (model, response) not in known:
            try:
                known[model, response] = answer(self.models[model], X, response, self.classes)
            except Exception as error:
                is_sentence = type(error) in (ValueError, TypeError) and len(error.args) == 1  # one more can be added
                known[model, response] = portable(type(error)(f"{error} (in {place})") if is_sentence else error)
        return known[model, response]


def run_pass(
    work: PoolPass,
    n_jobs: int | None,
    stopped: Callable[[], bool] = lambda: False,
    tell: Callable[[float], None] = lambda _: None,
) -> list[Any] | None:
    """The means over all rows, or exceptions in their place; None where the run was stopped.

    It tells which share of the rows is read.
    """
    source = work.pool.source
    parts = source.each(work, work.pool.columns)
    if parts is None:
        units = np.array_split(np.arange(len(source.sizes)), min(PIECES, len(source.sizes)))
        parts = _spread(work, [part.tolist() for part in units], n_jobs, stopped)
    whole: list[Mean | Exception] = [Mean(each.reduce) for each in work.sought]
    for part in parts:
        for at, (mean, more) in enumerate(zip(whole, part, strict=True)):
            if isinstance(more, Exception):
                whole[at] = more if not isinstance(mean, Exception) or isinstance(mean, OfAnother) else mean
            elif isinstance(mean, Mean) and more.rows:
                mean.join(more)
        done = max((mean.rows for mean in whole if isinstance(mean, Mean)), default=0)
        tell(done / work.pool.n)
    if stopped():
        return None
    return [mean.value if isinstance(mean, Mean) else mean for mean in whole]


def _spread(
    work: PoolPass, pieces: list[list[int]], n_jobs: int | None, stopped: Callable[[], bool]
) -> Iterator[list[Mean | Exception]]:
    """The pieces in their order, on workers; where one of them dies, the rest in this process."""
    if n_jobs is None and (client := active_client()) is not None:
        yield from spread_on_dask(client, work, pieces, stopped)
        return
    left = iter(pieces)
    if min(joblib.effective_n_jobs(n_jobs), len(pieces)) > 1:
        calls = (delayed(work.of_units)(units) for units in pieces if not stopped())
        try:
            parallel = Parallel(n_jobs=n_jobs, pre_dispatch="2 * n_jobs", return_as="generator")
        except ValueError:  # a backend without generators answers all at once
            parallel = Parallel(n_jobs=n_jobs)
        try:
            with interrupts_wait():  # workers leave Ctrl-C to this process
                parts = parallel(calls)
            for part in parts:
                next(left, None)
                yield part
        except Exception as error:
            if not is_death(error):
                raise
    for units in left:
        if stopped():
            return
        yield work.of_units(units)


def ahead(items: Iterator[T]) -> Iterator[T]:
    """The same items, of which the next one is made in a thread while the last one is used."""
    ready: queue.Queue[tuple[str, Any]] = queue.Queue(maxsize=1)
    ended = threading.Event()

    def make() -> None:
        try:
            for item in items:
                if not _put(ready, ("item", item), ended):
                    return
            _put(ready, ("end", None), ended)
        except BaseException as error:  # it belongs to the thread that waits for the item
            _put(ready, ("error", error), ended)

    thread = threading.Thread(target=make, daemon=True)
    thread.start()
    try:
        while True:
            kind, value = ready.get()
            if kind == "item":
                yield value
            elif kind == "error":
                raise value
            else:
                return
    finally:
        ended.set()
        thread.join()


def _put(ready: "queue.Queue[Any]", item: Any, ended: threading.Event) -> bool:
    """Wait until there is room; whether somebody still wants the item."""
    while not ended.is_set():
        try:
            ready.put(item, timeout=0.1)
            return True
        except queue.Full:
            continue
    return False


def active_client() -> Any:
    """The client of the Dask cluster that joblib's parallel_config names, if any."""
    backend, _ = get_active_backend()
    return backend.client if type(backend).__name__ == BACKEND else None


def spread_on_dask(
    client: Any, work: Any, pieces: Sequence[list[int]], stopped: Callable[[], bool]
) -> Iterator[list[Any]]:
    """What the pieces of a pass give, in their order."""
    body: Any = pickle.dumps(work, protocol=5)
    if len(body) > LARGE:
        body = client.scatter(body, broadcast=True, hash=False)
    futures = [client.submit(reduced, body, units, retries=RETRIES, pure=False) for units in pieces]
    try:
        for future, units in zip(futures, pieces, strict=True):
            while not future.done() and client.status == "running" and not stopped():
                time.sleep(PULSE)
            if stopped():
                return
            yield _result(future) or work.of_units(units)
    finally:
        if client.status == "running":
            client.cancel(futures, force=True)


def reduced(body: bytes, units: list[int]) -> list[Any]:
    """On a worker: what one piece gives."""
    return list(pickle.loads(body).of_units(units))


def _result(future: Any) -> list[Any] | None:
    """What a piece gave; None where the cluster has lost it."""
    if not future.done():
        return None
    try:
        return list(future.result())
    except FoldlessError:
        raise
    except (Exception, CancelledError):  # a worker without the package, one that was killed, a scheduler that is gone
        return None
