"""Labeled rows of a file, as a saved model reads them."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeRegressor

from foldless.data._columns import Columns
from foldless.data._stored_pool import StoredPool
from foldless.errors import BadInput
from foldless.saving import Kept, Schema
from foldless.tables._saved_model import one_sentence
from foldless.tables.measured_tables import labeled_rows

SCHEMA = Schema("size", Columns({"a": "numeric", "b": "numeric"}))


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def model(classes=("L", "s"), schema=SCHEMA, notes=(), fitted=None) -> Kept:
    X = pd.DataFrame({"a": [0.0, 1, 8, 9], "b": [0.0, 1, 0, 1]})
    fitted = fitted or GaussianNB().fit(X, np.array([classes[1]] * 2 + [classes[0]] * 2))
    return Kept(fitted, classes, schema, {}, {}, notes)


def test_columns_take_the_order_of_the_model_and_others_are_not_read():
    Path("t.csv").write_text("id,b,size,a\n1,2,s,3\n2,5,L,6\n")
    rows = labeled_rows(model(notes=("saved long ago",)), "t.csv", None, "f")
    assert rows.X.to_dict("list") == {"a": [3.0, 6.0], "b": [2.0, 5.0]}
    assert rows.y.tolist() == ["s", "L"]
    assert rows.name == "the model"
    assert rows.notes == ("saved long ago",)


def test_rows_without_a_label_are_left_out_with_a_note():
    Path("t.csv").write_text("a,b,size\n1,2,s\n3,4,\n5,6,L\n")
    rows = labeled_rows(model(), "t.csv", None, "f")
    assert rows.X["a"].tolist() == [1, 5]
    assert rows.notes == ("1 row of t.csv without a label is left out",)


def test_labels_that_look_like_numbers_are_text_where_classes_are():
    Path("t.csv").write_text("a,b,size\n1,2,10\n3,4,11\n")
    assert labeled_rows(model(("01", "10")), "t.csv", None, "f").y.tolist() == ["10", "11"]
    assert labeled_rows(model((10, 11)), "t.csv", None, "f").y.tolist() == [10, 11]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b,kind\n1,2,s\n", r"t\.csv has no label column 'size': its columns are 'a', 'b', 'kind'"),
        ("a,size\n1,s\n", r"t\.csv lacks column 'b' that the model was trained on: add it"),
        ("a,b,size\n1,2,\n", "no row of .* has a label in column 'size': label at least two rows"),
    ],
)
def test_tables_that_cannot_be_measured(content, message):
    Path("t.csv").write_text(content)
    with pytest.raises(BadInput, match=message):
        labeled_rows(model(), "t.csv", None, "f")


def test_a_model_of_arrays_is_measured_in_python():
    with pytest.raises(BadInput, match="the model was not trained on a table, so it reads no columns: use f in Python"):
        labeled_rows(model(schema=None), "t.csv", None, "f")


def test_a_regressor_has_no_classes_to_measure():
    tree = DecisionTreeRegressor().fit([[0.0, 0.0], [1.0, 1.0]], [0.5, 1.5])
    with pytest.raises(BadInput, match="the model in the model is a regressor"):
        labeled_rows(model(fitted=tree), "t.csv", None, "f")


def test_a_model_that_fails_is_one_sentence_with_its_notes():
    Path("t.csv").write_text("a,b,size\n1,2,s\n3,4,L\n")
    rows = labeled_rows(model(notes=("it is of another version",)), "t.csv", None, "f")
    failing = r"the model cannot label these rows .*no such part.*: it is of another version"
    with pytest.raises(BadInput, match=failing), one_sentence(rows.kept, rows.name):
        raise AttributeError("no such part")
    with pytest.raises(BadInput, match="as it is"), one_sentence(rows.kept, rows.name):
        raise BadInput("as it is")


def test_a_pool_is_read_or_stays_in_its_files(monkeypatch):
    Path("t.csv").write_text("a,b,size\n1,2,s\n3,4,L\n")
    pd.DataFrame({"b": [1.0, 2.0], "id": [7, 8], "a": [3.0, 4.0]}).to_parquet("p.parquet")
    rows = labeled_rows(model(), "t.csv", None, "f")
    expected = {"a": [3.0, 4.0], "b": [1.0, 2.0]}
    assert rows.pool("p.parquet", None, 0).to_dict("list") == expected
    monkeypatch.setattr("foldless.data.pools._pool_opening.IN_MEMORY", 0)
    stored = rows.pool("p.parquet", None, 0)
    assert isinstance(stored, StoredPool)
    assert stored.sample.to_dict("list") == expected
