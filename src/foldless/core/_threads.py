"""The number of threads, and a limit on those of BLAS: beside our own threads, more would wait for each other.

The limit holds for the whole process, so it is lifted when the last caller that asked for it is done.
"""

import os
from contextlib import AbstractContextManager, nullcontext
from functools import cache

import joblib
from threadpoolctl import ThreadpoolController

from foldless.core._shared_use import SharedUse

FEW = 2000  # rows in all: on a busy machine two threads take three times the processor for an inverse of half as many


def threads() -> int:
    """OMP_NUM_THREADS where it is set, as joblib does in its workers; else all cores."""
    wanted = os.environ.get("OMP_NUM_THREADS", "")
    return int(wanted) if wanted.isdigit() and int(wanted) else int(joblib.cpu_count())


def blas_for(rows: int) -> AbstractContextManager[None]:
    """One thread of BLAS for work on few rows: more would wait for each other longer than they compute."""
    return one_blas_thread() if rows <= FEW else nullcontext()


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


one_blas_thread = SharedUse(lambda: _controller().limit(limits=1, user_api="blas").restore_original_limits)
"""A context in which BLAS has one thread."""
