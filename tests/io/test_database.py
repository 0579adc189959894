"""Tables and queries of SQLite and DuckDB files are read as their CSV twin, and nothing is written."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest
from helpers.command import run

from foldless.errors import BadInput
from foldless.io import FileOptions, read_table

FRAME = pd.DataFrame({
    "whole": pd.array([1, 2, None, 40], dtype="Int64"), "size": [1.5, None, 3.25, 4.0],
    "city": ["Köln", "a;b", None, "x, y"], "when": ["2023-12-25", "2024-01-03", None, "2024-02-29"],
})  # fmt: skip


def to_sqlite(path: Path, **frames: pd.DataFrame) -> None:
    with closing(sqlite3.connect(path)) as file:
        for name, frame in frames.items():
            frame.astype(object).where(frame.notna(), None).to_sql(name, file, index=False)
        file.commit()


def to_duckdb(path: Path, **frames: pd.DataFrame) -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(path)) as file:
        for name, frame in frames.items():
            file.register("frame", frame)
            file.execute(f'CREATE TABLE "{name}" AS SELECT * FROM frame')


KINDS = {"a.sqlite": to_sqlite, "a.db": to_sqlite, "a.duckdb": to_duckdb}


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_is_read_as_its_csv_twin(tmp_path, kind):
    KINDS[kind](tmp_path / kind, rows=FRAME)
    FRAME.to_csv(tmp_path / "a.csv", index=False)
    ours, twin = read_table(tmp_path / kind).frame, read_table(tmp_path / "a.csv").frame
    pd.testing.assert_frame_equal(ours[["whole", "size"]], twin[["whole", "size"]])
    assert ours[["city"]].fillna("").equals(twin[["city"]].fillna(""))
    assert (
        ours["when"].fillna("").astype(str).tolist()
        == twin["when"].astype(object).where(twin["when"].notna(), "").astype(str).tolist()
    )


@pytest.mark.parametrize("kind", KINDS)
def test_of_several_tables_one_is_named(tmp_path, kind):
    KINDS[kind](tmp_path / kind, one=FRAME, two=FRAME[["size"]])
    with pytest.raises(BadInput, match="has 2 tables: 'one', 'two'"):
        read_table(tmp_path / kind)
    with pytest.raises(BadInput, match="has no table 'three': 'one', 'two'"):
        read_table(tmp_path / kind, FileOptions(table="three"))
    assert list(read_table(tmp_path / kind, FileOptions(table="two")).frame) == ["size"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_query_reads_and_does_nothing_else(tmp_path, kind, monkeypatch):
    monkeypatch.chdir(tmp_path)
    KINDS[kind](tmp_path / kind, one=FRAME)
    before = Path(kind).read_bytes()
    table = read_table(kind, FileOptions(query="SELECT size * 2 AS double FROM one WHERE whole > 1 ORDER BY whole"))
    assert table.frame["double"].tolist()[1:] == [8.0]
    with pytest.raises(BadInput, match=r"its tables are 'one': mend the query"):
        read_table(kind, FileOptions(query="SELECT x FROM nothing"))
    for writing in ("DROP TABLE one", "DELETE FROM one", "ATTACH 'other.db' AS o", "COPY one TO 'out.csv'"):
        with pytest.raises(BadInput):
            read_table(kind, FileOptions(query=writing))
    assert Path(kind).read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {kind}


def test_what_is_no_database_says_so(tmp_path):
    (tmp_path / "a.db").write_text("whole,size\n1,2\n")
    with pytest.raises(BadInput, match="neither an SQLite nor a DuckDB file"):
        read_table(tmp_path / "a.db")
    to_sqlite(tmp_path / "b.db")
    with closing(sqlite3.connect(tmp_path / "c.db")) as file:
        file.execute("CREATE TABLE rows (picture BLOB)")
        file.execute("INSERT INTO rows VALUES (x'00')")
        file.commit()
    with pytest.raises(BadInput, match=r"column 'picture' of .* holds bytes"):
        read_table(tmp_path / "c.db")


def test_the_command_line_names_the_options(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = pd.DataFrame({"x": range(40), "kind": ["a", "b"] * 20})
    to_sqlite(tmp_path / "shop.sqlite", rows=rows, others=FRAME)
    typed = ("check", "shop.sqlite", "--label", "kind", "--fast")
    assert "name one with --table rows" in run(*typed, status=2).stderr
    assert "shop.sqlite 40 rows" in run(*typed, "--table", "rows").stdout
    assert "shop.sqlite 30 rows" in run(*typed, "--query", "SELECT * FROM rows LIMIT 30").stdout
    rows.to_csv("rows.csv", index=False)
    assert "rows.csv is no database" in run("check", "rows.csv", "--label", "kind", "--table", "x", status=2).stderr
