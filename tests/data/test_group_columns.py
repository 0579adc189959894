"""Columns of groups are recognized; ordinary categories and measured numbers are not."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from foldless.data._group_columns import group_columns, group_finding

RNG = np.random.default_rng(0)
PERSONS, VISITS = 20, 5
LABELED = np.repeat(np.arange(PERSONS), VISITS)
POOL = np.repeat(np.arange(PERSONS, 4 * PERSONS), VISITS)
ORDER = RNG.permutation(len(LABELED))
COIN = RNG.integers(2, size=len(LABELED))
FORMS: list[Callable[[Any], Any]] = [np.asarray, lambda codes: np.array([f"p{code}" for code in codes], dtype=object)]


def why(labeled: Any, y: Any, pool: Any = None, name: str = "a") -> str | None:
    """Why a column looks like groups, beside one of measured numbers."""
    parts = [labeled] if pool is None else [labeled, pool]
    tables = [pd.DataFrame({name: part, "x": RNG.normal(size=len(part))}) for part in parts]
    verdicts = group_columns(tables, np.arange(len(labeled)), np.asarray(y))
    assert "x" not in verdicts
    return verdicts[name].why if name in verdicts else None


@pytest.mark.parametrize("form", FORMS)
def test_groups_that_were_labeled_whole_are_found(form: Callable[[Any], Any]) -> None:
    assert why(form(LABELED)[ORDER], COIN, form(POOL)) == "labels and pool have no values in common"


@pytest.mark.parametrize("form", FORMS)
def test_groups_of_one_class_are_found_without_a_pool(form: Callable[[Any], Any]) -> None:
    of_person = RNG.integers(2, size=PERSONS)[LABELED[ORDER]]
    assert "the same class" in str(why(form(LABELED)[ORDER], of_person))


@pytest.mark.parametrize("form", FORMS)
def test_groups_that_stand_together_are_found_without_a_pool(form: Callable[[Any], Any]) -> None:
    assert "neighbors" in str(why(form(LABELED), COIN))


def test_a_name_is_enough_where_values_have_rows() -> None:
    drawn = RNG.integers(PERSONS, size=100)
    pool = RNG.integers(PERSONS, size=400)
    assert why(drawn, COIN, pool, "user_id") == why(drawn, COIN, pool, "patient") == "as its name says"
    assert why(drawn, COIN, pool) is None
    assert why(RNG.permutation(100), COIN, name="patient") is None


@pytest.mark.parametrize(
    "column",
    {
        "colors": lambda n: RNG.choice(list("rgbyop"), n),
        "sorted ages": lambda n: np.sort(RNG.integers(18, 50, size=n)),
        "rare categories": lambda n: RNG.zipf(1.5, n).clip(max=50),
        "dates": lambda n: np.repeat(pd.date_range("2024-01-01", periods=n // 5).strftime("%Y-%m-%d"), 5),
        "booleans": lambda n: np.arange(n) % 2 == 0,
        "numbers": lambda n: RNG.normal(size=n),
    }.values(),
)
def test_ordinary_columns_are_no_groups(column: Callable[[int], Any]) -> None:
    assert why(column(100), COIN, column(400)) is None
    assert why(column(100), COIN) is None


def test_a_category_that_tells_the_class_is_no_group() -> None:
    codes = RNG.integers(8, size=100)
    assert why(codes, codes % 2, RNG.integers(8, size=400)) is None
    codes = RNG.integers(14, size=100)
    assert why(codes, (codes % 2) ^ (RNG.random(100) < 0.1), RNG.integers(14, size=400)) is None


def test_a_category_with_one_frequent_value_is_no_group_where_its_rows_are_neighbors_by_chance() -> None:
    country = np.full(250, "at home", dtype=object)
    country[::20] = [f"abroad {at}" for at in range(13)]
    assert why(country, np.arange(250) % 2) is None
    assert "neighbors" in str(why(np.sort(country), np.arange(250) % 2))


def test_a_measured_number_that_tells_the_class_is_no_group() -> None:
    codes = 30 + RNG.integers(25, size=100)
    assert why(codes, codes > 42) is None
    assert why(codes, codes > 42, name="patient") is not None


def test_moments_that_differ_are_no_groups() -> None:
    assert why(LABELED, COIN, POOL, "year") is None


@pytest.mark.slow
def test_false_alarms_are_rare() -> None:
    alarms = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        shares = rng.dirichlet(np.full(rng.integers(5, 80), 0.5))
        labeled, pool = rng.choice(len(shares), 100, p=shares), rng.choice(len(shares), 400, p=shares)
        alarms += why(labeled, rng.integers(2, size=100), pool) is not None
    assert alarms <= 1


def test_rows_of_training_without_a_label_are_pool() -> None:
    frame = pd.DataFrame({"a": np.concatenate([LABELED[ORDER], POOL])})
    assert group_columns([frame], np.arange(len(LABELED)), COIN)["a"].why.startswith("labels and pool")


def test_the_sentence_names_the_column_and_what_follows() -> None:
    ((name, verdict),) = group_columns([pd.DataFrame({"patient": LABELED})], np.arange(100), COIN).items()
    finding = group_finding(name, verdict, "tell")
    assert (finding.code, finding.columns) == ("FL008", ("patient",))
    assert "20 values with 5 labeled rows each" in finding
    assert finding.endswith("too narrow until folds keep each group whole: tell")
