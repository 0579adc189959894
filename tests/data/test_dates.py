"""Parts of dates, against Python's own calendar."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from skops.io import dumps, loads

from foldless.data._dates import DateParts


def frame(*moments: object, name: str = "when") -> pd.DataFrame:
    return pd.DataFrame({name: pd.Series(pd.to_datetime(list(moments), format="ISO8601")).astype("datetime64[us]")})


def test_every_part_as_python_has_it() -> None:
    rng = np.random.default_rng(0)
    days = rng.integers(-200_000, 200_000, size=500)  # 1422 to 2517
    moments = np.datetime64("1970-01-01", "us") + days * np.timedelta64(1, "D") + rng.integers(0, 24, size=500) * \
        np.timedelta64(1, "h")  # fmt: skip
    table = pd.DataFrame({"t": moments})
    parts = pd.DataFrame(DateParts().fit_transform(table), columns=DateParts().fit(table).get_feature_names_out())
    earliest = min(moment.item() for moment in moments)
    for at, moment in enumerate(moment.item() for moment in moments):
        expected = [moment.year, moment.month, moment.day, moment.weekday(), moment.hour]
        assert parts.loc[at, ["t_year", "t_month", "t_day", "t_weekday", "t_hour"]].tolist() == expected
        assert parts.loc[at, "t_days"] == pytest.approx((moment - earliest).total_seconds() / 86400, abs=1e-6)


def test_the_earliest_date_is_that_of_training() -> None:
    fitted = DateParts().fit(frame("2024-01-10", "2024-01-05"))
    assert fitted.transform(frame("2024-01-01"))[0, -1] == -4
    assert fitted.transform(frame("2024-01-06"))[0, -1] == 1


def test_hours_only_where_they_vary() -> None:
    same, other = frame("2024-01-01T09:30", "2024-01-02T09:30"), frame("2024-01-01T09:30", "2024-01-02")
    assert "when_hour" not in DateParts().fit(same).get_feature_names_out()
    fitted = DateParts().fit(other)
    names = fitted.get_feature_names_out().tolist()
    assert fitted.transform(same)[:, names.index("when_hour")].tolist() == [9.5, 9.5]


def test_a_missing_date_is_not_a_number() -> None:
    features = DateParts().fit(frame("2024-01-01", None)).transform(frame(None, "2024-01-03"))
    assert np.isnan(features[0]).all()
    assert features[1].tolist() == [2024, 1, 3, 2, 2]
    nothing = DateParts().fit(frame(None, None))
    assert np.isnan(nothing.transform(frame(None))).all()
    assert nothing.transform(frame("1970-01-02"))[0, -1] == 1


def test_several_columns_in_a_column_transformer() -> None:
    table = pd.concat(
        [frame("2024-01-01T05:00", "2024-01-02", name="a"), frame("2020-01-01", "2020-05-01", name="b")], axis=1
    )
    features = ColumnTransformer([("dates", DateParts(), ["a", "b"])]).fit(table)
    assert features.get_feature_names_out()[-1] == "dates__b_days"
    assert features.transform(table).shape == (2, 6 + 5)
    with pytest.raises(ValueError, match=r"shorter|longer"):
        DateParts().fit(table).transform(table[["a"]])


def test_it_can_be_cloned_pickled_and_saved_without_pickle() -> None:
    fitted = DateParts().fit(frame("2024-01-01T05:00", "2024-01-02"))
    new = frame("2024-06-01T07:00")
    assert not hasattr(clone(fitted), "earliest_")
    for again in (pickle.loads(pickle.dumps(fitted)), loads(dumps(fitted), trusted=["foldless.saving.DateParts"])):
        np.testing.assert_array_equal(again.transform(new), fitted.transform(new))
        assert again.get_feature_names_out().tolist() == fitted.get_feature_names_out().tolist()
