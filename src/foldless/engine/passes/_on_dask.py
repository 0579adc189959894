"""The pieces of a pass on a Dask cluster, by its client's own futures: the pool's files must be where workers can read.

Dask runs the pieces of a lost worker elsewhere. What the cluster gives up, or cannot finish because it is gone, is read
and reduced in this process: the files are here too.
"""

import pickle
import time
from asyncio import CancelledError
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from joblib.parallel import get_active_backend

from foldless.engine.cluster._dask_cluster import BACKEND
from foldless.errors import FoldlessError

LARGE = 2**20  # bytes that go to the workers once, and not with every piece
PULSE = 0.02  # seconds between two looks
RETRIES = 3


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
        means: list[Any] = future.result()
    except FoldlessError:
        raise
    except (Exception, CancelledError):  # a worker without the package, one that was killed, a scheduler that is gone
        return None
    return means
