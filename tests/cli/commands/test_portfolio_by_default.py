"""compare, certify, suggest and app without a model: what each does with the default portfolio."""

import json
from pathlib import Path

import pandas as pd
import pytest
from helpers.clock import patched
from helpers.command import run
from helpers.short_portfolio import shorten

import foldless.app
from foldless.app._app_trainer import AppTrainer
from foldless.app.app_setup import Setup

TASK = ("train.csv", "--label", "topic", "--unlabeled", "pool.csv")
ALONE = {"logistic-regression", "linear-discriminant", "nearest-neighbors"}


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    shorten(monkeypatch, n_taught=1)


def done(*args: str) -> dict[str, object]:
    return json.loads(run(*args, "--json").stdout)


@pytest.mark.slow
def test_compare_has_the_average_as_its_first_criterion(folder: Path) -> None:
    document = done("compare", *TASK, "--predict", "o.csv")
    names = [entry["criterion"] for entry in document["criteria"]]
    assert names == ["combination", "auto", "k_fold", "quantification_bound"]
    assert {"a", "b", "c"} >= set(pd.read_csv("o.csv")["predicted_topic"])
    alone = done("compare", *TASK, "--criteria", "k-fold,hold-out")
    assert {entry["model"] for entry in alone["criteria"]} == {"linear-svc"}


def test_certify_bounds_one_candidate_that_needs_no_pool(folder: Path) -> None:
    document = done("certify", *TASK)
    assert {entry["model"] for entry in document["ranking"]} == ALONE
    assert document["certificate"]["candidates"] == len(document["ranking"]) == len(ALONE)
    assert not any("other rows" in sentence for sentence in document["certificate"]["assumes"])


@pytest.mark.slow
def test_suggest_asks_the_members_of_the_average(folder: Path) -> None:
    document = done("suggest", *TASK, "--output", "to_label.csv", "-n", "4")
    assert len(pd.read_csv("to_label.csv")) == 4
    assert {name.partition("(")[0] for name in document["leaders"]} <= ALONE | {"pool-features"}
    assert sum(document["leaders"].values()) == pytest.approx(1)


def started(monkeypatch: pytest.MonkeyPatch, *args: str) -> Setup:
    setups = []
    monkeypatch.setattr(foldless.app, "serve", lambda setup, **_: setups.append(setup))
    run("app", *TASK, "--no-browser", *args)
    return setups[0]


@pytest.mark.slow
def test_app_trains_the_average_within_seconds(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = started(monkeypatch)
    assert (dict(setup.models), setup.criterion) == ({"portfolio": None}, "combination")
    assert setup.settings["time_budget"] == 15
    named = started(monkeypatch, "--model", "linear-svc")
    assert (dict(named.models), named.criterion, named.settings["time_budget"]) == ({"linear-svc": None}, "auto", None)
    told: dict[str, object] = {}
    patched(monkeypatch)  # on a busy machine its seconds are over before all have been trained
    trainer = AppTrainer(setup, told.__setitem__)
    following = {"out": [], "how": "valid", "number": 1, "first": False}
    trainer.choose(["portfolio"], "combination", [], following)
    assert told["result"]["members"] >= 1
    assert {entry["model"] for entry in told["result"]["ranking"]} == ALONE | {"pool-features"}
    assert len(told["batch"]) > 0
