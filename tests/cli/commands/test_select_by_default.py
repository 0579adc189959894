"""foldless select without a model: the portfolio for what the columns are, combined within a time budget."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.command import run
from helpers.short_portfolio import shorten

from foldless.core import time_budget

TASK = ("select", "train.csv", "--label", "topic", "--no-estimate")


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    shorten(monkeypatch, n_taught=1)


def select(*args: str) -> dict[str, object]:
    return json.loads(run(*TASK, "--json", *args).stdout)


def models(document: dict[str, object]) -> set[str]:
    return {entry["model"] for entry in document["ranking"] if entry["rank"]}


def write_texts() -> None:
    rng = np.random.default_rng(0)
    words = {"a": ["goal", "match", "team", "player"], "b": ["stock", "bank", "price", "fund"]}
    topics = np.array(["a", "b"])[np.arange(60) % 2]
    body = [" ".join(rng.choice(words[topic], 5)) for topic in topics]
    rows = pd.DataFrame({"body": body, "n": rng.normal(size=60), "topic": np.where(np.arange(60) < 20, topics, None)})
    rows.to_csv("train.csv", index=False)


@pytest.mark.slow
def test_a_pool_teaches_some_members_of_the_average(folder: Path) -> None:
    document = select("--unlabeled", "pool.csv", "--test", "test.csv", "--predict", "o.csv", "--save", "m.skops")
    assert document["criterion"] == "combination"
    assert models(document) == {"logistic-regression", "linear-discriminant", "nearest-neighbors", "pool-features"}
    assert document["choice"]["test_accuracy"] > 0.7
    labeled, written = run("predict", "m.skops", "pool.csv", "--json").stdout, pd.read_csv("o.csv")
    assert json.loads(labeled)["labels"] == written["predicted_topic"].tolist()
    np.testing.assert_allclose(json.loads(labeled)["probability"], written["predicted_topic_probability"])
    np.testing.assert_allclose(written["predicted_topic_probability"], written[["P(a)", "P(b)", "P(c)"]].max(axis=1))
    members = document["choice"].get("members", [])
    assert ("predicted_topic_agreement" in written) == (len(members) > 1)
    assert len(members) < 2 or json.loads(labeled)["model"]["candidate"] == f"an average of {len(members)} models"
    assert sum(member["weight"] for member in members) == pytest.approx(1) or not members


def test_without_a_pool_there_are_no_members_that_it_teaches(folder: Path) -> None:
    document = select()
    assert document["criterion"] == "combination"
    assert models(document) == {"logistic-regression", "linear-discriminant", "nearest-neighbors"}


@pytest.mark.slow
def test_a_column_of_text_has_the_list_for_texts(folder: Path) -> None:
    write_texts()
    document = select()
    texts = {"logistic-regression", "naive-bayes", "complement-bayes"}
    texts |= {"pool-features", "text-components", "text-characters"}
    assert models(document) - {"word-vectors"} == texts  # word vectors are an extra


@pytest.mark.slow
def test_a_class_with_one_row_is_no_error(folder: Path) -> None:
    rows = pd.read_csv("train.csv")
    rows.loc[0, "topic"] = "rare"
    rows.to_csv("train.csv", index=False)
    document = select("--unlabeled", "pool.csv")
    assert document["classes"] == ["a", "b", "c", "rare"]
    assert all(entry["rank"] for entry in document["ranking"])
    assert "'rare' has 1 labeled row" in run(*TASK, "--model", "linear-svc", status=2).stderr


def test_numbers_are_still_predicted_by_ridge(folder: Path) -> None:
    rows = pd.read_csv("train.csv").drop(columns="topic")
    rows.rename(columns={"y": "topic"}).to_csv("train.csv", index=False)
    document = select()
    assert document["criterion"] == "auto"
    assert models(document) == {"ridge"}
    refused = run(*TASK, "--offer", "average", status=2).stderr
    assert "'topic' holds numbers to predict: leave --offer out, or pass --task classification" in refused


def test_the_best_candidate_is_one_of_the_portfolio(folder: Path) -> None:
    document = select("--offer", "best")
    assert document["criterion"] == "auto"
    assert "logistic-regression" in {entry["model"] for entry in document["ranking"]}
    assert not any("average" in note for note in document["choice"].get("notes", []))


@pytest.mark.parametrize("named", [("--grid", "C=1"), ("--model", "linear-svc", "--grid", "C=1")])
def test_a_model_or_a_grid_is_chosen_by_auto(folder: Path, named: tuple[str, ...]) -> None:
    document = select(*named)
    assert document["criterion"] == "auto"
    assert models(document) == {"linear-svc"}


def test_a_budget_that_is_too_small_has_the_constant_model_for_an_answer(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time_budget, "LATER", 20.0)  # a busy machine has time for what follows
    document = select("--time-budget", "1e-6", "--save", "m.skops", "--report", "r.html")
    assert models(document) == {"constant"}
    (note,) = [note for note in document["notes"] if "ran out" in note]
    assert note.startswith("the time budget of 1e-06 s ran out before one candidate was complete, so the model is")
    shown = run(*TASK, "--time-budget", "1e-6", "-v").stdout
    assert "constant" in shown
    assert "Note: the time budget of 1e-06 s ran out before one candidate was complete" in shown
    assert run("predict", "m.skops", "train.csv", "--output", "p.csv").exit_code == 0


def test_a_dry_run_says_what_the_portfolio_takes(folder: Path) -> None:
    assert select("--dry-run")["cost"]["fits"] == {"combination": 3 * 5 + 3}  # five folds, and all labels


def test_the_help_says_what_is_tried() -> None:
    shown = " ".join(run("select", "--help").stdout.split())
    assert "Without --model it combines a portfolio" in shown
    assert "30 for the default portfolio" in shown
