"""A candidate that kills its Dask worker is ranked last: the run does not wait for it without end."""

import os
import signal
from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.exceptions import FitFailedWarning
from sklearn.naive_bayes import GaussianNB

from foldless import FoldlessSearch
from foldless.engine import deaths

pytestmark = pytest.mark.nightly
dask, distributed = pytest.importorskip("dask"), pytest.importorskip("distributed")


class Deadly(GaussianNB):
    """Kills its process where the variance is smoothed too much."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "Deadly":
        if self.var_smoothing >= 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().fit(X, y, sample_weight)


class Once(distributed.Nanny):
    """Starts a worker once."""

    def __init__(self, *args: Any, **more: Any):
        super().__init__(*args, **more)
        self.auto_restart = False


def search(values: list[float], **cluster: Any) -> FoldlessSearch:
    """A search on a cluster of two workers."""
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 3)) + 3 * y[:, None]
    made = FoldlessSearch(Deadly(), {"var_smoothing": values}, criterion="k_fold", random_state=0, estimate=False)
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, **cluster) as workers,
        distributed.Client(workers),
        joblib.parallel_config("dask"),
    ):
        return made.fit(X, y)


def test_workers_that_come_back() -> None:
    """Dask starts a worker anew, which the same fit kills; after some of them it gives the fit up."""
    with pytest.warns(FitFailedWarning, match="var_smoothing=1: RuntimeError: its worker process died"):
        found = search([1e-9, 1e-3, 1.0])
    assert found.best_params_["var_smoothing"] < 1
    assert np.isnan(found.cv_results_["mean_test_score"]).tolist() == [False, False, True]


def test_workers_that_do_not_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody is left to compute, the rest runs on this machine, and the deadly candidate apart."""
    monkeypatch.setattr(deaths, "PATIENCE", 3.0)
    with pytest.warns(FitFailedWarning, match="var_smoothing=1: RuntimeError: its worker process died"):
        found = search([1e-9, 1e-3, 1.0], worker_class=Once)
    assert np.isnan(found.cv_results_["mean_test_score"]).tolist() == [False, False, True]
