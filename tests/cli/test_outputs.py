"""What a run writes beside its table: reports that tell the command, and nothing where one path is wrong."""

import json
from html import unescape
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from helpers.command import run
from helpers.slow import slow_beyond

from foldless.cli import main
from foldless.cli._outputs import check_outputs
from foldless.errors import BadInput


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    codes = np.arange(60) % 2
    frame = pd.DataFrame({"x": rng.normal(size=60) + 2 * codes, "topic": np.array(["a", "b"])[codes]})
    frame[:20].to_csv("my rows.csv", index=False)
    frame[20:].drop(columns="topic").to_csv("pool.csv", index=False)
    return tmp_path


ARGS = ("my rows.csv", "--label", "topic", "--unlabeled", "pool.csv", "--grid", "C=0.1,1,10")


@pytest.mark.slow
@pytest.mark.parametrize(
    "args", slow_beyond(1, [["select", *ARGS], ["compare", *ARGS, "--criteria", "quantification-bound,hold-out"]])
)
def test_a_report_tells_the_data_and_the_command_that_makes_it_again(args: list[str]) -> None:
    shown = run(*args, "--report", "out.html").stdout
    assert ("page: out.html" if args[0] == "select" else "A report is in out.html") in shown
    page = unescape(Path("out.html").read_text(encoding="utf-8"))
    assert page.lower().startswith("<!doctype html>")
    assert f"foldless {args[0]} 'my rows.csv' --label topic --unlabeled pool.csv" in page
    assert "20 labeled rows of 2 classes, 40 rows in the pool" in page
    assert json.loads(run(*args, "--report", "out.html", "--json").stdout)["report"] == "out.html"


def test_all_outputs_of_one_run() -> None:
    shown = run("select", *ARGS, "--predict", "p.csv", "--save", "m.skops", "--report", "r.html").stdout
    assert "predictions: p.csv, model: m.skops, page: r.html" in shown
    assert {"p.csv", "m.skops", "r.html"} < {path.name for path in Path().iterdir()}


@pytest.mark.parametrize("wrong", [("--save", "m.pkl"), ("--report", "no/r.html"), ("--predict", "p.xls")])
def test_one_wrong_path_and_nothing_is_fitted_or_written(
    monkeypatch: pytest.MonkeyPatch, wrong: tuple[str, str]
) -> None:
    monkeypatch.setattr("foldless.selection._road.choose", lambda *_, **__: pytest.fail("a fit was started"))
    right = {"--predict": "p.csv", "--save": "m.skops", "--report": "r.html"} | dict([wrong])
    before = set(Path().iterdir())
    assert (
        CliRunner().invoke(main, ["select", *ARGS, *(word for pair in right.items() for word in pair)]).exit_code == 2
    )
    assert set(Path().iterdir()) == before


def test_outputs_do_not_meet_inputs_or_each_other() -> None:
    check_outputs({"--predict": None, "--save": "a.skops", "--report": "a.html"}, ["pool.csv"])
    with pytest.raises(BadInput, match=r"\./pool\.csv is also read in this run: name another file for --predict"):
        check_outputs({"--predict": "./pool.csv"}, ["pool.csv"])
    with pytest.raises(BadInput, match=r"\./p\.csv is also written in this run: name another file for --output"):
        check_outputs({"--predict": "p.csv", "--output": "./p.csv"}, [])
    Path("parts").mkdir()
    with pytest.raises(BadInput, match="also read"):  # a folder of Parquet is read whole
        check_outputs({"--predict": "parts/new.parquet"}, ["parts"])
