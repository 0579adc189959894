"""Shell completion: through click's API, and in a real bash."""

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from foldless.cli import main
from foldless.cli.commands.completion import SHELLS, VARIABLE

BIN = Path(sys.executable).parent


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame({"topic": ["a"], "title": ["b"], "body": ["c"], "two words": ["d"]})
    frame.to_csv("train.csv", index=False)
    frame.to_csv("train.tsv", index=False, sep="\t")
    frame.to_parquet("train.parquet", index=False)
    frame.to_csv("europe.csv", index=False, sep=";", encoding="utf-16")
    frame.to_json("train.jsonl", orient="records", lines=True)
    frame.to_csv("train.csv.gz", index=False)
    frame.to_feather("train.arrow")
    Path("excel.csv").write_text("sep=;\r\n" + frame.to_csv(index=False, sep=";"), encoding="cp1252")
    frame.rename(columns={"body": "Größe"}).to_csv("western.csv", index=False, encoding="cp1252")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1")
    for name in ("broken.xlsx", "broken.ods", "broken.sqlite", "broken.duckdb", "broken.jsonl", "broken.csv.gz"):
        (tmp_path / name).write_bytes(b"\x00\x01 nothing of the kind")
    with closing(sqlite3.connect("shop.sqlite")) as file:
        file.execute("CREATE TABLE orders (topic TEXT, title TEXT, body TEXT, 'two words' TEXT)")
        file.execute("CREATE TABLE customers (name TEXT, city TEXT)")
    with closing(sqlite3.connect("one.db")) as file:
        file.execute("CREATE TABLE orders (topic TEXT, title TEXT, body TEXT, 'two words' TEXT)")
    return tmp_path


def offered(*words: str) -> list[str]:
    *args, incomplete = words
    return [item.value for item in ShellComplete(main, {}, "foldless", VARIABLE).get_completions(args, incomplete)]


def test_commands_and_options() -> None:
    assert offered("") == sorted(main.commands)
    assert offered("pre") == ["predict"]
    assert offered("select", "--una") == []
    assert offered("select", "--unl") == ["--unlabeled"]
    assert offered("select", "--model", "n") == ["nearest-neighbors", "naive-bayes", "neighbor-spreading"]
    assert offered("select", "--model", "co-") == ["co-training", "co-regularized"]


WITH_HEADER = ("train.csv", "train.tsv", "train.parquet", "europe.csv", "train.jsonl", "train.csv.gz", "train.arrow",
               "excel.csv", "one.db")  # fmt: skip


@pytest.mark.parametrize("file", WITH_HEADER)
def test_columns_come_from_the_header(file: str) -> None:
    assert offered("select", file, "--label", "") == ["topic", "title", "body"]  # the one with a blank needs quotes
    assert offered("select", file, "--label", "t") == ["topic", "title"]
    assert offered("select", file, "--label", "topic", "--drop", "b") == ["body"]
    assert offered("compare", file, "--grid", "C=1", "--label", "x") == []
    assert offered("select", file, "--view", "b") == ["body"]
    assert offered("select", file, "--view", "body,ti") == ["body,title"]


NOTHING = ("nothing.csv", "nothing.xlsx", "nothing.db", "broken.parquet", "broken.xlsx", "broken.ods", "broken.sqlite",
           "broken.duckdb", "broken.jsonl", "broken.csv.gz", "train.weird", ".")  # fmt: skip


@pytest.mark.parametrize("file", NOTHING)
def test_no_columns_where_none_can_be_seen(file: str) -> None:
    assert offered("select", file, "--label", "") == []
    assert offered("select", file, "--table", "") == []
    assert offered("select", file, "--sheet", "") == []


def test_a_file_of_windows_in_europe() -> None:
    assert offered("select", "western.csv", "--label", "") == ["topic", "title"]  # the shell would have to quote Größe
    assert offered("select", "train.csv", "--delimiter", ";", "--label", "") == []


def test_tables_of_a_database_and_their_columns() -> None:
    assert offered("select", "shop.sqlite", "--table", "") == ["orders", "customers"]
    assert offered("select", "shop.sqlite", "--table", "o") == ["orders"]
    assert offered("select", "shop.sqlite", "--table", "customers", "--label", "") == ["name", "city"]
    assert offered("select", "shop.sqlite", "--label", "") == []  # of which table?
    assert offered("select", "shop.sqlite", "--table", "nosuch", "--label", "") == []


def test_tables_of_duckdb(folder: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(folder / "shop.duckdb")) as file:
        file.execute("CREATE TABLE orders (topic TEXT, title TEXT)")
        file.execute("CREATE TABLE customers (name TEXT)")
    assert offered("select", "shop.duckdb", "--table", "") == ["customers", "orders"]
    assert offered("check", "shop.duckdb", "--table", "orders", "--label", "t") == ["topic", "title"]


def test_sheets_and_their_columns(folder: Path) -> None:
    pytest.importorskip("python_calamine")
    pytest.importorskip("openpyxl")
    with pd.ExcelWriter(folder / "book.xlsx") as book:
        pd.DataFrame({"topic": [1], "title": ["a"]}).to_excel(book, sheet_name="Labeled", index=False, startrow=2)
        pd.DataFrame({"city": [1], "two words": ["a"]}).to_excel(book, sheet_name="Places", index=False)
    assert offered("select", "book.xlsx", "--sheet", "") == ["Labeled", "Places"]
    assert offered("select", "book.xlsx", "--label", "") == ["topic", "title"]
    assert offered("select", "book.xlsx", "--sheet", "Places", "--label", "") == ["city"]


def test_columns_of_other_options() -> None:
    assert offered("quantify", "train.csv", "--by", "b") == ["body"]
    assert offered("compare", "train.csv", "--by", "") == []  # a metric
    assert offered("check", "train.csv", "--groups", "ti") == ["title"]
    assert offered("stream", "train", "train.csv", "--label", "to") == ["topic"]


def test_no_table_no_columns() -> None:
    assert offered("select", "--label", "") == []


def test_criteria_one_or_several() -> None:
    assert offered("select", "--criterion", "k") == ["k-fold", "k-fold|dagging"]
    assert offered("compare", "--criteria", "k-fold,ho") == ["k-fold,hold-out"]


@pytest.mark.parametrize("words", [("select", ""), ("select", "t", "--unlabeled", ""), ("select", "--save", ""),
                                   ("predict", ""), ("predict", "m", ""), ("predict", "--output", "")])  # fmt: skip
def test_files_are_left_to_the_shell(words: tuple[str, ...]) -> None:
    *args, incomplete = words
    (item,) = ShellComplete(main, {}, "foldless", VARIABLE).get_completions(args, incomplete)
    assert item.type == "file"


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_for_each_shell(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    printed = CliRunner().invoke(main, ["completion", shell])
    assert printed.exit_code == 0
    assert f"{VARIABLE}={shell}_complete" in printed.stdout
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    assert CliRunner().invoke(main, ["completion"]).stdout == printed.stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_a_real_bash(folder: Path) -> None:
    script = f"""
    PATH={BIN}:$PATH
    eval "$(foldless completion bash)"
    COMP_WORDS=(foldless select train.csv --label t); COMP_CWORD=4
    _foldless_completion foldless t --label
    echo "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, cwd=folder)
    assert (done.stdout, done.stderr) == ("topic title\n", "")
