"""Krippendorff's alpha as published, where it is not defined, and how often its interval holds."""

import numpy as np
import pytest
from scipy.stats import binom

from foldless.labeling import krippendorff_alpha, repeat_agreement

N = None
CODERS = [  # Krippendorff (2011), C: four observers, twelve units, values missing
    [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
    [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
]
PAIRS = sum(m * (m - 1) // 2 for m in (3, 4, 4, 4, 4, 4, 4, 4, 4, 3, 2, 1))


def test_the_published_example_of_four_observers():
    agreement = krippendorff_alpha(zip(*CODERS, strict=True))
    assert agreement.value == pytest.approx(0.743, abs=0.0005)
    assert agreement.n_pairs == PAIRS
    assert agreement.lower < 0.743 < agreement.upper <= 1
    assert agreement == krippendorff_alpha(zip(*CODERS, strict=True))


def test_the_published_examples_of_two_observers():
    """Krippendorff (2011), A: two observers, ten units, two values: .095; B: five values, twelve units: .692."""
    first, second = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    assert krippendorff_alpha(zip(first, second, strict=True)).value == pytest.approx(0.095, abs=0.0005)
    ben, gerry = "aabbdcccedda", "babbbccceddd"
    assert krippendorff_alpha(zip(ben, gerry, strict=True)).value == pytest.approx(0.692, abs=0.0005)


def test_names_numbers_arrays_and_missing_values_are_alike():
    values = np.array([[np.nan if v is None else v for v in row] for row in zip(*CODERS, strict=True)])
    names = [[None if v is None else f"class {v}" for v in row] for row in zip(*CODERS, strict=True)]
    assert krippendorff_alpha(values) == krippendorff_alpha(names)


@pytest.mark.parametrize(
    "answers", [[], [["a", None]], [["a", None], [None, "b"]], [["a", "a"], ["a", "a"]], [["a", "a"], ["b", None]]]
)
def test_one_class_and_no_overlap_have_no_alpha(answers):
    assert krippendorff_alpha(answers) is None


def test_full_agreement_of_few_rows_is_no_certainty():
    few, many = (krippendorff_alpha([["a", "a"], ["b", "b"]] * n) for n in (3, 300))
    assert few.value == few.upper == many.value == 1
    assert few.lower < 0.3 < 0.95 < many.lower < 1


def answered(rng, n, noise):
    truth = rng.integers(0, 3, n)
    wrong = rng.random((2, n)) < noise
    return np.where(wrong, rng.integers(0, 3, (2, n)), truth).T


@pytest.mark.slow
def test_the_interval_holds_alpha_about_as_often_as_it_says():
    truth = (1 - 0.2) ** 2  # both answers are the truth: all others agree by chance, with uniform classes
    trials, rng = 200, np.random.default_rng(0)
    intervals = [krippendorff_alpha(answered(rng, 80, 0.2)) for _ in range(trials)]
    held = sum(each.lower <= truth <= each.upper for each in intervals)
    assert binom.cdf(held, trials, 0.93) > 1e-6
    halved = sum(abs(each.value - truth) <= (each.upper - each.lower) / 8 for each in intervals)
    assert binom.cdf(halved, trials, 0.93) < 1e-6  # an interval of a quarter of the width is found out


def test_agreement_with_oneself():
    assert repeat_agreement([]) is None
    assert repeat_agreement([("a", "a")] * 20)[:2] == (1.0, pytest.approx(0.025 ** (1 / 20)))
    none = repeat_agreement([("a", "b")] * 20)
    assert none == (0.0, 0.0, pytest.approx(1 - 0.025 ** (1 / 20)), 20)
    half = repeat_agreement([("a", "a"), ("a", "b")] * 10)
    assert half.lower == pytest.approx(0.272, abs=0.0005)  # tables of Clopper and Pearson's interval: 10 of 20
    assert half.upper == pytest.approx(0.728, abs=0.0005)
