"""The answer of select: at most twelve lines on a screen of 80 columns, and nothing of it cropped."""

import os
import re

import numpy as np
import pandas as pd
import pytest
from helpers.command import run
from rich.cells import cell_len
from rich.console import Console

from foldless.cli.terminal import _console
from foldless.cli.terminal import _verdict as verdict

ARGS = ("select", "train.csv", "--label", "topic", "--unlabeled", "pool.csv")
SHORT = ("--model", "linear-svc", "--grid", "C=0.1,1")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(160, 3)), columns=["x", "y", "z"])
    frame["topic"] = np.where(frame["x"] > 0, "stays", "goes")
    frame[:60].to_csv("train.csv", index=False)
    frame[60:].drop(columns="topic").to_csv("pool.csv", index=False)
    return tmp_path


def terminal(monkeypatch, width):
    """Standard output as a terminal of this width."""

    class Terminal(Console):
        def __init__(self, **settings):
            super().__init__(
                **{**settings, "width": width, "force_terminal": True, "no_color": True, "color_system": None}
            )

    monkeypatch.setattr(_console, "Console", Terminal)


@pytest.mark.parametrize("width", [60, 80, 200])
def test_the_answer_is_short_and_whole(folder, monkeypatch, width):
    terminal(monkeypatch, width)
    lines = run(*ARGS, *SHORT, "--save", "m.skops", "--predict", "out.csv").stdout.splitlines()
    assert len(lines) <= 12
    assert max(map(cell_len, lines)) <= width
    text = " ".join(" ".join(lines).split())
    assert re.match(
        r"Chosen linear-svc with C=\S+ Accuracy about 0\.\d{3} on [\w ]+ \(0\.\d{3} to \d\.\d{3}, 95 %\);", text
    )
    assert "always saying 'goes' has 0." in text or "always saying 'stays' has 0." in text
    assert "Data 60 labeled rows of 2 classes, 100 rows in the pool" in text
    assert "Written predictions: out.csv, model: m.skops" in text
    assert "Next label more rows: foldless suggest train.csv --label topic --unlabeled pool.csv" in text
    assert text.endswith("page: --report page.html")


def test_verbose_has_all_candidates_and_assumptions(folder):
    said = run(*ARGS, *SHORT, "--verbose").stdout
    assert "2 candidates ranked by auto" in said
    assert "It holds if" in said
    assert "Fits:" in said
    assert said == run(*ARGS, *SHORT, "-v").stdout


def test_a_certificate_never_stands_without_what_it_assumes(folder):
    said = run("select", "train.csv", "--label", "topic", *SHORT, "--criterion", "hold-out").stdout
    if "Certificate" in said:
        assert "It holds if" in said


def test_an_average_names_families_and_a_missing_estimate_says_so(folder):
    said = run(*ARGS, "--model", "naive-bayes,nearest-neighbors", "--criterion", "combination", "--no-estimate").stdout
    assert re.search(r"Chosen +(an average of \d (models \(|[\w-]+ models)|naive-bayes|nearest-neighbors)", said)
    assert "not estimated" in said


def test_why_there_is_no_estimate_stands_beside_the_score(folder):
    frame = pd.read_csv("train.csv")
    frame.groupby("topic").head(1).to_csv("train.csv", index=False)
    said = run(*ARGS, "--models", "few-labels").stdout
    assert re.search(r"^Accuracy +not estimated: .+; ranking score ", said, re.MULTILINE)
    assert "there is no estimate" not in said


def test_notes_are_short_and_counted(folder):
    frame = pd.read_csv("train.csv")
    pd.concat([frame, frame[:9]]).assign(id=np.arange(69)).to_csv("train.csv", index=False)
    said = run(*ARGS, *SHORT).stdout
    assert re.search(r"^Found +.*\(FL\d{3}\)", said, re.M)
    assert os.linesep.join(said.splitlines()[-1:]).startswith("Next")


def test_what_was_found_has_the_option_that_changes_it(folder):
    frame = pd.read_csv("train.csv")
    words = ["tools", "web", "design", "code", "art", "news"]
    sets = [[word for at, word in enumerate(words) if (row >> at) & 1] for row in range(1, len(frame) + 1)]
    frame.assign(topic=["|".join(own) for own in sets]).to_csv("train.csv", index=False)
    assert "give a row each of its labels with --label-separator '|'" in run(*ARGS, *SHORT, status=2).output
    said = " ".join(run(*ARGS, *SHORT, "--min-per-class", "1").stdout.split())
    assert "is a class of its own (--label-separator '|')" in said
    assert verdict._option("sets of labels: give a row each with --label-separator '|'") == " (--label-separator '|')"
    assert verdict._option("'id' and 'no' are ids: read them with --keep id --keep no") == " (--keep id --keep no)"
    assert verdict._option("2 rows have no label: they are left out") == ""


@pytest.mark.parametrize(
    ("sentence", "short"),
    [
        ("2 rows have no label: they are left out", "2 rows have no label"),
        ("columns look alike (2 values; few rows): drop one", "columns look alike (2 values; few rows)"),
        ("column 'Q1: age' is an id; 3 more", "column 'Q1: age' is an id"),
        ("column '(' is an id: drop it", "column '(' is an id"),
    ],
)
def test_notes_are_cut_outside_of_parentheses_and_names(sentence, short):
    assert verdict._short(sentence) == short


def test_quiet_prints_the_answer_and_twice_nothing(folder):
    quiet = run(*ARGS, *SHORT, "-q")
    assert [line.split()[0] for line in quiet.stdout.splitlines()] == ["Chosen", "Accuracy"]
    assert quiet.stderr == ""
    silent = run(*ARGS, *SHORT, "-qq", "--save", "m.skops")
    assert silent.stdout == silent.stderr == ""
    assert (folder / "m.skops").is_file()
    wrong = run("select", "train.csv", "--label", "nothing", "-qq", status=2)
    assert wrong.stderr.startswith("Error: ")


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", [("compare", "--criteria", "k-fold"), ("suggest", "--output", "s.csv"), ("quantify",)]
)
def test_other_commands_are_quiet_too(folder, command):
    more = () if command[0] == "quantify" else SHORT
    name, *options = command
    typed = (name, *ARGS[1:], *more, *options)
    assert run(*typed, "-q").stdout
    assert run(*typed, "-qq").stdout == ""


@pytest.mark.parametrize("width", [60, 80, 200])
def test_many_notes_and_numbers_leave_room_for_the_answer(folder, monkeypatch, width):
    frame = pd.read_csv("train.csv")
    frame["id"], frame["number"] = np.arange(len(frame)) + 100, np.arange(len(frame)) + 7000
    pd.concat([frame, frame[:6]]).to_csv("train.csv", index=False)
    frame.to_csv("test.csv", index=False)
    terminal(monkeypatch, width)
    metrics = ("--scoring", "f1_macro,roc_auc", "--test", "test.csv", "--time-budget", "300")
    lines = run(*ARGS, *SHORT, *metrics, "--save", "m.skops", "--predict", "out.csv").stdout.splitlines()
    assert len(lines) <= (12 if width >= 80 else 16), lines
    assert max(map(cell_len, lines)) <= width
    assert lines[0].startswith("Chosen    linear-svc")
    assert lines[1].startswith("Score     macro F1 about 0.")
    text = " ".join(" ".join(lines).split())
    assert re.search(r"Test macro F1 [01]\.\d{4}, ROC AUC [01]\.\d{4}, accuracy [01]\.\d{4}", text)
    assert "Next label more rows: foldless suggest" in text or text.endswith("Next all candidates: --verbose")


def test_a_criterion_is_named_with_its_measure_in_words(folder):
    said = run(*ARGS, *SHORT, "--scoring", "f1_macro", "--verbose").stdout
    assert "2 candidates ranked by auto by macro F1, higher is better" in said
    assert "scoring=" not in said
    assert "f1_macro" not in said


def test_what_to_type_next_reads_the_same_rows(folder):
    frame = pd.read_csv("train.csv").assign(topic=lambda rows: (rows["x"] * 10).round().astype(int), note="a")
    frame.to_csv("numbers.csv", index=False, sep=";")
    options = ("--task", "regression", "--delimiter", ";", "--missing", "impute", "--drop", "note", "--keep", "z")
    frame.drop(columns="topic").to_csv("others.csv", index=False, sep=";")
    said = run("select", "numbers.csv", "--label", "topic", "--unlabeled", "others.csv", *options).stdout
    words = "numbers.csv --label topic --unlabeled others.csv --task regression --delimiter ';' --missing impute"
    words += " --drop note --keep z"
    assert f"foldless suggest {words} --output to_label.csv" in said
