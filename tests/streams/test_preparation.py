"""Features in constant memory: hashing as scikit-learn hashes, scale of the first rows, the same model on tables."""

import numpy as np
import pandas as pd
import pytest
from helpers.stream_files import rows, trained
from sklearn.feature_extraction import FeatureHasher

from foldless.data._columns import prepare, recognize
from foldless.streams._preparation import (
    FEWEST,
    N_HASHED,
    STATE,
    WEIGHT_BYTES,
    HashedCategories,
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
