"""Ranges of the first rows: a counter is notes, rows in no order are not, and counts are kept."""

import json

import numpy as np
import pandas as pd
from helpers.stream_files import rows, trained

from foldless.streams._out_of_range import OFTEN, Ranges


def test_by_hand():
    first = pd.DataFrame({"x": [1.0, 3.0], "y": [0.0, np.nan], "none": [np.nan, np.nan]})
    ranges = Ranges.of(first, ["x", "y", "none"])
    ranges.add(
        pd.DataFrame({"none": [5.0] * 4, "x": [0.9, 1.0, 3.0, 3.1], "y": [0.0, 0.0, np.nan, -1.0], "z": ["w"] * 4})
    )
    ranges.add(pd.DataFrame({"x": [9.0], "y": [0.0], "none": [np.nan]}))
    assert ranges.outside.tolist() == [3, 1, 0]
    assert ranges.rows == 5
    (sentence,) = ranges.notes()
    assert sentence.startswith("column 'x' is outside the range of the first rows in 60% of the later rows")
    again = Ranges.kept(json.loads(json.dumps(ranges.plain())))
    assert again.notes() == [sentence]
    assert again.plain() == ranges.plain()


def test_several_columns_are_one_note():
    ranges = Ranges.of(pd.DataFrame({"a": [0.0, 1.0], "b": [0.0, 1.0], "c": [0.0, 1.0]}), ["a", "b", "c"])
    ranges.add(pd.DataFrame({"a": [2.0, 2.0], "b": [0.0, 2.0], "c": [0.0, 1.0]}))
    assert ranges.notes() == [
        "columns 'a', 'b' are outside the range of the first rows in 50% or more of the later rows, where models "
        "cannot extrapolate: if they are row numbers or times, leave them out with drop=['a', 'b']"
    ]


def test_a_table_without_numbers():
    ranges = Ranges.of(pd.DataFrame({"w": ["a"]}), [])
    ranges.add(pd.DataFrame({"w": ["b"]}))
    assert ranges.notes() == []


def test_rows_in_no_order_are_rarely_outside():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"normal": rng.normal(size=20_000), "heavy": rng.standard_cauchy(20_000)})
    ranges = Ranges.of(table[:100], ["normal", "heavy"])
    ranges.add(table[100:])
    assert (ranges.outside / ranges.rows < OFTEN / 2).all()


def test_a_counter_is_told_and_names_are_typed_as_a_shell_wants_them(tmp_path):
    rows(500).assign(**{"row id": np.arange(500.0)}).to_parquet(tmp_path / "a.parquet")
    notes = trained([tmp_path / "a.parquet"]).ranges.notes()
    assert len(notes) == 1
    assert "column 'row id' is outside the range of the first rows in 100% of the later rows" in notes[0]
    assert notes[0].endswith("leave it out with drop=['row id']")
