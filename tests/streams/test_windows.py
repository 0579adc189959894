"""Shares behind counts: adjusted over the classes that have rows set aside, and what is said where they have none."""

import numpy as np
import pytest

from foldless.errors import BadInput
from foldless.quantifiers import adjusted_count
from foldless.streams import ConfusionMatrix
from foldless.streams._windows import ShareEstimator

CLASSES = np.array(["ham", "spam", "spma"])
TABLE = np.array([[90, 10, 0], [20, 80, 0], [0, 0, 0]])


def codes(*counts):
    return np.repeat(np.arange(len(counts)), counts)


@pytest.mark.parametrize("method", [None, "acc"])
@pytest.mark.parametrize("row", [[0, 0, 0], [0, 1, 0]])
def test_a_class_with_hardly_a_row_set_aside_does_not_disturb_the_others(method, row):
    estimator = ShareEstimator(CLASSES, np.vstack([TABLE[:2], row]), method)
    assert estimator.method == "acc"
    assert estimator.notes == [
        "fewer than 5 rows of 'spma' were held out, so it is assumed to be recognized without errors"
    ]
    two = adjusted_count(np.array([0.7, 0.3]), TABLE[:2, :2])
    assert estimator.of(codes(70, 30, 0))[0] == pytest.approx([*two, 0], abs=1e-6)
    assert estimator.of(codes(56, 24, 20))[0] == pytest.approx([*(0.8 * two), 0.2], abs=1e-6)


def test_counts_that_are_not_adjusted_are_told_where_nobody_asked_for_them():
    unasked = ShareEstimator(CLASSES, None, None)
    assert unasked.method == "cc"
    assert unasked.notes == [
        "shares are those of the predicted classes (cc): the model has no held-out rows to adjust by"
    ]
    assert unasked.of(codes(6, 3, 1))[0].tolist() == [0.6, 0.3, 0.1]
    assert ShareEstimator(CLASSES, None, "cc").notes == ShareEstimator(CLASSES, TABLE, "cc").notes == []
    with pytest.raises(BadInput, match="adjusted counts need rows held out in training, and the model has none"):
        ShareEstimator(CLASSES, None, "acc")


def test_counts_that_hardly_tell_the_classes_apart_are_not_adjusted():
    equal = np.array([[50, 50, 0], [25, 25, 0], [0, 0, 40]])
    for method in (None, "acc"):
        estimator = ShareEstimator(CLASSES, equal, method)
        assert estimator.method == "cc"
        assert "predictions hardly separate the classes" in estimator.notes[-1]
        shares, lower, upper = estimator.of(codes(6, 3, 1))
        assert shares.tolist() == [0.6, 0.3, 0.1]
        assert np.isnan([lower, upper]).all()
    assert ShareEstimator(CLASSES, np.array([[90, 10, 0], [20, 80, 0], [0, 0, 40]]), None).method == "acc"


def test_an_interval_around_each_adjusted_share_that_narrows_with_the_rows_set_aside():
    table, counts = np.array([[90, 10, 0], [20, 80, 0], [0, 0, 40]]), codes(560, 240, 200)
    widths = []
    for more in (1, 10):
        estimator = ShareEstimator(CLASSES, more * table, None)
        shares, lower, upper = estimator.of(counts)
        assert ((lower <= shares) & (shares <= upper)).all()
        widths.append(upper - lower)
    assert (widths[1][:2] < widths[0][:2]).all()
    _, lower, upper = ShareEstimator(CLASSES, table, None, confidence=0.999).of(counts)
    wide = upper - lower
    assert (wide[:2] > widths[0][:2]).all()


def test_counts_of_many_classes_are_adjusted_on_request_only():
    classes, rng = np.arange(101), np.random.default_rng(0)
    counts = ConfusionMatrix.of(rng.permutation(3030) % 101, np.arange(3030) % 101, 101)
    unasked = ShareEstimator(classes, counts.table, None)
    assert unasked.method == "cc"
    assert "do not give the confusion rates of 101 classes" in unasked.notes[0]
    many = np.arange(3000)
    with pytest.raises(BadInput, match="adjusted counts of 3,000 classes need the rates of all their pairs"):
        ShareEstimator(many, ConfusionMatrix.of(many, many, 3000).table, "acc")
