"""Exports of spreadsheets: read as their plain twin, or refused with the option that decides."""

import datetime
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.slow import slow_beyond

from foldless.errors import BadInput, ReadAs
from foldless.io import Dialect, FileOptions, read_table
from foldless.io._dialect import as_western, cut_separator, delimiter_of

N = 40
DELIMITERS, DECIMALS, ENCODINGS = (";", "\t", "|", ","), (",", "."), ("utf-8", "utf-8-sig", "cp1252", "utf-16")
DATES, GROUPS = ("%d/%m/%Y", "%d.%m.%Y", "%Y-%m-%d", "%m/%d/%Y"), ("", ".", ",", " ", "\u00a0", "'")


@pytest.fixture
def plain() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame({
        "größe": np.round(rng.normal(50, 20, N), 2),
        "preis": np.round(rng.uniform(500, 30_000, N), 2),
        "stück": rng.integers(1, 90_000, N),
        "stadt": rng.choice(["Köln", "Zürich", "Lyon; Est", 'a "b" c', "x, y", "a|b"], N),
        "tag": [datetime.date(2023, 1, 5) + datetime.timedelta(days=day) for day in range(N)],
        "klasse": rng.choice(["ja", "nein"], N),
    })  # fmt: skip


def grouped(value: float, decimal: str, group: str, places: int) -> str:
    return f"{value:,.{places}f}".replace(",", "\0").replace(".", decimal).replace("\0", group)


def export(
    frame: pd.DataFrame, path: Path, delimiter: str, decimal: str, encoding: str, dates: str, group: str
) -> None:
    """A file as a program of another country writes it."""
    written = frame.copy()
    for name, places in {"größe": 2, "preis": 2, "stück": 0}.items():
        written[name] = [grouped(value, decimal, group, places) for value in frame[name]]
    written["tag"] = [day.strftime(dates) for day in frame["tag"]]
    written.to_csv(path, index=False, sep=delimiter, encoding=encoding)


@pytest.mark.parametrize("encoding", slow_beyond(2, ENCODINGS))
@pytest.mark.parametrize("delimiter", slow_beyond(2, DELIMITERS))
def test_exports_are_read_as_their_plain_twin(
    tmp_path: Path, plain: pd.DataFrame, delimiter: str, encoding: str
) -> None:
    plain.to_csv(tmp_path / "plain.csv", index=False)
    twin = read_table(tmp_path / "plain.csv")
    assert twin.dialect == Dialect()
    assert twin.notes == ()
    for decimal, dates, group in product(DECIMALS, DATES, GROUPS):
        if group != decimal:
            export(plain, tmp_path / "x.csv", delimiter, decimal, encoding, dates, group)
            table = read_table(tmp_path / "x.csv")
            pd.testing.assert_frame_equal(table.frame, twin.frame)
            assert table.dialect is not None
            assert table.dialect.delimiter == delimiter
            assert table.dialect.decimal == decimal


def read(tmp_path: Path, content: str | bytes, like: Dialect | None = None, **options: str):
    (tmp_path / "a.csv").write_bytes(content.encode() if isinstance(content, str) else content)
    return read_table(tmp_path / "a.csv", FileOptions(**options), like)


@pytest.mark.parametrize(
    ("content", "setting"),
    [
        ("a;b\n1.234;x\n5.678;y\n", "decimal"),
        ("a;b\n1,234;x\n5,678;y\n", "decimal"),
        ("a;b|c\nx;y|z\nu;v|w\n", "delimiter"),
        ("a,b\nПривет,1\n".encode("cp1251"), "encoding"),
        ("a,b\nzażółć,1\n".encode("cp1250"), "encoding"),
        ("a,b\nété,1\n".encode()[:-5] + b"\xc3", "encoding"),
    ],
    ids=["thousand or fraction", "thousand or fraction, comma", "two marks", "Cyrillic", "Polish", "cut UTF-8"],
)
def test_what_cannot_be_seen_is_asked(tmp_path: Path, content: str | bytes, setting: str) -> None:
    with pytest.raises(BadInput) as caught:
        read(tmp_path, content)
    named = [name for remedy in caught.value.remedies if isinstance(remedy, ReadAs) for name, _ in remedy.settings]
    assert set(named) == {setting}


def test_what_is_said_counts(tmp_path: Path) -> None:
    number = "a;b\n1,234;x\n5,678;y\n"
    assert read(tmp_path, number, decimal=",").frame["a"].tolist() == [1.234, 5.678]
    assert read(tmp_path, number, decimal=".").frame["a"].tolist() == [1234, 5678]
    assert read(tmp_path, "a;b|c\nx;y|z\nu;v|w\n", delimiter=";").frame["b|c"].tolist() == ["y|z", "v|w"]
    polish = read(tmp_path, "a,b\nzażółć,1\n".encode("cp1250"), encoding="cp1250")
    assert polish.frame["a"][0] == "zażółć"
    day = read(tmp_path, "d,b\n03/04/2023,1\n05/06/2023,2\n", date_format="%m/%d/%Y")
    assert day.frame["d"][0] == datetime.date(2023, 3, 4)


def test_a_file_read_before_decides_what_is_open(tmp_path: Path) -> None:
    train = Dialect(";", ",", date_format="%d/%m/%Y")
    pool = read(tmp_path, "a;d\n1,234;03/04/2023\n5,678;05/06/2023\n", train)
    assert pool.frame["a"].tolist() == [1.234, 5.678]
    assert pool.frame["d"][0] == datetime.date(2023, 4, 3)
    other = read(tmp_path, "a,d\n1.5,03/14/2023\n2.25,05/16/2023\n", train)  # clearly another one
    assert other.frame["a"].tolist() == [1.5, 2.25]
    assert other.frame["d"][0] == datetime.date(2023, 3, 14)


def test_ambiguous_dates_are_said_and_not_guessed(tmp_path: Path) -> None:
    table = read(tmp_path, "d,b\n03/04/2023,1\n05/06/2023,2\n")
    assert table.frame["d"][0] == "03/04/2023"
    (note,) = table.notes
    assert "day and month cannot be told apart" in note
    assert "%d/%m/%Y" in note
    assert "%m/%d/%Y" in note


def test_a_note_repeats_what_was_found_as_settings(tmp_path: Path) -> None:
    table = read(tmp_path, "sep=;\na;b\n1,5;x\n2,25;é\n".encode("cp1252"))
    assert table.notes == (
        f"{tmp_path / 'a.csv'} is read with semicolons between values, decimal commas, cp1252: as with "
        "fmt=FileOptions(delimiter=';', decimal=',', encoding='cp1252')",
    )


@pytest.mark.parametrize(
    ("content", "kinds"),
    [
        ("id,label\n1,a;b\n2,b;c\n", ["Int64", "object"]),  # several labels
        ("id;x,label\na;b,c\nd;e,f\n", ["object", "object"]),
        ("a,b\n192.168.1.1,x\n10.0.0.1,y\n", ["object", "object"]),
        ("a,b\n1.5,x\n2.125,y\n", ["float64", "object"]),
        ("a,b\n1.234,x\n5.678,y\n", ["float64", "object"]),
        ("a,b\n13/04/2023,x\n05/26/2023,y\n", ["object", "object"]),  # neither order fits
        ('a,b\n"1,2",x\n"3,4,5",y\n', ["object", "object"]),  # several labels
        ("a,b\n12 345 6,x\n1 2,y\n", ["object", "object"]),
    ],
)
def test_plain_files_stay_as_they_were(tmp_path: Path, content: str, kinds: list[str]) -> None:
    table = read(tmp_path, content)
    assert table.frame.dtypes.astype(str).tolist() == kinds
    assert table.notes == ()


def test_settings_that_no_file_can_have() -> None:
    for wrong in ({"delimiter": ";;"}, {"delimiter": '"'}, {"decimal": ";"}, {"encoding": "utf-99"}):
        with pytest.raises(BadInput, match=r"pass (one|another)|pass one of these"):
            FileOptions(**wrong)


def test_the_parts() -> None:
    assert cut_separator(b"sep=;\r\na;b\r\n") == (b"a;b\r\n", ";")
    assert cut_separator(b"separate;b\n")[1] is None
    assert delimiter_of("a", b"x;y,z\n1;2,5\n3;4\n", ",") == ";"
    assert delimiter_of("a", b"preis, EUR;menge, kg\n1,5;2,5\n3,25;7,5\n", ",") == ";"
    assert as_western("Straße, naïve, 5 °C, 3 m²".encode("cp1252")) is not None
    assert as_western("Ελλάδα".encode("cp1253")) is None
