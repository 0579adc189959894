"""Workers that are killed, clients that are killed and clusters that vanish, as they do in the field."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
from helpers.clusters import Deadly, Slow, dask_workers, problem, told
from sklearn.exceptions import FitFailedWarning

from foldless import FoldlessSearch
from foldless.engine.cluster import _dask_cluster as dask_cluster
from foldless.errors import ClusterLost

pytestmark = pytest.mark.nightly
dask, distributed = pytest.importorskip("dask"), pytest.importorskip("distributed")


def search(estimator: Any, values: Any, **settings: Any) -> FoldlessSearch:
    grid = {"var_smoothing": values}
    return FoldlessSearch(estimator, grid, criterion="k_fold", random_state=0, estimate=False, **settings)


def test_a_candidate_that_kills_every_worker_is_ranked_last() -> None:
    """Dask starts a worker anew, which the same fit kills; after some of them it gives the fit up."""
    X, y, _ = problem()
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        dask_workers(),
        pytest.warns(FitFailedWarning, match="var_smoothing=1: RuntimeError: its worker process died"),
    ):
        found = search(Deadly(), [1e-9, 1e-3, 1.0]).fit(X, y)
    assert found.best_params_["var_smoothing"] < 1
    assert np.isnan(found.cv_results_["mean_test_score"]).tolist() == [False, False, True]


@pytest.mark.parametrize("threads", [1, 2])
def test_three_workers_are_killed_while_they_work(threads: int, tmp_path: Path) -> None:
    X, y, _ = problem()
    values = np.logspace(-9, -1, 40)
    killed: list[int] = []

    def kill(client: Any) -> None:
        for n in (20, 60, 110):
            while len(list(tmp_path.iterdir())) < n:
                time.sleep(0.01)
            pids = list(client.run(os.getpid).values())
            killed.append(pids[n % len(pids)])
            os.kill(killed[-1], signal.SIGKILL)

    with (
        dask_workers(threads_per_worker=threads) as client,
        distributed.Client(client.scheduler.address, set_as_default=False) as other,
    ):
        killer = threading.Thread(target=kill, args=(other,))
        killer.start()
        found = search(Slow(0.03, str(tmp_path)), values).fit(X, y)
        killer.join()
    assert len(killed) == 3
    assert told(found.selection_) == told(search(Slow(), values).fit(X, y).selection_)


CLIENT = """
import sys
sys.path[:0] = {path!r}
import joblib
from distributed import Client
from helpers.clusters import Slow, problem
from test_dask_deaths import search
if __name__ == "__main__":
    X, y, _ = problem()
    with Client({address!r}), joblib.parallel_config("dask"):
        search(Slow(0.03, {folder!r}), [1e-9, 1e-6, 1e-3, 1e-2, 0.1, 0.5], journal={journal!r}).fit(X, y)
"""


def test_a_client_that_is_killed_continues_from_its_journal(tmp_path: Path) -> None:
    X, y, _ = problem()
    fits, journal = tmp_path / "fits", str(tmp_path / "journal")
    fits.mkdir()
    script = tmp_path / "client.py"
    values = [1e-9, 1e-6, 1e-3, 1e-2, 0.1, 0.5]
    with dask_workers() as client:
        path = [*sys.path, str(Path(__file__).parent)]
        script.write_text(
            CLIENT.format(path=path, address=client.scheduler.address, folder=str(fits), journal=journal),
            encoding="utf-8",
        )
        process = subprocess.Popen([sys.executable, str(script)])
        while len(list(fits.iterdir())) < 12 and process.poll() is None:
            time.sleep(0.01)
        process.kill()
        process.wait()
        found = search(Slow(0.03, str(fits)), values, journal=journal).fit(X, y).selection_
        again = told(search(Slow(0.03, str(fits)), values).fit(X, y).selection_)
    assert 0 < found.n_fits.resumed < 30
    assert found.n_fits.resumed + found.n_fits.run == 30
    assert told(found)[0] == again[0]


@pytest.mark.parametrize(
    ("whom", "how"), [("scheduler", signal.SIGKILL), ("scheduler", signal.SIGTERM), ("worker", signal.SIGKILL)]
)
def test_a_cluster_that_is_killed_leaves_one_error_and_a_journal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, whom: str, how: signal.Signals
) -> None:
    monkeypatch.setattr(dask_cluster, "PATIENCE", 3.0)
    X, y, _ = problem()
    fits = tmp_path / "fits"
    fits.mkdir()
    file = tmp_path / "scheduler.json"
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--scheduler-file", str(file), "--port", "0",
               "--no-dashboard"]  # fmt: skip
    scheduler = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    worker = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(file), "--nthreads", "1",
         "--no-dashboard", "--no-nanny", "--death-timeout", "10"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    made = search(Slow(0.05, str(fits)), [1e-9, 1e-3, 0.1], journal=tmp_path / "journal")

    def kill() -> None:
        while len(list(fits.iterdir())) < 5:
            time.sleep(0.01)
        (scheduler if whom == "scheduler" else worker).send_signal(how)

    try:
        while not file.exists():
            time.sleep(0.1)
        with distributed.Client(scheduler_file=str(file), timeout=20), joblib.parallel_config("dask"):
            threading.Thread(target=kill, daemon=True).start()
            with pytest.raises(
                ClusterLost,
                match=r"the cluster at tcp://\S+ (does not answer|is not reachable any more|has no worker): run it",
            ):
                made.fit(X, y)
    finally:
        for process in (worker, scheduler):
            process.kill()
            process.wait()
    found = made.fit(X, y).selection_
    assert found.n_fits.resumed > 0
