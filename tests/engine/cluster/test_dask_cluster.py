"""A real Dask cluster of two processes gives the result of the serial run, with the data sent to each worker once."""

import threading
import time
import warnings
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
from benchmarks.scale.traffic import begin_counting, bytes_read
from helpers.clusters import DiesAtFirst, Heavy, Slow, Warns, dask_workers, problem, told
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB

from foldless import FoldlessSearch, certify, compare, quantify
from foldless.criteria import BY_NAME
from foldless.engine.cluster import _dask_cluster as dask_cluster
from foldless.errors import ClusterLost

pytestmark = pytest.mark.slow  # a cluster of two processes

distributed = pytest.importorskip("distributed")
GRID = {"var_smoothing": [1e-9, 1e-3, 0.1]}
SOME = ["auto", "k_fold"]


@pytest.fixture(scope="module")
def client() -> Any:
    with dask_workers() as client:
        yield client


def search(estimator: Any, criterion: str = "k_fold", grid: Any = GRID, **settings: Any) -> FoldlessSearch:
    return FoldlessSearch(estimator, grid, criterion=criterion, random_state=0, **settings)


def serial(run: Any) -> Any:
    with joblib.parallel_config("sequential"):
        return run()


@pytest.mark.parametrize(
    "criterion", [name if name in SOME else pytest.param(name, marks=pytest.mark.nightly) for name in BY_NAME]
)
def test_the_selection_is_that_of_the_serial_run(client: Any, criterion: str) -> None:
    X, y, pool = problem()
    models: Any = LogisticRegression(), {"C": [0.1, 1.0]}
    if criterion == "evidence":
        from sklearn.gaussian_process import GaussianProcessClassifier

        models = GaussianProcessClassifier(), {"n_restarts_optimizer": [0, 1]}

    def run() -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return told(search(models[0], criterion, models[1]).fit(X, y, X_unlabeled=pool).selection_)

    assert run() == serial(run)


@pytest.mark.nightly
def test_compare_certify_and_quantify_give_what_the_serial_run_gives(client: Any) -> None:
    X, y, pool = problem()
    arguments: dict[str, Any] = {"X_unlabeled": pool, "random_state": 0}

    def run() -> Any:
        compared = compare(GaussianNB(), GRID, X, y, criteria=["auto", "k_fold", "quantification_bound"], **arguments)
        counted = quantify(GaussianNB(), X, y, param_grid=GRID, **arguments)
        return (
            [told(selection) for selection in compared.selections.values()],
            certify(GaussianNB(), X, y, param_grid=GRID, **arguments).upper,
            counted.shares.to_dict(), counted.lower.to_dict(),
        )  # fmt: skip

    assert run() == serial(run)


@pytest.mark.nightly
def test_a_search_inside_a_worker_makes_room_for_its_own_fits(client: Any) -> None:
    X, y, _ = problem()

    def run() -> list[float]:
        return cross_val_score(search(GaussianNB(), estimate=False), X, y, cv=3).tolist()

    assert run() == serial(run)


def test_the_data_reach_a_worker_once_for_all_rounds(client: Any) -> None:
    X, y, pool = problem(8_000, 24_000, width=20)
    y = np.random.default_rng(0).permutation(y)  # nothing to learn: the race goes on
    size = X.nbytes + pool.nbytes
    client.run(begin_counting)
    found = search(GaussianNB(), "auto", {"var_smoothing": np.logspace(-9, 0, 6)}, estimate=False)
    found.fit(X, y, X_unlabeled=pool)
    reached = [read for read, _ in client.run(bytes_read).values()]
    assert found.selection_.n_fits.run > 8
    assert len(reached) == 2
    for read in reached:
        assert size < read < 1.1 * size


def test_a_large_candidate_reaches_a_worker_once(client: Any) -> None:
    X, y, pool = problem()
    fitted = GaussianNB().fit(X, y)
    fitted.ballast_ = np.arange(10**6)  # 8 MB
    client.run(begin_counting)
    search(FrozenEstimator(fitted), "k_fold", None, estimate=False).fit(X, y)
    assert all(read < 2.1 * fitted.ballast_.nbytes for read, _ in client.run(bytes_read).values())


def test_models_come_back_as_long_as_there_is_room_for_them(client: Any) -> None:
    X, y, pool = problem()
    begin_counting()
    grid = {"var_smoothing": np.logspace(-9, 0, 12), "kilobytes": [1_000]}
    found = search(Heavy(), "quantification_bound", grid, keep_models=2.5, estimate=False).fit(X, y, X_unlabeled=pool)
    assert found.selection_.n_fits.run == 12
    assert bytes_read()[0] < 2 * 10e6  # twice: to the scheduler, and to the client; all models would be 24 MB


def test_the_fits_of_a_killed_worker_run_elsewhere(client: Any, tmp_path: Path) -> None:
    X, y, pool = problem()
    (tmp_path / "once").touch()

    def run() -> Any:
        return told(search(DiesAtFirst(str(tmp_path)), estimate=False).fit(X, y, X_unlabeled=pool).selection_)

    found = run()
    assert not list(tmp_path.iterdir())
    assert found == serial(run)


def test_warnings_of_fits_are_those_of_the_serial_run(client: Any) -> None:
    X, y, pool = problem()

    def run() -> list[str]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            search(Warns(), estimate=False).fit(X, y)
        return sorted(str(each.message) for each in caught)

    assert run() == serial(run) == ["smoothed by 1e-09 (in 15 fits)"]


def test_workers_with_another_version_are_refused(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y, _ = problem()
    monkeypatch.setattr(dask_cluster, "versions_here", lambda: {"python": "3.11", "foldless": "0.0.1"})
    with pytest.raises(ClusterLost, match=r"the worker tcp://\S+ of the cluster at tcp://\S+ has foldless \S+, and "):
        search(GaussianNB()).fit(X, y)


def test_a_cluster_that_vanishes_is_one_error_and_the_journal_continues(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(dask_cluster, "PATIENCE", 2.0)
    X, y, _ = problem()
    (tmp_path / "fits").mkdir()
    slow = search(Slow(0.2, str(tmp_path / "fits")), journal=tmp_path / "journal", estimate=False)

    def vanish() -> None:
        while len(list((tmp_path / "fits").iterdir())) < 6:
            time.sleep(0.01)
        client.cluster.close()

    with dask_workers(1, processes=False, protocol="tcp://") as client:
        address = client.scheduler.address
        thread = threading.Thread(target=vanish)
        thread.start()
        with pytest.raises(ClusterLost, match="continue from the journal") as caught:
            slow.fit(X, y)
        thread.join()
    assert address in str(caught.value)
    found = slow.fit(X, y).selection_
    assert found.n_fits.resumed > 0
    assert found.n_fits.resumed + found.n_fits.run == 15
