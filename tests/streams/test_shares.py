"""`shares` in Python: windows as a frame, drift, and models from memory and from files."""

import numpy as np
import pandas as pd
import pytest
from helpers.stream_files import rows

from foldless.errors import BadInput
from foldless.saving import model_files
from foldless.streams import shares, train


@pytest.fixture(scope="module")
def training():
    return train(rows(6000), "topic", batch=500, hold=400)


@pytest.mark.slow
def test_a_model_in_memory_and_in_a_file_find_the_same(training, tmp_path):
    training.save(tmp_path / "m.skops")
    stream, seen = rows(2500, seed=5, share=0.6), []
    found = shares(training, stream, window=1000, on_window=seen.append)
    assert list(found.windows) == [
        "window", "first_row", "last_row", "share_a", "share_b", "method", "evidence", "alarm",
        "lower_a", "lower_b", "upper_a", "upper_b",
    ]  # fmt: skip
    assert found.windows["last_row"].tolist() == [1000, 2000, 2500]
    assert [window.number for window in seen] == [1, 2, 3]
    assert np.allclose(found.windows[["share_a", "share_b"]].sum(axis=1), 1)
    for model in (tmp_path / "m.skops", model_files.load(tmp_path / "m.skops")):
        pd.testing.assert_frame_equal(shares(model, stream, window=1000).windows, found.windows)


def test_drift_is_found_with_its_row(training):
    messages = []
    stream = [rows(1000, seed=8), rows(2000, seed=9, share=0.7)]
    found = shares(training, stream, window=500, on_message=messages.append)
    assert (found.drift_detected, found.drift_row) == (True, 1001)
    assert len(messages) == 1
    assert messages[0].startswith("drift: the predicted class shares changed, most likely from row 1,001 on (window 3)")
    assert found.to_dict()["windows"][-1]["since_window"] == 3
    quiet = shares(training, rows(2000, seed=8), window=500)
    assert (quiet.drift_detected, quiet.drift_row, quiet.messages) == (False, None, ())


@pytest.mark.slow
@pytest.mark.parametrize("method", ["map", "em", "pacc", "dys", "ms"])
def test_other_quantifiers_have_their_intervals_too(training, tmp_path, method, monkeypatch):
    monkeypatch.setattr("foldless.quantifiers._intervals.DRAWS", 60)
    monkeypatch.setattr("foldless.quantifiers._intervals.DRAWS_OF_LIKELIHOOD", 30)
    training.save(tmp_path / "m.skops")
    stream = pd.concat([rows(1000, seed=8), rows(1000, seed=9, share=0.7)])
    windows = shares(tmp_path / "m.skops", stream, window=1000, method=method).windows
    assert (windows["method"] == method).all()
    true = (stream["topic"] == "b").to_numpy().reshape(2, 1000).mean(axis=1)
    assert np.allclose(windows["share_b"], true, atol=0.1)
    assert ((windows["lower_b"] < windows["share_b"]) & (windows["share_b"] < windows["upper_b"])).all()
    assert (windows["upper_b"] - windows["lower_b"]).max() < 0.4


def test_a_model_that_keeps_no_probabilities(training):
    saved = training.saved()
    del saved.selection["stream"]["answers"]
    with pytest.raises(BadInput, match=r"em needs probabilities for rows held out.*method='acc'"):
        shares(saved, rows(100), method="em")


def test_what_it_refuses(training, tmp_path):
    with pytest.raises(BadInput, match=r"must be in \(0, 1\)"):
        shares(training, rows(100), false_alarm=2)
    with pytest.raises(BadInput, match="there is no file"):
        shares(tmp_path / "m.skops", rows(100))
    plain = train(rows(600), "topic", batch=200, hold=0)
    with pytest.raises(BadInput, match=r"adjusted counts need rows held out.*method='cc'"):
        shares(plain, rows(100), method="acc")


def test_many_classes_are_counted_from_a_file(tmp_path):
    at = np.arange(3000)
    frame = pd.DataFrame({"x": at % 120, "z": at % 7, "y": at % 120})
    trained = train(frame, "y", batch=1000, save=tmp_path / "m.skops")
    assert trained.hold_out.n_rows == sum(trained.to_dict()["stream"]["held"]["table"]["rows"])
    found = shares(tmp_path / "m.skops", frame, window=3000)
    assert found.windows["method"].tolist() == ["cc"]
    assert found.windows.filter(like="share_").sum(axis=1).item() == pytest.approx(1)
