"""What real files have beside features: ids, labels that are spelled twice, rows that belong together."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.command import run

from foldless.errors import BadInput
from foldless.tables import predict_table, read_problem

N, POOL = 60, 140
TASK = ("train.csv", "--label", "kind", "--unlabeled", "pool.csv")
FAST = ("--model", "naive-bayes", "--criterion", "k-fold")


def mails(seed: int = 0) -> pd.DataFrame:
    """Texts of two kinds, with a number for each row."""
    rng = np.random.default_rng(seed)
    kinds = rng.integers(2, size=N + POOL)
    words = np.array([[f"{kind}{at}" for at in range(12)] for kind in ("ham", "spam")])
    texts = [
        " ".join(rng.choice(words[kind], 3)) + " " + " ".join(rng.choice(words.ravel(), 4)) + " x" for kind in kinds
    ]
    return pd.DataFrame(
        {"mail_id": 5000 + np.arange(len(kinds)), "body": texts, "kind": np.array(["ham", "spam"])[kinds]}
    )


def write(frame: pd.DataFrame, n: int = N) -> None:
    frame[:n].to_csv("train.csv", index=False)
    frame[n:].drop(columns="kind").to_csv("pool.csv", index=False)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(*args: str) -> dict[str, object]:
    return json.loads(run(*args, "--json").stdout)


def test_ids_are_left_out_and_named_and_may_be_kept() -> None:
    write(mails())
    document = found("select", *TASK, *FAST)
    assert document["columns"]["done"] == "1 text column ('body') as tf-idf"
    (note,) = [note for note in document["notes"] if "mail_id" in note]
    assert note.endswith("and is left out: read it all the same with --keep mail_id")
    kept = found("select", *TASK, *FAST, "--keep", "mail_id")
    assert "1 numeric column" in kept["columns"]["done"]
    assert not [note for note in kept["notes"] if "mail_id" in note]
    write(mails().drop(columns="mail_id"))
    assert found("select", *TASK, *FAST)["ranking"] == document["ranking"]


def test_the_problem_says_what_was_left_out() -> None:
    write(mails())
    problem = read_problem("train.csv", "kind", unlabeled="pool.csv")
    assert list(problem.X) == list(problem.X_unlabeled) == ["body"]
    assert problem.ids == ("mail_id",)
    (finding,) = problem.findings
    assert (finding.code, finding.columns) == ("FL010", ("mail_id",))
    assert finding.endswith("keep=['mail_id']")
    assert "and ids in 'mail_id'" in problem.assumes[0]
    kept = read_problem("train.csv", "kind", unlabeled="pool.csv", keep=["mail_id"])
    assert list(kept.X) == ["mail_id", "body"]
    assert not kept.findings
    assert not kept.ids
    assert "ids" not in kept.assumes[0]


@pytest.mark.parametrize("how", [{"text": ["mail_id"]}, {"categorical": ["mail_id"]}, {"views": [["mail_id"], ["body"]]}])
def test_a_column_with_a_role_is_no_id(how: dict[str, list[str]]) -> None:
    write(mails())
    assert "mail_id" in read_problem("train.csv", "kind", unlabeled="pool.csv", **how).X


def test_the_only_column_is_read() -> None:
    write(mails().drop(columns="body"))
    assert list(read_problem("train.csv", "kind", unlabeled="pool.csv").X) == ["mail_id"]
    write(mails().drop(columns="body").assign(row=np.arange(N + POOL)))
    assert list(read_problem("train.csv", "kind", unlabeled="pool.csv").X) == ["mail_id", "row"]


def test_ids_need_not_be_in_every_file() -> None:
    mails()[:N].to_csv("train.csv", index=False)
    mails()[N:].drop(columns=["kind", "mail_id"]).to_csv("pool.csv", index=False)
    mails(1)[["body", "kind"]].to_csv("test.csv", index=False)
    problem = read_problem("train.csv", "kind", unlabeled="pool.csv", test="test.csv")
    assert list(problem.X_test) == ["body"]


def test_models_label_files_with_and_without_ids() -> None:
    write(mails())
    run("select", *TASK, *FAST, "--save", "m.skops", "--predict", "out.csv")
    assert pd.read_csv("out.csv")["mail_id"].tolist() == mails()["mail_id"][N:].tolist()
    with_ids = predict_table("m.skops", "pool.csv")
    assert list(with_ids.frame) == ["mail_id", "body", "predicted_kind"]
    pd.read_csv("pool.csv").drop(columns="mail_id").to_csv("new.csv", index=False)
    assert predict_table("m.skops", "new.csv").labels.tolist() == with_ids.labels.tolist()
    run("predict", "m.skops", "pool.csv", "--output", "again.csv")
    assert pd.read_csv("again.csv").equals(pd.read_csv("out.csv"))


def test_a_column_to_keep_must_be_there_and_not_be_dropped() -> None:
    write(mails())
    assert "no column 'mail_ix' to be kept: did you mean 'mail_id'?" in run(
        "select", *TASK, *FAST, "--keep", "mail_ix", status=2
    ).stderr
    with pytest.raises(BadInput, match="'mail_id' cannot be dropped and be kept"):
        read_problem("train.csv", "kind", drop=["mail_id"], keep=["mail_id"])
    problem = read_problem("train.csv", "kind", categorical=["mail_id"], keep=["mail_id"])
    assert problem.columns.kinds["mail_id"] == "categorical"


def test_numbers_that_labels_follow_are_read_with_a_note() -> None:
    rng, frame = np.random.default_rng(3), mails()
    places = np.argsort(np.argsort((frame["kind"] == "spam") + rng.normal(size=len(frame)) / 2))
    write(frame.drop(columns="mail_id").assign(standing=places))
    problem = read_problem("train.csv", "kind", unlabeled="pool.csv")
    assert "standing" in problem.X
    (finding,) = problem.findings
    assert "labels depend on it: if it only identifies the row, leave it out with drop=['standing']" in finding


@pytest.mark.parametrize("command", ["compare", "certify", "suggest", "quantify"])
def test_other_commands_leave_ids_out_too(command: str) -> None:
    write(mails())
    more = {"suggest": ("--output", "o.csv"), "compare": ("--criteria", "k-fold")}.get(command, ())
    document = found(command, *TASK, "--model", "naive-bayes", *more)
    assert [note for note in document["notes"] if note.endswith("--keep mail_id")]
