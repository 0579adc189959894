"""Few labels and a pool from files: models that learn from the pool, criteria for few labels, two views."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.command import run
from helpers.slow import slow_beyond

from foldless.core import Candidate
from foldless.data._columns import Columns
from foldless.engine._candidates import build
from foldless.portfolio import models
from foldless.saving import model_files
from foldless.tables import candidates

MODELS, TWO_VIEWS = models("one view"), models("two views")

POOLED = ("manifold-gp", "label-spreading", "label-propagation", "self-training")
VIEWS = ("--view", "x,color", "--view", "b*")
N, N_LABELED = 90, 12
TASK = ("--label", "topic", "--unlabeled", "pool.csv")


def rows() -> pd.DataFrame:
    """Two classes in two views: a number and a category, and a number and a text."""
    rng = np.random.default_rng(0)
    codes = np.arange(N) % 2
    words = np.array([["goal", "match"], ["bank", "price"]])[codes, rng.integers(2, size=N)]
    return pd.DataFrame(
        {
            "x": rng.normal(size=N) + 3 * codes,
            "color": np.where(rng.random(N) < 0.7, np.array(["red", "green"])[codes], "gray"),
            "beta": rng.normal(size=N) + 3 * codes,
            "body": [f"{word} number{at} today" for at, word in enumerate(words)],
            "topic": np.array(["no", "yes"])[codes],
        }
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    frame = rows()
    frame[:N_LABELED].to_csv("train.csv", index=False)
    frame[N_LABELED:70].drop(columns="topic").to_csv("pool.csv", index=False)
    frame[70:].to_csv("test.csv", index=False)
    return tmp_path


def select(*args: str) -> dict[str, object]:
    return json.loads(run("select", "train.csv", *TASK, "--json", *args).stdout)


def failed(*args: str, train: str = "train.csv") -> str:
    return run("select", train, *args, status=2).stderr


@pytest.mark.slow
def test_models_are_named_with_commas_or_one_by_one(folder):
    fixed = ("--criterion", "k-fold", "--no-estimate", "--seed", "0")
    several = select("--models", "linear-svc, label-spreading", *fixed)
    assert {entry["model"] for entry in several["ranking"]} == {"linear-svc", "label-spreading"}
    one_by_one = select("--model", "linear-svc", "--model", "label-spreading", *fixed)
    assert one_by_one["ranking"] == several["ranking"]
    assert "'forest'" in failed("--label", "topic", "--models", "linear-svc,forest")


def views_of(name: str) -> tuple[str, ...]:
    return VIEWS if name in TWO_VIEWS else ()


SLOW = "co-regularized"  # its whole grid takes twelve seconds


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.nightly] * (n == SLOW)) for n in (*POOLED, *TWO_VIEWS)]
)
def test_each_learns_from_the_pool(folder: Path, name: str) -> None:
    drop = () if name in TWO_VIEWS else ("--drop", "body", "--drop", "color")
    document = select("--model", name, "--test", "test.csv", *views_of(name), *drop)
    grid = {**MODELS, **TWO_VIEWS}[name].grid
    assert len(document["ranking"]) == np.prod([len(values) for values in grid.values()])
    assert all(list(entry["params"]) == sorted(grid) for entry in document["ranking"])
    assert max(entry["test_accuracy"] for entry in document["ranking"]) > 0.85


@pytest.mark.parametrize("name", [*POOLED, *TWO_VIEWS])
def test_each_is_semi_supervised(name: str) -> None:
    columns = Columns({"a": "numeric", "b": "numeric"})
    pipeline, grid = candidates(name, columns, (("a",), ("b",)) if name in TWO_VIEWS else ())[name]
    built: tuple[Candidate, ...] = build(pipeline, grid, None, 0)[0]
    assert all(candidate.semi_supervised and "probabilities" in candidate.responses for candidate in built)


@pytest.mark.slow
@pytest.mark.parametrize("name", slow_beyond(1, [*POOLED, *TWO_VIEWS]))
def test_a_saved_model_says_the_same(folder: Path, name: str) -> None:
    grid = {**MODELS, **TWO_VIEWS}[name].grid
    few = [word for key, values in grid.items() for word in ("--grid", f"{key}={values[1]}")]
    document = select("--model", name, *few, *views_of(name), "--predict", "o.csv", "--save", "m.skops",
                      "--report", "r.html")  # fmt: skip
    assert document["choice"]["params"] == {key: values[1] for key, values in grid.items()}
    printed = run("predict", "m.skops", "pool.csv", "--output", "again.csv", "--probabilities").stdout
    assert f"58 rows labeled by {name}(" in printed
    assert "estimator__" not in printed
    again = pd.read_csv("again.csv")
    assert again["predicted_topic"].tolist() == pd.read_csv("o.csv")["predicted_topic"].tolist()
    np.testing.assert_allclose(again["P(no)"] + again["P(yes)"], 1)
    assert name in Path("r.html").read_text(encoding="utf-8")
    new = rows()[70:].drop(columns="topic")
    kept = model_files.load("m.skops").model.predict(new)
    assert np.mean(kept == rows().topic[70:]) > 0.7


@pytest.mark.parametrize(
    "criterion", slow_beyond(2, ["evidence", "similar-data:5", "similar-data:5+ada", "leave-one-out"])
)
def test_criteria_for_few_labels(folder: Path, criterion: str) -> None:
    document = select("--model", "manifold-gp", "--criterion", criterion, "--drop", "body", "--drop", "color")
    assert len([entry for entry in document["ranking"] if entry["rank"]]) == len(MODELS["manifold-gp"].grid["ratio"])


def test_evidence_of_two_views(folder: Path) -> None:
    document = select("--model", "gp-co-training", "--model", "manifold-gp", "--criterion", "evidence", *VIEWS)
    assert {entry["model"] for entry in document["ranking"]} == {"gp-co-training", "manifold-gp"}
    assert all(entry["score"] < 0 for entry in document["ranking"])


def test_evidence_names_the_models_that_have_it(folder: Path) -> None:
    printed = failed(*TASK, "--criterion", "evidence")
    assert "which candidate 'linear-svc(C=0.0001)' does not have" in printed
    assert "--model manifold-gp" in printed
    document = json.loads(
        run("compare", "train.csv", *TASK, "--json", "--grid", "C=1", "--criteria", "evidence,k-fold:2").stdout
    )
    assert "--model manifold-gp" in document["criteria"][0]["notes"][0]
    (named,) = set(re.findall(r"--model (\S+)(?=, or --model)", printed))
    select(
        "--model", named, "--criterion", "evidence", "--grid", "ratio=1", "--drop", "body"
    )  # what it says can be done


@pytest.mark.slow
def test_several_models_in_one_run(folder: Path) -> None:
    names = [word for name in (*POOLED, *TWO_VIEWS, "linear-svc") for word in ("--model", name)]
    few = ["ratio=1", "gamma=0.1", "C=1", "threshold=0.9", "sigma1=1", "sigma2=1", "l1=0.01", "l2=0.01", "lam=0.01",
           "mu=0.1"]  # fmt: skip
    document = select(*names, *VIEWS, *(word for grid in few for word in ("--grid", grid)), "--criterion", "k-fold:3")
    ranked = {entry["model"]: entry["params"] for entry in document["ranking"] if entry["rank"]}
    assert set(ranked) == {*POOLED, *TWO_VIEWS, "linear-svc"}
    assert ranked["self-training"] == {"C": 1, "threshold": 0.9}


@pytest.mark.slow
def test_a_parameter_inside_self_training_has_its_own_name(folder: Path) -> None:
    args = ("--model", "self-training", "--drop", "body")
    document = select(*args, "--grid", "C=0.1,1", "--grid", "estimator__max_iter=500", "--grid", "max_iter=3")
    assert [sorted(entry["params"].items()) for entry in document["ranking"]] == [
        [("C", entry["params"]["C"]), ("estimator__max_iter", 500), ("max_iter", 3)] for entry in document["ranking"]
    ]
    assert "did you mean C" in failed(*TASK, *args, "--grid", "CC=1")
    printed = failed(*TASK, "--model", "co-training", *VIEWS, "--grid", "views=1")
    assert "no parameter 'views'" in printed
    assert "estimator1" not in printed


@pytest.mark.slow
def test_a_seed_is_behind_co_training(folder: Path) -> None:
    args = ("--model", "co-training", *VIEWS, "--grid", "pool_size=5", "--grid", "rounds=3", "--criterion", "ada")
    scores = [[entry["score"] for entry in select(*args, "--seed", seed)["ranking"]] for seed in ("1", "1", "2")]
    assert scores[0] == scores[1] != scores[2]


def test_a_pool_too_large_for_a_gaussian_process(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foldless.learners.gaussian_process._distinct_rows.MAX_BYTES", 64 * 60**2)
    args = ("--drop", "body", "--drop", "color", "--model", "manifold-gp", "--grid", "ratio=1,10")
    printed = failed(*TASK, *args)
    assert "all 70 distinct rows" in printed
    assert "use a random part of the pool, at most 60 rows with the labeled ones" in printed
    document = select(*args, "--model", "linear-svc", "--grid", "C=1")
    assert document["choice"]["model"] == "linear-svc"
    assert "use a random part of the pool" in document["ranking"][-1]["notes"][0]


@pytest.mark.slow
def test_the_views_are_told(folder: Path) -> None:
    args = (
        "--model",
        "co-regularized",
        "--view",
        "x",
        "--view",
        "body, beta",
        "--grid",
        "lam=0.01",
        "--grid",
        "mu=0.1",
    )
    document = select(*args)
    assert document["views"] == [["x"], ["beta", "body"]]  # in the order of the table
    assert document["columns"]["done"].endswith("; two views, of 1 and 2 columns")
    assert document["notes"] == ["column 'color' is in no view, and not read"]
    assert "two views, of 1 and 2 columns" in run("select", "train.csv", *TASK, *args, "-v").stdout
    swapped = select("--model", "co-regularized", "--view", "body,beta", "--view", "x", *args[-4:])
    assert swapped["choice"]["score"] == document["choice"]["score"]


def test_a_view_decides_what_is_read(folder: Path) -> None:
    """What stands in a column of no view changes nothing; in a column of a view it does."""
    args = ("--model", "gp-co-training", "--view", "x", "--view", "beta", "--grid", "sigma1=1", "--grid", "sigma2=0.1",
            "--criterion", "evidence")  # fmt: skip
    before = select(*args)["choice"]["score"]
    for column, same in (("color", True), ("beta", False)):
        frame = pd.read_csv("pool.csv")
        frame[column] = frame[column].to_numpy()[::-1]
        frame.to_csv("pool.csv", index=False)
        assert (select(*args)["choice"]["score"] == before) == same


def test_the_help_names_them_all() -> None:
    shown = "".join(run("select", "--help").stdout.split())  # lines break at the hyphens of names
    for word in (*MODELS, *TWO_VIEWS, "--viewCOLS"):
        assert word in shown


def test_columns_in_no_view_are_not_read(folder: Path) -> None:
    for name in ("train.csv", "pool.csv"):
        frame = pd.read_csv(name)
        frame.loc[2, "color"] = np.nan  # which would stop a model that reads it
        frame.assign(empty=np.nan).to_csv(name, index=False)
    args = (
        "--view",
        "x",
        "--view",
        "beta,body",
        "--grid",
        "l1=0.1",
        "--grid",
        "l2=0.1",
        "--criterion",
        "similar-data:3",
    )
    printed = run("select", "train.csv", *TASK, "--model", "co-training", *args, "--save", "m.skops").stdout
    assert "columns 'color', 'empty' are in no view, and not read" in printed
    pd.read_csv("test.csv")[["x", "beta", "body"]].to_csv("new.csv", index=False)
    assert run("predict", "m.skops", "new.csv").stdout.startswith("x,beta,body,predicted_topic,predicted_topic_prob")
    assert "names 'colour', and the table has no such column: did you mean 'color'" in failed(
        *TASK, "--model", "co-training", "--view", "colour", "--view", "beta", "--missing", "impute", "--drop", "empty"
    )


def test_rows_that_no_label_reaches_stay_without_one(folder: Path) -> None:
    pool = pd.read_csv("pool.csv")
    pool.loc[:1, ["x", "beta"]] = 1e6
    pool.to_csv("pool.csv", index=False)
    args = ("--model", "label-spreading", "--grid", "gamma=1e9", "--criterion", "similar-data:3")
    args += ("--drop", "body", "--drop", "color", "--save", "m.skops", "--predict", "out.csv", "--verbose")
    printed = run("select", "train.csv", *TASK, *args).stdout
    n = int(pd.read_csv("out.csv")["predicted_topic"].isna().sum())
    assert n >= 2
    assert f"{n} rows have no label: no labeled row is connected to them in this model" in printed
    answered = run("predict", "m.skops", "pool.csv", "--json")
    assert json.loads(answered.stdout)["labels"].count(None) == n
