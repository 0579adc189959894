"""foldless select --save and foldless predict: the same labels in another process, on files like the first."""

import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from helpers.command import run
from helpers.slow import slow_beyond

from foldless.cli import main
from foldless.portfolio import models
from foldless.saving import model_files
from foldless.tables import evaluate_table

MODELS = models("one view")

COMMAND = shutil.which("foldless", path=str(Path(sys.executable).parent)) or "foldless"
N, N_LABELED = 120, 40
FEW = {"random-forest": ["--grid", "n_estimators=5"], "gradient-boosting": ["--grid", "max_iter=3"]}


def rows() -> pd.DataFrame:
    """A column of each kind, and three classes."""
    rng = np.random.default_rng(0)
    codes = np.arange(N) % 3
    words = np.array([["goal", "match"], ["bank", "price"], ["atom", "cell"]])[codes, rng.integers(2, size=N)]
    return pd.DataFrame(
        {
            "x": rng.normal(size=N) + codes,
            "color": np.where(rng.random(N) < 0.6, np.array(["red", "green", "blue"])[codes], "gray"),
            "flag": rng.random(N) < 0.3 + 0.3 * (codes == 1),
            "when": pd.date_range("2024-01-01", periods=N).strftime("%Y-%m-%d"),
            "body": [f"{word} number{at} today" for at, word in enumerate(words)],
            "topic": np.array(["a", "b", "c"])[codes],
        }
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    frame = rows()
    frame[:N_LABELED].to_csv("train.csv", index=False)
    frame[N_LABELED:].drop(columns="topic").to_csv("pool.csv", index=False)
    return tmp_path


def save(*args: str) -> dict[str, object]:
    printed = run(
        "select", "train.csv", "--label", "topic", "--unlabeled", "pool.csv", "--save", "m.skops", "--json", *args
    )
    return json.loads(printed.stdout)


def predict(*args: str) -> dict[str, object]:
    return json.loads(run("predict", "m.skops", *args, "--json").stdout)


@pytest.mark.slow
def test_the_same_labels_in_a_new_process(folder: Path) -> None:
    document = save("--predict", "here.csv", "--model", "logistic-regression", "--grid", "C=0.1,10")
    assert document["saved"] == "m.skops"
    done = subprocess.run(
        [COMMAND, "predict", "m.skops", "pool.csv"], capture_output=True, text=True, check=False, encoding="utf-8"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == Path("here.csv").read_text(encoding="utf-8")
    assert pd.read_csv("here.csv")["predicted_topic"].nunique() == 3


@pytest.mark.slow
@pytest.mark.parametrize("name", slow_beyond(2, MODELS))
def test_every_model_predicts_what_it_predicted(folder: Path, name: str) -> None:
    drop = ["--drop", "body"] if MODELS[name].dense else []
    grid = [word for key, values in MODELS[name].grid.items() for word in ("--grid", f"{key}={values[-1]}")]
    save("--predict", "here.parquet", "--model", name, *drop, *FEW.get(name, grid))
    assert predict("pool.csv")["labels"] == pd.read_parquet("here.parquet")["predicted_topic"].tolist()


def test_without_a_pool_the_model_is_there_too(folder: Path) -> None:
    run("select", "train.csv", "--label", "topic", "--criterion", "hold-out", "--grid", "C=1", "--save", "m.skops")
    assert model_files.load("m.skops").model.predict is not None
    assert len(predict("pool.csv")["labels"]) == N - N_LABELED


def test_the_document(folder: Path) -> None:
    chosen = save("--model", "logistic-regression", "--grid", "C=0.1,10")["choice"]
    document = predict("pool.csv", "--probabilities")
    assert document["rows"] == len(document["labels"]) == N - N_LABELED
    assert document["model"]["candidate"] == f"logistic-regression(C={chosen['params']['C']:g})"
    assert document["model"]["score"] == chosen["score"]
    table = np.array([document["probabilities"][f"P({name})"] for name in "abc"])
    np.testing.assert_allclose(table.sum(axis=0), 1)
    assert ["abc"[at] for at in table.argmax(axis=0)] == document["labels"]
    shares = {entry["class"]: entry["predicted"] for entry in document["shares"]}
    assert shares == pytest.approx({name: document["labels"].count(name) / document["rows"] for name in "abc"})
    assert document["notes"] == []


@pytest.mark.parametrize("ending", slow_beyond(1, ["csv", "tsv", "parquet", "jsonl"]))
def test_output_files_of_each_kind(folder: Path, ending: str) -> None:
    save("--grid", "C=1")
    expected = predict("pool.csv")["labels"]
    shown = run("predict", "m.skops", "pool.csv", "--output", f"out.{ending}").stdout
    assert "80 rows labeled by linear-svc(C=1), chosen by auto" in shown
    assert f"The rows with their labels, predicted_topic, are in out.{ending}" in shown
    readers = {"csv": pd.read_csv, "tsv": pd.read_table, "parquet": pd.read_parquet}
    written = pd.read_json("out.jsonl", lines=True) if ending == "jsonl" else readers[ending](f"out.{ending}")
    assert written["predicted_topic"].tolist() == expected
    assert written["body"].tolist() == pd.read_csv("pool.csv")["body"].tolist()
    assert predict("pool.csv", "--output", "out.csv")["labels"] is None  # they are in the file


def test_other_columns_are_kept_and_a_label_is_not_read(folder: Path) -> None:
    save("--grid", "C=1")
    expected = predict("pool.csv")["labels"]
    frame = pd.read_csv("pool.csv")
    shuffled = frame[["body", "flag", "x", "when", "color"]]
    shuffled.assign(topic="nonsense", id=range(len(frame))).to_parquet("new.parquet")
    document = predict("new.parquet", "--output", "out.csv")
    written = pd.read_csv("out.csv")
    kept = ["body", "flag", "x", "when", "color", "topic", "id", "predicted_topic"]
    assert list(written) == [*kept, "predicted_topic_probability", "P(a)", "P(b)", "P(c)"]
    assert set(written["topic"]) == {"nonsense"}
    assert written["predicted_topic"].tolist() == expected
    assert written["id"].tolist() == list(range(len(frame)))
    assert document["notes"] == [
        "column 'id' of new.parquet is not read by the model, and kept in the output",
        "the column 'topic' of new.parquet is kept and not read: predicted labels are in 'predicted_topic'",
    ]
    printed = run("predict", "m.skops", "new.parquet")
    assert [line[:11] for line in printed.stderr.splitlines()] == ["Note: colum", "Note: the c"]
    assert printed.stdout.splitlines()[0] == ",".join(written)
    alone = run("predict", "m.skops", "new.parquet", "--no-probabilities")
    assert alone.stdout.splitlines()[0] == ",".join(kept)


def test_how_a_file_is_read_is_said_with_options(folder: Path) -> None:
    save("--grid", "C=1")
    pd.read_csv("pool.csv").to_csv("wide.csv", index=False, encoding="utf-16")
    sentence = "wide.csv is read with utf-16: as with --encoding utf-16"
    assert predict("wide.csv", "--output", "out.csv")["notes"] == [sentence]
    assert f"Note: {sentence}" in run("predict", "m.skops", "wide.csv", "--output", "out.csv").stdout


def test_kinds_are_never_recognized_anew(folder: Path) -> None:
    save("--grid", "C=1")
    expected = predict("pool.csv")["labels"]
    for at in range(5):  # a single row says nothing about its columns
        pd.read_csv("pool.csv")[at : at + 1].to_csv("one.csv", index=False)
        assert predict("one.csv")["labels"] == [expected[at]]


@pytest.mark.slow
def test_missing_values_are_treated_as_in_training(folder: Path) -> None:
    frame = pd.read_csv("pool.csv").astype(object)
    frame.loc[2, ["x", "color", "flag", "when", "body"]] = None
    frame.to_csv("holes.csv", index=False)
    save("--grid", "C=1", "--missing", "impute")
    assert len(predict("holes.csv")["labels"]) == len(frame)
    save("--grid", "C=1")
    refused = CliRunner().invoke(main, ["predict", "m.skops", "holes.csv"])
    assert refused.exit_code == 2
    assert "row 3: fill it, or train the model with --missing impute\n" in refused.stderr


def test_labels_of_any_type_come_back_as_they_were(folder: Path) -> None:
    frame = rows().assign(topic=np.arange(N) % 3 - 1)
    frame[:N_LABELED].to_csv("train.csv", index=False)
    save("--grid", "C=1", "--predict", "here.csv")
    labels = predict("pool.csv")["labels"]
    assert set(labels) == {-1, 0, 1}
    assert labels == pd.read_csv("here.csv")["predicted_topic"].tolist()


def test_a_table_from_standard_input(folder: Path) -> None:
    save("--grid", "C=1")
    piped = CliRunner().invoke(main, ["predict", "m.skops", "-", "--json"], input=Path("pool.csv").read_bytes())
    assert json.loads(piped.stdout)["labels"] == predict("pool.csv")["labels"]


def test_sparse_files_have_no_columns_and_are_read_all_the_same(folder: Path) -> None:
    rng = np.random.default_rng(1)
    lines = [f"{at % 2} {1 + at % 2}:{1 + rng.random():.3f} 4:{rng.random():.3f}" for at in range(40)]
    Path("train.svm").write_text("\n".join(lines) + "\n")
    Path("new.svm").write_text("0 1:1.5\n0 2:1.5\n")
    run("select", "train.svm", "--criterion", "hold-out", "--grid", "C=1", "--save", "m.skops")
    assert predict("new.svm")["labels"] == [0, 1]


@pytest.mark.slow
def test_the_default_model_has_probabilities_and_is_evaluated(folder: Path) -> None:
    save("--grid", "C=0.1,1")
    rows()[N_LABELED:].to_csv("labeled.csv", index=False)
    document = predict("labeled.csv", "--probabilities", "--output", "out.csv")
    assert document["column"] == "predicted_topic"
    written = pd.read_csv("out.csv")
    table = written[["P(a)", "P(b)", "P(c)"]].to_numpy()
    np.testing.assert_allclose(table.sum(axis=1), 1)
    assert np.array(["a", "b", "c"])[table.argmax(axis=1)].tolist() == written["predicted_topic"].tolist()
    printed = run("evaluate", "m.skops", "labeled.csv", "--report", "e.html").stdout
    found = json.loads(run("evaluate", "m.skops", "labeled.csv", "--json").stdout)
    right = (written["predicted_topic"] == written["topic"]).mean()
    assert found["accuracy"]["value"] == pytest.approx(right)
    assert f"Accuracy on new rows about {right:.3f}" in printed
    assert "Precision, recall and F1: higher is better" in printed
    assert "Confusion matrix" in Path("e.html").read_text(encoding="utf-8")
    in_python = evaluate_table("m.skops", "labeled.csv", random_state=0).to_dict()
    assert {key: found[key] for key in in_python} == in_python
    again = CliRunner().invoke(main, ["predict", "m.skops", "out.csv"])
    assert (again.exit_code, "has a column 'predicted_topic' already" in again.stderr) == (2, True)


def test_a_table_that_is_larger_than_memory_is_printed_block_by_block(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save("--model", "logistic-regression", "--grid", "C=1")
    pd.read_csv("pool.csv").to_parquet("pool.parquet", row_group_size=30)
    labels = predict("pool.parquet")["labels"]
    monkeypatch.setattr("foldless.data.pools._pool_opening.IN_MEMORY", 0)  # as if every table were larger
    printed = run("predict", "m.skops", "pool.parquet").stdout
    assert pd.read_csv(io.StringIO(printed))["predicted_topic"].tolist() == labels
