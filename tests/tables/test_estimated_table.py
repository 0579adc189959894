"""The accuracy of a saved model from files: the numbers of `foldless.estimate` on the same rows and pool."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from foldless import FoldlessSearch, estimate
from foldless.data._columns import Columns
from foldless.errors import BadInput
from foldless.saving import Kept, Schema, save
from foldless.tables import estimate_table, read_problem
from foldless.tables.measured_tables import LEFT_OUT


@pytest.fixture
def kept(tmp_path, monkeypatch) -> Kept:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": np.r_[rng.normal(size=60), rng.normal(2, size=60)]}).sample(frac=1, random_state=0)
    y = np.where(X.index < 60, "no", "yes").astype(object)
    X[40:80].assign(y=y[40:80]).to_csv("t.csv", index=False)
    X[80:].to_csv("pool.csv", index=False)
    model = GaussianNB().fit(X[:40], y[:40])
    return Kept(model, ("no", "yes"), Schema("y", Columns({"a": "numeric"})), {}, {}, ("a note",))


@pytest.mark.parametrize("unlabeled", [None, "pool.csv"])
def test_the_numbers_are_those_of_estimate(kept, unlabeled):
    rows = pd.read_csv("t.csv")
    pool = None if unlabeled is None else pd.read_csv(unlabeled)
    expected = estimate(kept.model, rows[["a"]], rows["y"].to_numpy(), X_unlabeled=pool, confidence=0.9, random_state=0)
    result = estimate_table(kept, "t.csv", unlabeled=unlabeled, confidence=0.9, random_state=0)
    assert result.to_dict() | {"notes": None} == expected.to_dict() | {"notes": None}
    assert result.notes == ("a note", *expected.notes)


def test_another_score(kept):
    assert "f1" in str(estimate_table(kept, "t.csv", scoring="f1_macro", random_state=0)).lower()


def test_a_pool_needs_the_columns_of_the_model_too(kept):
    pd.DataFrame({"b": [1.0]}).to_csv("pool.csv", index=False)
    lacks = (
        r"pool\.csv lacks column 'a' that the model was trained on \(it has column 'b', not read by the model\): add"
    )
    with pytest.raises(BadInput, match=lacks):
        estimate_table(kept, "t.csv", unlabeled="pool.csv")


def test_rows_that_the_model_was_trained_on_are_left_out(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(60, 3)), columns=list("abc"))
    frame["y"] = np.where(frame["a"] + rng.normal(size=60) > 0, "up", "down")
    frame[:40].to_csv("train.csv", index=False)
    problem = read_problem("train.csv", "y")
    search = FoldlessSearch(LogisticRegression(), {"C": [1.0]}, criterion="k_fold", random_state=0)
    save(search.fit(problem.X, problem.y).selection_, "m.skops", problem.schema)
    few = "40 of 40 labeled rows are rows of the training data: .* needs at least 10 labeled rows that the model"
    with pytest.raises(BadInput, match=few):
        estimate_table("m.skops", "train.csv")
    frame[40:].to_csv("new.csv", index=False)
    new = estimate_table("m.skops", "new.csv", random_state=0)
    assert not [note for note in new.notes if "training data" in note]
    frame.to_csv("both.csv", index=False)
    both = estimate_table("m.skops", "both.csv", random_state=0)
    (note,) = [note for note in both.notes if "training data" in note]
    assert note == "40 of 60 labeled rows are rows of the training data: " + LEFT_OUT
    assert (both.value, both.lower, both.upper, both.rows) == (new.value, new.lower, new.upper, 20)
