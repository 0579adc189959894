"""Several learners over the files of a stream: their average, who reads what, and what is kept of a run that stops."""

from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import GaussianNB

from foldless.errors import BadInput
from foldless.io._parts import StreamPart
from foldless.saving import load
from foldless.streams import _preparation as preparation
from foldless.streams import train
from foldless.streams._mixed_training import AveragedWeights, beside, dealt

SETTINGS = {"batch": 300, "hold": 400}


@pytest.fixture(autouse=True)
def in_threads():
    """Processes take seconds to start, and learn the same."""
    with joblib.parallel_config("threading"):
        yield


def rows(n: int, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, 3)), columns=list("abc"))
    signal = X["a"] + X["b"] / 2 + rng.normal(size=n) / 2
    words = np.where(signal > 0, "a warm day by the sea", "rain on the old roofs")
    return X.assign(text=[f"{word} {at % 97}" for at, word in enumerate(words)], y=np.digitize(signal, [-0.5, 0.8]))


@pytest.fixture
def days(tmp_path: Path) -> Path:
    folder = tmp_path / "days"
    folder.mkdir()
    for at, n in enumerate([900, 600, 300, 1200]):
        rows(n, at).to_parquet(folder / f"{at}.parquet", index=False)
    return folder


def test_the_model_is_the_average_of_learners_by_their_rows(days):
    mixed = train(str(days), "y", n_jobs=2, drop=["text"], **SETTINGS)
    assert mixed.rows == 3000
    assert mixed.record["candidate"] == "average of 2 nemsis for bakld"
    assert "the model is the average of 2 learners" in mixed.notes[0]
    assert mixed.hold_out.n_rows == len(mixed.record["stream"]["answers"]["codes"])
    one = train(str(days), "y", drop=["text"], **SETTINGS)
    fresh = rows(2000, 9)
    right = [np.mean(each.predict(fresh.drop(columns="y")) == fresh["y"]) for each in (one, mixed)]
    assert right[1] > right[0] - 0.03


def test_weights_are_averaged_by_rows():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), np.arange(60) % 3
    learners = [SGDClassifier(random_state=seed).fit(X, y) for seed in range(2)]
    average = AveragedWeights().around(learners, [30, 10])
    assert np.allclose(average.coef_, 0.75 * learners[0].coef_ + 0.25 * learners[1].coef_)
    assert np.allclose(average.decision_function(X), X @ average.coef_.T + average.intercept_)
    with pytest.raises(BadInput, match="an average of learners does not learn"):
        average.fit(X, y)


def test_texts_are_hashed_and_the_model_is_saved_and_loaded(days, tmp_path, monkeypatch):
    monkeypatch.setattr(preparation, "N_HASHED", 2**10)
    mixed = train(str(days), "y", n_jobs=2, save=tmp_path / "model.skops", **SETTINGS)
    fresh = rows(50, 9).drop(columns="y")
    kept = load(tmp_path / "model.skops")
    assert isinstance(kept.model[-1], AveragedWeights)
    assert kept.model.predict(fresh).tolist() == mixed.predict(fresh).tolist()
    assert [path.name for path in tmp_path.iterdir() if "checkpoint" in path.name] == []


def test_a_run_that_stopped_is_resumed_by_each_learner_to_the_same_weights(days, tmp_path):
    whole = train(str(days), "y", n_jobs=2, drop=["text"], **SETTINGS)
    path = tmp_path / "run.checkpoint"
    content = (days / "3.parquet").read_bytes()
    (days / "3.parquet").write_bytes(content[:4] + bytes(400) + content[404:])  # its learner has read 2.parquet before
    with pytest.raises(BadInput, match=r"3\.parquet"):
        train(str(days), "y", n_jobs=2, drop=["text"], checkpoint=path, every=300, **SETTINGS)
    left = [file.name for file in tmp_path.iterdir() if file.name.startswith("run.checkpoint")]
    assert left
    (days / "3.parquet").write_bytes(content)
    again = train(str(days), "y", n_jobs=2, drop=["text"], checkpoint=path, every=300, **SETTINGS)
    assert "it resumed from the checkpoints beside" in again.notes[1]
    assert np.array_equal(again.model[-1].coef_, whole.model[-1].coef_)


def test_files_are_dealt_out_by_size_and_keep_their_order(tmp_path):
    parts = []
    for at, size in enumerate([10, 40, 20, 30]):
        path = tmp_path / f"{at}.csv"
        path.write_bytes(bytes(size))
        parts.append(StreamPart(str(path), path, "csv"))
    assert [[part.path.name for part in group] for group in dealt(parts, 2)] == [["0.csv", "1.csv"], ["2.csv", "3.csv"]]
    assert len(dealt(parts, 9)) == 4
    assert beside(Path("a.checkpoint"), 0, 2) == Path("a.checkpoint.1of2")


def test_one_file_one_stream_and_learners_without_weights_are_refused(days):
    with pytest.raises(BadInput, match=r"several jobs need several files, and there is one, .*0\.parquet"):
        train(str(days / "0.parquet"), "y", n_jobs=2)
    with pytest.raises(BadInput, match="the data frames is none"):
        train(rows(10, 0), "y", n_jobs=2)
    with pytest.raises(BadInput, match="n_jobs must be a number of workers, or -1 for all cores, got 0"):
        train(str(days), "y", n_jobs=0)
    with pytest.raises(BadInput, match="GaussianNB has no weights that can be averaged"):
        train(str(days), "y", n_jobs=2, drop=["text"], learner=GaussianNB(), **SETTINGS)
