"""Data go to a worker once: strings as one array that joblib maps, everything else as it is."""

import pickle
import sys
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from foldless.data.opening import Data
from foldless.engine import carried_data
from foldless.engine.carried_data import Carried, Carrier, opened, packed

N = 20_000


def data(pool: Any) -> Data:
    return Data(np.zeros((4, 1)), np.array([0, 1, 0, 1]), np.array([0, 1]), pool)


def text(dtype: Any = "str") -> pd.DataFrame:
    words = [f"some words of row {at} of a text that is rather long" for at in range(N)]
    return pd.DataFrame({"x": np.arange(N) / 7, "words": pd.Series(words, dtype=dtype)})


@pytest.fixture(autouse=True)
def empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carried_data, "_unpacked", {})


@pytest.mark.parametrize("dtype", ["str", object])
def test_strings_are_packed_once_and_unpacked_once_to_the_same_frame(dtype: Any) -> None:
    given, parallel = data(text(dtype)), joblib.Parallel(n_jobs=2)
    carrier = Carrier()
    carried = carrier.of(given, parallel)
    assert isinstance(carried, Carried)
    assert carrier.of(given, parallel) is carried
    small = [part for part in (carried.body, *carried.buffers) if part.nbytes < carried_data.LARGE]
    assert sum(part.nbytes for part in small) < len(pickle.dumps(given)) / 4  # the others are mapped
    there = pickle.loads(pickle.dumps(carried))
    pd.testing.assert_frame_equal(opened(there).pool, given.pool)
    assert opened(pickle.loads(pickle.dumps(carried))) is opened(there)


@pytest.mark.parametrize("pool", [np.zeros((300_000, 1)), sparse.eye_array(200_000).tocsr(), ["short"] * 9])
def test_numbers_and_small_data_go_as_they_are(pool: Any) -> None:
    given = data(pool)
    assert packed(given) is given


def test_nothing_is_packed_where_no_process_is_started() -> None:
    given = data(text())
    for settings in ({"n_jobs": 1}, {"n_jobs": 2, "backend": "threading"}):
        assert Carrier().of(given, joblib.Parallel(**settings)) is given


def test_a_worker_keeps_few_sets_of_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carried_data, "LARGE", 0)
    for _ in range(9):
        opened(packed(data(["a"])))
    assert len(carried_data._unpacked) == carried_data.MOST


def test_dask_is_told_how_large_data_are() -> None:
    assert sys.getsizeof(data(np.zeros((1000, 3)))) > 24_000
    assert sys.getsizeof(data(sparse.eye_array(1000).tocsr())) > 12_000
    assert sys.getsizeof(data(text())) > 16 * N
    assert sys.getsizeof(data(["word"] * 1000)) > 8_000
    assert sys.getsizeof(data(np.zeros((10**6, 1))).only({0})) < 1000
