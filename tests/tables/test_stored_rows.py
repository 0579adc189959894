"""A pool in Parquet files: when it stays there, what a sample has, and labels written block by block."""

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from foldless.data._columns import Columns
from foldless.errors import BadInput
from foldless.io import Table
from foldless.saving import Schema
from foldless.selection.predict_labels import predict_labels
from foldless.tables import read_problem
from foldless.tables._stored_rows import LabelColumns, StoredRows, pool_in_files, stored_rows

COLUMNS = Columns({"a": "numeric"})


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"a": np.arange(10.0), "id": list("abcdefghij")}).to_parquet("p.parquet", row_group_size=4)


def stored(size=3, seed=0) -> StoredRows:
    rows, _ = stored_rows("p.parquet", size, seed)
    assert rows is not None
    return rows


class Signs:
    """Names one class where a is at least 5, and none where it is 9."""

    classes_ = np.array(["high", "low"], dtype=object)

    def predict(self, X):
        a = np.asarray(X)[:, 0]
        return np.where(a == 9, None, np.where(a >= 5, "high", "low"))


def test_a_small_pool_is_read_as_a_whole_unless_a_sample_is_asked_for():
    assert stored_rows("p.parquet", None, 0) == (None, [])
    assert stored_rows("p.parquet", 10, 0) == (None, [])
    assert stored(9).size == 9
    assert stored_rows(None, None, 0) == stored_rows("-", None, 0) == (None, [])


def test_a_large_pool_stays_in_its_files(monkeypatch):
    monkeypatch.setattr("foldless.data.pools._pool_opening.IN_MEMORY", 0)
    assert stored_rows("p.parquet", None, 0)[0] is not None


def test_a_sample_is_of_parquet():
    Path("p.csv").write_text("a\n1\n")
    with pytest.raises(BadInput, match=r"a sample is drawn from a pool in Parquet, and p\.csv is not one: leave out"):
        stored_rows("p.csv", 3, 0)


def test_a_folder_that_is_not_there_is_named():
    with pytest.raises(BadInput, match="there is no folder parts/: check the name"):
        stored_rows("parts/", None, 0)


def test_files_without_rows_are_noted():
    Path("parts").mkdir()
    Path("p.parquet").rename("parts/0.parquet")
    pd.DataFrame({"a": np.zeros(0), "id": np.zeros(0, dtype=str)}).to_parquet("parts/1.parquet")
    assert len(stored_rows("parts", None, 0)[1]) == 1


def test_the_table_has_columns_without_rows_and_the_frame_those_of_the_sample():
    rows = stored()
    assert list(rows.table.frame) == ["a", "id"]
    assert len(rows.table.frame) == 0
    assert len(rows.frame) == 3
    assert rows.frame["a"].is_monotonic_increasing
    assert [chr(ord("a") + int(a)) for a in rows.frame["a"]] == rows.frame["id"].tolist()
    assert any(stored(seed=seed).frame["a"].tolist() != rows.frame["a"].tolist() for seed in range(1, 4))


def test_the_pool_has_the_columns_that_models_read():
    pool = stored().pool(COLUMNS, "t.csv", ["id"])
    assert pool.columns == ("a",)
    assert np.concatenate([X["a"] for _, X in pool.blocks()]).tolist() == list(range(10))
    with pytest.raises(BadInput, match="'b'"):
        stored().pool(Columns({"a": "numeric", "b": "numeric"}), "t.csv", ["id"])


def test_a_saved_model_may_leave_columns_unread():
    assert stored().pool_of(Schema("y", COLUMNS), "m.skops").columns == ("a",)
    with pytest.raises(
        BadInput, match=r"p\.parquet lacks column 'b' that m\.skops was trained on \(it has columns 'a', "
    ):
        stored().pool_of(Schema("y", Columns({"b": "numeric"})), "m.skops")


def test_labels_are_written_beside_all_columns():
    rows, labels = stored(), LabelColumns(Signs())
    pool = rows.pool(COLUMNS, "t.csv", ["id"])
    rows.write("out.parquet", pool, lambda X: {"y": labels.counted(predict_labels(Signs(), X))})
    written = pq.read_table("out.parquet")
    assert written.column_names == ["a", "id", "y"]
    assert written["y"].to_pylist() == ["low"] * 5 + ["high"] * 4 + [None]
    assert labels.rows == 10
    assert labels.counts == {"high": 4, "low": 5, None: 1}
    assert labels.notes == ["1 row has no label: no labeled row is connected to it in this model"]


def test_a_column_that_is_there_already_is_refused():
    stored().check_free(["y"])
    with pytest.raises(BadInput, match=r"p\.parquet has a column 'id' already: rename it, or ask for labels only"):
        stored().check_free(["y", "id"])


def test_labels_of_a_regressor_are_numbers_that_are_not_counted():
    labels = LabelColumns(object())
    assert labels.counted(np.array([2.0, 4.0])).to_pylist() == [2.0, 4.0]
    assert labels.counts == {}
    assert labels.notes == []


def test_rows_of_training_without_a_label_do_not_join_a_pool_in_files():
    frame = pd.DataFrame({"a": range(6), "y": ["p", "q", "p", "q", None, None]})
    frame.to_csv("t.csv", index=False)
    problem = read_problem("t.csv", "y", unlabeled="p.parquet", drop=["id"], pool_sample=3)
    assert problem.stored
    assert problem.rows["pool"] == 10
    assert "2 rows of t.csv without a label are left out, as the pool stays on disk" in problem.notes


def test_svmlight_goes_with_no_pool_of_columns():
    train = Table("t.svm", pd.DataFrame())
    assert pool_in_files(None, COLUMNS, train, [], np.zeros(2, dtype=bool), []) is None
    with pytest.raises(BadInput, match=r"t\.svm is svmlight and p\.parquet is not: give both in the same format"):
        pool_in_files(stored(), Columns({}, width=3), train, [], np.zeros(2, dtype=bool), [])
