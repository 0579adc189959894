"""Features in constant memory: hashing as scikit-learn hashes, scale of the first rows, the same model on tables."""

import numpy as np
import pandas as pd
import pytest
from helpers.stream_files import rows, trained
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction import FeatureHasher
from skops.io import dumps, loads

from foldless.data._columns import prepare, recognize
from foldless.saving._trusted import trusted_types
from foldless.streams._preparation import (
    FEWEST,
    N_HASHED,
    STATE,
    WEIGHT_BYTES,
    HashedCategories,
    Seasons,
    hashed_width,
    preparation,
)


def test_categories_are_hashed_as_scikit_learn_hashes_them():
    frame = pd.DataFrame({"color": ["red", "blue", "red"], "size": ["s", "s", "l"]})
    ours = HashedCategories().fit(frame).transform(frame)
    theirs = FeatureHasher(N_HASHED).transform(frame.to_dict("records"))
    assert (ours != theirs).nnz == 0


def test_a_value_never_seen_needs_no_new_column():
    hashed = HashedCategories(64).fit(pd.DataFrame({"color": ["red"]}))
    new = hashed.transform(pd.DataFrame({"color": ["a color of its own"]}))
    assert new.shape == (1, 64)
    assert new.nnz == 1


def test_a_rare_feature_does_not_outweigh_the_others(tmp_path):
    table = rows(600).assign(rare=0.0)
    table.loc[3, "rare"] = 1e-6
    table.loc[300:, "rare"] = 1e6
    table.to_parquet(tmp_path / "a.parquet")
    state = trained([tmp_path / "a.parquet"])
    assert (
        np.abs(state.preparation.transform(prepare(table.drop(columns="topic"), state.schema.columns, "", ""))).max()
        <= 10
    )


@pytest.mark.slow
def test_dates_and_texts_and_numbers_as_categories(tmp_path):
    table = rows(400)
    table["when"] = pd.date_range("2024-01-01", periods=400, freq="h").astype(str)
    table["words"] = [f"word{at} and {at % 7} more words" for at in range(400)]
    table["zip"] = np.arange(400) % 5
    table.to_csv(tmp_path / "a.csv", index=False)
    messages = []
    state = trained([tmp_path / "a.csv"], messages, kinds={"zip": "categorical"})
    assert messages == []
    kinds = state.schema.columns.kinds
    assert (kinds["when"], kinds["words"], kinds["zip"]) == ("date", "text", "categorical")
    good = table.drop(index=350)
    table.loc[350, "when"] = "soon"
    table.to_csv(tmp_path / "b.csv", index=False)
    found = trained([tmp_path / "b.csv"], messages, kinds={"zip": "categorical"}, hold=0)
    good.to_csv(tmp_path / "c.csv", index=False)
    other = trained([tmp_path / "c.csv"], kinds={"zip": "categorical"}, hold=0)
    assert found.rows == other.rows == 399
    assert np.array_equal(found.learner.coef_, other.learner.coef_)
    assert messages == [
        f"skipped: row 351 (line 352) of {tmp_path / 'b.csv'} holds 'soon' in column 'when', which holds dates"
    ]


def test_the_weights_of_many_classes_are_not_more_than_a_limit():
    for n in (2, 42, 43, 100, 3002, 10**5):
        assert hashed_width(n) == N_HASHED or n * hashed_width(n) * WEIGHT_BYTES <= STATE or hashed_width(n) == FEWEST
        assert n > 42 or hashed_width(n) == N_HASHED
    columns = recognize(pd.DataFrame({"a": ["x", "y"] * 9}), "t", chosen={"a": "categorical"})
    assert preparation(columns, 3002).fit_transform(pd.DataFrame({"a": ["x", "y"]})).shape == (2, 2048)


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
