"""--scoring and --positive of the commands that measure."""

import json
from pathlib import Path

import pandas as pd
import pytest
from helpers.command import run

MODEL = ("--model", "naive-bayes,logistic-regression", "--grid", "C=0.1,1")


@pytest.fixture
def churn(folder: Path) -> Path:
    """The files of the blobs with two classes that are words."""
    for name in ("train.csv", "test.csv"):
        frame = pd.read_csv(name).dropna(subset="topic")
        topic = frame.pop("topic")
        frame["churn"] = (topic == sorted(topic)[0]).map({True: "yes", False: "no"})
        frame.to_csv(name, index=False)
    return folder


def test_a_binary_metric_asks_for_the_class(churn: Path) -> None:
    error = run("select", "train.csv", "--label", "churn", *MODEL, "--scoring", "f1", status=2).stderr
    assert "the classes are 'no' and 'yes': name it with --positive no or --positive yes" in " ".join(error.split())
    error = run("select", "train.csv", "--label", "churn", "--positive", "yes", status=2).stderr
    assert "add --scoring f1" in error
    error = run("select", "train.csv", "--label", "churn", "--scoring", "f1", "--positive", "yess", status=2).stderr
    assert "did you mean 'yes'?" in error
    error = run("select", "train.csv", "--label", "churn", "--scoring", "roc_oc", status=2).stderr
    assert "roc_auc" in error


@pytest.mark.slow
def test_the_first_decides_and_all_are_shown(churn: Path) -> None:
    args = ("select", "train.csv", "--label", "churn", "--unlabeled", "pool.csv", *MODEL, "--scoring", "f1,roc_auc",
            "--positive", "yes")  # fmt: skip
    document = json.loads(run(*args, "--json", "--save", "model.skops", "--report", "page.html").stdout)
    assert document["criterion"] == "auto(scoring=Metric(name='f1', positive='yes'))"
    assert [each["estimate"]["quantity"] for each in document["measures"]] == ["f1 of 'yes'", "roc_auc of 'yes'"]
    assert "ROC AUC of &#39;yes&#39;" in Path("page.html").read_text()
    lines = run(*args).stdout.splitlines()
    assert lines[1].startswith("Score     F1 of 'yes' about")
    assert len(lines) <= 12
    scored = ("--scoring", "average_precision,f1", "--positive", "yes")
    evaluated = json.loads(run("evaluate", "model.skops", "test.csv", *scored, "--json").stdout)
    assert [each["estimate"]["quantity"] for each in evaluated["measures"]] == [
        "average_precision of 'yes'",
        "f1 of 'yes'",
    ]
    estimated = json.loads(run("estimate", "model.skops", "test.csv", *scored, "--json").stdout)
    assert estimated["quantity"] == "average_precision of 'yes'"
    assert estimated["others"][0]["value"] == pytest.approx(evaluated["measures"][1]["estimate"]["value"])


@pytest.mark.slow
def test_compare_by_a_metric_and_what_certify_says(churn: Path) -> None:
    document = json.loads(
        run("compare", "train.csv", "--label", "churn", *MODEL, "--scoring", "roc_auc", "--json").stdout
    )
    assert [entry["criterion"] for entry in document["criteria"]] == ["auto", "k_fold", "repeated_k_fold"]
    error = run("certify", "train.csv", "--label", "churn", "--scoring", "roc_auc", status=2).stderr
    assert "bounds the share of wrong labels" in error
    error = run(
        "select", "train.csv", "--label", "churn", "--criterion", "ada", "--scoring", "roc_auc", status=2
    ).stderr
    assert "has a score of its own" in error
