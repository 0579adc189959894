"""Worker processes of this machine that die: loky says so, and the fit that kills is found in a process of its own."""

from concurrent.futures import BrokenExecutor
from typing import Any

from sklearn.utils.parallel import Parallel


def is_death(error: BaseException) -> bool:
    """Whether an error says that a worker process died."""
    return isinstance(error, BrokenExecutor)


def died() -> RuntimeError:
    """The error of a fit whose worker died."""
    return RuntimeError("its worker process died, possibly out of memory")


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
