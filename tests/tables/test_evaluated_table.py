"""A saved model on a table of labels: the numbers of `foldless.evaluate` on the same rows."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

from foldless import evaluate
from foldless.data._columns import Columns
from foldless.errors import BadInput
from foldless.saving import Kept, Schema
from foldless.tables import evaluate_table


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
