"""Workers that die: loky says so; joblib does not hear it from Dask, and would wait for the answer without end.

joblib calls back for results only, so an error of Dask is told here. Where a cluster has no worker left, no error
comes at all: a thread looks for that as long as answers are missing.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, InvalidStateError
from contextlib import suppress
from typing import Any

from sklearn.utils.parallel import Parallel

KILLED = "KilledWorker"  # what Dask raises after a task has killed several workers
PATIENCE, PULSE = 20.0, 1.0  # seconds that a cluster may be without workers, and between two looks


class ClusterLost(RuntimeError):
    """A cluster has no worker left."""


def is_death(error: BaseException) -> bool:
    """Whether an error says that a worker process died."""
    return isinstance(error, BrokenExecutor) or is_lost(error)


def is_lost(error: BaseException) -> bool:
    """Whether the workers of a cluster died, which may not come back."""
    return isinstance(error, ClusterLost) or type(error).__name__ == KILLED


def loky_workers() -> list[int]:
    """The worker processes that joblib has started for this one, also those that are still starting."""
    from joblib.externals.loky import reusable_executor

    executor = reusable_executor._executor
    return list(getattr(executor, "_processes", None) or ())


def apart(call: Any) -> Any:
    """What a call returns that runs in a process of its own on this machine; None if the process dies."""
    try:
        (answered,) = Parallel(n_jobs=2, backend="loky")([call])
    except BrokenExecutor:
        return None
    return answered


def surfaced(parallel: Any) -> Any:
    """The same `joblib.Parallel`, which raises what Dask cannot compute."""
    backend = getattr(parallel, "_backend", None)
    if type(backend).__name__ == "DaskDistributedBackend":
        for name in {"submit", "apply_async"} & set(dir(backend)):  # the latter before joblib 1.5
            if not isinstance(getattr(backend, name), _Submitting):  # one backend serves several calls
                setattr(backend, name, _Submitting(getattr(backend, name), lambda: _workers(backend)))
    return parallel


class _Submitting:
    """Submits calls, and tells joblib of those that fail."""

    def __init__(self, submit: Callable[..., Any], n_workers: Callable[[], int]):
        self._submit, self._n_workers = submit, n_workers
        self._open: set[Future[Any]] = set()
        self._watch: threading.Thread | None = None

    def __call__(self, func: Any, callback: Any = None) -> Any:
        future = self._submit(func, callback)

        def tell(done: "Future[Any]") -> None:
            self._open.discard(done)
            if callback is not None and not done.cancelled() and done.exception() is not None:
                callback(done.exception())

        self._open.add(future)
        future.add_done_callback(tell)
        if self._watch is None or not self._watch.is_alive():
            self._watch = threading.Thread(target=self._look, daemon=True)
            self._watch.start()
        return future

    def _look(self) -> None:
        """Fail the calls of a cluster without workers."""
        seen = time.monotonic()
        while self._open:
            seen = time.monotonic() if self._n_workers() else seen
            if time.monotonic() - seen > PATIENCE:
                for future in list(self._open):
                    with suppress(InvalidStateError):
                        future.set_exception(ClusterLost("the cluster has no worker left"))
            time.sleep(PULSE)


def _workers(backend: Any) -> int:
    try:
        return len(backend.client.scheduler_info()["workers"])
    except Exception:  # a client that is closed
        return 0
