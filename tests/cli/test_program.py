"""The program around its commands: the installed one, its examples, interrupts and dry runs."""

import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.blob_files import GRID
from helpers.command import run
from helpers.short_portfolio import shorten

import foldless
from foldless.engine._journal import Journal

COMMAND = shutil.which("foldless", path=str(Path(sys.executable).parent)) or "foldless"


def select(*args: str) -> dict[str, object]:
    return json.loads(run("select", "train.csv", "--label", "topic", "--json", *args).stdout)


@pytest.mark.slow
def test_help_shows_an_example_that_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shorten(monkeypatch)
    clients = pd.read_csv("train.csv")
    clients.assign(churn=np.where(clients.pop("topic") == "a", "yes", "no")).to_csv("clients.csv", index=False)
    for command in ("select", "compare", "certify"):
        shown = run(command, "-h").stdout
        assert shown == run(command, "--help").stdout
        examples = re.findall(r"^ +foldless (.*)$", shown.partition("Example")[2], flags=re.MULTILINE)
        assert examples
        for example in examples:
            assert "labeled rows" in run(*shlex.split(example)).stdout
    assert run().stdout == run("-h").stdout
    shutil.copy("pool.csv", "new.csv")
    examples = run("-h").stdout.partition("Examples:")[2]
    shutil.copy("test.csv", "labeled.csv")
    first, second, third, fourth, fifth, sixth, seventh, eighth = re.findall(r"foldless (.*)", examples)
    assert "Chosen" in run(*shlex.split(first)).stdout
    assert "90 rows labeled by" in run(*shlex.split(second)).stdout
    assert "k-fold" in run(*shlex.split(third)).stdout
    assert "Certificate: error at most" in run(*shlex.split(fourth)).stdout
    assert "Precision, recall and F1: higher is better" in run(*shlex.split(fifth)).stdout
    assert "Accuracy on new rows about" in run(*shlex.split(sixth)).stdout
    assert "Class shares by" in run(*shlex.split(seventh)).stdout
    assert "30 rows" in run(*shlex.split(eighth)).output
    assert foldless.__version__ in run("--version").stdout


def without_progress(errors: str) -> str:
    """Standard error without the lines of a command that takes ten seconds and more, as on a busy machine."""
    return re.sub(r"^after .* fits.*\n", "", errors, flags=re.MULTILINE)


def installed(*args: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([COMMAND, *args], capture_output=True, text=True, encoding="utf-8", check=False, **options)  # type: ignore[call-overload]  # see callers


@pytest.mark.slow
def test_the_installed_command(folder: Path) -> None:
    done = installed(
        "select", "train.csv", "--label", "topic", "--unlabeled", "pool.csv", *GRID, "--json", "--n-jobs", "2",
        "--criterion", "k-fold",
    )  # fmt: skip
    assert (done.returncode, without_progress(done.stderr)) == (0, "")
    assert (
        json.loads(done.stdout)["ranking"]
        == select("--unlabeled", "pool.csv", *GRID, "--criterion", "k-fold")["ranking"]
    )
    failed = installed("select", "nothing.csv", "--label", "topic")
    assert (failed.returncode, failed.stdout) == (2, "")
    assert failed.stderr == "Error: there is no file nothing.csv: check the name and the folder\n"


@pytest.mark.slow
def test_a_reader_that_leaves_early_sees_no_traceback(folder: Path) -> None:
    command = f"{shlex.quote(COMMAND)} select train.csv --label topic {' '.join(GRID)} --json | head -c 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.stdout, without_progress(done.stderr)) == ("{", "")


@pytest.mark.slow
def test_an_interrupt_before_anything_is_complete(folder: Path) -> None:
    running = subprocess.Popen(
        [COMMAND, "select", "train.csv", "--label", "topic", "--unlabeled", "pool.csv", "--criterion", "k-fold",
         "--model", "random-forest", "--grid", "n_estimators=3000", "--journal", "run.journal",
         "--predict", "out.csv"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    journal, patience = folder / "run.journal", time.monotonic() + 120
    while not (journal.exists() and len(Journal(journal))) and time.monotonic() < patience:  # four more fits take long
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, "")
    said = without_progress(err)
    assert re.fullmatch(r"Error: it was interrupted before one candidate was complete: .*journal.*\n", said)
    assert not (folder / "out.csv").exists()


@pytest.mark.slow
def test_a_dry_run_says_what_it_takes_and_writes_nothing(folder: Path) -> None:
    task = ["train.csv", "--label", "topic", "--unlabeled", "pool.csv", *GRID, "--dry-run"]
    shown = run("compare", *task, "--criteria", "k-fold,leave-one-out", "--report", "r.html", "--journal", "j").stdout
    assert re.search(r"This run takes 105 fits, about \d+ seconds?, most of it for .*; nothing was chosen", shown)
    assert re.search(r"leave-one-out +90 ", shown)
    assert not Path("r.html").exists()
    assert not Path("j").exists()
    found = json.loads(run("select", *task, "--criterion", "k-fold", "--save", "m.skops", "--json").stdout)
    assert found["cost"]["fits"] == {"k_fold": 15}
    assert not Path("m.skops").exists()
    assert "This run takes" in run("certify", *task).stdout
