"""Readers of whole tables and of batches agree: quotes, line breaks, encodings, folders, types."""

import csv
import gzip
import io
from contextlib import closing

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foldless.data._columns import prepare, recognize
from foldless.errors import BadInput
from foldless.io import read_table
from foldless.io._faults import Ledger
from foldless.io._parts import parts_of
from foldless.io._table import table_of
from foldless.streams._batches import Stream
from foldless.streams._cleaning import clean
from foldless.streams._schemas import first_look

ALL = 10**6
WORD = st.text(st.sampled_from("aé漢,\"\t '\n"), max_size=8).map(lambda text: "w" + text)
VALUES = {
    "whole": st.integers(-(10**6), 10**6).map(str),
    "number": st.floats(-1e6, 1e6).map(repr),
    "boolean": st.sampled_from(["true", "false"]),
    "word": WORD,
    "sparse": st.one_of(st.just(""), st.integers(0, 9).map(str)),
}
HEADERS = ("{}", 'a "{}"', "b,{}", "c\n{}")


@st.composite
def texts(draw):
    """A CSV or TSV file as programs write it: its bytes and its mark."""
    kinds = draw(st.lists(st.sampled_from(list(VALUES)), min_size=2, max_size=4))
    header = [draw(st.sampled_from(HEADERS)).format(f"{kind}{at}") for at, kind in enumerate(kinds)]
    rows = draw(st.lists(st.tuples(*(VALUES[kind] for kind in kinds)), min_size=1, max_size=30))
    mark, end = draw(st.sampled_from([",", "\t"])), draw(st.sampled_from(["\n", "\r\n"]))
    quoting = draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=mark, lineterminator=end, quoting=quoting).writerows([header, *rows])
    text = file.getvalue() if draw(st.booleans()) else file.getvalue().removesuffix(end)
    return text.encode("utf-8-sig" if draw(st.booleans()) else "utf-8"), mark


def batches(path, most, schema=None, place=None):
    with closing(Stream(parts_of([str(path)]), most, schema).batches(place)) as found:
        return list(found)


def schema_of(path):
    """The schema that a stream has after its first batch, if that is the whole file."""
    batch = batches(path, ALL)[0]
    frame = table_of(batch.source, batch.table).frame
    label = list(frame)[-1]
    return first_look(batch.table, frame, batch.source, label, [], {}, "impute"), label


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(texts(), st.integers(1, 7), st.sampled_from(["", ".gz"]))
def test_generated_text_files(tmp_path_factory, text, most, ending):
    content, mark = text
    path = tmp_path_factory.mktemp("agree") / f"a.{'csv' if mark == ',' else 'tsv'}{ending}"
    path.write_bytes(gzip.compress(content) if ending else content)
    whole = read_table(path).frame
    (batch,) = batches(path, ALL)
    assert not batch.faults
    pd.testing.assert_frame_equal(table_of("a", batch.table).frame, whole)
    if whole.isna().all().any():  # which column holds what cannot be known
        return
    schema, label = schema_of(path)
    labeled = whole[whole[label].notna()]
    expected = prepare(labeled.drop(columns=label), recognize(whole.drop(columns=label), "a", "impute"), "a", "a")
    found = batches(path, most, schema)
    assert np.array_equal(np.concatenate([part.rows for part in found]), np.arange(1, len(whole) + 1))
    unlabeled = whole[label].isna().to_numpy()
    parts = [clean(part, schema) for part in found]
    assert [fault.kind for part in parts for fault in part.faults] == ["missing label"] * int(unlabeled.sum())
    read = pd.concat([part.frame for part in parts if len(part)], ignore_index=True)
    pd.testing.assert_frame_equal(read[list(expected)], expected.reset_index(drop=True), check_dtype=False)
    for at, part in enumerate(found):  # whoever goes on from a batch meets the same batches
        rest = batches(path, most, schema, part.place)
        assert [other.table for other in rest] == [other.table for other in found[at + 1 :]]


def test_other_encodings_are_read_as_tables_and_refused_as_streams(tmp_path):
    path = tmp_path / "a.csv"
    for text, encoding in (("a,b\n1,x\n2,é\n", "latin-1"), ("a,é\n1,x\n", "latin-1"), ("a,b\n1,x\n", "utf-16")):
        path.write_bytes(text.encode(encoding))
        assert read_table(path).dialect.encoding == ("utf-16" if encoding == "utf-16" else "cp1252")
        with pytest.raises(BadInput, match="UTF-8"):
            for batch in batches(path, ALL):
                Ledger("stop").enter(batch.faults)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('a,b\n1,"x\n2,y\n3,z\n', [2]),
        ('a,b\n1,"x\n2,y\n3,"z\n4,u\n', [2, 4]),
        ('a,b\n1,"x\n2,y",3\n4,u\n', [2, 3]),  # closed, with other than the header's two values
        ('a,b\n1,5" disk,"x\n2,"y\nz"\n', [2]),
    ],
    ids=["one", "two", "too wide", "behind a quote inside"],
)
def test_a_quote_that_is_never_closed_costs_a_stream_one_line_and_a_table_all(tmp_path, text, lines):
    path = tmp_path / "a.csv"
    path.write_text(text)
    found = batches(path, ALL)
    assert [fault.line for batch in found for fault in batch.faults] == lines
    with pytest.raises(BadInput, match=r"quote|values"):
        read_table(path)


def test_text_behind_quotes_and_quotes_inside_are_read_alike(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('a,b\n5" disk,"x"y\n"""u""",v\n"w\n\nw", "z"\n')
    (batch,) = batches(path, ALL)
    pd.testing.assert_frame_equal(table_of("a", batch.table).frame, read_table(path).frame)
    assert batch.lines.tolist() == [2, 3, 4]


def test_folders_and_hive_partitions(tmp_path):
    rng = np.random.default_rng(0)
    for at, folder in enumerate(["", "day=1/kind=x y", "day=2/kind=z", ".hidden/day=3", "_tmp"]):
        place = tmp_path / "days" / folder
        place.mkdir(parents=True, exist_ok=True)
        frame = pd.DataFrame({"u": rng.normal(size=5), "v": list("abcab"), "n": at})
        frame[["v", "n", "u"] if at == 1 else ["u", "v", "n"]].to_parquet(place / f"{at}.parquet", index=False)
    whole = read_table(tmp_path / "days").frame
    assert list(whole) == ["u", "v", "n", "day", "kind"]
    assert whole["n"].tolist() == [0] * 5 + [1] * 5 + [2] * 5
    assert whole["day"].tolist() == [pd.NA] * 5 + [1] * 5 + [2] * 5
    assert whole["kind"].tolist()[5:] == ["x y"] * 5 + ["z"] * 5
    found = batches(tmp_path / "days", 3)
    tables = [batch.table.select(whole.columns.tolist()) for batch in found]
    read = table_of("a", pa.concat_tables(tables, promote_options="permissive")).frame
    pd.testing.assert_frame_equal(read, whole)


def test_a_pattern_is_the_files_that_match_it(tmp_path):
    for name in "bac":
        (tmp_path / f"{name}.csv").write_text(f"x,y\n1,{name}\n")
    parts = parts_of([str(tmp_path / "[ab].csv")])
    assert [part.path.name for part in parts] == ["a.csv", "b.csv"]
    with pytest.raises(BadInput, match="there is no file"):
        parts_of([str(tmp_path / "*.parquet")])
