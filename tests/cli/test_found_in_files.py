"""What real files have beside features: ids, labels that are spelled twice, rows that belong together."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.command import run

from foldless import FoldlessSearch, Pool
from foldless.errors import BadInput
from foldless.learners import LogisticRegression
from foldless.tables import candidates, predict_table, read_problem, with_labels

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


@pytest.mark.slow
def test_ids_are_left_out_and_named_and_may_be_kept() -> None:
    write(mails())
    document = found("select", *TASK, *FAST)
    assert document["columns"]["done"] == "1 text column ('body') as tf-idf"
    (note,) = [note for note in document["notes"] if "mail_id" in note]
    assert note.endswith("and is left out: read it all the same with --keep mail_id")
    kept = found("select", *TASK, *FAST, "--keep", "mail_id")
    assert "1 numeric column" in kept["columns"]["done"]
    assert "FL010" not in [finding["code"] for finding in kept["findings"]]  # that it tells labels from pool is said
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


@pytest.mark.parametrize(
    "how", [{"text": ["mail_id"]}, {"categorical": ["mail_id"]}, {"views": [["mail_id"], ["body"]]}]
)
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


@pytest.mark.slow
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
    assert (
        "no column 'mail_ix' to be kept: did you mean 'mail_id'?"
        in run("select", *TASK, *FAST, "--keep", "mail_ix", status=2).stderr
    )
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


def spelled_twice(frame: pd.DataFrame, rows: slice = slice(0, 8)) -> pd.DataFrame:
    """Some labels with other case and a space behind."""
    kinds = frame["kind"].copy()
    kinds.iloc[rows] = kinds.iloc[rows].str.upper() + " "
    return frame.assign(kind=kinds)


def test_labels_that_differ_by_case_and_spaces_are_named_with_their_counts() -> None:
    write(spelled_twice(mails()))
    counts = pd.read_csv("train.csv")["kind"].value_counts()
    document = found("select", *TASK, *FAST)
    assert len(document["classes"]) == 4
    (note,) = [note for note in document["notes"] if "case and spaces" in note]
    assert f"'ham' ({counts['ham']}) and 'HAM ' ({counts['HAM ']})" in note
    assert note.endswith("differ by case and spaces only: take them as one class with --merge-labels")
    (finding,) = [each for each in read_problem("train.csv", "kind").findings if each.code == "FL002"]
    assert finding.columns == ("kind",)
    assert finding.endswith("merge_labels=True")


def test_labels_are_merged_on_request() -> None:
    write(mails())
    expected = found("select", *TASK, *FAST)
    write(spelled_twice(mails()))
    document = found("select", *TASK, *FAST, "--merge-labels")
    assert document["classes"] == ["ham", "spam"]
    assert document["ranking"] == expected["ranking"]
    assert [note for note in document["notes"] if "case and spaces only, and are merged" in note]


def test_labels_of_test_rows_are_merged_into_those_of_training() -> None:
    write(mails())
    spelled_twice(mails(1)[:40]).to_csv("test.csv", index=False)
    apart = read_problem("train.csv", "kind", test="test.csv")
    assert set(apart.y_test) == {"ham", "spam", "HAM ", "SPAM "}
    assert [each for each in apart.findings if each.code == "FL002" and "'HAM '" in each]
    merged = read_problem("train.csv", "kind", test="test.csv", merge_labels=True)
    assert merged.y_test.tolist() == mails(1)["kind"][:40].tolist()


def test_a_rare_spelling_is_refused_with_the_option_that_merges_it() -> None:
    write(spelled_twice(mails(), slice(0, 1)))
    refused = run("select", *TASK, *FAST, status=2).stderr
    assert "has 1 labeled row in train.csv" in refused
    assert "take them as one class with --merge-labels" in refused
    run("select", *TASK, *FAST, "--merge-labels")


def test_several_labels_of_a_row_are_merged_too() -> None:
    write(mails().assign(kind=["a;B", "b", "A", "b ;a"] * 50))
    options = {"label_separator": ";", "merge_labels": True}
    merged = read_problem("train.csv", "kind", **options)
    assert set(merged.classes) == {"a", "b"} or set(merged.classes) == {"A", "b"}
    assert len(merged.y[0]) == 2


@pytest.mark.slow
def test_saved_models_are_measured_with_merged_labels() -> None:
    write(mails())
    run("select", *TASK, *FAST, "--save", "m.skops")
    mails(1)[:40].to_csv("plain.csv", index=False)
    spelled_twice(mails(1)[:40]).to_csv("test.csv", index=False)
    expected = found("evaluate", "m.skops", "plain.csv")
    apart, merged = found("evaluate", "m.skops", "test.csv"), found("evaluate", "m.skops", "test.csv", "--merge-labels")
    assert merged["accuracy"] == expected["accuracy"]
    assert [note for note in apart["notes"] if note.endswith("with --merge-labels")]
    assert (
        found("estimate", "m.skops", "test.csv", "--merge-labels")["value"]
        == found("estimate", "m.skops", "plain.csv")["value"]
    )


def test_labels_of_pool_rows_may_be_spelled_otherwise_where_they_are_merged() -> None:
    write(mails())
    problem = read_problem("train.csv", "kind", unlabeled="pool.csv", merge_labels=True)
    assert with_labels(problem, [0], ["SPAM "]).y[-1] == "spam"
    assert len(with_labels(replace(problem, merge_labels=False), [0], ["SPAM "]).classes) == 3


def visits(persons: range, rows: int = 5, seed: int = 0) -> pd.DataFrame:
    """Rows of persons, each of whom has a place of their own and one class."""
    rng = np.random.default_rng(seed)
    places, kinds = rng.normal(size=(1000, 3)), rng.integers(2, size=1000)
    number = np.repeat(np.asarray(persons), rows)
    X = places[number] + 0.01 * rng.normal(size=(len(number), 3))
    frame = pd.DataFrame(X, columns=["x1", "x2", "x3"])
    return frame.assign(patient=[f"p{each}" for each in number], kind=np.array(["ill", "well"])[kinds[number]])


def write_visits() -> None:
    visits(range(20)).to_csv("train.csv", index=False)
    visits(range(20, 80)).drop(columns="kind").to_csv("pool.csv", index=False)


BY_PATIENT = ("--groups", "patient")
SVC = ("--model", "linear-svc", "--grid", "C=1", "--criterion", "k-fold")


def test_a_column_that_looks_like_groups_is_named_with_the_option() -> None:
    write_visits()
    document = found("select", *TASK, *SVC)
    (note,) = [note for note in document["notes"] if "belong together" in note]
    assert note.startswith("column 'patient' looks like groups of rows that belong together (20 values with 5 labeled")
    assert "intervals too narrow" in note
    assert note.endswith("keep them together with --groups patient")
    problem = read_problem("train.csv", "kind", unlabeled="pool.csv")
    (finding,) = problem.findings
    assert (finding.code, finding.columns) == ("FL008", ("patient",))
    assert finding.endswith("with groups='patient'")


def test_groups_are_kept_together_and_not_read() -> None:
    write_visits()
    problem = read_problem("train.csv", "kind", unlabeled="pool.csv", groups="patient")
    assert list(problem.X) == list(problem.X_unlabeled) == ["x1", "x2", "x3"]
    assert problem.groups.labeled[:6].tolist() == ["p0"] * 5 + ["p1"]
    assert problem.groups.pool[:6].tolist() == ["p20"] * 5 + ["p21"]
    assert not problem.findings
    torn, whole = found("select", *TASK, *SVC), found("select", *TASK, *SVC, "--groups", "patient")
    assert not [note for note in whole["notes"] if "belong together" in note]
    spans = [done["estimate"]["upper"] - done["estimate"]["lower"] for done in (torn, whole)]
    assert spans[1] > spans[0]
    in_python = FoldlessSearch(
        candidates({"linear-svc": {"C": [1]}}, problem.columns), criterion="k_fold", random_state=0
    )
    pool = Pool(problem.X_unlabeled, groups=problem.groups.pool)
    in_python.fit(problem.X, problem.y, X_unlabeled=pool, groups=problem.groups.labeled)
    assert in_python.selection_.estimate.lower == pytest.approx(whole["estimate"]["lower"])


@pytest.mark.parametrize("command", ["compare", "certify", "suggest"])
def test_other_commands_keep_groups_together(command: str) -> None:
    write_visits()
    more = {"suggest": ("--output", "o.csv"), "compare": ("--criteria", "k-fold")}.get(command, ())
    document = found(command, *TASK, "--model", "linear-svc", "--grid", "C=1", "--groups", "patient", *more)
    assert not [note for note in document["notes"] if "belong together" in note]
    if command == "certify":
        assert "groups are independent draws" in document["certificate"]["assumes"][0]


def test_groups_that_are_missing_or_unknown_are_refused() -> None:
    write_visits()
    assert (
        "no column 'patiend' to name groups of rows: did you mean"
        in run("select", *TASK, *SVC, "--groups", "patiend", status=2).stderr
    )
    visits(range(20)).assign(patient=[None, *["p"] * 99]).to_csv("train.csv", index=False)
    assert (
        "column 'patient' of train.csv has no group in row 1"
        in run("select", *TASK, *SVC, "--groups", "patient", status=2).stderr
    )
    visits(range(20)).to_csv("train.csv", index=False)
    visits(range(20, 80)).drop(columns=["kind", "patient"]).to_csv("pool.csv", index=False)
    assert read_problem("train.csv", "kind", unlabeled="pool.csv", groups="patient").groups.pool is None
    assert (
        "the pool has no column 'patient'"
        in run("certify", *TASK, "--model", "linear-svc", "--groups", "patient", status=2).stderr
    )


def test_rows_that_get_a_label_bring_their_group() -> None:
    write_visits()
    problem = with_labels(
        read_problem("train.csv", "kind", unlabeled="pool.csv", groups="patient"), [0, 7], ["ill"] * 2
    )
    assert problem.groups.labeled[-2:].tolist() == ["p20", "p21"]
    assert len(problem.groups.pool) == problem.rows["pool"] == 298


def test_data_frames_are_noted_and_not_changed() -> None:
    frame, pool = visits(range(20)), visits(range(20, 80)).drop(columns="kind")
    X = frame.drop(columns="kind").assign(patient=frame["patient"].str[1:].astype(int), visit_id=np.arange(100))
    pool = pool.assign(patient=pool["patient"].str[1:].astype(int), visit_id=np.arange(100, 400))
    y = frame["kind"].where(frame.index > 9, frame["kind"].str.upper())
    search = FoldlessSearch(LogisticRegression(), criterion="k_fold", estimate=False, random_state=0)
    findings = {each.code: each for each in search.fit(X, y, X_unlabeled=pool).selection_.findings}
    assert search.n_features_in_ == 5
    assert findings["FL010"].columns == ("visit_id",)
    assert findings["FL010"].endswith("if it only identifies the row, leave it out of X")
    assert findings["FL008"].columns == ("patient",)
    assert findings["FL008"].endswith("keep them together with groups=")
    assert findings["FL002"].endswith("differ by case and spaces only: spell them one way")
    quiet = search.fit(X.to_numpy(), frame["kind"], X_unlabeled=pool.to_numpy()).selection_.findings
    assert not {"FL002", "FL008", "FL010"} & {each.code for each in quiet}
    grouped = search.fit(X, frame["kind"], X_unlabeled=pool, groups=X["patient"]).selection_.findings
    assert not [each for each in grouped if each.code == "FL008"]


def spoiled() -> None:
    """Files with everything that has a finding, and a model that was trained on them."""
    frame = visits(range(20)).assign(visit_id=np.arange(100) * 7 + 3)
    frame["kind"] = frame["kind"].where(frame.index > 9, frame["kind"].str.upper())
    frame.loc[[3, 4]] = frame.loc[[2, 2]].to_numpy()
    frame.to_csv("train.csv", index=False)
    pool = visits(range(20, 80)).assign(visit_id=np.arange(300) * 7 + 2000)
    pd.concat([pool, frame[20:60]]).drop(columns="kind").to_csv("pool.csv", index=False)
    pd.concat([visits(range(80, 100)).assign(visit_id=np.arange(100)), frame[:30]]).to_csv("test.csv", index=False)
    run("select", *TASK, *SVC, "--save", "m.skops")


COMMANDS = {
    "select": (*TASK, *SVC, "--test", "test.csv"),
    "compare": (*TASK, *SVC[:4], "--criteria", "k-fold", "--test", "test.csv"),
    "certify": (*TASK, *SVC[:4]),
    "quantify": (*TASK, *SVC[:4]),
    "suggest": (*TASK, *SVC, "--output", "o.csv"),
    "estimate": ("m.skops", "test.csv", "--unlabeled", "pool.csv"),
    "evaluate": ("m.skops", "test.csv"),
    "predict": ("m.skops", "pool.csv", "--output", "predicted.csv"),
}


@pytest.mark.slow
def test_no_command_names_an_option_that_it_lacks() -> None:
    spoiled()
    notes = {command: found(command, *words)["notes"] for command, words in COMMANDS.items()}
    for command, sentences in notes.items():
        help_page = run(command, "--help").stdout
        named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", " ".join(sentences)))
        assert not {option for option in named if f"{option} " not in f"{help_page} "}, command
        if command != "predict":
            assert [note for note in sentences if note.endswith("keep them together with --groups patient")], command


def test_groups_that_the_model_does_not_read_are_noted_and_counted() -> None:
    write_visits()
    run("select", *TASK, *SVC, "--groups", "patient", "--save", "m.skops")
    visits(range(80, 100)).to_csv("test.csv", index=False)
    for command in ("estimate", "evaluate"):
        apart, together = found(command, "m.skops", "test.csv"), found(command, "m.skops", "test.csv", *BY_PATIENT)
        assert [note for note in apart["notes"] if note.endswith("keep them together with --groups patient")]
        assert not [note for note in together["notes"] if "belong together" in note]
        spans = [(each if command == "estimate" else each["accuracy"]) for each in (apart, together)]
        assert spans[1]["upper"] - spans[1]["lower"] > 1.5 * (spans[0]["upper"] - spans[0]["lower"])
        assert "no column 'patiend'" in run(command, "m.skops", "test.csv", "--groups", "patiend", status=2).stderr


@pytest.mark.slow
def test_shares_of_groups_have_wider_intervals() -> None:
    write_visits()
    apart, together = (found("quantify", *TASK, *SVC[:4], *more) for more in (("--drop", "patient"), BY_PATIENT))
    first = [each["groups"][0]["shares"][0] for each in (apart, together)]
    assert first[1]["upper"] is not None
    assert first[0]["upper"] is None or first[1]["upper"] - first[1]["lower"] > first[0]["upper"] - first[0]["lower"]
    assert not [note for note in together["notes"] if "belong together" in note]
