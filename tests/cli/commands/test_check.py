"""foldless check: findings of files, their options, JSON, the report, and the short form before other commands."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.command import run

CHECK = ["check", "train.csv", "--label", "topic"]


@pytest.fixture
def faults(folder: Path) -> Path:
    """train.csv with copies, ids and two spellings of a class; pool.csv lacks a column."""
    frame = pd.read_csv("train.csv")
    frame = pd.concat([frame, frame[:6]], ignore_index=True).assign(case_id=lambda rows: np.arange(len(rows)) + 7)
    frame.loc[[0, 3], "topic"] = "A "
    frame.to_csv("train.csv", index=False)
    pool = pd.read_csv("pool.csv").drop(columns="y")
    pool.assign(case_id=np.arange(len(pool)) + 1000).to_csv("pool.csv", index=False)
    return folder


def test_findings_are_lines_with_codes(faults: Path) -> None:
    shown = run(*CHECK, "--unlabeled", "pool.csv", "--fast").stdout
    assert shown.startswith("train.csv 36 rows, pool.csv 90 rows, 4 columns")
    for text in (
        "FL004 issue  12 of 36 labeled rows appear more than once",
        'FL025 issue  column "y" of train.csv is not in pool.csv',
        "FL002 tip    classes 'a' (",
        "--merge-labels",
        'FL010 tip    column "case_id"',
        "do not apply",
        "4 skipped as they take time",
    ):
        assert text in shown


def test_columns_are_shown_as_they_are_taken(faults: Path) -> None:
    frame = pd.read_csv("train.csv").assign(
        day="2023-12-25", word=lambda rows: ["a long sentence of words"] * len(rows)
    )
    frame.loc[:2, "x"] = np.nan
    frame.to_csv("train.csv", index=False)
    lines = [line.split() for line in run(*CHECK, "--fast", "--drop", "word").stdout.splitlines()]
    assert ["column", "taken", "as", "missing", "example"] in lines
    rows = {line[0]: line[1:] for line in lines if line}
    assert rows["x"][:2] == ["numeric", "3"]
    assert rows["topic"][0] == "label"
    assert rows["case_id"][:4] == ["left", "out:", "an", "id"]
    assert rows["day"] == ["date", "2023-12-25"]
    assert rows["word"][:3] == ["left", "out", "on"]
    columns = json.loads(run(*CHECK, "--fast", "--json").stdout)["columns"]
    assert {"name": "case_id", "taken_as": "left out: an id", "missing": 0, "example": "7"} in columns


def test_what_reading_found_is_a_note(folder: Path) -> None:
    pd.DataFrame({"x": [1.5, 2.5] * 30, "grade": [3, 5, 8] * 20}).to_csv("grades.csv", index=False, sep=";")
    shown = run("check", "grades.csv", "--label", "grade", "--fast").stdout
    assert "Note: grades.csv is read with semicolons between values: as with --delimiter ';'\n" in shown
    assert "from 3 to 8, which are taken as 3 classes: predict them as numbers with --task regression\n" in shown


def test_of_many_columns_those_that_surprise_are_shown(folder: Path) -> None:
    frame = pd.read_csv("train.csv")
    wide = pd.DataFrame(np.random.default_rng(0).normal(size=(len(frame), 40))).add_prefix("n")
    frame.join(wide).to_csv("train.csv", index=False)
    shown = run(*CHECK, "--fast").stdout
    assert re.search(r"^ topic +label", shown, re.MULTILINE)
    assert "more columns, which --verbose lists" in shown
    assert "n39" not in shown
    assert "n39" in run(*CHECK, "--fast", "--verbose").stdout


def test_options_handle_what_was_found(faults: Path) -> None:
    shown = run(*CHECK, "--fast", "--merge-labels", "--drop", "case_id", "--ignore", "FL004,FL015").stdout
    assert "FL004" not in shown
    assert "FL010" not in shown
    assert "2 ignored" in shown
    assert "FL010" not in run(*CHECK, "--fast", "--keep", "case_id").stdout


@pytest.mark.slow
def test_json_and_report(faults: Path) -> None:
    document = json.loads(run(*CHECK, "--json", "--report", "check.html", "--time-budget", "600").stdout)
    by_code = {finding["code"]: finding for finding in document["findings"]}
    assert by_code["FL004"]["impact"]["quantity"] == "accuracy"
    assert by_code["FL004"]["kind"] == "issue"
    assert by_code["FL010"]["remedies"] == ["read it all the same with --keep case_id"]
    assert "FL004" in Path("check.html").read_text(encoding="utf-8")


def test_an_unknown_code_is_one_sentence(folder: Path) -> None:
    assert "there is no check 'FL999'" in run(*CHECK, "--ignore", "FL999", status=2).stderr


def test_files_stay_as_they_are(faults: Path) -> None:
    before = Path("train.csv").read_bytes()
    run(*CHECK, "--fast")
    assert Path("train.csv").read_bytes() == before


def test_other_commands_begin_with_two_lines_at_most(faults: Path) -> None:
    select = [
        "select",
        "train.csv",
        "--label",
        "topic",
        "--model",
        "naive-bayes",
        "--criterion",
        "k-fold",
        "--no-estimate",
    ]
    lines = run(*select).stderr.splitlines()
    assert len(lines) <= 2
    assert lines[0].startswith("FL004 issue  12 of 36")
    assert run(*select, "--no-check").stderr == ""
    assert run(*select, "--json").stderr == ""


@pytest.mark.parametrize("command", ["select", "compare", "certify", "quantify", "app"])
def test_every_command_that_reads_labels_can_leave_the_checks_out(command: str) -> None:
    assert "--no-check" in run(command, "--help").stdout
