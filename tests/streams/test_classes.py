"""Labels of a stream: in their own type, missing, unseen, and classes that may be slips."""

from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

from foldless.errors import BadInput
from foldless.streams import train
from foldless.streams._classes import MISSING, UNSEEN, check_exact, classes_of, codes_of, rare, raw_labels

LARGE = 2**60


@pytest.mark.parametrize(
    ("values", "dtype", "family", "codes"),
    [
        ([7, 3, None, 5, 7], pa.int64(), "numeric", [1, 0, MISSING, UNSEEN, 1]),
        ([7, 3, None, 5, 7], pa.uint8(), "numeric", [1, 0, MISSING, UNSEEN, 1]),
        ([7.0, 3.0, None, 7.5, np.nan], pa.float64(), "numeric", [1, 0, MISSING, UNSEEN, MISSING]),
        ([7.0, 3.0], pa.float32(), "numeric", [1, 0]),
        ([Decimal(7), None, Decimal("7.5")], pa.decimal128(5, 1), "numeric", [1, MISSING, UNSEEN]),
    ],
)
def test_numbers(values, dtype, family, codes):
    column = pa.chunked_array([pa.array(values, dtype)])
    assert codes_of(column, family, np.array([3, 7])).tolist() == codes
    raw = raw_labels(column, family)
    assert [value is None for value in raw] == [code == MISSING for code in codes]
    assert {int(value) for value, code in zip(raw, codes, strict=True) if code >= 0} <= {3, 7}


def test_numbers_that_double_precision_cannot_tell_apart():
    column = pa.chunked_array([pa.array([LARGE + 1, LARGE, LARGE + 2, None])])
    classes = classes_of(raw_labels(column.slice(0, 2), "numeric"), "a", "y")
    assert classes.tolist() == [LARGE, LARGE + 1]
    assert codes_of(column, "numeric", classes).tolist() == [1, 0, UNSEEN, MISSING]
    rounded = pa.chunked_array([pa.array([float(LARGE)])])
    assert codes_of(rounded, "numeric", classes).tolist() == [UNSEEN], "it may be either"
    with pytest.raises(BadInput, match=f"holds the label {LARGE}, and numbers above .* are rounded in text files"):
        check_exact(classes, "a.csv", "y")


@pytest.mark.parametrize(
    ("column", "family", "classes", "codes"),
    [
        (pa.array(["b", "", None, "c", "a"]), "words", ["a", "b"], [1, MISSING, MISSING, UNSEEN, 0]),
        (pa.array(["b", None, "c"]).dictionary_encode(), "words", ["a", "b"], [1, MISSING, UNSEEN]),
        (pa.array([3, None, 7]).dictionary_encode(), "numeric", [3, 7], [0, MISSING, 1]),
        (pa.array([True, None, False]), "boolean", [False, True], [1, MISSING, 0]),
        (pa.nulls(2), "numeric", [3, 7], [MISSING, MISSING]),
        (pa.nulls(2), "boolean", [False, True], [MISSING, MISSING]),
    ],
)
def test_other_types(column, family, classes, codes):
    assert codes_of(pa.chunked_array([column]), family, np.array(classes)).tolist() == codes


def test_rare_classes_are_told_with_their_first_row():
    codes, classes = np.array([0] * 50 + [1] + [0] * 30 + [2] * 5), np.array(["ham", "spma", "spam"])
    (sentence,) = rare(codes, classes, [f"row {at + 1} of a" for at in range(len(codes))], "y")
    assert sentence.startswith("'spma' in column 'y' has 1 of the first 86 rows (row 51 of a)")
    assert "classes=" in sentence
    many = rare(np.arange(12), np.arange(12), ["row"] * 12, "y")
    assert len(many) == 6
    assert many[-1] == "7 more classes have fewer than 5 of the first rows"


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        (["007", "7", "8"], ["007", "7", "8"]),
        (["01", "02"], ["01", "02"]),
        (["0", "1"], [0, 1]),
        (["-1", "1"], [-1, 1]),
        (["0.0", "1.0"], [0, 1]),
        (["True", "False"], [False, True]),
        (["true", "false"], ["false", "true"]),
        (["9007199254740992", "9007199254740993"], ["9007199254740992", "9007199254740993"]),
        (["1e3", "2"], ["1e3", "2"]),
        (["+1", "2"], ["+1", "2"]),
    ],
)
def test_labels_of_text_keep_their_spelling(tmp_path, labels, classes):
    path = tmp_path / "a.csv"
    path.write_text("x,y\n" + "".join(f"{at % len(labels)},{labels[at % len(labels)]}\n" for at in range(60)))
    training = train(path, "y", batch=20)
    assert training.to_dict()["stream"]["classes"] == classes


def test_a_label_that_is_spelled_two_ways_is_refused_and_a_later_one_is_no_class(tmp_path):
    path = tmp_path / "a.csv"
    rows = "".join(f"{at % 2},{at % 2 + 7}\n" for at in range(40))
    path.write_text(f"x,y\n{rows}1,7.0\n")
    with pytest.raises(BadInput, match=r"a\.csv spells one label as '7' and as '7\.0': spell it one way"):
        train(path, "y", batch=100)
    path.write_text(f"x,y\n{rows}1,007\n")
    with pytest.raises(BadInput, match=r"row 41 .*has the label '007', which is not one of the classes 7, 8"):
        train(path, "y", batch=40)
    assert train(path, "y", batch=40, on_error="skip").to_dict()["stream"]["skipped"] == {"unseen class": 1}
