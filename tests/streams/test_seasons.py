"""Dates on circles: nothing grows, what comes again is the same, neighbors are near, arcs are left out."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from skops.io import dumps, loads

from foldless.data._columns import recognize
from foldless.saving._trusted import trusted_types
from foldless.streams._preparation import preparation
from foldless.streams._seasons import Seasons

LONG = pd.DataFrame({"when": pd.date_range("1960-01-01", "2060-01-01", freq="101h")})


def frame(*moments):
    return pd.DataFrame({"when": pd.to_datetime(pd.Series(moments), format="ISO8601")})


def test_no_number_leaves_the_circle_in_a_hundred_years():
    points = Seasons().fit(LONG[:100]).transform(LONG)
    assert points.shape == (len(LONG), 6)
    assert np.allclose(points[:, ::2] ** 2 + points[:, 1::2] ** 2, 1)


def test_what_comes_again_is_the_same_and_what_is_near_is_near():
    table = frame("2023-03-01T09:30", "2029-03-01T09:30", "2024-12-31T23:00", "2024-01-01")
    points = Seasons().fit(LONG).transform(table)
    assert np.allclose(points[0, [0, 1, 4, 5]], points[1, [0, 1, 4, 5]])
    assert np.linalg.norm(points[2, :2] - points[3, :2]) < 0.03
    assert np.linalg.norm(points[2, 4:] - points[3, 4:]) < 0.3


def test_weekdays_by_hand():
    week = Seasons().fit(LONG).transform(frame("2024-01-01", "2024-01-02", "2024-01-08"))[:, 2:4]  # a Monday
    turn = 2 * np.pi / 7
    assert np.allclose(week, [[0, 1], [np.sin(turn), np.cos(turn)], [0, 1]])


@pytest.mark.parametrize(
    ("first", "circles"),
    [
        (pd.date_range("2024-01-01", periods=20, freq="h"), []),
        (pd.date_range("2024-01-01", periods=24, freq="h"), [2]),
        (pd.date_range("2024-01-01", periods=200, freq="h"), [1, 2]),
        (pd.date_range("2024-01-01", periods=30, freq="D"), [1]),
        (pd.date_range("2024-01-01", periods=400, freq="D"), [0, 1]),
        (pd.date_range("2024-01-01", periods=400, freq="7D"), [0]),
        (pd.to_datetime([None, None]), []),
    ],
)
def test_a_circle_is_there_if_the_first_rows_go_round_it(first, circles):
    fitted = Seasons().fit(pd.DataFrame({"when": first}))
    assert np.flatnonzero(fitted.round_[0]).tolist() == circles
    assert fitted.transform(frame("2024-01-01T07:00", "2030-01-01")).shape == (2, 2 * len(circles))


def test_a_missing_date_is_the_center():
    points = Seasons().fit(LONG).transform(frame(None, "2024-07-01"))
    assert points[0].tolist() == [0.0] * 6
    assert np.isfinite(points).all()


def test_it_is_kept_and_goes_into_a_column_transformer():
    table = LONG.assign(other=pd.date_range("2024-01-01", periods=len(LONG), freq="D"))
    fitted = ColumnTransformer([("dates", Seasons(), ["when", "other"])]).fit(table)
    again = loads(dumps(fitted), trusted=trusted_types())
    assert fitted.transform(table).shape == (len(LONG), 10)
    assert np.array_equal(again.transform(table), fitted.transform(table))


def test_dates_without_a_circle_stand_beside_sparse_columns():
    when = frame("2024-01-01", "2024-01-02")
    assert Seasons().fit(when).transform(when).shape == (2, 0)
    assert Seasons(never_empty=True).fit(when).transform(when).tolist() == [[0.0], [0.0]]
    columns = recognize(when.assign(text=["a few words here", "some other words there"]), "t")
    prepared = preparation(columns).fit_transform(when.assign(text=["a few words here", "some other words there"]))
    assert prepared.shape[0] == 2
    assert len(prepared.indices) == 7
