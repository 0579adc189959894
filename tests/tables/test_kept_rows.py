"""Rows that go out with labels are those that came in, byte for byte; labels are spelled as they were."""

import csv
import gzip
import io
import json
import random
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from helpers.command import run
from helpers.slow import slow_beyond

from foldless.io import read_table
from foldless.tables import read_problem
from foldless.tables._kept_rows import KeptRows
from foldless.tables._written_rows import written_rows

DATA = Path(__file__).parents[3] / "shared" / "data"
ODD = {"id": "00001", "big": "12345678901234567891", "phone": "+49123", "note": "NA"}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def train(labels: tuple[str, str] = ("01", "02"), name: str = "train.csv") -> None:
    lines = [f"{at % 2 * 3 + at / 100},{labels[at % 2]}" for at in range(40)]
    Path(name).write_text("x,y\n" + "\n".join(lines) + "\n")


def select(*args: str) -> None:
    run("select", "train.csv", "--label", "y", "--grid", "C=1", "--criterion", "k-fold", *args)


def test_predict_copies_what_the_model_does_not_read() -> None:
    train()
    select("--save", "m.skops")
    Path("new.csv").write_text("id,big,phone,note,x\n00001,12345678901234567891,+49123,NA,3.50\n2,3,4,NA,0\n")
    expected = "id,big,phone,note,x,predicted_y\n00001,12345678901234567891,+49123,NA,3.50,02\n2,3,4,NA,0,01\n"
    assert run("predict", "m.skops", "new.csv", "--no-probabilities").stdout == expected
    run("predict", "m.skops", "new.csv", "--no-probabilities", "--output", "out.csv")
    assert Path("out.csv").read_bytes() == expected.encode()


@pytest.mark.parametrize("ending", ["parquet", "jsonl", "tsv"])
def test_in_another_format_values_are_the_same(ending: str) -> None:
    train()
    select("--save", "m.skops")
    Path("new.csv").write_text("id,big,phone,note,x,n\n00001,12345678901234567891,+49123,NA,3.50,7\n2,3,4,NA,0,8\n")
    run("predict", "m.skops", "new.csv", "--no-probabilities", "--output", f"out.{ending}")
    if ending == "parquet":
        frame = pd.read_parquet("out.parquet")
        assert frame["n"].tolist() == [7, 8]  # what loses nothing stays a number
    elif ending == "jsonl":
        frame = pd.DataFrame([json.loads(line) for line in Path("out.jsonl").read_text().splitlines()])
    else:
        frame = pd.read_csv("out.tsv", sep="\t", dtype=str, keep_default_na=False)
    assert {name: frame[name][0] for name in ODD} == ODD
    assert frame["predicted_y"].tolist() == ["02", "01"]


def test_quotes_ends_of_lines_and_empty_lines() -> None:
    train()
    select("--save", "m.skops")
    content = b'\xef\xbb\xbf"x",y,"a,b",c\r\n1,9,"p, ""q""\r\nr", z \r\n\r\n"4",8,"",\'\r\n3,7,p"q,"r"s'
    Path("new.csv").write_bytes(content)
    run("predict", "m.skops", "new.csv", "--no-probabilities", "--output", "out.csv")
    expected = (
        b'\xef\xbb\xbf"x",y,"a,b",c,predicted_y\r\n1,9,"p, ""q""\r\nr", z ,01\r\n"4",8,"",\',02\r\n3,7,p"q,"r"s,02\r\n'
    )
    assert Path("out.csv").read_bytes() == expected


def test_the_pool_of_select_is_copied_too() -> None:
    train()
    with Path("train.csv").open("a") as file:
        file.write("3.10,\n")
    Path("pool.csv").write_text("y,x\n,3.20\n,0.00\n")
    select("--unlabeled", "pool.csv", "--predict", "out.csv", "--no-probabilities")
    assert Path("out.csv").read_text() == "x,y,predicted_y\n3.10,,02\n3.20,,02\n0.00,,01\n"


def test_json_lines_and_decimals() -> None:
    train()
    select("--save", "m.skops")
    Path("new.jsonl").write_text('{"id": 12345678901234567891, "x":3.50}\n{"x": 0, "y": "?", "id": 1.10}\n')
    run("predict", "m.skops", "new.jsonl", "--no-probabilities", "--output", "out.jsonl")
    lines = Path("out.jsonl").read_text().splitlines()
    assert lines == [
        '{"id": 12345678901234567891, "x":3.50, "predicted_y": "02"}',
        '{"x": 0, "y": "?", "id": 1.10, "predicted_y": "01"}',
    ]
    assert "12345678901234567891," in run("predict", "m.skops", "new.jsonl", "--no-probabilities").stdout
    exact = pa.array(["12345678901234567891.25", "1.10"]).cast(pa.decimal128(30, 2))
    pq.write_table(pa.table({"x": [3.5, 0.0], "price": exact}), "new.parquet")
    assert (
        run("predict", "m.skops", "new.parquet", "--no-probabilities").stdout.splitlines()[1]
        == "3.5,12345678901234567891.25,02"
    )
    run("predict", "m.skops", "new.parquet", "--no-probabilities", "--output", "out.parquet")
    assert pq.read_table("out.parquet")["price"].to_pylist() == exact.to_pylist()


def test_a_column_may_be_named_self() -> None:
    train()
    select("--save", "m.skops")
    Path("new.jsonl").write_text('{"self": 12345678901234567891, "x": 3.5}\n')
    assert "12345678901234567891," in run("predict", "m.skops", "new.jsonl", "--no-probabilities").stdout
    Path("new.csv").write_text("self,x\n00001,3.50\n2,0\n")
    run("predict", "m.skops", "new.csv", "--no-probabilities", "--output", "out.parquet")
    assert pd.read_parquet("out.parquet")["self"].tolist() == ["00001", "2"]


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        (["01", "02"], ["01", "02"]),
        (["007", "7", "8"], ["007", "7", "8"]),
        (["+1", "-1", "2"], ["+1", "-1", "2"]),
        (["1", "2"], [1, 2]),
        (["1.0", "2.0"], [1, 2]),
        (["true", "false"], ["false", "true"]),
        (["True", "False"], [False, True]),
        (["9007199254740992", "9007199254740993"], [2**53, 2**53 + 1]),
        (["12345678901234567891", "12345678901234567892"], ["12345678901234567891", "12345678901234567892"]),
        (["9007199254740992.0", "9007199254740993.0"], ["9007199254740992.0", "9007199254740993.0"]),
        (["2024-01-01 10:00", "2024-01-02 10:00"], ["2024-01-01 10:00", "2024-01-02 10:00"]),
    ],
)
def test_labels_keep_their_spelling(labels: list[str], classes: list[object]) -> None:
    Path("a.csv").write_text("x,y\n" + "".join(f"{at},{label}\n" for at, label in enumerate(labels * 3)) + "1,\n")
    assert read_problem("a.csv", "y").classes.tolist() == classes


def test_labels_with_a_decimal_comma_are_whole_numbers_too() -> None:
    Path("a.csv").write_text("x;y\n" + "0,5;1,0\n1,5;0,0\n2,5;\n" * 3)
    assert read_problem("a.csv", "y").classes.tolist() == [0, 1]


def test_labels_that_would_merge_are_refused() -> None:
    Path("a.csv").write_text("x,y\n1,1\n2,1.0\n3,2\n4,2\n")
    message = "column 'y' of a.csv spells one label as '1' and as '1.0'"
    assert message in run("select", "a.csv", "--label", "y", status=2).stderr
    Path("a.svm").write_text("9007199254740992 1:1\n9007199254740993 1:2\n" * 3)
    assert "numbers from 2**53" in run("select", "a.svm", status=2).stderr


def test_a_model_of_text_labels_is_estimated_on_labels_that_look_like_numbers() -> None:
    Path("train.csv").write_text("x,y\n" + "-5,01\n0,10\n5,11\n" * 20)
    select("--save", "m.skops")
    Path("new.csv").write_text("x,y\n" + "0,10\n5,11\n" * 30)
    assert json.loads(run("estimate", "m.skops", "new.csv", "--json").stdout)["value"] > 0.9


def generated(rng: random.Random) -> tuple[bytes, list[list[str]]]:
    """A CSV file as programs write it, and its cells."""
    signs = [
        "0",
        "7",
        "+",
        "-",
        ".",
        "e",
        "N",
        "A",
        " ",
        "ü",
        "'",
        ";",
        "\t",
        ",",
        '"',
        "\n",
        "\r\n",
        "NA",
        "null",
        "00",
    ]
    n = rng.randint(1, 4)
    table = [[f"c{at}" for at in range(n)]]
    table += [["".join(rng.choices(signs, k=rng.randint(0, 5))) for _ in range(n)] for _ in range(rng.randint(1, 8))]
    table = [row if n > 1 else [row[0] or "-"] for row in table]
    text = io.StringIO(newline="")
    quoting = rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    csv.writer(text, lineterminator=rng.choice(["\n", "\r\n"]), quoting=quoting).writerows(table)
    return text.getvalue().encode(), table


@pytest.mark.parametrize("seeds", slow_beyond(1, [range(40), range(40, 500)]))
def test_generated_files_come_out_as_they_went_in(seeds: range) -> None:
    for seed in seeds:
        comes_out_as_generated(seed)


def comes_out_as_generated(seed: int) -> None:
    content, table = generated(random.Random(seed))
    Path("a.csv").write_bytes(content)
    read = read_table("a.csv")
    rows = KeptRows([(read, None)], "label")
    labels = np.array([f"k{at}" for at in range(len(read.frame))], dtype=object)
    rows.write("out.csv", {"label": labels})
    expected = [[*row, label] for row, label in zip(table, ["label", *labels], strict=True)]
    assert list(csv.reader(io.StringIO(Path("out.csv").read_bytes().decode(), newline=""))) == expected, seed
    assert rows.frame.shape == read.frame.shape, seed
    kept = written_rows(read)
    assert kept is not None, seed
    end = kept.end
    assert end.join([kept.header, *kept.rows]) + end == content, seed


def test_rows_of_text_and_of_parquet_are_under_each_other() -> None:
    pd.DataFrame({"x": [1]}).to_csv("a.csv", index=False)
    pd.DataFrame({"x": [2]}).to_parquet("b.parquet")
    parts = [(read_table("a.csv"), None), (read_table("b.parquet"), None)]
    KeptRows(parts, "y").write("out.csv", {"n": np.arange(2)})
    assert Path("out.csv").read_text() == "x,n\n1,0\n2,1\n"


FILES = [path for ending in ("parquet", "jsonl.gz") for path in sorted(DATA.rglob(f"*.{ending}"))]
SMALL = [path for path in FILES if path.stat().st_size < 2**19]


@pytest.mark.slow
@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.name)
def test_real_files_come_out_as_they_went_in(path: Path) -> None:
    comes_out(path)


@pytest.mark.nightly
@pytest.mark.parametrize("path", [path for path in FILES if path not in SMALL], ids=lambda path: path.name)
def test_large_real_files_come_out_as_they_went_in(path: Path) -> None:
    comes_out(path)


def comes_out(path: Path) -> None:
    """A file of labels behind a file has all of it: JSON lines and CSV byte for byte, Parquet value for value."""
    read = read_table(path)
    zeros = {"the label": np.zeros(len(read.frame), dtype=int)}
    if path.suffix == ".gz":
        KeptRows([(read, None)], "the label").write("out.jsonl", zeros)
        before = gzip.decompress(path.read_bytes()).splitlines()
        assert Path("out.jsonl").read_bytes().splitlines() == [line[:-1] + b', "the label": 0}' for line in before]
        return
    arrow = pq.read_table(path)
    KeptRows([(read, None)], "the label").write("out.parquet", zeros)
    assert pq.read_table("out.parquet").drop_columns("the label").to_pylist() == arrow.to_pylist()
    if any(pa.types.is_nested(field.type) for field in arrow.schema):
        return
    pyarrow.csv.write_csv(arrow, "a.csv")
    KeptRows([(read_table("a.csv"), None)], "the label").write("out.csv", zeros)
    header, *rows = Path("a.csv").read_bytes().splitlines()
    assert Path("out.csv").read_bytes().splitlines() == [header + b",the label", *(row + b",0" for row in rows)]


@pytest.mark.parametrize("index", ["", "__index_level_0__"])
def test_an_index_that_pandas_wrote_comes_out_too(index: str) -> None:
    lines = [f"{index},x,y", *(f"{at:03}7,{at % 2 * 5 + at % 3},{'ab'[at % 2]}" for at in range(24))]
    Path("a.csv").write_text("\n".join(lines) + "\n")
    run("select", "a.csv", "--label", "y", "--model", "naive-bayes", "--criterion", "hold-out", "--save", "m.skops")
    shown = run("predict", "m.skops", "a.csv", "--no-probabilities").stdout.splitlines()
    assert [line.rpartition(",")[0] for line in shown] == lines
    run("predict", "m.skops", "a.csv", "--no-probabilities", "--output", "out.parquet")
    assert pq.read_table("out.parquet").column_names == [index, "x", "y", "predicted_y"]


@pytest.mark.parametrize(("own", "other"), [("tsv", "csv"), ("csv", "tsv")])
def test_tabs_and_commas_change_places_and_dates_do_not_change(own: str, other: str) -> None:
    marks = {"csv": ",", "tsv": "\t"}
    rows = [f"{day}/01/2026 007 {day / 10}".split() for day in range(10, 29)]
    Path(f"p.{own}").write_text("\n".join(marks[own].join(row) for row in [["day", "code", "x"], *rows]) + "\n")
    kept = KeptRows([(read_table(f"p.{own}"), None)], "y")
    kept.write(f"out.{other}", {"new": np.arange(19)})
    assert Path(f"out.{other}").read_text().splitlines()[1] == marks[other].join([*rows[0], "0"])
    printed = io.BytesIO()
    kept.print_csv(printed, {"new": np.arange(19)})
    assert printed.getvalue().splitlines()[1] == ",".join([*rows[0], "0"]).encode()
