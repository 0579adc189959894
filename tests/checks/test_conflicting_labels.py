"""FL013: copies with different labels; equal categories with different labels are no surprise."""

import numpy as np
from helpers.checked_data import codes_of, diagnoses, numbers


def test_copies_with_other_labels_are_named():
    columns = {name: np.append(values, values[:6]) for name, values in numbers(60).items()}
    y = np.append(np.arange(60) % 2, [1, 0, 1, 1, 0, 1])
    (one,) = diagnoses("FL013", columns, y)
    assert one.finding.problem == "6 labeled rows are 3 contents with different labels"
    assert one.finding.rows == (0, 1, 2, 60, 61, 62)
    assert codes_of("FL013", columns, np.append(np.arange(60) % 2, np.arange(6) % 2)) == []
    coins = np.random.default_rng(0).integers(2, size=(80, 2))
    assert codes_of("FL013", {"a": coins[:, 0], "b": coins[:, 1]}) == []
