"""`train` in Python: files, frames, learners and results; what it refuses."""

import json

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from helpers.stream_files import rows, trained
from sklearn.linear_model import SGDClassifier

from foldless.errors import BadInput
from foldless.measures import KLD
from foldless.online import NEMSIS
from foldless.saving import model_files
from foldless.streams import train

SMALL = {"batch": 100, "hold": 50}


def state_of(training):
    return training.model[-1]._state


@pytest.mark.slow
def test_files_patterns_folders_and_frames_are_one_stream(tmp_path):
    table = rows(900)
    for at in range(3):
        table[300 * at : 300 * (at + 1)].to_parquet(tmp_path / f"{at}.parquet", index=False)
    frames = [table[300 * at : 300 * (at + 1)] for at in range(3)]
    expected = trained([tmp_path]).learner._state
    for data in (
        tmp_path,
        str(tmp_path / "*.parquet"),
        [tmp_path / f"{at}.parquet" for at in range(3)],
        frames,
        iter(frames),
        [pl.from_pandas(frame) for frame in frames],
        [pa.Table.from_pandas(frame) for frame in frames],
        table,
    ):
        training = train(data, "topic", **SMALL)
        assert training.rows == 900
        assert all(np.array_equal(part, expected[name]) for name, part in state_of(training).items())


@pytest.mark.slow
def test_an_estimator_is_copied_and_learns_as_its_name_does(tmp_path):
    rows(900).to_parquet(tmp_path / "a.parquet")
    estimator = NEMSIS("kld", eta0=0.5)
    by_object = train(tmp_path / "a.parquet", "topic", learner=estimator, **SMALL)
    by_name = train(tmp_path / "a.parquet", "topic", measure="kld", params={"eta0": 0.5}, **SMALL)
    assert not hasattr(estimator, "classes_")
    assert np.array_equal(by_object.model[-1].coef_, by_name.model[-1].coef_)
    assert by_object.to_dict()["stream"] == by_name.to_dict()["stream"]
    by_measure = train(tmp_path / "a.parquet", "topic", learner=NEMSIS(KLD(), eta0=0.5), **SMALL)
    assert by_measure.table().loc["whole"].tolist() == by_name.table().loc["whole"].tolist()


@pytest.mark.slow
def test_a_classifier_of_scikit_learn_resumes_to_the_same_weights(tmp_path):
    table = rows(900)
    for at in range(2):
        table[450 * at : 450 * (at + 1)].to_parquet(tmp_path / f"{at}.parquet")
    files = [tmp_path / "0.parquet", tmp_path / "1.parquet"]
    given = {"learner": SGDClassifier(loss="log_loss"), **SMALL}
    whole = train(files, "topic", **given)
    train(files[:1], "topic", checkpoint=tmp_path / "c", **given)
    resumed = train(files, "topic", checkpoint=tmp_path / "c", save=tmp_path / "m.skops", **given)
    assert resumed.notes == (f"it resumed from {tmp_path / 'c'}, after 450 rows",)
    assert resumed.table().loc["hold_out", "balanced_accuracy"] == whole.table().loc["hold_out", "balanced_accuracy"]
    assert model_files.load(tmp_path / "m.skops").selection["candidate"] == "SGDClassifier"


@pytest.mark.slow
def test_the_result_predicts_saves_and_is_plain(tmp_path):
    table = rows(2000)
    messages = []
    training = train(
        table.assign(n=np.arange(2000)), "topic", on_message=messages.append, save=tmp_path / "m.skops", **SMALL
    )
    assert [note.split(" in ")[0] for note in training.notes] == ["column 'n' is outside the range of the first rows"]
    assert list(training.messages) == messages
    document = json.loads(json.dumps(training.to_dict()))
    assert document["stream"]["rows"] == training.rows == 2000
    assert training.table().loc["whole", "accuracy"] == document["stream"]["progressive"]["accuracy"]
    fresh = rows(300, seed=3).assign(n=0)
    predicted = training.predict(fresh.drop(columns="topic"))
    assert np.array_equal(predicted, training.predict(pl.from_pandas(fresh)))
    assert (predicted == fresh["topic"]).mean() > 0.7
    assert np.array_equal(model_files.load(tmp_path / "m.skops").model[-1].coef_, training.model[-1].coef_)
    assert not (tmp_path / "m.skops.checkpoint").exists()


def test_progress_after_each_batch():
    seen = []
    train(rows(500), "topic", on_progress=seen.append, **SMALL)
    assert [progress.rows for progress in seen] == [100, 200, 300, 400, 500]
    assert seen[-1].recent.n_rows > 0


def test_a_frame_of_other_columns_is_a_fault():
    frames = [rows(300), rows(300).drop(columns="x"), rows(300, seed=1)]
    training = train(frames, "topic", on_error="skip", **SMALL)
    assert training.skipped == {"schema": 1}
    assert training.messages == (
        "skipped: data frame 2 lacks the column 'x' that the stream began with; none of its rows is read",
    )
    with pytest.raises(BadInput, match="data frame 2 lacks the column 'x'"):
        train(frames, "topic", **SMALL)


def test_a_class_may_be_the_name_of_a_folder(tmp_path):
    table = rows(600)
    for topic, part in table.groupby("topic"):
        (tmp_path / f"topic={topic}").mkdir()
        part.drop(columns="topic").to_parquet(tmp_path / f"topic={topic}" / "p.parquet", index=False)
    training = train(tmp_path, "topic", classes=["a", "b"], **SMALL)
    assert (training.rows, training.messages) == (600, ())
    assert training.hold_out.table.sum(axis=1).all()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"learner": "nemesis"}, "learner 'nemesis' is not known: did you mean 'nemsis'"),
        ({"learner": 7}, "a name or a classifier with partial_fit, got 7"),
        ({"learner": NEMSIS(), "params": {"eta0": 1}}, "set them on the estimator"),
        ({"learner": NEMSIS(), "measure": "kld"}, "set it on the estimator"),
        ({"params": {"eta": 1}}, "did you mean eta0"),
        ({"drop": ["x"], "text": ["x"]}, "'x' is in drop and in text"),
        ({"save": "m.csv"}, "models are saved as .skops"),
        ({"checkpoint": "c"}, "the data frames cannot be read again, so a run on it cannot be resumed"),
    ],
)
def test_what_it_refuses(tmp_path, given, words):
    given = {key: tmp_path / value if key in ("save", "checkpoint") else value for key, value in given.items()}
    with pytest.raises(BadInput, match=words):
        train(rows(200), "topic", **SMALL, **given)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("data", "words"), [(7, "got int"), ([], "no file and no data frame"), ([[1]], "data frame 1")]
)
def test_what_is_no_stream(data, words):
    with pytest.raises(BadInput, match=words):
        train(data, "topic")
