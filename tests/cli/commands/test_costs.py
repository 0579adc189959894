"""--cost, --costs and --at-least: what is chosen, written, saved and decided again."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.command import run
from sklearn.datasets import make_classification

MODEL = ("--model", "naive-bayes,logistic-regression", "--grid", "C=0.1,1")
SELECT = ("select", "train.csv", "--label", "churn", "--unlabeled", "pool.csv", *MODEL)


@pytest.fixture(autouse=True)
def churn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    X, y = make_classification(500, 6, weights=[0.7], flip_y=0.1, random_state=0)
    frame = pd.DataFrame(X.round(4), columns=list("abcdef"))
    frame["churn"] = np.array(["no", "yes"])[y]
    frame[:150].to_csv(tmp_path / "train.csv", index=False)
    frame[150:].drop(columns="churn").to_csv(tmp_path / "pool.csv", index=False)
    frame[150:].to_csv(tmp_path / "test.csv", index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_costs_that_are_typed_decide_here_and_in_predict() -> None:
    document = json.loads(
        run(*SELECT, "--cost", "yes:6", "--predict", "out.csv", "--save", "model.skops", "--json").stdout
    )
    (score,) = document["measures"]
    assert (score["estimate"]["quantity"], score["better"]) == ("expected cost", "lower")
    run("predict", "model.skops", "pool.csv", "--output", "again.csv")
    out = pd.read_csv("out.csv")
    assert Path("out.csv").read_text() == Path("again.csv").read_text()
    assert ((out["P(yes)"] * 6 > out["P(no)"]) == (out.predicted_churn == "yes")).all()
    evaluated = json.loads(run("evaluate", "model.skops", "test.csv", "--json").stdout)
    assert score["estimate"]["lower"] < evaluated["measures"][0]["estimate"]["value"] < score["estimate"]["upper"]


def test_a_table_of_costs() -> None:
    Path("costs.csv").write_text("true,no,yes\nyes,6,0\nno,0,1\n")
    by_table = json.loads(run(*SELECT, "--costs", "costs.csv", "--json").stdout)
    by_entry = json.loads(run(*SELECT, "--cost", "yes>no:6", "--json").stdout)
    assert by_table["measures"] == by_entry["measures"]
    Path("costs.csv").write_text("true,no,maybe\nyes,6,0\nno,0,1\n")
    assert "it has no column 'yes'" in " ".join(run(*SELECT, "--costs", "costs.csv", status=2).stderr.split())


@pytest.mark.slow
def test_a_threshold_leaves_rows_empty_here_and_in_predict() -> None:
    result = run(
        *SELECT, "--at-least", "precision=.8", "--positive", "yes", "--predict", "out.csv", "--save", "m.skops"
    )
    assert "precision of 'yes' about" in result.stdout
    assert "recall of 'yes' about" in result.stdout
    out = pd.read_csv("out.csv")
    n_empty = int(out.predicted_churn.isna().sum())
    assert f"{n_empty} of 350 rows are left empty" in result.stdout
    assert 0 < n_empty < 350
    assert set(out.predicted_churn.dropna()) == {"yes"}
    assert f"{n_empty} of 350 rows are left empty" in run("predict", "m.skops", "pool.csv", "--output", "b.csv").output
    assert Path("out.csv").read_text() == Path("b.csv").read_text()


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (("--cost", "yes"), "is not of the form class:number: write yes:5"),
        (("--cost", "yess:5"), "did you mean 'yes'?"),
        (("--cost", "yes:5", "--at-least", "precision=.9"), "both decide"),
        (("--at-least", "precision=.9"), "name it with --positive no or --positive yes"),
        (("--at-least", "f1=.9", "--positive", "yes"), "write precision=.9 or recall=.95"),
        (("--at-least", "recall=.9", "--positive", "yes", "--no-estimate"), "leave out --no-estimate"),
        (("--at-least", "precision=.999", "--positive", "yes"), "ask for less, or label more rows"),
    ],
)
def test_what_is_wrong(typed: tuple[str, ...], message: str) -> None:
    assert message in " ".join(run(*SELECT, *typed, status=2).stderr.split())
