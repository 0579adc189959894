"""A saved model on a table of labels: the numbers of `foldless.evaluate` on the same rows."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

from foldless import FoldlessSearch, evaluate
from foldless.data._columns import Columns
from foldless.errors import BadInput
from foldless.saving import Kept, Schema, save
from foldless.tables import candidates, evaluate_table, read_problem


@pytest.fixture
def kept(tmp_path, monkeypatch) -> Kept:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": np.r_[rng.normal(size=40), rng.normal(2, size=40)]})
    y = np.array(["no"] * 40 + ["yes"] * 40, dtype=object)
    X.assign(y=y).iloc[1::2].to_csv("t.csv", index=False)
    model = GaussianNB().fit(X[::2], y[::2])
    return Kept(model, ("no", "yes"), Schema("y", Columns({"a": "numeric"})), {}, {}, ("a note",))


def test_the_numbers_are_those_of_evaluate(kept):
    rows = pd.read_csv("t.csv")
    expected = evaluate(kept.model, rows[["a"]], rows["y"].to_numpy(), confidence=0.9, random_state=0)
    evaluation = evaluate_table(kept, "t.csv", confidence=0.9, random_state=0)
    assert evaluation.to_dict() | {"notes": None} == expected.to_dict() | {"notes": None}
    assert evaluation.notes == ("a note", *expected.notes)


def test_minus_one_is_a_class_like_any_other(kept):
    rows = pd.read_csv("t.csv")
    numbers = GaussianNB().fit(rows[["a"]], np.where(rows["y"] == "no", -1, 1))
    rows.assign(y=np.where(rows["y"] == "no", -1, 1)).to_csv("minus.csv", index=False)
    evaluation = evaluate_table(Kept(numbers, (-1, 1), kept.schema, {}, {}), "minus.csv", random_state=0)
    words = GaussianNB().fit(rows[["a"]], rows["y"])
    renamed = evaluate_table(Kept(words, ("no", "yes"), kept.schema, {}, {}), "t.csv", random_state=0)
    assert evaluation.accuracy == renamed.accuracy


def test_a_format_is_for_files_without_an_ending(kept):
    Path("t.csv").rename("rows")
    with pytest.raises(BadInput, match="rows"):
        evaluate_table(kept, "rows")
    assert evaluate_table(kept, "rows", fmt="csv", random_state=0).notes[0] == "a note"


def test_the_training_file_is_known_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    rows = pd.DataFrame(
        {"a": rng.normal(size=60), "b": rng.choice(list("xyz"), 60), "y": rng.choice(["no", "yes"], 60)}
    )
    rows.to_csv("train.csv", index=False)
    other = rows.assign(a=rng.normal(size=60))
    other.to_csv("other.csv", index=False)
    pd.concat([other, rows[:10]]).to_csv("both.csv", index=False)
    problem = read_problem("train.csv", label="y")
    models = candidates({"linear-svc": {"C": [1.0]}}, problem.columns)
    search = FoldlessSearch(models, criterion="k_fold", random_state=0).fit(problem.X, problem.y)
    save(search.selection_, "model.skops", problem.schema)
    said = {
        name: " ".join(evaluate_table("model.skops", name).notes) for name in ("train.csv", "other.csv", "both.csv")
    }
    assert "60 of 60 test rows are rows of the training data" in said["train.csv"]
    assert "training data" not in said["other.csv"]
    assert "10 of 70 test rows are rows of the training data; accuracy without them" in said["both.csv"]
