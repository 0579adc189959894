"""The table of an evaluation, from counts that are done by hand."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from foldless.results import Estimate, Evaluation

ACCURACY = Estimate("accuracy", 0.7, 0.5, 0.9, 0.95, "labels", (), 10)
EVALUATION = Evaluation(
    ACCURACY, ACCURACY, ("a", "b", "c"), np.array([[4, 1, 0], [0, 3, 1], [0, 0, 0]]), np.array([0, 1, 0]),
    np.array([[0.4, 0.9], [0.2, 0.8], [np.nan, np.nan]]),
)  # fmt: skip


def test_recall_counts_rows_without_a_label_and_precision_does_not():
    table = EVALUATION.table().set_index("class")
    assert table["rows"].tolist() == [5, 5, 0]
    assert table["predicted"].tolist() == [4, 4, 1]
    assert table["recall"].tolist()[:2] == [0.8, 0.6]
    assert table["precision"].tolist() == [1.0, 0.75, 0.0]
    assert EVALUATION.rows == 10


def test_a_class_that_only_the_model_names_has_no_recall():
    last = EVALUATION.to_dict()["classes"][2]
    assert (last["recall"], last["recall_lower"], last["recall_upper"]) == (None, None, None)
    assert EVALUATION.to_dict()["classes"][0]["recall_lower"] == 0.4


def test_the_accuracy_stands_beside_the_most_frequent_class_of_the_rows():
    assert str(EVALUATION.baseline) == "always saying 'a' has 0.500"
    assert EVALUATION.to_dict()["baseline"]["share"] == 0.5


@given(st.floats(-1, 2), st.floats(-1, 2), st.floats(-1, 2))
def test_the_value_of_an_estimate_is_in_its_interval(value, one, other):
    lower, upper = sorted([one, other])
    found = Estimate("accuracy", value, lower, upper, 0.95, "labels", (), 10)
    assert lower <= found.value <= upper
    without = Estimate("accuracy", value, np.nan, np.nan, 0.95, "labels", (), 10)
    assert without.value == value
    assert not without.has_interval
    assert "no interval" in str(without)
