"""FL029: parts of the data where a sure model errs; noise and honest doubt are none."""

import numpy as np
import pandas as pd
import pytest
from helpers.checked_data import FixedFits, codes_of, diagnoses, numbers
from scipy import stats

from foldless.checks import _weak_segments

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


def test_dates_are_shown_as_dates():
    day = np.random.default_rng(0).permutation(N) // 4
    columns = {**numbers(N), "when": pd.Timestamp("2026-01-01") + pd.to_timedelta(day, unit="D")}
    right = np.where(day < 25, rng.random(N) < 0.45, rng.random(N) < 0.9)
    fits = FixedFits(right, probabilities=np.where(right[:, None], SURE, SURE[:, ::-1]))
    (one,) = diagnoses("FL029", columns, fits=fits)
    assert 'where "when" ≤ 2026-01-25 ' in one.finding.problem


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


def honest(seed, n=200):
    """A model that is right as often as it says, in rows whose columns say nothing of that."""
    draw = np.random.default_rng([seed, 29])
    columns = {f"x{at}": draw.normal(size=n) for at in range(4)}
    columns |= {f"c{at}": draw.choice(list("abcd"), n) for at in range(3)}
    codes, p = draw.integers(2, size=n), draw.uniform(0.5, 1, size=n)
    right = draw.random(n) < p
    of_label = np.where(right, p, 1 - p)
    p = np.where(codes[:, None] == [0, 1], of_label[:, None], 1 - of_label[:, None])
    return columns, codes, FixedFits(right, codes, p)


def n_reported(trials=40):
    draws = [honest(seed) for seed in range(trials)]
    return sum(bool(diagnoses("FL029", columns, codes, fits=fits)) for columns, codes, fits in draws)


def above_level(reported, trials=40):
    return stats.binom.sf(reported - 1, trials, _weak_segments.LEVEL) < 1e-4


@pytest.mark.slow
def test_files_without_a_weak_segment_are_reported_at_the_level():
    assert not above_level(n_reported())


def test_without_permutations_it_would_be_above_its_level(monkeypatch):
    """The twin takes the chance of each segment as if it were the only one."""

    def of_one(losses, segments, n_pairs, untried):
        chances = _weak_segments._chances(losses, segments)[:, 0]
        return chances, np.argsort(chances)

    monkeypatch.setattr(_weak_segments, "_adjusted", of_one)
    assert above_level(n_reported())


def test_a_segment_without_errors_is_not_weak():
    """The model is less sure there than elsewhere, and right in each row."""
    oslo = CITY == "Oslo"
    right = oslo | (rng.random(N) < 0.97)
    p_right = np.where(oslo, 0.6, 0.97)
    of_label = np.where(right, p_right, 1 - p_right)
    p = np.where(CODES[:, None] == [0, 1], of_label[:, None], 1 - of_label[:, None])
    assert codes_of("FL029", {**numbers(N), "city": CITY}, CODES, fits=FixedFits(right, CODES, p)) == []


def test_a_category_where_no_skill_is_shown_is_named():
    """It is right in 54 of 100 rows there, beside 74, and a constant would be in 52."""
    oslo = CITY == "Oslo"
    right = np.where(oslo, np.arange(N) % 100 < 54, np.arange(N) % 100 < 78)
    p = np.where(oslo[:, None], [0.54, 0.46], [0.78, 0.22])
    p = np.where((right == (CODES == 0))[:, None], p, p[:, ::-1])
    (one,) = diagnoses("FL029", {**numbers(N), "city": CITY}, CODES, fits=FixedFits(right, CODES, p))
    assert one.finding.columns == ("city",)
