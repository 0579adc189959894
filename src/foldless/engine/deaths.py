"""Workers that die: loky says so; joblib does not hear it from Dask, and would wait for the answer without end."""

from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from typing import Any

import joblib

KILLED = "KilledWorker"  # what Dask raises after a task has killed several workers


def is_death(error: BaseException) -> bool:
    """Whether an error says that a worker process died."""
    return isinstance(error, BrokenExecutor) or type(error).__name__ == KILLED


def is_lost(error: BaseException) -> bool:
    """Whether the workers of a cluster died, which may not come back."""
    return type(error).__name__ == KILLED


def apart(call: Any) -> Any:
    """What a call returns that runs in a process of its own on this machine; None if the process dies."""
    try:
        (answered,) = joblib.Parallel(n_jobs=2, backend="loky")([call])
    except BrokenExecutor:
        return None
    return answered


def surfaced(parallel: Any) -> Any:
    """The same `joblib.Parallel`, which raises what Dask could not compute: joblib calls back for results only."""
    backend = getattr(parallel, "_backend", None)
    if type(backend).__name__ == "DaskDistributedBackend":
        for name in {"submit", "apply_async"} & set(dir(backend)):  # the latter before joblib 1.5
            setattr(backend, name, _with_errors(getattr(backend, name)))
    return parallel


def _with_errors(submit: Callable[..., Any]) -> Callable[..., Any]:
    if getattr(submit, "tells_errors", False):  # one backend serves several calls
        return submit

    def submitted(func: Any, callback: Any = None) -> Any:
        future = submit(func, callback)

        def tell(done: "Future[Any]") -> None:
            if callback is not None and not done.cancelled() and done.exception() is not None:
                callback(done.exception())

        if hasattr(future, "add_done_callback"):
            future.add_done_callback(tell)
        return future

    submitted.tells_errors = True  # type: ignore[attr-defined]
    return submitted
