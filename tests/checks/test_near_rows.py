"""FL005: near copies are named, exact ones are not named again."""

import numpy as np
from helpers.checked_data import codes_of, diagnoses, numbers


def test_near_copies_are_named():
    rng = np.random.default_rng(1)
    near = {name: np.append(values, values[:5] + 1e-8 * rng.normal(size=5)) for name, values in numbers(80).items()}
    (one,) = diagnoses("FL005", near)
    assert one.finding.problem == "10 of 85 labeled rows are nearly equal to another one"
    exact = {name: np.append(values, values[:5]) for name, values in numbers(80).items()}
    assert codes_of("FL005", exact) == []
    assert codes_of("FL005", numbers(80)) == []
