"""Rows of text files, cut and put together again byte for byte."""

import codecs
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from foldless.errors import BadInput
from foldless.io import Table, read_table
from foldless.tables._written_rows import joined, written_rows


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def rows_of(content, name="t.csv"):
    Path(name).write_bytes(content)
    return written_rows(read_table(name))


def text(rows, **columns):
    return b"".join(rows.lines({name: np.array(values, dtype=object) for name, values in columns.items()}))


def test_a_new_column_is_behind_cells_that_stay_as_they_are():
    rows = rows_of(b'a,"b ""c"""\n007,"x, y"\n 1 ,"two\nlines"\n')
    assert rows.names == ("a", 'b "c"')
    assert text(rows, new=["p", "q"]) == b'a,"b ""c""",new\n007,"x, y",p\n 1 ,"two\nlines",q\n'


def test_new_cells_are_quoted_where_they_must_be():
    rows = rows_of(b"a\n1\n2\n3\n4\n")
    assert text(rows, **{"n,m": ["x,y", 'say "so"', None, np.nan]}) == b'a,"n,m"\n1,"x,y"\n2,"say ""so"""\n3,\n4,\n'
    tabs = rows_of(b"a\tb\n1\t2\n", "t.tsv")
    assert text(tabs, c=["x\ty"]) == b'a\tb\tc\n1\t2\t"x\ty"\n'


def test_a_mark_at_the_start_and_the_ends_of_lines_are_kept():
    rows = rows_of(codecs.BOM_UTF8 + b"a,b\r\n1,2\r\n\r\n3,4")
    assert text(rows, c=[5, 6]) == codecs.BOM_UTF8 + b"a,b,c\r\n1,2,5\r\n3,4,6\r\n"


def test_rows_and_columns_are_selected():
    rows = rows_of(b'a,b,c\n1,"x,y",3\n4,5,6\n').select(["c", "b"]).at(np.array([1, 0]))
    assert text(rows) == b'c,b\n6,5\n3,"x,y"\n'


def test_selecting_all_columns_cuts_nothing():
    rows = rows_of(b'a,b\n1,"x"y\n')
    assert rows.select(["a", "b"]) is rows


def test_keys_of_json_lines_are_added_and_left_out():
    rows = rows_of(b'{"a": 1.50, "b": "x"}\n\n{"a": 2e0, "b": null}\n', "t.jsonl")
    assert text(rows, c=[1, None]) == b'{"a": 1.50, "b": "x", "c": 1}\n{"a": 2e0, "b": null, "c": null}\n'
    assert text(rows.select(["b"]), c=["\u00e9", 2]) == '{"b": "x", "c": "é"}\n{"b": null, "c": 2}\n'.encode()


def test_an_object_without_the_key_stays_as_it_is_written():
    rows = rows_of(b'{"a":1.50}\n{"a":2, "b":1}\n', "t.jsonl")
    assert rows.select(["a"]).rows == [b'{"a":1.50}', b'{"a": 2}']


def test_a_key_that_is_written_with_an_escape_is_found():
    rows = rows_of(b'{"a": 1, "\\u0062": 2}\n', "t.jsonl")
    assert rows.select(["a"]).rows == [b'{"a": 1}']


def test_an_empty_object_gets_its_first_key():
    rows = rows_of(b'{"a": 1}\n{ }\n', "t.jsonl")
    assert text(rows, c=[1, 2]) == b'{"a": 1, "c": 1}\n{"c": 2}\n'


def test_files_of_the_same_columns_are_under_each_other_in_the_order_of_the_first():
    first, second = rows_of(b"a,b\n1,2\n"), rows_of(b"b,a\r\n4,3\r\n", "u.csv")
    assert text(joined([first, second])) == b"a,b\n1,2\n3,4\n"


def test_what_cannot_be_under_each_other():
    first = rows_of(b"a,b\n1,2\n")
    assert joined([first, rows_of(b"a\tb\n1\t2\n", "t.tsv")]) is None
    assert joined([first, rows_of(b"a,c\n1,2\n", "c.csv")]) is None


def test_a_table_that_is_no_text_has_no_written_rows():
    assert written_rows(Table("t", pd.DataFrame({"a": [1]}))) is None
    pd.DataFrame({"a": [1]}).to_parquet("t.parquet")
    assert written_rows(read_table("t.parquet")) is None


def test_a_file_that_changes_during_the_run_is_named():
    Path("t.csv").write_text("a,b\n1,2\n")
    table = read_table("t.csv")
    with Path("t.csv").open("a") as file:
        file.write("3,4\n")
    with pytest.raises(BadInput, match=r"t\.csv has changed since .*: keep it as it is for the run"):
        written_rows(table)


def test_values_stay_as_they_are_behind_another_mark():
    rows = rows_of(b'day\ta,b\n05/01/2026\t007\n06/01/2026\t"x, ""y\t"\n', "t.tsv").with_delimiter(",")
    assert text(rows, c=["p", "q"]) == b'day,"a,b",c\n05/01/2026,007,p\n06/01/2026,"x, ""y\t",q\n'
