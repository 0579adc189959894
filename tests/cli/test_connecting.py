"""``--cluster``: the result of the serial run, and one sentence where no scheduler answers."""

import json
from pathlib import Path
from typing import Any

import pytest
from helpers.clusters import dask_workers
from helpers.command import run

from foldless.cli import _connecting as connecting

pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def train(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("cluster") / "train.csv"
    rows = [f"{at % 7},{at % 5 - at % 2},{'yes' if at % 2 else 'no'}" for at in range(60)]
    path.write_text("\n".join(["a,b,kind", *rows]) + "\n", encoding="utf-8")
    return str(path)


def select(train: str, *args: str, status: int = 0) -> Any:
    typed = ["select", train, "--label", "kind", "--criterion", "k-fold", "--model", "naive-bayes"]
    return run(*typed, "--json", *args, status=status)


def test_a_scheduler_that_does_not_answer_is_one_sentence(
    train: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(connecting, "CONNECT", 0.2)
    saved = tmp_path / "model.skops"
    said = select(train, "--cluster", "tcp://127.0.0.1:1", "--save", str(saved), status=2).stderr
    assert said.startswith("Error: no Dask scheduler answers at tcp://127.0.0.1:1: start one with")
    assert said.count("\n") == 1
    assert not saved.exists()
    said = select(train, "--cluster", "nowhere://x", status=2).stderr
    assert "is not the address of a scheduler: 'nowhere://x'" in said
    assert said.count("\n") == 1


def test_a_command_runs_on_the_cluster_that_it_names(train: str) -> None:
    expected = json.loads(select(train).stdout)
    with dask_workers(1, processes=False, protocol="tcp://") as client:
        done = client.cluster.scheduler.transition_counter
        found = json.loads(select(train, "--cluster", client.scheduler.address, "--workers", "1").stdout)
        assert client.cluster.scheduler.transition_counter > done
    for document in (found, expected):
        document.pop("timings", None)
    assert found["ranking"] == expected["ranking"]
