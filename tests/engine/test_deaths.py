"""What Dask cannot compute reaches joblib: errors, and a cluster without workers."""

from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLong
from types import SimpleNamespace
from typing import Any

import pytest

from foldless.engine import deaths
from foldless.engine.deaths import ClusterLost, is_death, is_lost, surfaced


class KilledWorker(Exception):
    """As Dask calls it."""


class DaskDistributedBackend:
    """Submits calls that only a test answers."""

    def __init__(self, workers: int):
        self.futures: list[Future[Any]] = []
        self.client = SimpleNamespace(scheduler_info=lambda: {"workers": dict.fromkeys(range(workers))})

    def submit(self, func: Any, callback: Any = None) -> Any:
        self.futures.append(Future())
        return self.futures[-1]


def submitted(workers: int) -> tuple[Any, list[Any]]:
    backend, told = DaskDistributedBackend(workers), []
    parallel = surfaced(surfaced(SimpleNamespace(_backend=backend)))
    parallel._backend.submit(len, told.append)
    return backend, told


def test_an_error_is_told_and_a_result_is_left_to_joblib() -> None:
    backend, told = submitted(2)
    error = KilledWorker("died")
    backend.futures[0].set_exception(error)
    assert told == [error]
    assert is_death(error)
    assert is_lost(error)
    backend, told = submitted(2)
    backend.futures[0].set_result(1)
    assert told == []


def test_a_cluster_without_workers_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deaths, "PATIENCE", 0.02)
    monkeypatch.setattr(deaths, "PULSE", 0.01)
    backend, told = submitted(0)
    with pytest.raises(ClusterLost, match="no worker left"):
        backend.futures[0].result(timeout=20)
    assert [type(error) for error in told] == [ClusterLost]
    backend, told = submitted(1)
    with pytest.raises(TooLong):
        backend.futures[0].result(timeout=0.1)
    backend.futures[0].set_result(1)


def test_other_errors_and_other_backends_are_left_alone() -> None:
    assert not is_death(ValueError())
    plain = SimpleNamespace(_backend=SimpleNamespace(submit=len))
    assert surfaced(plain)._backend.submit is len
