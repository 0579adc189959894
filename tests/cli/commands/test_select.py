"""foldless select on small files: what it chooses, prints and writes."""

import json
import re
from functools import wraps
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from helpers.blob_files import GRID, N_LABELED, N, blobs
from helpers.clock import patched
from helpers.command import run
from helpers.slow import slow_beyond
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import foldless
from foldless import FoldlessSearch
from foldless.learners import LogisticRegression
from foldless.portfolio import models

MODELS = models("one view")


def select(*args: str) -> dict[str, object]:
    return json.loads(run("select", "train.csv", "--label", "topic", "--json", *args).stdout)


def test_it_chooses_what_python_chooses(folder: Path) -> None:
    frame = blobs().drop(columns="color")
    document = select(
        "--unlabeled", "pool.csv", "--drop", "color", "--model", "logistic-regression", *GRID, "--seed", "3"
    )  # fmt: skip
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=10_000))
    search = FoldlessSearch(model, {"logisticregression__C": [0.01, 1, 100]}, random_state=3)
    X = frame[["x", "y"]]
    search.fit(X[:N_LABELED], frame.topic[:N_LABELED], X_unlabeled=X[N_LABELED:120])
    assert document["choice"]["params"] == {"C": search.best_params_["logisticregression__C"]}
    assert document["choice"]["score"] == pytest.approx(search.best_score_, abs=1e-12)
    scores = {entry["params"]["C"]: entry["score"] for entry in document["ranking"]}
    order = np.argsort(search.cv_results_["rank_test_score"], kind="stable")
    assert list(scores) == [(0.01, 1, 100)[at] for at in order]
    np.testing.assert_allclose([scores[c] for c in (0.01, 1, 100)], search.cv_results_["mean_test_score"])


def test_a_plus_adds_up_ranks(folder: Path) -> None:
    document = select(
        "--unlabeled", "pool.csv", "--drop", "color", "--model", "logistic-regression", *GRID,
        "--criterion", "similar-data:5+ada",
    )  # fmt: skip
    assert document["criterion"] == "similar_data(samples=5)+ada"
    scores = [entry["score"] for entry in document["ranking"]]
    assert min(scores) == document["choice"]["score"]
    assert sum(scores) == 2 * (1 + 2 + 3)


def test_the_document(folder: Path) -> None:
    document = select("--unlabeled", "pool.csv", "--test", "test.csv", *GRID)
    assert document["rows"] == {"labeled": 30, "pool": 90, "test": 30}
    assert document["classes"] == ["a", "b", "c"]
    assert document["columns"] == {
        "numeric": 2, "categorical": 1, "done": "2 numeric columns scaled; 1 categorical column encoded",
    }  # fmt: skip
    assert document["criterion"] == "auto"
    assert [entry["rank"] for entry in document["ranking"]] == [1, 2, 3]
    assert all(0 < entry["test_accuracy"] <= 1 for entry in document["ranking"])
    assert sum(entry["labels"] for entry in document["shares"]) == pytest.approx(1)
    assert sum(entry["pool"] for entry in document["shares"]) == pytest.approx(1)
    assert document["n_fits"]["run"] <= 18  # those of 5-fold, and two more that the test rows ask for
    assert document["n_fits"]["final"] == 0
    assert document["n_fits"]["estimate"] == 5
    assert document["estimate"]["lower"] < document["estimate"]["value"] < document["estimate"]["upper"]
    assert not document["shift"]["alarm"]
    assert document["versions"]["foldless"] == foldless.__version__
    assert document["stopped"] is None
    assert document["assumes"]


def test_the_table(folder: Path) -> None:
    shown = run(
        "select", "train.csv", "--label", "topic", "--unlabeled", "pool.csv", "--test", "test.csv",
        "--grid", "C=1e-4:1e3:8", "--predict", "out.csv", "--verbose",
    ).stdout  # fmt: skip
    assert "30 labeled rows of 3 classes, 90 rows in the pool, 30 test rows" in shown
    assert "2 numeric columns scaled; 1 categorical column encoded" in shown
    assert "8 candidates ranked by auto, higher is better" in shown
    for value in ("0.0001", "0.001", "0.01", "0.1", "1", "10", "100", "1000"):
        assert re.search(rf" C={value} +0\.\d{{4}} +[01]\.\d{{4}}", shown)
    assert re.search(r"Chosen: linear-svc with C=\S+\n", shown)
    (line,) = [line for line in shown.splitlines() if line.startswith("Accuracy on new rows about")]
    assert re.search(r", where always saying '\w+' has 0\.\d{3}; test accuracy [01]\.\d{4}", line)
    assert re.search(r"^share in labels .*\npredicted share in pool ", shown, flags=re.MULTILINE)
    assert "ranking score" in shown
    assert re.search(r"Fits: \d+ run", shown)
    assert "labels and pool are drawn from the same population" in shown
    assert "\x1b" not in shown


def test_predictions_are_the_pool_with_labels(folder: Path) -> None:
    document = select("--unlabeled", "pool.csv", *GRID, "--predict", "out.parquet")
    assert document["predicted"] == "out.parquet"
    written, pool = pd.read_parquet("out.parquet"), pd.read_csv("pool.csv")
    pd.testing.assert_frame_equal(written[["x", "y"]], pool[["x", "y"]])
    assert written["color"].tolist() == pool["color"].tolist()
    assert (written["predicted_topic"] == blobs().topic[N_LABELED:120].to_numpy()).mean() > 0.7
    shares = {entry["class"]: entry["pool"] for entry in document["shares"]}
    assert shares == pytest.approx(written["predicted_topic"].value_counts(normalize=True).to_dict())


def test_an_old_output_is_replaced_on_success(folder: Path) -> None:
    (folder / "out.csv").write_text("old")
    select("--unlabeled", "pool.csv", *GRID, "--predict", "out.csv", "--drop", "color")
    assert list(pd.read_csv("out.csv")) == [
        "x", "y", "color",  # a column left out of the model is still told
        "predicted_topic", "predicted_topic_probability", "P(a)", "P(b)", "P(c)",
    ]  # fmt: skip
    select("--unlabeled", "pool.csv", *GRID, "--predict", "out.csv", "--no-probabilities", "--no-estimate")
    assert list(pd.read_csv("out.csv"))[3:] == ["predicted_topic"]


@pytest.mark.slow
def test_rows_without_a_label_join_the_pool(folder: Path) -> None:
    frame = blobs()[:120]
    frame["topic"] = frame["topic"].where(np.arange(120) < N_LABELED)
    frame.to_csv("both.csv", index=False)
    apart = select("--unlabeled", "pool.csv", *GRID)
    joined = json.loads(run("select", "both.csv", "--label", "topic", "--json", *GRID, "--predict", "o.csv").stdout)
    assert (joined["choice"], joined["ranking"]) == (apart["choice"], apart["ranking"])
    assert "90 rows of both.csv without a label join the pool" in joined["notes"]
    assert len(pd.read_csv("o.csv")) == 90
    frame[100:].to_csv("more.csv", index=False)
    more = json.loads(
        run("select", "both.csv", "--label", "topic", "--unlabeled", "more.csv", "--json", *GRID).stdout
    )  # fmt: skip
    assert more["rows"]["pool"] == 110
    assert any("'topic' of more.csv is not read" in note for note in more["notes"])


def test_labels_that_pandas_made_floats_are_whole_again(folder: Path) -> None:
    frame = blobs()
    codes = frame.pop("topic").map({"a": 0, "b": 1, "c": 2})
    frame[:120].assign(k=codes.where(np.arange(N) < N_LABELED)).to_csv("floats.csv", index=False)
    frame[120:].assign(k=codes).to_csv("whole.csv", index=False)
    document = json.loads(
        run("select", "floats.csv", "--label", "k", "--test", "whole.csv", "--json", "--predict", "o.csv", *GRID).stdout
    )  # fmt: skip
    assert document["classes"] == [0, 1, 2]
    assert document["choice"]["test_accuracy"] > 0.7
    assert pd.read_csv("o.csv")["predicted_k"].dtype == int


@pytest.mark.slow
def test_minus_one_marks_the_pool_only_where_there_is_no_other(folder: Path) -> None:
    frame = blobs()
    codes = frame.pop("topic").map({"a": -1, "b": 1, "c": 2})
    frame[:N_LABELED].assign(k=codes).to_csv("signed.csv", index=False)
    alone = json.loads(run("select", "signed.csv", "--label", "k", "--json", *GRID).stdout)
    assert (alone["classes"], alone["rows"]["pool"]) == ([1, 2], 10)
    with_pool = json.loads(
        run("select", "signed.csv", "--label", "k", "--unlabeled", "pool.csv", "--model", "linear-svc", "--json").stdout
    )
    assert with_pool["classes"] == [-1, 1, 2]


@pytest.mark.slow
def test_files_of_polars_and_parquet_give_the_same_choice(folder: Path) -> None:
    expected = select("--unlabeled", "pool.csv", *GRID)
    pl.read_csv("train.csv").with_columns(pl.col("color").cast(pl.Categorical)).write_parquet("train.parquet")
    pd.read_csv("pool.csv").astype({"color": "category"}).to_parquet("pool.pq")
    same = json.loads(
        run("select", "train.parquet", "--label", "topic", "--unlabeled", "pool.pq", "--json", *GRID).stdout
    )  # fmt: skip
    assert same["ranking"] == expected["ranking"]


@pytest.mark.parametrize("name", slow_beyond(2, MODELS))
def test_every_model_with_its_own_grid(folder: Path, name: str) -> None:
    args = ["--grid", "n_estimators=10", "--grid", "min_samples_leaf=1,2"] if name == "random-forest" else []
    args = ["--grid", "max_iter=5"] if name == "gradient-boosting" else args
    document = select("--unlabeled", "pool.csv", "--test", "test.csv", "--model", name, *args)
    points = len(document["ranking"])
    assert all(entry["model"] == name and entry["rank"] for entry in document["ranking"])
    assert points == np.prod([len(v) for v in MODELS[name].grid.values()]) or args
    assert max(entry["test_accuracy"] for entry in document["ranking"]) > 0.7


@pytest.mark.slow
def test_every_model_that_reads_text_does(folder: Path) -> None:
    rng = np.random.default_rng(0)
    vocabulary = {"a": ["goal", "match", "team", "player"], "b": ["stock", "bank", "price", "fund"]}
    topics = np.array(["a", "b"])[np.arange(60) % 2]
    body = [" ".join(rng.choice(vocabulary[topic], 5)) for topic in topics]
    pd.DataFrame({"body": body, "n": rng.normal(size=60), "topic": np.where(np.arange(60) < 20, topics, None)}).to_csv(
        "text.csv", index=False
    )
    names = [name for name, model in MODELS.items() if not model.dense]
    named = [arg for name in names for arg in ("--model", name)]
    few = ["--grid", "random-forest.n_estimators=10"]
    document = json.loads(run("select", "text.csv", "--label", "topic", "--json", *named, *few).stdout)
    assert "1 text column ('body') as tf-idf" in document["columns"]["done"]
    assert {entry["model"] for entry in document["ranking"] if entry["rank"]} == set(names)


@pytest.mark.slow
def test_several_models_and_grids_for_some(folder: Path) -> None:
    document = select(
        "--unlabeled", "pool.csv", "--model", "svc", "--model", "linear-svc", "--model", "naive-bayes",
        "--grid", "C=1,10", "--grid", "svc.gamma=scale,0.1",
    )  # fmt: skip
    points = {name: [e["params"] for e in document["ranking"] if e["model"] == name] for name in MODELS}
    assert sorted(map(str, points["svc"])) == sorted(
        str({"C": c, "gamma": gamma}) for c in (1, 10) for gamma in ("scale", 0.1)
    )
    assert {p["C"] for p in points["linear-svc"]} == {1, 10}
    assert len(points["naive-bayes"]) == len(MODELS["naive-bayes"].grid["alpha"])
    shown = run(
        "select", "train.csv", "--label", "topic", "--model", "svc", "--model", "naive-bayes", "--grid", "C=1", "-v"
    ).stdout  # fmt: skip
    assert re.search(r"rank +model +parameters", shown)
    assert "no pool" in shown


@pytest.mark.slow
def test_a_candidate_that_fails_is_ranked_last(folder: Path) -> None:
    args = ["select", "train.csv", "--label", "topic", "--unlabeled", "pool.csv", "--grid", "C=-1,1,10"]
    document = json.loads(run(*args, "--json").stdout)
    assert [entry["rank"] is None for entry in document["ranking"]] == [False, False, True]
    assert document["ranking"][-1]["params"] == {"C": -1}
    assert "failed: ValueError: C == -1, must be > 0" in document["ranking"][-1]["notes"][0]
    assert re.search(r"– +C=-1 +– +failed: ValueError", run(*args, "-v").stdout)


def test_warnings_become_short_notes(folder: Path) -> None:
    result = run(
        "select", "train.csv", "--label", "topic", "--model", "logistic-regression", "--grid", "max_iter=1",
        "--criterion", "k-fold", "--verbose",
    )  # fmt: skip
    notes = [line for line in result.stdout.splitlines() if line.startswith("Note: ")]
    assert len([note for note in notes if "did not converge" in note]) == 1
    assert not result.stderr


@pytest.mark.parametrize("criterion", ["k-fold", "k_fold", "hold-out"])
def test_criteria_by_name(folder: Path, criterion: str) -> None:
    document = select("--criterion", criterion, "--unlabeled", "pool.csv", "--test", "test.csv", *GRID)
    assert document["criterion"] == criterion.replace("-", "_")
    assert document["choice"]["test_accuracy"] is not None
    assert document["shares"][0]["pool"] is not None


def test_a_criterion_with_its_first_parameter(folder: Path) -> None:
    args = ["compare", "train.csv", "--label", "topic", "--grid", "C=1", "--json", "--unlabeled", "pool.csv"]
    document = json.loads(
        run(*args, "--criteria", "k-fold,k-fold:10,hold-out:0.5,quantification-bound:macro-f1").stdout
    )
    assert {entry["criterion"]: entry["fits"] for entry in document["criteria"]} == {
        "k_fold": 5, "k_fold(k=10)": 10, "hold_out(test_size=0.5)": 1, "quantification_bound(measure='macro_f1')": 1,
    }  # fmt: skip


def test_a_journal_resumes(folder: Path) -> None:
    first = select("--unlabeled", "pool.csv", *GRID, "--journal", "run.journal")
    again = select("--unlabeled", "pool.csv", *GRID, "--journal", "run.journal")
    fits = first["n_fits"]["run"]
    assert 3 < fits <= 16
    assert (again["n_fits"]["run"], again["n_fits"]["resumed"]) == (0, fits)
    assert again["ranking"] == first["ranking"]
    args = ("--unlabeled", "pool.csv", *GRID, "--journal", "run.journal", "--verbose")
    shown = run("select", "train.csv", "--label", "topic", *args)
    assert f"Fits: 0 run, {fits} from the journal, 1 for the final model" in shown.stdout


def test_a_run_that_is_stopped_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, fit = patched(monkeypatch), RandomForestClassifier.fit

    @wraps(fit)
    def slow(*args: object) -> object:
        clock.sleep(1)
        return fit(*args)

    monkeypatch.setattr(RandomForestClassifier, "fit", slow)
    args = [
        "select", "train.csv", "--label", "topic", "--model", "random-forest", "--model", "linear-svc",
        "--grid", "random-forest.n_estimators=5", "--time-budget", "0.1", "--verbose",
    ]  # fmt: skip
    shown = run(*args).stdout
    assert "Note: the time budget of 0.1 s ran out: chosen among the 1 of 9 candidates" in shown
    assert "with --journal FILE a next run can continue" in shown
    assert shown.count("not finished") == 8
    assert "the same command continues from a.journal" in run(*args, "--journal", "a.journal").stdout
