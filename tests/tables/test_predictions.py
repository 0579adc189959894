"""Labels and probabilities of a saved model for a new table, and models that give anything."""

import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB

from foldless.data._columns import Columns
from foldless.errors import BadInput
from foldless.saving import Kept, Schema
from foldless.tables import predict_table, unlabeled_note

HOW = {"candidate": "nb()", "criterion": "k_fold", "score": 0.9, "assumes": [], "certificate": None}
SCHEMA = Schema("size", Columns({"a": "numeric"}))


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("id,a\n01,1.50\n02,8\n")


def kept(fitted=None, schema=SCHEMA, how=HOW, notes=()) -> Kept:
    X = pd.DataFrame({"a": [0.0, 1, 2, 7, 8, 9]})
    fitted = GaussianNB() if fitted is None else fitted
    return Kept(fitted.fit(X, list("sssLLL")), ("L", "s"), schema, how, {"foldless": "0"}, notes)


def test_labels_are_behind_the_columns_as_they_are_written():
    predictions = predict_table(kept(notes=("a note",)), "t.csv")
    assert predictions.labels.tolist() == ["s", "L"]
    assert list(predictions.frame) == ["id", "a", "predicted_size"]
    predictions.write("out.csv")
    assert Path("out.csv").read_text() == "id,a,predicted_size\n01,1.50,s\n02,8,L\n"
    printed = io.BytesIO()
    predictions.print_csv(printed)
    assert printed.getvalue() == Path("out.csv").read_bytes()
    assert predictions.notes == (
        "a note",
        "column 'id' of t.csv is not read by the model, and kept in the output",
    )


def test_the_document_is_json_without_model_and_table():
    document = predict_table(kept(), "t.csv", probabilities=True).to_dict()
    assert json.loads(json.dumps(document)) == document
    assert document["model"] == {**HOW, "versions": {"foldless": "0"}}
    assert document["shares"] == [{"class": "L", "predicted": 0.5}, {"class": "s", "predicted": 0.5}]
    assert (document["rows"], document["column"], document["labels"]) == (2, "predicted_size", ["s", "L"])
    np.testing.assert_allclose(np.sum([*document["probabilities"].values()], axis=0), 1)
    assert predict_table(kept(), "t.csv").to_dict()["probabilities"] is None


def test_a_label_column_is_kept_and_not_read():
    Path("t.csv").write_text("a,size\n1,L\n")
    predictions = predict_table(kept(), "t.csv")
    assert predictions.frame.iloc[0].tolist() == [1, "L", "s"]
    assert predictions.notes == (
        "the column 'size' of t.csv is kept and not read: predicted labels are in 'predicted_size'",
    )


def test_scores_become_probabilities_by_the_temperature_that_was_saved():
    hot = predict_table(kept(RidgeClassifier(), how={**HOW, "temperature": 100.0}), "t.csv", probabilities=True)
    cold = predict_table(kept(RidgeClassifier(), how={**HOW, "temperature": 0.01}), "t.csv", probabilities=True)
    assert list(hot.probabilities) == ["P(L)", "P(s)"]
    np.testing.assert_allclose(hot.probabilities["P(L)"], 0.5, atol=0.01)
    np.testing.assert_allclose(cold.probabilities["P(L)"], [0, 1], atol=1e-6)
    with pytest.raises(
        BadInput, match=r"nb\(\) in the model gives no probabilities, and was saved without out-of-fold"
    ):
        predict_table(kept(RidgeClassifier()), "t.csv", probabilities=True)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "b,c\n1,2\n",
            r"t\.csv lacks column 'a' that the model was trained on \(it has columns 'b', 'c', not read by",
        ),
        ("a,predicted_size\n1,s\n", r"t\.csv has a column 'predicted_size' already: rename it, or ask for labels only"),
    ],
)
def test_tables_that_do_not_fit(content, message):
    Path("t.csv").write_text(content)
    with pytest.raises(BadInput, match=message):
        predict_table(kept(), "t.csv")


def test_a_model_of_arrays_reads_no_columns():
    with pytest.raises(BadInput, match="the model was not trained on a table, so it reads no columns: use"):
        predict_table(kept(schema=None), "t.csv")


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (["s"], "it has 1 answers for 2 rows"),
        ([["s", "L"], ["L", "s"]], "its predictions are not labels"),
        ([{}, {}], "its predictions are not labels"),
    ],
)
def test_a_forged_model_is_one_sentence(answers, message):
    forged = kept(notes=("it was saved elsewhere",))
    forged.model.predict = lambda _: np.array(answers, dtype=object)
    with pytest.raises(BadInput, match=rf"the model cannot label these rows .*{message}.*: it was saved elsewhere"):
        predict_table(forged, "t.csv")


def test_rows_that_stay_without_a_label_are_counted():
    assert (
        unlabeled_note(None) == unlabeled_note(np.array([1, 2])) == unlabeled_note(np.array(["a"], dtype=object)) == []
    )
    assert unlabeled_note(np.array(["a", None, None], dtype=object))[0].startswith("2 rows have no label: ")
