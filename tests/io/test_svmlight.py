"""svmlight files: the matrix that scikit-learn reads, labels of any number, and the line that is wrong."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from foldless.errors import BadInput
from foldless.io import Table, read_table
from foldless.io import _svmlight as svmlight


def read(folder: Path, text: str) -> Table:
    (folder / "a.svm").write_text(text)
    return read_table(folder / "a.svm")


def test_the_same_matrix_as_scikit_learn(tmp_path: Path) -> None:
    X = sparse.random_array((20, 9), density=0.3, rng=np.random.default_rng(0), format="csr")
    y = np.arange(20) % 3
    for zero_based in (True, False):
        dump_svmlight_file(X, y, str(tmp_path / "a.svm"), zero_based=zero_based)
        table = read_table(tmp_path / "a.svm")
        expected, labels = load_svmlight_file(str(tmp_path / "a.svm"), zero_based=True)
        assert (abs(table.features - expected)).max() == 0
        assert table.frame["label"].tolist() == labels.tolist()
        assert table.features.indices.dtype == np.int32  # what liblinear reads


def test_by_hand(tmp_path: Path) -> None:
    table = read(tmp_path, "# a comment\n+1 qid:7 2:0.5 4:1e3 # more\n-1\n")
    assert table.features.toarray().tolist() == [[0, 0, 0.5, 0, 1000], [0] * 5]
    assert table.frame["label"].tolist() == [1, -1]


def test_several_labels_and_none(tmp_path: Path) -> None:
    assert read(tmp_path, "3,1 1:1\n 2:1\n2 1:1\n").frame["label"].tolist() == [(1, 3), (), (2,)]
    labels = read(tmp_path, "3 1:1\n 2:1\n2 1:1\n").frame["label"]
    assert labels.isna().tolist() == [False, True, False]
    assert labels.dropna().tolist() == [3, 2]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 1:2\nspam 1:2\n", ["line 2", "the label 'spam'"]),
        ("1 1:2\n1 1:two\n", ["line 2", "'1:two'"]),
        ("1 1:2\n1 a:2\n", ["line 2", "'a:2'"]),
        ("1 1:2\n1 3:1 2:1\n", ["line 2", "feature 2 after feature 3"]),
        ("1 1:2\n1 -3:1\n", ["line 2", "'-3:1'"]),
        ("1 1:2\n1 1=2\n", ["line 2", "'1=2'"]),
        ("1,x 1:2\n", ["line 1", "the label '1,x'"]),
        ("1 1:2\n0 2:1\n1 1:nan\n", ["row 3", "not a finite number"]),
        (f"1 {2**27}:2\n", [str(2**27), "renumber the features"]),
        ("1\n0\n", ["no features"]),
        ("# nothing\n", ["no rows"]),
        ("1 1:\0\n", ["NUL"]),
    ],
)
def test_broken_lines(tmp_path: Path, text: str, words: list[str]) -> None:
    with pytest.raises(BadInput) as raised:
        read(tmp_path, text)
    assert all(word in str(raised.value) for word in [*words, "a.svm"])


def test_a_table_of_labels_only_can_be_written(tmp_path: Path) -> None:
    frame = read(tmp_path, "1 1:2\n0 2:1\n").frame
    assert list(frame) == [svmlight.LABEL]
    joined = pd.concat([frame.drop(columns=svmlight.LABEL)] * 2, ignore_index=True)
    assert joined.assign(label=[1, 0, 1, 0]).shape == (4, 1)
