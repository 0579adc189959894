"""FL029: parts of the data where a sure model errs; noise and honest doubt are none."""

import numpy as np
from helpers.checked_data import FixedFits, codes_of, diagnoses, numbers

rng = np.random.default_rng(0)
N = 400
CITY = rng.choice(["Rome", "Oslo", "Lima"], N)
PLAN = rng.choice(["full", "basic"], N)
CODES = rng.integers(2, size=N)
SURE = np.c_[np.full(N, 0.9), np.full(N, 0.1)]


def answers(weak, level=0.45, p=SURE):
    right = np.where(weak, rng.random(N) < level, rng.random(N) < 0.9)
    return FixedFits(right, probabilities=p)


def test_a_weak_city_is_named_with_its_interval():
    (one,) = diagnoses("FL029", {**numbers(N), "city": CITY}, fits=answers(CITY == "Oslo"))
    assert "where \"city\" is 'Oslo'" in one.finding.problem
    assert one.finding.columns == ("city",)


def test_two_columns_together():
    weak = (CITY == "Oslo") & (PLAN == "full")
    first = diagnoses("FL029", {**numbers(N), "city": CITY, "plan": PLAN}, fits=answers(weak, 0.2))[0]
    assert set(first.finding.columns) == {"city", "plan"}


def test_noise_is_no_finding():
    reported = sum(len(codes_of("FL029", {**numbers(N), "city": CITY}, fits=answers(CITY == ""))) for _ in range(30))
    assert reported <= 3  # the level is .01: four or more of 30 have probability 2e-4


def test_doubt_that_the_model_has_itself_is_no_finding():
    """In Oslo it is right in seven of ten rows, and says so; a constant would be right in five."""
    unsure, oslo = np.where((CITY == "Oslo")[:, None], [0.7, 0.3], SURE), CITY == "Oslo"
    right = np.where(oslo, rng.random(N) < 0.7, rng.random(N) < 0.9)
    fits = FixedFits(right, CODES, np.where(CODES[:, None] == 0, unsure, unsure[:, ::-1]))
    flipped = np.where(right[:, None], fits.answers().probabilities, fits.answers().probabilities[:, ::-1])
    assert codes_of("FL029", {**numbers(N), "city": CITY}, CODES, fits=FixedFits(right, CODES, flipped)) == []


def test_a_category_where_a_constant_is_as_good_is_named_also_if_the_model_knows_it():
    oslo = CITY == "Oslo"
    right = np.where(oslo, rng.random(N) < 0.45, rng.random(N) < 0.9)
    p = np.where(oslo[:, None], [0.5, 0.5], np.where((right == CODES)[:, None], SURE[:, ::-1], SURE))
    (one,) = diagnoses("FL029", {**numbers(N), "city": CITY}, CODES, fits=FixedFits(right, CODES, p))
    assert "where \"city\" is 'Oslo'" in one.finding.problem


def test_columns_of_one_or_two_numbers_are_read():
    columns = {**numbers(N), "version": np.full(N, 3.0), "flag": (np.arange(N) % 2).astype(float), "city": CITY}
    (one,) = diagnoses("FL029", columns, fits=answers(CITY == "Oslo"))
    assert one.finding.columns == ("city",)
