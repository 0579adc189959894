"""Predictions are of all rows of the pool's file, in its order, also of those that left the pool."""

import numpy as np
import pandas as pd
import pytest

from foldless.tables import read_problem

POOL = pd.DataFrame({"x": np.arange(12.0), "text": [f"row {at} of some" for at in range(12)]})


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    POOL.to_csv("pool.csv", index=False)
    return pd.DataFrame({"x": [100.0, 101, 102, 103], "text": list("abcd"), "y": ["a", "b", "a", "b"]})


def predicted(problem):
    X = problem.rows_to_predict
    problem.write_pool("out.csv", np.array([f"p{x:g}" for x in X["x"]], dtype=object))
    return pd.read_csv("out.csv")


def test_rows_that_left_the_pool_are_predicted_in_their_place(files):
    drawn = POOL.iloc[[7, 2]].assign(y=["a", "b"], foldless_row=[8, 3], foldless_probability=[0.5, 0.5])
    pd.concat([files, drawn]).to_csv("train.csv", index=False)
    problem = read_problem("train.csv", "y", unlabeled="pool.csv")
    assert problem.rows["pool"] == 10
    written = predicted(problem)
    pd.testing.assert_frame_equal(written[["x", "text"]], POOL)
    assert written["predicted_y"].tolist() == [f"p{at}" for at in range(12)]


def test_rows_of_training_that_wait_for_a_label_are_predicted_once(files):
    waiting = POOL.iloc[[7, 2]].assign(y=["a", None], foldless_row=[8, 3], foldless_probability=[0.5, 0.5])
    other = pd.DataFrame({"x": [200.0], "text": ["e"], "y": [None]})
    pd.concat([files, waiting, other]).to_csv("train.csv", index=False)
    problem = read_problem("train.csv", "y", unlabeled="pool.csv")
    assert problem.rows["pool"] == 10 + 1 + 1  # of the file, the one that waits, the other one
    written = predicted(problem)
    assert written["x"].tolist() == [200.0, *range(12)]
    assert written["predicted_y"].tolist() == ["p200", *(f"p{at}" for at in range(12))]


def test_without_labeled_rows_it_is_the_pool(files):
    files.to_csv("train.csv", index=False)
    problem = read_problem("train.csv", "y", unlabeled="pool.csv")
    assert problem.whole_pool is None
    assert problem.rows_to_predict is problem.X_unlabeled
    assert predicted(problem)["x"].tolist() == list(range(12))
