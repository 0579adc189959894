"""Pools in Parquet: what they hold, and one sentence with the file where one of them cannot be used."""

import os
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet
import pytest

from foldless.data._stored_pool import StoredPool
from foldless.data.pool import Pool
from foldless.data.pools import opened_pool
from foldless.data.pools._parquet_pool import parquet_files
from foldless.errors import BadInput


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three files of 100 rows in row groups of 30, whose column ``a`` counts all rows."""
    whole = tmp_path / "big"
    whole.mkdir()
    for at in range(3):
        rows = np.arange(100 * at, 100 * at + 100)
        table = pa.table({"a": rows.astype(float), "b": (rows % 7).astype(np.float32), "id": rows.astype(str)})
        pa.parquet.write_table(table, whole / f"part-{at}.parquet", row_group_size=30)
    return whole


FRAME = pd.DataFrame({"b": [1.0, 2.0], "a": [0.5, 0.1]})


def test_a_small_pool_is_read_as_a_whole_in_the_columns_of_the_labels(folder):
    pool, notes = opened_pool(str(folder), FRAME)
    assert list(pool.columns) == ["b", "a"]
    assert pool["a"].tolist() == list(range(300))
    assert notes == (f"'id' of {folder} is not read: X has no such column",)


def test_a_sample_leaves_the_pool_in_its_files(folder):
    pool, notes = opened_pool(Pool(folder, sample=50), FRAME, random_state=3)
    assert isinstance(pool, StoredPool)
    assert pool.sample.shape == (50, 2)
    assert sum(len(X) for _, X in pool.blocks()) == 300
    assert "the pool of 300 rows stays on disk" in notes[-1]
    assert "a random sample of 50 (seed 3)" in notes[-1]


def test_a_dataset_and_a_dask_frame_have_the_same_rows(folder):
    frame = pytest.importorskip("dask.dataframe").from_pandas(pd.read_parquet(folder), npartitions=3)
    with pytest.importorskip("dask").config.set(
        scheduler="threads"
    ):  # a lost cluster of another test is still the default
        check_the_same_rows(folder, frame)


def check_the_same_rows(folder, frame):
    for source in (pa.dataset.dataset(str(folder)), frame):
        pool, _ = opened_pool(Pool(source, sample=50), FRAME, random_state=3)
        expected, _ = opened_pool(Pool(folder, sample=50), FRAME, random_state=3)
        assert pool.n == 300
        assert pool.sample["a"].tolist() == expected.sample["a"].tolist()
        assert np.concatenate([X["a"] for _, X in pool.blocks()]).tolist() == list(range(300))


def test_an_array_takes_all_columns_by_position_and_texts_take_one(folder, tmp_path):
    with pytest.raises(BadInput, match=r"X has 2 columns and .*big has 3"):
        opened_pool(folder, np.zeros((2, 2)))
    numbers = tmp_path / "numbers.parquet"
    pd.DataFrame({"a": [1, None, 3], "b": [True, False, True]}).to_parquet(numbers)
    pool, _ = opened_pool(numbers, np.zeros((2, 2), dtype=np.float32))
    assert pool.dtype == np.float32
    assert np.array_equal(pool, [[1, 1], [np.nan, 0], [3, 1]], equal_nan=True)
    texts, _ = opened_pool(folder, pd.Series(["one", "two"], name="id"))
    assert texts.tolist()[:2] == ["0", "1"]


def test_a_file_that_is_cut_off_is_named(folder):
    broken = folder / "part-1.parquet"
    broken.write_bytes(broken.read_bytes()[:-100])
    with pytest.raises(BadInput, match=r"part-1\.parquet is not a Parquet file, or it is truncated"):
        opened_pool(folder, FRAME)


def test_a_file_with_damaged_pages_is_named_when_it_is_read(folder):
    broken = folder / "part-2.parquet"
    content = bytearray(broken.read_bytes())
    content[4:400] = bytes(396)
    broken.write_bytes(content)
    pool, _ = opened_pool(Pool(folder, sample=5), FRAME)
    with pytest.raises(BadInput, match=r"part-2\.parquet is not a Parquet file, or it is truncated"):
        list(pool.blocks())


def test_a_file_with_other_columns_or_types_is_named(folder):
    pa.parquet.write_table(pa.table({"a": [1.0], "id": ["x"]}), folder / "part-3.parquet")
    with pytest.raises(BadInput, match=r"part-3\.parquet lacks the column 'b' of .*part-0\.parquet"):
        opened_pool(folder, FRAME)
    pa.parquet.write_table(pa.table({"a": ["x"], "b": [1.0], "id": ["x"]}), folder / "part-3.parquet")
    with pytest.raises(BadInput, match=r"column 'a' is numeric in .*part-0\.parquet and text in .*part-3\.parquet"):
        opened_pool(folder, FRAME)


def test_numbers_of_other_types_are_read_in_a_common_one(folder):
    pa.parquet.write_table(pa.table({"a": [300], "b": [1.0], "id": ["x"]}), folder / "part-3.parquet")
    pool, _ = opened_pool(folder, FRAME)
    assert pool["a"].tolist() == list(range(301))


def test_an_empty_file_and_files_of_other_kinds_are_skipped_with_a_note(folder):
    table = pa.parquet.read_table(folder / "part-0.parquet").slice(0, 0)
    pa.parquet.write_table(table, folder / "part-9.parquet")
    (folder / "README.txt").write_text("rows")
    (folder / "_SUCCESS").write_text("")
    source = parquet_files(folder)
    assert sum(source.sizes) == 300
    assert source.notes == (
        f"{folder / 'part-9.parquet'} has no rows and is skipped",
        f"README.txt in {folder} is not named .parquet and not read",
    )


def test_a_folder_without_rows_and_a_path_that_is_not_there_are_one_sentence(tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(BadInput, match="empty is a folder without Parquet files"):
        opened_pool(empty, FRAME)
    pa.parquet.write_table(pa.table({"a": pa.array([], pa.float64())}), empty / "a.parquet")
    with pytest.raises(BadInput, match="empty has no rows"):
        opened_pool(empty, FRAME)
    with pytest.raises(BadInput, match=r"there is no file .*nowhere\.parquet"):
        opened_pool(tmp_path / "nowhere.parquet", FRAME)
    with pytest.raises(BadInput, match=r"pool\.csv, and a pool in files is Parquet"):
        opened_pool("pool.csv", FRAME)


def test_columns_that_the_pool_has_not_are_named(folder):
    with pytest.raises(BadInput, match=r"big lacks the column 'c' of X"):
        opened_pool(folder, FRAME.assign(c=0.0))
    with pytest.raises(BadInput, match=r"column 'id' is float64 in X and .*string in .*big"):
        opened_pool(folder, pd.DataFrame({"a": [1, 2], "id": [0.0, 1.0]}))


def test_a_sample_is_a_number_of_rows_and_groups_need_a_pool_in_memory(folder):
    with pytest.raises(BadInput, match=r"sample must be .*got 0"):
        opened_pool(Pool(folder, sample=0), FRAME)
    with pytest.raises(BadInput, match="a pool with groups is read as a whole"):
        opened_pool(Pool(folder, groups=[1]), FRAME)


def test_the_digest_is_another_where_a_file_changes(folder):
    before = parquet_files(folder).digest()
    assert before == parquet_files(folder).digest()
    pa.parquet.write_table(pa.parquet.read_table(folder / "part-0.parquet").slice(1), folder / "part-0.parquet")
    assert before != parquet_files(folder).digest()


def test_a_file_with_other_rows_is_not_read_again(folder):
    pool, _ = opened_pool(Pool(folder, sample=50), FRAME, random_state=3)
    path = folder / "part-1.parquet"
    pa.parquet.write_table(pa.parquet.read_table(path)[::-1], path, row_group_size=30)
    with pytest.raises(BadInput, match=r"part-1\.parquet has changed since .*: keep it as it is for the run"):
        list(pool.blocks())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="names are text there")
def test_a_name_that_is_no_text(folder):
    path = Path(os.fsdecode(b"\xff.parquet"))
    whole = folder / path
    (folder / "part-0.parquet").rename(whole)
    pool, _ = opened_pool(Pool(whole, sample=50), FRAME, random_state=3)
    assert sum(len(X) for _, X in pool.blocks()) == 100
    assert pool.source.digest() == pool.source.digest()
