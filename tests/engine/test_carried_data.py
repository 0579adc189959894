"""Data go to the worker processes of this machine once: each part is one file that all of them map."""

import gc
import os
import pickle
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from foldless.core import Classes
from foldless.data._sample import Sample
from foldless.engine import _carried_data as carried_data
from foldless.engine._carried_data import Carried, Carrier, filed, opened

N = 20_000
WHOLE = frozenset({0, 1})


def data(pool: Any) -> Sample:
    return Sample(np.zeros((4, 1)), Classes(np.array([0, 1, 0, 1]), np.array([0, 1])), pool)


def text(dtype: Any = "str") -> pd.DataFrame:
    words = [f"some words of row {at} of a text that is rather long" for at in range(N)]
    return pd.DataFrame({"x": np.arange(N) / 7, "words": pd.Series(words, dtype=dtype)})


@pytest.fixture(autouse=True)
def empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carried_data, "_unpacked", {})


POOLS = [
    text("str"), text(object), np.random.default_rng(0).normal(size=(N, 9)), sparse.eye_array(150_000).tocsr(),
]  # fmt: skip


@pytest.mark.parametrize("pool", POOLS, ids=["strings", "objects", "numbers", "sparse"])
def test_a_call_names_files_that_are_written_once_and_unpacked_once(pool: Any) -> None:
    given, parallel = data(pool), joblib.Parallel(n_jobs=2)
    carrier = Carrier(given)
    carried = carrier.of(WHOLE, parallel)
    assert isinstance(carried, Carried)
    assert len(pickle.dumps(carried)) < 2_000
    assert carrier.of(WHOLE, parallel).parts == carried.parts
    there, again = (opened(pickle.loads(pickle.dumps(carried))) for _ in range(2))
    assert again.pool is there.pool
    if isinstance(pool, pd.DataFrame):
        pd.testing.assert_frame_equal(there.pool, pool)
    else:
        assert (there.pool != pool).sum() == 0
    assert there.y.tolist() == given.y.tolist()


def test_a_part_is_one_file_however_it_is_combined_with_others() -> None:
    carrier, parallel = Carrier(data(text())), joblib.Parallel(n_jobs=2)
    both = carrier.of(WHOLE, parallel)
    alone = carrier.of(frozenset({1}), parallel)
    assert isinstance(both, Carried)
    assert isinstance(alone, Carried)
    assert alone.parts["pool"] is both.parts["pool"]
    assert set(alone.parts) == {"shell", "pool"}
    assert opened(alone).n_rows == 4 + N


def test_small_data_and_data_for_this_process_go_as_they_are() -> None:
    parallel = joblib.Parallel(n_jobs=2)
    assert isinstance(Carrier(data(["short"] * 9)).of(WHOLE, parallel), Sample)
    assert isinstance(Carrier(data(["long " * 10**6] * 9)).of(WHOLE, parallel), Carried)
    given = data(text())
    settings: list[dict[str, Any]] = [
        {"n_jobs": 1}, {"n_jobs": 2, "backend": "threading"}, {"n_jobs": 2, "max_nbytes": None}
    ]  # fmt: skip
    for each in settings:
        assert Carrier(given).of(WHOLE, joblib.Parallel(**each)) is given


def test_arrays_of_a_file_of_the_user_are_left_to_joblib(tmp_path: Path) -> None:
    np.save(tmp_path / "pool.npy", np.zeros((300_000, 1)))
    mapped = np.load(tmp_path / "pool.npy", mmap_mode="r")
    assert isinstance(Carrier(data(mapped[5:])).of(WHOLE, joblib.Parallel(n_jobs=2)), Sample)


def test_what_cannot_be_pickled_or_written_goes_as_it_is(tmp_path: Path) -> None:
    function = [lambda: 1]
    assert filed(function, []) is function
    numbers = np.zeros(99_999)
    assert filed(numbers, [], str(tmp_path / "no such folder")) is numbers


def test_files_go_with_the_search(tmp_path: Path) -> None:
    parallel = joblib.Parallel(n_jobs=2, temp_folder=str(tmp_path))
    carrier = Carrier(data(text()))
    carrier.of(WHOLE, parallel)
    assert len(list(tmp_path.iterdir())) == 1  # the rest is small
    del carrier
    gc.collect()
    assert not list(tmp_path.iterdir())


@pytest.mark.nightly
def test_files_go_with_a_process_that_is_killed(tmp_path: Path) -> None:
    script = f"""
import os, signal
from foldless.engine._carried_data import filed
filed(b"x" * 100_000, [], {str(tmp_path)!r})
assert len(os.listdir({str(tmp_path)!r})) == 1
os.kill(os.getpid(), signal.SIGKILL)
"""
    ended = subprocess.run([sys.executable, "-W", "ignore", "-c", script], stderr=subprocess.DEVNULL, check=False)
    assert ended.returncode == -9
    deadline = time.monotonic() + 20
    while list(tmp_path.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not list(tmp_path.iterdir())


def test_a_worker_keeps_few_parts() -> None:
    files: list[str] = []
    for at in range(carried_data.MAX_KEPT + 3):
        assert filed(b"x" * (10**5 + at), files).get() == b"x" * (10**5 + at)
    assert len(carried_data._unpacked) == carried_data.MAX_KEPT
    carried_data._delete(files, os.getpid())
    assert not any(map(os.path.exists, files))


def test_the_size_of_data_is_known() -> None:
    assert sys.getsizeof(data(np.zeros((1000, 3)))) > 24_000
    assert sys.getsizeof(data(sparse.eye_array(1000).tocsr())) > 12_000
    assert sys.getsizeof(data(text())) > 16 * N
    assert sys.getsizeof(data(["word"] * 1000)) > 8_000
    assert sys.getsizeof(data(np.zeros((10**6, 1))).only({0})) < 1000


@pytest.mark.skipif(os.name == "nt", reason="modes are other ones there")
def test_only_the_owner_reads_what_is_shared_and_what_dead_runs_left_goes(tmp_path):
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    prefix, name = carried_data._prefix(), "0" * 32
    left = [tmp_path / f"{prefix}{dead.pid}-{name}", tmp_path / f"{prefix}{os.getpid()}-{name}", tmp_path / "other"]
    for path in left:
        path.write_bytes(b"")
    files: list[str] = []
    carried_data._sweep.cache_clear()
    filed = carried_data.filed(np.zeros(100_000), files, str(tmp_path))
    assert Path(filed.path).stat().st_mode & 0o777 == 0o600
    assert [path.exists() for path in left] == [False, True, True]
    np.testing.assert_array_equal(filed.get(), np.zeros(100_000))
    carried_data._delete(files, os.getpid())
