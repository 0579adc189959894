"""Tables are written block by block, in every format, whole or not at all."""

from collections.abc import Iterator

import pandas as pd
import pyarrow as pa
import pytest

from foldless.errors import BadInput
from foldless.io._writing import write_blocks

TABLE = pa.table({"a": [1, 2, 3, None], "text": ["x", 'say "no"', "1,2", "ü"], "b": [0.5, 1e-9, 2.0, 3.0]})


def blocks() -> Iterator[pa.Table]:
    yield TABLE.slice(0, 1)
    yield TABLE.slice(1, 2)
    yield TABLE.slice(3)


@pytest.mark.parametrize("ending", ["csv", "tsv", "csv.gz", "parquet", "jsonl"])
def test_blocks_are_one_table(tmp_path, ending):
    path = tmp_path / f"out.{ending}"
    write_blocks(blocks(), path)
    read = {
        "parquet": pd.read_parquet,
        "jsonl": lambda path: pd.read_json(path, lines=True),
        "tsv": lambda path: pd.read_csv(path, sep="\t"),
    }.get(ending, pd.read_csv)
    pd.testing.assert_frame_equal(read(path), TABLE.to_pandas(), check_dtype=False)


def test_nothing_is_left_of_a_table_that_ends_with_an_error(tmp_path):
    def broken() -> Iterator[pa.Table]:
        yield TABLE
        raise BadInput("no more")

    with pytest.raises(BadInput, match="no more"):
        write_blocks(broken(), tmp_path / "out.csv")
    with pytest.raises(BadInput, match="cannot be written as csv"):
        write_blocks(iter([pa.table({"a": [[1, 2]]})]), tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []
