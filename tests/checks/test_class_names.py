"""FL002: names that differ by case and spaces; the other form has them as one class."""

import numpy as np
from helpers.checked_data import codes_of, diagnoses, numbers


def test_names_are_one_class_in_the_other_form():
    (one,) = diagnoses("FL002", numbers(9), ["stays"] * 4 + ["STAYS "] * 2 + ["goes"] * 3)
    assert one.finding.problem == "classes 'stays' (4) and 'STAYS ' (2) differ by case and spaces only"
    assert one.variant is not None
    assert len(np.unique(one.variant.codes)) == 2
    assert codes_of("FL002", numbers(9), ["a", "b", "c"] * 3) == []
