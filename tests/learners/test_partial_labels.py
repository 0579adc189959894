"""−1 is no label, in every dtype that can say so."""

import numpy as np
import pytest

from foldless.learners.partial_labels import partial_labels


@pytest.mark.parametrize("y", [[3, -1, 7, 3, -1], [3.0, -1.0, 7.0, 3.0, -1.0]])
def test_numbers(y):
    labeled, classes, codes = partial_labels(y, "it")
    assert labeled.tolist() == [True, False, True, True, False]
    assert classes.tolist() == [3, 7]
    assert codes.tolist() == [0, 1, 0]


def test_strings_beside_the_number():
    labeled, classes, codes = partial_labels(np.array(["b", -1, "a"], dtype=object), "it")
    assert labeled.tolist() == [True, False, True]
    assert classes.tolist() == ["a", "b"]
    assert codes.tolist() == [1, 0]


def test_strings_alone_are_all_labels():
    assert partial_labels(np.array(["b", "a"]), "it").labeled.all()


@pytest.mark.parametrize(
    ("y", "told"),
    [
        ([-1, -1], "it needs at least 2 classes, all labels are -1"),
        ([-1, 4], "it needs at least 2 classes, the labels hold one class: 4"),
        (["a", "-1"], 'the string "-1"'),
        ([0.5, 1.5, -1], "Unknown label type"),
    ],
)
def test_what_cannot_be_learned_from(y, told):
    with pytest.raises(ValueError, match=told):
        partial_labels(y, "it")
