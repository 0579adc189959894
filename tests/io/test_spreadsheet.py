"""Sheets are read as their CSV twin."""

import datetime
import sys
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from foldless.errors import BadInput
from foldless.io import FileOptions, read_table

pytest.importorskip("python_calamine")
pytest.importorskip("openpyxl")

FRAME = pd.DataFrame({
    "whole": pd.array([1, 2, None, 40], dtype="Int64"),
    "size": [1.5, None, 3.25, 4.0],
    "when": [datetime.date(2023, 12, 25), datetime.date(2024, 1, 3), None, datetime.date(2024, 2, 29)],
    "city": ["Köln", "a;b", None, "x, y"],
    "mixed": ["1", "x", "2", None],
    "yes": [True, False, True, True],
})  # fmt: skip
MANIFEST = """<?xml version="1.0" encoding="UTF-8"?>
<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2">
<manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/>
</manifest:manifest>"""
ODS = """<?xml version="1.0" encoding="UTF-8"?>
<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 office:version="1.2"><office:body><office:spreadsheet><table:table table:name="rows">{rows}</table:table>
</office:spreadsheet></office:body></office:document-content>"""


def as_ods(path: Path, rows: list[list[object]]) -> None:
    def cell(value: object) -> str:
        kind = f'float" office:value="{value}' if isinstance(value, float) else "string"
        return f'<table:table-cell office:value-type="{kind}"><text:p>{value}</text:p></table:table-cell>'

    body = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", MANIFEST)
        archive.writestr("content.xml", ODS.format(rows=body))


def test_a_sheet_is_read_as_its_csv_twin(tmp_path: Path) -> None:
    FRAME.to_csv(tmp_path / "a.csv", index=False)
    FRAME.to_excel(tmp_path / "a.xlsx", index=False)
    sheet, text = read_table(tmp_path / "a.xlsx").frame, read_table(tmp_path / "a.csv").frame
    plain = ["whole", "size", "yes"]
    pd.testing.assert_frame_equal(sheet[plain], text[plain])
    assert sheet[["city", "mixed"]].fillna("").equals(text[["city", "mixed"]].fillna(""))
    assert sheet["when"].astype(str).str[:10].tolist() == text["when"].astype(str).tolist()


def test_sheets_by_name_and_a_note_on_the_others(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    with pd.ExcelWriter(path) as writer:
        FRAME.to_excel(writer, sheet_name="first", index=False)
        pd.DataFrame({"x": [1, 2]}).to_excel(writer, sheet_name="second", index=False)
    table = read_table(path)
    assert list(table.frame) == list(FRAME)
    (note,) = table.notes
    assert "'first' is read and its sheet 'second' is not" in note
    assert read_table(path, FileOptions(sheet="second")).frame["x"].tolist() == [1, 2]
    assert read_table(path, FileOptions(sheet="second")).notes == ()
    with pytest.raises(BadInput, match=r"no sheet 'third'; its sheets are 'first', 'second'"):
        read_table(path, FileOptions(sheet="third"))


def test_open_document(tmp_path: Path) -> None:
    as_ods(tmp_path / "a.ods", [["x", "name"], [1.0, "a"], [2.5, "b"]])
    frame = read_table(tmp_path / "a.ods").frame
    assert frame["x"].tolist() == [1.0, 2.5]
    assert frame["name"].tolist() == ["a", "b"]


def test_what_cannot_be_read_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken.xlsx").write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(BadInput, match=r"no spreadsheet, or it is damaged"):
        read_table(tmp_path / "broken.xlsx")
    pd.DataFrame().to_excel(tmp_path / "empty.xlsx", index=False)
    with pytest.raises(BadInput, match=r"is empty: it needs a header and rows"):
        read_table(tmp_path / "empty.xlsx")
    pd.DataFrame([[1, 2]], columns=["a", "a"]).to_excel(tmp_path / "twice.xlsx", index=False)
    with pytest.raises(BadInput, match=r"column 'a' occurs twice"):
        read_table(tmp_path / "twice.xlsx")
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(BadInput, match=r"install foldless\[excel\], or save it as CSV"):
        read_table(tmp_path / "twice.xlsx")
