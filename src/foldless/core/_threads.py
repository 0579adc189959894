"""The number of threads, and a limit on those of BLAS: beside our own threads, more would wait for each other.

The limit holds for the whole process, so it is lifted when the last caller that asked for it is done.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from typing import Any

import joblib
from threadpoolctl import ThreadpoolController

FEW = 2000  # rows in all: on a busy machine two threads take three times the processor for an inverse of half as many


def threads() -> int:
    """OMP_NUM_THREADS where it is set, as joblib does in its workers; else all cores."""
    wanted = os.environ.get("OMP_NUM_THREADS", "")
    return int(wanted) if wanted.isdigit() and int(wanted) else int(joblib.cpu_count())


@contextmanager
def one_blas_thread() -> Iterator[None]:
    _limit().enter()
    try:
        yield
    finally:
        _limit().leave()


def blas_for(rows: int) -> AbstractContextManager[None]:
    """One thread of BLAS for work on few rows: more would wait for each other longer than they compute."""
    return one_blas_thread() if rows <= FEW else nullcontext()


class _Limit:
    def __init__(self) -> None:
        self._controller = ThreadpoolController()
        self._lock = threading.Lock()
        self._users = 0
        self._limiter: Any = None

    def enter(self) -> None:
        with self._lock:
            if self._users == 0:
                self._limiter = self._controller.limit(limits=1, user_api="blas")
            self._users += 1

    def leave(self) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0:
                self._limiter.restore_original_limits()


@cache
def _limit() -> _Limit:
    return _Limit()
