import numpy as np
import pytest
from helpers.selections import candidates

from foldless.report._varying import MISSING, axis, title, varying


def of(*values):
    (item,) = varying(candidates([{"p": value, "same": 1} for value in values])).items()
    return axis(*item)


def test_only_what_differs_varies():
    points = [{"C": 1, "kernel": "rbf", "tol": 0.1}, {"C": 2, "kernel": "rbf"}]
    assert varying(candidates(points)) == {"C": [1.0, 2.0], "tol": [0.1, MISSING]}
    assert varying(candidates([{"C": 1}])) == {}


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        (np.logspace(-4, 3, 8), "log"),
        ([1, 2, 3, 4], "linear"),
        ([1, 2, 4, 8, 16], "log"),
        ([0, 0.001, 0.1, 1], "ordinal"),
        ([-1.0, 0.0, 1.0], "linear"),
        ([True, False], "ordinal"),
        (["rbf", "linear"], "ordinal"),
        ([1, "auto"], "ordinal"),
        ([1e-290, 1.0, 1e290], "ordinal"),
        ([10**400, 1], "ordinal"),
        ([np.float32(0.5), np.int64(1)], "linear"),
    ],
)
def test_scale(values, scale):
    assert of(*values).scale == scale


def test_numbers_are_sorted_and_words_keep_their_order():
    assert of(10, 1, 5).values == (1.0, 5.0, 10.0)
    assert of("b", "a").values == ("b", "a")


def test_places():
    assert of(0, 0.001, 1).place(0.001) == 1  # side by side
    assert of(1, 10, 100).place(10.0) == 10


def test_what_is_not_hashable_varies_too():
    assert of([1], np.arange(2), [1]).values == ("[1]", "array([0, 1])")


def test_titles_leave_the_steps_out():
    assert title("pipe__svc__C") == "C"
    assert title("x__") == "x__"
