"""Labels for a table that is larger than memory are those of the same table in memory."""

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

from foldless.data._columns import Columns
from foldless.errors import BadInput
from foldless.saving import Kept, Schema
from foldless.tables import predict_file, predict_table

SCHEMA = Schema("size", Columns({"a": "numeric"}))
SELECTION = {"candidate": "nb()", "criterion": "k_fold", "score": 0.9, "assumes": [], "certificate": None}


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("foldless.data.pools._pool_opening.IN_MEMORY", 0)  # as if every table were larger
    pd.DataFrame({"a": np.arange(10.0), "id": list("abcdefghij")}).to_parquet("p.parquet", row_group_size=4)


def model(schema=SCHEMA) -> Kept:
    X = pd.DataFrame({"a": [0.0, 1, 2, 7, 8, 9]})
    return Kept(GaussianNB().fit(X, list("sssLLL")), ("L", "s"), schema, SELECTION, {"foldless": "0"}, ("a note",))


def test_labels_and_probabilities_are_those_of_a_table_in_memory():
    result = predict_file(model(), "p.parquet", "out.parquet", probabilities=True)
    whole = predict_table(model(), "p.parquet", probabilities=True)
    pd.testing.assert_frame_equal(pd.read_parquet("out.parquet"), whole.frame, check_dtype=False)
    document = {key: value for key, value in whole.to_dict().items() if key != "probability"}
    assert result.to_dict() == {**document, "labels": None, "probabilities": None}
    assert result.rows == 10
    assert result.counts == {"L": 5, "s": 5}
    assert result.notes[0] == "a note"
    assert "column 'id' of p.parquet is not read by the model, and kept in the output" in result.notes


def test_a_model_that_reads_no_columns_is_refused():
    with pytest.raises(BadInput, match="the model was not trained on a table, so it reads no columns: use"):
        predict_file(model(None), "p.parquet", "out.parquet")


def test_what_is_small_or_not_parquet_is_left_to_others(tmp_path, monkeypatch):
    pd.DataFrame({"a": [1.0]}).to_csv("p.csv", index=False)
    assert predict_file(model(), "p.csv", "out.csv") is None
    monkeypatch.undo()  # of the folder too
    pd.DataFrame({"a": [1.0]}).to_parquet(small := str(tmp_path / "small.parquet"))
    assert predict_file(model(), small, str(tmp_path / "out.parquet")) is None


def test_a_column_of_predictions_that_is_there_already_is_refused():
    pd.DataFrame({"a": [1.0], "predicted_size": ["s"]}).to_parquet("q.parquet")
    with pytest.raises(BadInput, match=r"q\.parquet has a column 'predicted_size' already: rename it"):
        predict_file(model(), "q.parquet", "out.parquet")


def test_a_table_that_lacks_a_column_is_refused():
    pd.DataFrame({"b": [1.0]}).to_parquet("q.parquet")
    with pytest.raises(
        BadInput, match=r"q\.parquet lacks column 'a' that the model was trained on \(it has column 'b', not read"
    ):
        predict_file(model(), "q.parquet", "out.parquet")


def test_a_model_that_fails_is_one_sentence():
    broken = model()
    del broken.model.theta_
    with pytest.raises(BadInput, match=r"the model cannot label these rows .*: a note"):
        predict_file(broken, "p.parquet", "out.parquet")
