"""Arguments of `read_problem` that exclude each other, or name what is not there."""

import pandas as pd
import pytest
from scipy import sparse

from foldless.data._column_options import ColumnOptions
from foldless.errors import BadInput, SetArgument
from foldless.io import FileOptions, Table
from foldless.io._svmlight import LABEL
from foldless.tables._arguments import Files, check_named, label_of

TRAIN = Table("t.csv", pd.DataFrame({"y": ["a", "b"], "x": [1, 2], "note": ["p", "q"], "zip": [3, 4]}))
POOL = Table("p.csv", pd.DataFrame({"x": [1], "only_here": [2]}))
SPARSE = Table("t.svm", pd.DataFrame({LABEL: [0, 1]}), features=sparse.csr_array([[1.0], [2.0]]))


def test_one_file_may_be_standard_input():
    Files("-", "pool.csv", None, FileOptions()).check()
    with pytest.raises(BadInput, match=r"standard input \(-\) is named 2 times: only one of the files can be -"):
        Files("-", "pool.csv", "-", FileOptions()).check()


@pytest.mark.parametrize("paths", [("-", None, None), ("a.csv", "pool", None), ("a.data", None, None)])
def test_a_format_is_for_what_has_no_ending_of_one(paths):
    Files(*paths, FileOptions("csv")).check()


def test_a_format_beside_endings_that_say_it_is_refused():
    with pytest.raises(BadInput, match=r"the format csv is for .* and the ending of a\.tsv does: leave the format out"):
        Files("a.tsv", "pool.parquet", "test.csv.gz", FileOptions("csv")).check()


def test_the_format_is_that_of_files_without_an_ending(tmp_path):
    (tmp_path / "rows").write_text("x\ty\n1\ta\n")
    (tmp_path / "rows.csv").write_text("x,y\n1,a\n")
    tables = Files(str(tmp_path / "rows"), str(tmp_path / "rows.csv"), None, FileOptions("tsv")).tables(None)
    assert [list(table.frame) for table in (tables.train, *tables.others)] == [["x", "y"]] * 2


def test_the_label_must_be_named_but_for_svmlight():
    assert label_of(TRAIN, "y") == "y"
    assert label_of(SPARSE, None) == label_of(SPARSE, LABEL) == LABEL
    with pytest.raises(BadInput, match=r"no label column is named for t\.csv") as caught:
        label_of(TRAIN, None)
    assert caught.value.place == "t.csv"
    assert caught.value.remedies == (SetArgument("label", to="name the column that holds the classes"),)
    with pytest.raises(
        BadInput, match=r"t\.svm is svmlight, whose label comes first and has no name: leave the label column out"
    ):
        label_of(SPARSE, "y")


def test_columns_to_drop_may_be_of_any_file():
    check_named(ColumnOptions(("only_here", "x"), ("note",), ("zip",)), "y", TRAIN, [POOL])


@pytest.mark.parametrize(
    ("drop", "text", "categorical", "message"),
    [
        (["y"], [], [], "column 'y' cannot be dropped, since it is the label: name other columns, or another label"),
        (["x"], ["x"], [], "column 'x' cannot be dropped and be taken as text: name it once"),
        ([], ["x"], ["x"], "column 'x' cannot be taken as text and be taken as categories: name it once"),
        (["nope"], [], [], r"t\.csv has no column 'nope' to be dropped: did you mean 'note'"),
        (["only_hare"], [], [], r"t\.csv has no column 'only_hare' to be dropped: did you mean 'only_here'"),
        (
            [],
            [],
            ["only_here"],
            r"t\.csv has no column 'only_here' to be taken as categories: its columns are 'y', 'x'",
        ),
    ],
)
def test_columns_that_cannot_be_what_was_asked(drop, text, categorical, message):
    with pytest.raises(BadInput, match=message):
        check_named(ColumnOptions(tuple(drop), tuple(text), tuple(categorical)), "y", TRAIN, [POOL])


def test_an_error_says_which_argument_and_which_column():
    with pytest.raises(BadInput) as caught:
        check_named(ColumnOptions(text=("nope",)), "y", TRAIN, [])
    assert (caught.value.place, caught.value.value) == ("text", "nope")


def test_columns_of_svmlight_have_no_names():
    with pytest.raises(
        BadInput, match=r"column '3' cannot be dropped, since columns of svmlight, as in t\.svm, have no"
    ):
        check_named(ColumnOptions(drop=("3",)), LABEL, SPARSE, [])
