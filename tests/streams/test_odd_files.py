"""Files that broke a stream: stray carriage returns, the same file under two names, an index among the columns."""

import json
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.command import run

from foldless.streams import train

ROWS = [f"{at % 7 + at % 2 * 9},{'ab'[at % 2]},note {at}" for at in range(200)]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def stream(*args: str, status: int = 0) -> dict[str, object]:
    given = ("--label", "y", "--drop", "note", "--batch", "50", "--save", "m.skops", "--json")
    result = run("stream", "train", *args, *given, status=status)
    return json.loads(result.stdout) if status == 0 else {"error": result.stderr}


@pytest.mark.parametrize("bad", ['3,a,"quoted" and\rmore', "3,a,half\rof it", '3,"a",x\ry', '3,a,"closed"\r9,b,"x"'])
def test_a_stray_carriage_return_costs_one_row(bad: str) -> None:
    lines = [*ROWS[:120], bad, *ROWS[120:]]
    Path("a.csv").write_bytes("\n".join(["x,y,note", *lines, ""]).encode())
    document = stream("a.csv", "--on-error", "skip")
    assert (document["stream"]["rows"], document["stream"]["skipped"]) == (200, {"bad line": 1})
    assert "row 121 (line 122) of a.csv holds a carriage return" in stream("a.csv", status=2)["error"]


def test_a_carriage_return_in_quotes_is_text() -> None:
    Path("a.csv").write_bytes("\n".join(["x,y,note", *ROWS, '3,a,"in\rquotes, ""really"""', ""]).encode())
    assert stream("a.csv")["stream"]["rows"] == 201


def test_lines_may_end_with_carriage_returns_alone() -> None:
    Path("a.csv").write_bytes("\r".join(["x,y,note", *ROWS, ""]).encode())
    Path("b.csv").write_bytes("\n".join(["x,y,note", *ROWS, ""]).encode())
    ours, theirs = stream("a.csv"), stream("b.csv")
    assert ours["stream"] == theirs["stream"]


@pytest.mark.parametrize("other", ["./a.csv", "{here}/a.csv", "link.csv", "../{name}/a.csv"])
def test_a_file_under_two_names_is_refused(other: str) -> None:
    Path("a.csv").write_text("\n".join(["x,y,note", *ROWS, ""]))
    Path("link.csv").symlink_to("a.csv")
    other = other.format(here=os.getcwd(), name=Path.cwd().name)
    assert f"{other} is in the stream twice, also as a.csv" in stream("a.csv", other, status=2)["error"]


def test_an_index_among_the_columns_is_told() -> None:
    frame = pd.DataFrame({"x": np.arange(200) % 7 + np.arange(200) % 2 * 9, "y": ["a", "b"] * 100})
    frame.assign(__index_level_0__=np.arange(200)).to_csv("a.csv", index=False)
    sentence = "the column '__index_level_0__', an index of pandas, is not read"
    document = run("select", "a.csv", "--label", "y", "--grid", "C=1", "--json").stdout
    assert sentence in json.loads(document)["notes"]
    messages: list[str] = []
    assert train("a.csv", "y", batch=50, on_message=messages.append).rows == 200
    assert sentence in messages


def test_an_infinite_cap_can_be_saved() -> None:
    Path("a.csv").write_text("\n".join(["x,y,note", *ROWS, ""]))
    stream("a.csv", "--param", "cap=inf")
    assert len(run("predict", "m.skops", "a.csv").stdout.splitlines()) == 201


def test_a_column_may_be_named_self() -> None:
    Path("a.csv").write_text("\n".join(["x,y,self", *ROWS, ""]))
    assert train("a.csv", "y", batch=50, text=["self"]).rows == 200


def test_shares_name_the_method_that_was_used() -> None:
    Path("a.csv").write_text("\n".join(["x,y,note", *ROWS, ""]))
    stream("a.csv", "--hold", "4")
    shown = run("stream", "shares", "a.csv", "--model", "m.skops", "--window", "100")
    assert "predicted classes (cc): fewer than 5 rows of each class were held out" in shown.output
    assert ",acc," not in shown.stdout
    assert ",cc," in shown.stdout
