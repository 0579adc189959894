"""Dask clusters for tests, candidates that kill their worker or warn, and what is equal of two results."""

import os
import signal
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from sklearn.naive_bayes import GaussianNB


class Deadly(GaussianNB):
    """Kills its process where the variance is smoothed too much."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "Deadly":
        if self.var_smoothing >= 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().fit(X, y, sample_weight)


class DiesAtFirst(GaussianNB):
    """Kills its process as often as there are files in a folder, each of which it takes away before."""

    def __init__(self, folder: str, var_smoothing: float = 1e-9):
        super().__init__(var_smoothing=var_smoothing)
        self.folder = folder

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "DiesAtFirst":
        for life in Path(self.folder).glob("*"):
            try:
                life.unlink()
            except FileNotFoundError:  # another worker took it
                continue
            os.kill(os.getpid(), signal.SIGKILL)
        return super().fit(X, y, sample_weight)


class Slow(GaussianNB):
    """Takes some time, and counts its fits in a folder."""

    def __init__(self, seconds: float = 0.0, folder: str = "", var_smoothing: float = 1e-9):
        super().__init__(var_smoothing=var_smoothing)
        self.seconds, self.folder = seconds, folder

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "Slow":
        time.sleep(self.seconds)
        if self.folder:
            (Path(self.folder) / f"{time.monotonic_ns()}").touch()
        return super().fit(X, y, sample_weight)


class Heavy(GaussianNB):
    """A model of some kilobytes that takes a moment."""

    def __init__(self, kilobytes: int = 0, var_smoothing: float = 1e-9):
        super().__init__(var_smoothing=var_smoothing)
        self.kilobytes = kilobytes

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "Heavy":
        time.sleep(0.05)
        self.ballast_ = np.zeros(1_000 * self.kilobytes, dtype=np.uint8)
        return super().fit(X, y, sample_weight)


class Warns(GaussianNB):
    """Warns in every fit."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "Warns":
        warnings.warn(f"smoothed by {self.var_smoothing}", UserWarning, stacklevel=1)
        return super().fit(X, y, sample_weight)


@contextmanager
def dask_workers(n: int = 2, threads_per_worker: int = 1, **settings: Any) -> Iterator[Any]:
    """The client of a cluster of worker processes, which joblib is told to use."""
    import dask
    import distributed

    scheduler = {"dashboard": False, "dashboard_address": ":0"}  # it serves pages even so: from a port that is free
    with (
        dask.config.set({"distributed.deploy.lost-worker-timeout": "120s"}),  # a busy machine starts workers slowly
        distributed.LocalCluster(
            n_workers=n, threads_per_worker=threads_per_worker, scheduler_kwargs=scheduler, **settings
        ) as cluster,
        distributed.Client(cluster) as client,
        joblib.parallel_config("dask"),
    ):
        yield client


def problem(n: int = 90, pool: int = 150, width: int = 5) -> tuple[Any, Any, Any]:
    """Labeled rows of three classes, their labels and a pool."""
    rng = np.random.default_rng(0)
    y = np.arange(n + pool) % 3
    X = rng.normal(size=(n + pool, width)) + np.eye(3, width)[y]
    return X[:n], y[:n], X[n:]


def told(selection: Any) -> Any:
    """What a selection says, without what it took."""
    certificate = selection.certificate
    return (
        [(c.candidate.index, c.score, c.splits, c.notes) for c in selection.ranking],
        None if certificate is None else (certificate.upper, certificate.confidence, certificate.notes),
        None if selection.shares is None else selection.shares.to_dict(),
        None if selection.estimate is None else (selection.estimate.value, selection.estimate.lower),
        selection.n_fits,
        selection.notes,
    )
