"""From files of any format to one problem."""

import gzip
import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from helpers.slow import slow_beyond
from sklearn.datasets import dump_svmlight_file
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler

from foldless import FoldlessSearch
from foldless.cli import main
from foldless.errors import BadInput
from foldless.learners import LogisticRegression
from foldless.tables import read_problem


def rows(n: int = 60) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    codes = np.arange(n) % 3
    return pd.DataFrame(
        {
            "x": rng.normal(size=n) + 2 * codes,
            "zip": 1000 + codes * 7,
            "when": pd.date_range("2024-01-01", periods=n, freq="37h").strftime("%Y-%m-%dT%H:%M:%S"),
            "topic": np.array(["a", "b", "c"])[codes],
        }
    )


def sets(n: int = 60) -> pd.DataFrame:
    """The same rows, every third of them with a second label."""
    frame = rows(n)
    return frame.assign(topic=[[t] if at % 3 else [t, "c"] for at, t in enumerate(frame.topic)])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str, piped: bytes | None = None) -> dict[str, object]:
    result = CliRunner().invoke(main, [*args, "--json"], input=piped)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def write(frame: pd.DataFrame, name: str) -> str:
    if ".csv" in name:
        frame.to_csv(name, index=False)
    elif ".tsv" in name:
        frame.to_csv(name, index=False, sep="\t")
    elif ".jsonl" in name:
        frame.to_json(name, orient="records", lines=True)
    elif name.endswith("parts"):
        Path(name).mkdir()
        frame[:7].to_parquet(f"{name}/0.parquet", index=False)
        frame[7:].to_parquet(f"{name}/1.parquet", index=False)
    else:
        (frame.to_parquet if name.endswith("parquet") else frame.to_feather)(name)
    return name


def test_the_format_does_not_change_the_problem() -> None:
    expected = read_problem(
        write(rows()[:30], "a.csv"), "topic", unlabeled=write(rows()[30:].drop(columns="topic"), "p.csv")
    )
    assert expected.columns.kinds == {"x": "numeric", "zip": "numeric", "when": "date"}
    for ending in ("tsv.gz", "jsonl.gz", "parquet", "feather", "parts"):
        train, pool = write(rows()[:30], f"a.{ending}"), write(rows()[30:].drop(columns="topic"), f"p.{ending}")
        found = read_problem(train, "topic", unlabeled=pool)
        pd.testing.assert_frame_equal(found.X, expected.X, check_exact=False, rtol=1e-9)  # pandas rounds JSON
        pd.testing.assert_frame_equal(found.X_unlabeled, expected.X_unlabeled, check_exact=False, rtol=1e-9)
        assert found.y.tolist() == expected.y.tolist()


@pytest.mark.parametrize("where", slow_beyond(1, ["train", "pool", "test"]))
def test_one_input_may_be_piped(where: str) -> None:
    names = {"train": "t.csv", "pool": "p.csv", "test": "e.csv"}
    parts = {"train": rows()[:20], "pool": rows()[20:40].drop(columns="topic"), "test": rows()[40:]}
    for part, frame in parts.items():
        frame.to_csv(names[part], index=False)
    args = [names["train"], "--label", "topic", "--unlabeled", names["pool"], "--test", names["test"], "--grid", "C=1"]
    piped = ["-" if arg == names[where] else arg for arg in args]
    expected, content = run("select", *args), Path(names[where]).read_bytes()
    assert run("select", *piped, piped=content)["ranking"] == expected["ranking"]
    assert run("select", *piped, "--format", "csv", piped=content)["ranking"] == expected["ranking"]


def test_kinds_may_be_told() -> None:
    write(rows(), "a.csv")
    problem = read_problem("a.csv", "topic", categorical=["zip"], text=["when"], drop=["x"])
    assert problem.columns.kinds == {"zip": "categorical", "when": "text"}
    assert set(problem.X["zip"]) == {"1000", "1007", "1014"}
    done = run("select", "a.csv", "--label", "topic", "--criterion", "k-fold", "--grid", "C=1", "--categorical", "zip")
    assert done["choice"]["score"] == 1  # the code is the class, as a category
    assert "'zip' as categorical on request" in done["columns"]["done"]
    write(rows().assign(zip=rows().zip.astype(float).where(rows().index > 3, 1000.5)), "p.csv")
    pool = read_problem("a.csv", "topic", unlabeled="p.csv", categorical=["zip"], keep_labeled=True).X_unlabeled
    assert pool["zip"][:5].tolist()[-2:] == ["1000.5", "1007"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"text": ["wen"]}, r"a\.csv has no column 'wen' to be taken as text: did you mean 'when'"),
        ({"categorical": ["topic"]}, "column 'topic' cannot be taken as categories, since it is the label"),
        ({"categorical": ["x"], "text": ["x"]}, "'x' cannot be taken as text and be taken as categories: name it once"),
        ({"drop": ["x"], "text": ["x"]}, "'x' cannot be dropped and be taken as text"),
        ({"label_separator": ""}, "the label separator is empty"),
        (
            {"fmt": "tsv"},
            r"the format tsv is for standard input .* and the ending of a\.csv does: leave the format out",
        ),
        ({"unlabeled": "-", "test": "-"}, r"standard input \(-\) is named 2 times"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, object], message: str) -> None:
    write(rows(), "a.csv")
    with pytest.raises(BadInput, match=message):
        read_problem("a.csv", "topic", **options)  # type: ignore[arg-type]  # options differ from case to case


def test_several_labels_in_every_form() -> None:
    frame = sets()
    frame.to_parquet("a.parquet")
    frame.to_json("a.jsonl", orient="records", lines=True)
    frame.assign(topic=frame.topic.map(" ; ".join)).to_csv("a.csv", index=False)
    found = [
        read_problem("a.parquet", "topic"),
        read_problem("a.jsonl", "topic"),
        read_problem("a.csv", "topic", label_separator=";"),
    ]
    for problem in found:
        assert problem.y.tolist() == [tuple(dict.fromkeys(labels)) for labels in frame.topic]
        assert problem.classes.tolist() == ["a", "b", "c"]
        assert problem.rows == {"labeled": 60, "pool": 0, "test": 0}


def test_several_labels_from_end_to_end() -> None:
    frame = sets()
    frame.loc[[3, 4], "topic"] = pd.Series([[], None], index=[3, 4])
    frame[:40].to_parquet("a.parquet")
    frame[40:].to_json("e.jsonl", orient="records", lines=True)
    write(rows()[:25].drop(columns="topic"), "p.csv")
    document = run(
        "select", "a.parquet", "--label", "topic", "--unlabeled", "p.csv", "--test", "e.jsonl", "--criterion", "k-fold",
        "--grid", "C=1", "--predict", "o.jsonl.gz",
    )  # fmt: skip
    assert document["rows"] == {"labeled": 38, "pool": 27, "test": 20}
    assert "2 rows of a.parquet without a label join the pool" in document["notes"]
    n_test = sum(len(set(labels)) for labels in frame.topic[40:])
    assert any(f"y_test holds {n_test} labels for 20 rows" in note for note in document["notes"])
    (ceiling,) = (float(note.split()[-1]) for note in document["notes"] if note.startswith("y holds"))
    copies = sum(len(set(labels)) for labels in frame.topic[:40] if labels)
    assert ceiling == pytest.approx(38 / copies, abs=1e-4)
    assert document["choice"]["test_accuracy"] <= 20 / n_test + 1e-12
    assert sum(share["labels"] for share in document["shares"]) == pytest.approx(1)
    written = pd.read_json("o.jsonl.gz", lines=True)
    assert len(written) == 27
    assert set(written.predicted_topic) <= {"a", "b", "c"}


def test_the_ceiling_is_printed() -> None:
    sets().to_parquet("a.parquet")
    shown = CliRunner().invoke(main, ["select", "a.parquet", "--label", "topic", "--criterion", "k-fold", "-v"]).stdout
    assert "Note: y holds 80 labels for 60 rows" in shown
    assert "cannot exceed 0.7500" in shown


def numbers() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    return rng.normal(size=(90, 6)) * (rng.random((90, 6)) < 0.5) + 3 * np.eye(6)[y], y


@pytest.mark.slow
def test_svmlight_needs_no_label_and_chooses_what_python_chooses() -> None:
    X, y = numbers()
    for name, part in {"a.svm": slice(0, 30), "p.svm.gz": slice(30, 70), "e.svm": slice(70, 90)}.items():
        file = io.BytesIO()
        dump_svmlight_file(X[part], y[part] * (not name.startswith("p")), file, zero_based=False)
        Path(name).write_bytes(gzip.compress(file.getvalue()) if name.endswith("gz") else file.getvalue())
    args = ["a.svm", "--unlabeled", "p.svm.gz", "--test", "e.svm", "--model", "logistic-regression"]
    document = run("select", *args, "--grid", "C=0.01,1,100", "--predict", "o.csv")
    model = make_pipeline(MaxAbsScaler(), LogisticRegression(max_iter=10_000))
    search = FoldlessSearch(model, {"logisticregression__C": [0.01, 1, 100]}, random_state=0)
    search.fit(X[:30], y[:30], X_unlabeled=X[30:70])
    assert document["choice"]["params"] == {"C": search.best_params_["logisticregression__C"]}
    assert document["choice"]["score"] == pytest.approx(search.best_score_)
    assert document["choice"]["test_accuracy"] == search.score(X[70:], y[70:])
    assert (document["label"], document["classes"]) == ("label", [0, 1, 2])
    assert pd.read_csv("o.csv")["predicted_label"].tolist() == search.predict(X[30:70]).tolist()
    for name in ("gradient-boosting", "nearest-neighbors", "random-forest"):
        grid = {"gradient-boosting": "max_iter=5", "random-forest": "n_estimators=10"}.get(name, "n_neighbors=3")
        done = run("select", *args[:-2], "--model", name, "--grid", grid, "--label", "label")
        assert done["choice"]["test_accuracy"] > 0.8


def test_svmlight_with_several_labels_and_features_that_training_lacks() -> None:
    Path("a.svm").write_text("1,2 1:1\n2 2:1 3:1\n1 1:1 3:1\n 2:1\n" * 5)
    Path("p.svm").write_text("0 1:1 9:4\n")
    problem = read_problem("a.svm", unlabeled="p.svm")
    assert problem.y.tolist() == [(1, 2), (2,), (1,)] * 5
    assert problem.X_unlabeled.shape == (6, 4)
    assert "features of p.svm above 3 are left out: a.svm has none" in problem.notes
    assert problem.pool_rows is not None
    assert problem.pool_rows.shape == (6, 0)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({"label": "topic"}, r"a\.svm is svmlight, whose label comes first and has no name: leave the label"),
        ({"drop": ["3"]}, r"column '3' cannot be dropped, since columns of svmlight, as in a\.svm, have no"),
        ({"unlabeled": "p.csv"}, r"a\.svm is svmlight and p\.csv is not: give both in the same format"),
    ],
)
def test_svmlight_beside_what_has_columns(args: dict[str, object], message: str) -> None:
    Path("a.svm").write_text("1 1:1\n2 2:1\n" * 5)
    write(rows(), "p.csv")
    with pytest.raises(BadInput, match=message):
        read_problem("a.svm", **args)  # type: ignore[arg-type]  # options differ from case to case
    with pytest.raises(BadInput, match=r"a\.svm is svmlight and p\.csv is not"):
        read_problem("p.csv", "topic", unlabeled="a.svm")


@pytest.mark.parametrize("kind", slow_beyond(2, ["bool", "date", "whole floats", "minus one"]))
def test_labels_of_any_type_with_a_pool(kind: str) -> None:
    code = rows().topic.map({"a": 0, "b": 1, "c": 0} if kind == "bool" else {"a": -1, "b": 0, "c": 1})
    topic = {
        "bool": code == 1,
        "date": pd.Timestamp("2024-01-02") + pd.to_timedelta(code, unit="D"),
        "whole floats": code.astype(float),
        "minus one": code,
    }[kind]
    frame = rows().assign(topic=topic)
    frame[:30].to_parquet("a.parquet")
    frame[30:].drop(columns="topic").to_parquet("p.parquet")
    frame[30:].assign(topic=topic.astype(str) if kind == "date" else topic).to_csv("e.csv", index=False)
    document = run(
        "select", "a.parquet", "--label", "topic", "--unlabeled", "p.parquet", "--test", "e.csv", "--grid", "C=1"
    )
    assert document["classes"] == {
        "bool": [False, True], "date": ["2024-01-01", "2024-01-02", "2024-01-03"],
    }.get(kind, [-1, 0, 1])  # fmt: skip
    assert document["choice"]["test_accuracy"] > 0.5


def times(form: str, n: int = 40) -> pd.DataFrame:
    hours = pd.date_range("2024-01-01", periods=n, freq="5h").strftime("%Y-%m-%dT%H:%M:%S")
    return rows(n).assign(when=hours + form)


def test_times_with_a_zone_in_one_file_only_are_noted_and_do_not_mix_in_one() -> None:
    write(times("+02:00"), "a.csv")
    write(times(""), "p.csv")
    (note,) = [note for note in read_problem("a.csv", "topic", unlabeled="p.csv").notes if "zone" in note]
    assert "'when' has a time zone in a.csv and none in p.csv, which is read as UTC" in note
    assert "drop=['when']" in note
    problem = read_problem(write(times(""), "a.csv"), "topic", test=write(times("Z"), "p.csv"))
    assert any("'when' has a time zone in p.csv and none in a.csv" in note for note in problem.notes)
    mixed = pd.concat([times("Z"), times("")], ignore_index=True)
    with pytest.raises(BadInput, match=r"'when' has a time zone in some rows of m\.csv only"):
        read_problem(write(mixed, "m.csv"), "topic")


def test_json_lines_keep_their_time_zones() -> None:
    zoned, plain = write(times("+02:00"), "a.jsonl"), write(times(""), "p.csv")
    (note,) = [note for note in read_problem(zoned, "topic", unlabeled=plain).notes if "zone" in note]
    assert "'when' has a time zone in a.jsonl and none in p.csv, which is read as UTC" in note
    (note,) = [note for note in read_problem(plain, "topic", unlabeled=zoned).notes if "zone" in note]
    assert "'when' has a time zone in a.jsonl and none in p.csv" in note
    same = read_problem(write(times(""), "b.jsonl"), "topic", unlabeled=plain)
    assert not [note for note in same.notes if "zone" in note]
    with pytest.raises(BadInput, match=r"'when' has a time zone in some rows of m\.jsonl only"):
        read_problem(write(pd.concat([times("Z"), times("")], ignore_index=True), "m.jsonl"), "topic")


def test_zones_that_differ_are_the_same_moments() -> None:
    write(times("+02:00"), "a.csv")
    for form, name in (("+02:00", "p.csv"), ("+02:00", "p.jsonl"), ("+02:00", "p.parquet")):
        frame = times(form).drop(columns="topic")
        if name.endswith("parquet"):
            frame["when"] = pd.to_datetime(frame["when"]).dt.tz_convert("America/New_York")
        problem = read_problem("a.csv", "topic", unlabeled=write(frame, name))
        assert problem.X["when"].tolist() == problem.X_unlabeled["when"].tolist()
    dates = rows(40).assign(when=pd.date_range("2024-01-01", periods=40).strftime("%Y-%m-%d"))
    assert read_problem("a.csv", "topic", unlabeled=write(dates, "d.csv")).columns.kinds["when"] == "date"


def test_the_index_of_pandas_is_one_note_for_labels_and_pool(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows().to_csv("train.csv")
    rows().drop(columns="topic").to_csv("pool.csv")
    notes = read_problem("train.csv", "topic", unlabeled="pool.csv", keep_labeled=True).notes
    assert [note for note in notes if "index" in note] == ["the first column, an index that pandas wrote, is not read"]


def test_one_row_is_no_rows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = rows(61)
    frame.assign(topic=frame.topic.where(frame.index < 60)).to_csv("train.csv", index=False)
    frame.iloc[[0]].to_csv("test.csv", index=False)
    problem = read_problem("train.csv", "topic", test="test.csv")
    assert "1 row of train.csv without a label joins the pool" in problem.notes
    assert problem.describe()[0] == "60 labeled rows of 3 classes, 1 row in the pool, 1 test row"
