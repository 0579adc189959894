"""foldless compare on small files: fits are shared, and the choice of one criterion is saved."""

import json
import re
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner
from helpers.blob_files import GRID, blobs
from helpers.command import run

from foldless.cli import main
from foldless.saving import model_files


@pytest.mark.slow
def test_compare_shares_fits(folder: Path) -> None:
    args = [
        "compare", "train.csv", "--label", "topic", "--unlabeled", "pool.csv", "--test", "test.csv", *GRID,
        "--criteria", "quantification-bound,k-fold,hold_out",
    ]  # fmt: skip
    document = json.loads(run(*args, "--json").stdout)
    assert [entry["criterion"] for entry in document["criteria"]] == ["quantification_bound", "k_fold", "hold_out"]
    assert document["n_fits"]["run"] == 3 + 15 + 3
    assert all(entry["model"] == "linear-svc" and "C" in entry["params"] for entry in document["criteria"])
    assert min(entry["regret"] for entry in document["criteria"]) >= 0
    shown = run(*args).stdout
    assert re.search(r"k-fold +linear-svc C=\S+ +0\.\d{4}", shown)
    assert "Fits: 21 run" in shown


def test_compare_saves_the_choice_of_one_criterion(folder: Path) -> None:
    task = ("compare", "train.csv", "--label", "topic", "--unlabeled", "pool.csv", "--grid", "C=0.001,1", "--json")
    args = (*task, "--criteria", "auto,k-fold", "--save", "m.skops", "--predict", "p.csv")
    document = json.loads(run(*args, "--by", "k-fold").stdout)
    kept = model_files.load("m.skops")
    assert kept.selection["criterion"] == "k_fold"
    assert kept.selection["params"]["model__C"] == document["criteria"][1]["params"]["C"]
    assert {entry["better"] for entry in document["criteria"]} == {"higher"}
    assert (
        json.loads(run("predict", "m.skops", "pool.csv", "--json").stdout)["labels"]
        == pd.read_csv("p.csv")["predicted_topic"].tolist()
    )
    refused = CliRunner().invoke(main, [*args, "--by", "ada"])
    assert "--by names 'ada', and --criteria are auto, k-fold" in refused.stderr
    run(*args)
    assert model_files.load("m.skops").selection["criterion"] == "auto"


@pytest.mark.parametrize(("label", "third"), [("topic", "quantification_bound"), ("x", "repeated_k_fold")])
def test_a_comparison_without_criteria_has_those_that_can_rank_the_models(folder: Path, label: str, third: str) -> None:
    blobs()[["y", "color", label]].to_csv("train.csv", index=False)
    blobs()[["y", "color"]].to_csv("pool.csv", index=False)
    args = ("compare", "train.csv", "--label", label, "--unlabeled", "pool.csv", "--dry-run", "--json")
    document = json.loads(run(*args, "--model", "linear-svc" if label == "topic" else "ridge").stdout)
    assert list(document["cost"]["fits"]) == ["auto", "k_fold", third]
