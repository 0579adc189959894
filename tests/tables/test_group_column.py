"""Groups of the pool: values of a column, or its dates by period."""

from types import SimpleNamespace

import pandas as pd
import pytest

from foldless.errors import BadInput
from foldless.tables import pool_groups


def problem(**columns):
    return SimpleNamespace(pool_rows=pd.DataFrame(columns, index=range(5, 5 + len(next(iter(columns.values()))))))


def test_values_are_counted_from_row_0_of_the_pool():
    groups = pool_groups(problem(town=["a", "b", None]), "town")
    assert groups.index.tolist() == [0, 1, 2]
    assert groups[:2].tolist() == ["a", "b"]
    assert groups.isna().tolist() == [False, False, True]


@pytest.mark.parametrize(
    ("every", "first"),
    [
        ("hour", "2024-05-15 13:00"),
        ("day", "2024-05-15"),
        ("week", "2024-05-13"),  # a Monday
        ("month", "2024-05-01"),
        ("quarter", "2024-04-01"),
        ("year", "2024-01-01"),
    ],
)
def test_a_period_is_named_by_its_first_moment(every, first):
    groups = pool_groups(problem(when=["2024-05-15 13:45", "2024-05-15 13:05"]), "when", every)
    assert groups.tolist() == [pd.Timestamp(first)] * 2
    assert groups.name == "when"


def test_dates_of_any_form():
    expected = [pd.Timestamp("2024-05-01")] * 2
    assert pool_groups(problem(when=pd.to_datetime(["2024-05-15", "2024-05-31"])), "when", "month").tolist() == expected
    aware = pd.to_datetime(["2024-05-15", "2024-05-31"]).tz_localize("Europe/Berlin")
    assert pool_groups(problem(when=aware), "when", "month").tolist() == expected
    mixed = ["2024-05-15", "31 May 2024"]
    assert pool_groups(problem(when=mixed), "when", "month").tolist() == expected


def test_a_missing_date_is_in_no_period():
    assert pool_groups(problem(when=["2024-05-15", None]), "when", "day").isna().tolist() == [False, True]


def test_one_per_cent_of_the_values_may_be_no_dates():
    days = ["2024-05-15"] * 199
    assert pool_groups(problem(when=[*days, "soon"]), "when", "day").isna().sum() == 1
    with pytest.raises(BadInput, match="the column 'when' has values that are not dates, such as 'soon'"):
        pool_groups(problem(when=[*days[:60], "soon"]), "when", "day")


def test_without_a_pool_there_are_no_groups():
    with pytest.raises(BadInput, match="there is no pool, so there are no groups of its rows"):
        pool_groups(SimpleNamespace(pool_rows=None), "town")


def test_a_column_that_is_not_there():
    with pytest.raises(BadInput, match="the pool has no column 'town': its columns are 'city', 'day'") as caught:
        pool_groups(problem(city=["a"], day=["2024-05-15"]), "town")
    assert (caught.value.value, caught.value.place) == ("town", "by")


@pytest.mark.parametrize(
    ("values", "every", "message"),
    [
        (["2024-05-15"], "decade", "every must be one of 'hour', 'day', .*, got 'decade'"),
        ([20240515], "day", "the column 'when' has numbers instead of dates"),
        ([None], "day", "the column 'when' has values that are not dates$"),
    ],
)
def test_what_has_no_periods(values, every, message):
    with pytest.raises(BadInput, match=message):
        pool_groups(problem(when=pd.Series(values, dtype=None if values != [None] else object).tolist()), "when", every)
