"""Labels for rows of the pool: in the problem, and in the file with its own spelling."""

import numpy as np
import pandas as pd
import pytest

from foldless.errors import BadInput
from foldless.tables import labeled_table, read_problem, with_labels


def write(path, rows):
    path.write_text("\n".join(rows) + "\n")
    return str(path)


@pytest.mark.parametrize(
    ("cells", "classes", "more"),
    [
        (["01", "02", "01", "02"], ["01", "02"], "02"),
        (["1.0", "2.0", "1.0", "2.0"], [1, 2], "2.0"),
        (["TRUE", "FALSE", "TRUE", "FALSE"], ["FALSE", "TRUE"], "TRUE"),
        (["True", "False", "True", "False"], [False, True], "True"),
        (["2026-01-02", "2026-01-03", "2026-01-02", "2026-01-03"], ["2026-01-02", "2026-01-03"], "2026-01-03"),
        (['"a, ""b"""', "c", "c", '"a, ""b"""'], ['a, "b"', "c"], "c"),
    ],
)
def test_a_label_is_written_as_the_training_file_spells_it(tmp_path, cells, classes, more):
    train = write(tmp_path / "train.csv", ["y,x,note", *(f"{cell},{at}.50,n" for at, cell in enumerate(cells))])
    pool = write(tmp_path / "pool.csv", ["note,x", "m,007.10", "m,8", "m,9"])
    problem = read_problem(train, "y", unlabeled=pool, drop=["note"])
    assert problem.classes.tolist() == classes
    found = labeled_table(train, problem, [2, 0], [classes[1], classes[-1]])
    assert found.columns.tolist() == ["y", "x", "note"]
    assert found["x"].tolist() == ["0.50", "1.50", "2.50", "3.50", "9", "007.10"]
    assert found["y"].tolist()[4] == more
    found.to_csv(tmp_path / "labeled.csv", index=False)
    again = read_problem(str(tmp_path / "labeled.csv"), "y", unlabeled=pool, drop=["note"])
    assert again.y.tolist() == [*problem.y.tolist(), classes[1], classes[-1]]


def test_rows_of_the_training_file_without_a_label_get_theirs_in_place(tmp_path):
    train = write(tmp_path / "train.csv", ["x,y", "1,a", "2,", "3,b", "4,", "5,a", "6,b"])
    pool = write(tmp_path / "pool.csv", ["x", "7", "8"])
    problem = read_problem(train, "y", unlabeled=pool)
    found = labeled_table(train, problem, [1, 3], ["b", "a"])
    assert found.to_numpy().tolist() == [
        ["1", "a"], ["2", ""], ["3", "b"], ["4", "b"], ["5", "a"], ["6", "b"], ["8", "a"],
    ]  # fmt: skip
    more = with_labels(problem, [1, 3], ["b", "a"])
    assert more.X["x"].tolist() == [1, 3, 5, 6, 4, 8]
    assert more.y.tolist() == ["a", "b", "a", "b", "b", "a"]
    assert more.X_unlabeled["x"].tolist() == [2, 7]
    assert more.pool_rows["x"].tolist() == [2, 7]


def test_how_rows_were_drawn_goes_with_their_labels(tmp_path):
    train = write(tmp_path / "train.csv", ["x,y", "1,a", "2,b", "3,a", "4,b"])
    pool = write(tmp_path / "pool.csv", ["x", "5", "6", "7", "8"])
    problem = read_problem(train, "y", unlabeled=pool)
    drawn = ([2, 0, 1], ["a", "b", "b"], [0.25, 0.0, np.nan], [1, 2, 1])
    more = with_labels(problem, *drawn)
    assert np.array_equal(more.draws.label_probabilities, [np.nan] * 4 + [0.25, 0, np.nan], equal_nan=True)
    assert more.draws.label_rounds.tolist() == [0, 0, 0, 0, 1, 2, 1]
    labeled_table(train, problem, *drawn).to_csv(tmp_path / "labeled.csv", index=False)
    again = read_problem(str(tmp_path / "labeled.csv"), "y", unlabeled=pool)
    assert again.X["x"].tolist() == [1, 2, 3, 4, 7, 5, 6]
    assert np.array_equal(again.draws.label_probabilities, more.draws.label_probabilities, equal_nan=True)
    assert again.X_unlabeled["x"].tolist() == [6, 8]  # those that were drawn have left the pool
    last = with_labels(again, [1], ["a"], [0.5], [1])
    assert last.draws.label_rounds.tolist() == [0, 0, 0, 0, 1, 2, 1, 3]
    assert labeled_table(str(tmp_path / "labeled.csv"), again, [1], ["a"], [0.5], [1]).iloc[-1].tolist() == [
        "8",
        "a",
        0.5,
        3,
    ]


def test_labels_drawn_at_random_need_no_probabilities(tmp_path):
    train = write(tmp_path / "train.csv", ["x,y", "1,a", "2,b", "3,a", "4,b"])
    problem = read_problem(train, "y", unlabeled=write(tmp_path / "pool.csv", ["x", "5", "6"]))
    assert with_labels(problem, [0], ["a"], [np.nan], [1]).draws is None
    assert labeled_table(train, problem, [0], ["a"], [np.nan], [1]).columns.tolist() == ["x", "y"]


def test_a_training_file_of_another_format_is_written_too(tmp_path):
    pd.DataFrame({"x": [1.5, 2, 3, 4], "y": [1, 2, 1, 2]}).to_parquet(tmp_path / "train.parquet")
    (tmp_path / "pool.jsonl").write_text('{"x": 5}\n{"x": 6.25}\n')
    problem = read_problem(str(tmp_path / "train.parquet"), "y", unlabeled=str(tmp_path / "pool.jsonl"))
    found = labeled_table(str(tmp_path / "train.parquet"), problem, [1], [2])
    assert found["y"].tolist() == [1, 2, 1, 2, 2]
    assert found["x"].tolist() == [1.5, 2, 3, 4, 6.25]


def test_a_class_of_text_may_be_new(tmp_path):
    train = write(tmp_path / "train.csv", ["x,y", "1,a", "2,b", "3,a", "4,b"])
    pool = write(tmp_path / "pool.csv", ["x", "5", "6"])
    problem = read_problem(train, "y", unlabeled=pool)
    assert with_labels(problem, [1], ["new, class"]).classes.tolist() == ["a", "b", "new, class"]
    assert labeled_table(train, problem, [1], ["new, class"])["y"].tolist()[-1] == "new, class"
    numbers = read_problem(write(tmp_path / "n.csv", ["x,y", "1,1", "2,2", "3,1", "4,2"]), "y", unlabeled=pool)
    with pytest.raises(BadInput, match="3 is not a class"):
        with_labels(numbers, [1], [3])


def test_all_rows_or_none_may_have_labels(tmp_path):
    train = write(tmp_path / "train.csv", ["x,y", "1,a", "2,b", "3,a", "4,b"])
    problem = read_problem(train, "y", unlabeled=write(tmp_path / "pool.csv", ["x", "5", "6"]))
    assert with_labels(problem, [], []) is problem
    every = with_labels(problem, [1, 0], ["a", "b"])
    assert (every.y.tolist(), every.X_unlabeled, every.pool) == (["a", "b", "a", "b", "a", "b"], None, None)
    assert every.X.index.tolist() == list(range(6))


def test_svmlight_rows_can_be_labeled(tmp_path):
    (tmp_path / "train.svm").write_text("1 1:2\n2 2:3\n1 1:1\n2 2:1\n")
    (tmp_path / "pool.svm").write_text("0 1:5\n0 2:7\n")
    problem = read_problem(str(tmp_path / "train.svm"), unlabeled=str(tmp_path / "pool.svm"))
    more = with_labels(problem, [1], [2])
    assert more.X.shape[0] == 5
    assert np.asarray(more.X[[4], :].todense()).max() == 7
    with pytest.raises(BadInput, match="no columns with names"):
        labeled_table(str(tmp_path / "train.svm"), problem, [1], [2])


@pytest.mark.parametrize(
    ("rows", "labels", "said"),
    [
        ([2], ["a"], "there is no row 2 in the pool: it has 2 rows"),
        ([-1], ["a"], "there is no row -1"),
        ([0], [3], "3 is not a class of 'y'"),
        ([0], [""], "'' is not a class of 'y'"),
        ([0, 0], ["a", "b"], "a row twice"),
        ([0, 1], ["a"], "got 2 rows and 1 labels"),
    ],
)
def test_wrong_labels_are_named(tmp_path, rows, labels, said):
    train = write(tmp_path / "train.csv", ["x,y", "1,a", "2,b", "3,a", "4,b"])
    problem = read_problem(train, "y", unlabeled=write(tmp_path / "pool.csv", ["x", "5", "6"]))
    with pytest.raises(BadInput, match=said):
        with_labels(problem, rows, labels)


def test_several_labels_of_a_row_are_a_tuple_and_joined_or_a_list_in_the_file(tmp_path):
    train = write(tmp_path / "train.csv", ["x,y", "1,a;b", "2,b", "3,a", "4,b ; a"])
    pool = write(tmp_path / "pool.csv", ["x", "5", "6", "7"])
    problem = read_problem(train, "y", unlabeled=pool, label_separator=";")
    more = with_labels(problem, [0, 2], [("a", "c"), ("b",)])
    assert more.y.tolist() == [("a", "b"), ("b",), ("a",), ("b", "a"), ("a", "c"), ("b",)]
    assert more.classes.tolist() == ["a", "b", "c"]
    table = labeled_table(train, problem, [0, 2], [("a", "c"), ("b",)], separator=";")
    assert table["y"].tolist() == ["a;b", "b", "a", "b ; a", "a;c", "b"]
    assert labeled_table(train, problem, [2], [("b", "c")])["y"].tolist()[-1] == ["b", "c"]
    for wrong in (["a"], [("a",), "a"]):
        with pytest.raises(BadInput, match="one label each, or a tuple of labels each"):
            with_labels(problem, list(range(len(wrong))), wrong)


def test_equal_spellings_of_several_labels_are_merged(tmp_path):
    train = write(tmp_path / "train.csv", ["x,y", "1,a;b", "2,b", "3,a", "4,b;a"])
    pool = write(tmp_path / "pool.csv", ["x", "5", "6", "7"])
    problem = read_problem(train, "y", unlabeled=pool, label_separator=";", merge_labels=True)
    assert with_labels(problem, [1], [("A ", "b")]).y[-1] == ("a", "b")
