"""``--time-budget`` counts from the beginning of a command, and ends it."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from helpers.clock import patched
from helpers.command import run
from helpers.slow import slow_beyond

import foldless
import foldless.tables
from foldless.cli import _choosing as choosing
from foldless.cli import _first_look as first_look
from foldless.cli import _time_budget as time_budget
from foldless.cli._group import Invocation
from foldless.core import TimeBudget
from foldless.core import time_budget as budgets
from foldless.saving import model_files

SENTENCE = "Error: the time budget ran out before there was an answer"
SELECT = ("select", "t.csv", "--label", "y", "--model", "naive-bayes")

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no timers")


@pytest.fixture(autouse=True)
def _table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text(
        "x,z,y\n" + "".join(f"{at % 2 * 9 + at % 5},{at % 3},{'ab'[at % 2]}\n" for at in range(40))
    )


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """All is over 3 seconds after a short budget, as if the command were all that this process does."""
    monkeypatch.setattr(budgets, "LATER", 3.0)
    monkeypatch.setattr(time_budget, "invocation", lambda: Invocation("foldless", time.monotonic(), True))
    monkeypatch.setattr(time_budget, "_end", lambda: None)


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A budget that is spent at once leaves a busy machine a minute for what follows."""
    monkeypatch.setattr(budgets, "LATER", 60.0)


@pytest.mark.parametrize("words", [SELECT, ("check", "t.csv", "--label", "y")])
def test_a_file_that_is_read_for_too_long(words: tuple[str, ...], short: None, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in ((foldless.tables, "read_problem"), (foldless.tables, "check_files")):
        monkeypatch.setattr(module, name, lambda *_, **__: time.sleep(60))
    start = time.monotonic()
    assert SENTENCE in run(*words, "--time-budget", "0.1", status=2).stderr
    assert time.monotonic() - start < 40


def test_a_report_is_written_without_checks_where_time_is_short(short: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_look, "show", lambda _: None)
    monkeypatch.setattr(first_look, "further", lambda *_: time.sleep(60))
    monkeypatch.setattr(time_budget, "PAGE", 110.0)  # of 120 s: after ten, the checks end
    run(*SELECT, "--time-budget", "60", "--report", "r.html")
    assert "Accuracy" in Path("r.html").read_text()


def test_files_are_checked_once_for_the_screen_and_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    checked, plain = [], foldless.check
    monkeypatch.setattr(foldless, "check", lambda *rows, **given: checked.append(given) or plain(*rows, **given))
    run(*SELECT, "--report", "r.html")
    assert len(checked) == 1


def test_the_first_look_at_the_data_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_look, "look", lambda _: time.sleep(60))
    monkeypatch.setattr(time_budget, "ANSWER", 3600.0)
    start = time.monotonic()
    assert "Chosen" in run(*SELECT, "--time-budget", "60").stdout
    assert time.monotonic() - start < 40


def test_the_budget_of_a_search_begins_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []
    fit = foldless.FoldlessSearch.fit

    def fitting(search: foldless.FoldlessSearch, *args: object, **more: object) -> object:
        seen.append(search.time_budget)
        return fit(search, *args, **more)

    before = time.monotonic()
    monkeypatch.setattr(foldless.FoldlessSearch, "fit", fitting)
    run(*SELECT, "--time-budget", "60")
    (budget,) = seen
    assert isinstance(budget, TimeBudget)
    assert before <= budget.start < time.monotonic()
    assert "the time budget" not in run(*SELECT).stdout  # a default one is of the fits
    assert not isinstance(seen[1], TimeBudget)


def test_checks_that_take_too_long_are_skipped(short: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from foldless.checks import _check

    patched(monkeypatch, wakes=True)

    slow = next(iter(_check.registered().values()))
    monkeypatch.setattr(type(slow), "diagnoses", lambda *_: time.sleep(60))
    start = time.monotonic()
    assert "skipped as they take time" in run("check", "t.csv", "--label", "y", "--time-budget", "0.1").stdout
    assert time.monotonic() - start < 40


@pytest.mark.slow
def test_an_answer_is_written_though_that_takes_longer(short: None, monkeypatch: pytest.MonkeyPatch) -> None:
    run(*SELECT)  # all that is imported
    patched(monkeypatch, wakes=True)
    write = choosing.write_model

    def slowly(*args: object) -> None:
        time.sleep(4)
        write(*args)

    monkeypatch.setattr(choosing, "write_model", slowly)
    run(*SELECT, "--time-budget", "0.1", "--save", "m.skops")
    assert Path("m.skops").exists()


def test_probabilities_of_many_classes_take_no_time(unhurried: None) -> None:
    """By default each of up to 20 classes has a column: with 10,000 of them, writing took minutes."""
    Path("t.csv").write_text("x,y\n" + "".join(f"{at % 25}.{at},c{at % 25}\n" for at in range(75)))
    run(*SELECT, "--unlabeled", "t.csv", "--predict", "p.csv", "--time-budget", "1e-9")
    assert "P(" not in Path("p.csv").read_text().splitlines()[0]


@pytest.mark.slow
@pytest.mark.parametrize("command", [SELECT, ("compare", *SELECT[1:])])
def test_an_answer_stands_though_there_is_no_time_for_its_report(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time_budget, "REPORT", 3600.0)
    said = run(*command, "--time-budget", "60", "--report", "r.html", "--save", "m.skops", status=2)
    assert "naive-bayes" in said.stdout
    assert "the time budget ran out before the report was written" in said.stderr
    assert "r.html" not in said.stdout
    assert sorted(path.name for path in Path().iterdir()) == ["m.skops", "t.csv"]


@pytest.mark.parametrize(("seconds", "status"), [("nan", 2), ("inf", 0), ("1e300", 0)])
def test_budgets_for_which_there_is_no_timer(seconds: str, status: int, short: None) -> None:
    said = run(*SELECT, "--time-budget", seconds, status=status)
    assert ("above 0, got nan" in said.stderr) == (status == 2)


@pytest.mark.parametrize("journal", [(), ("--journal", "j")])
@pytest.mark.parametrize("command", slow_beyond(1, [[*SELECT], [*SELECT, "--verbose"], ["compare", *SELECT[1:]]]))
def test_how_to_continue_is_said_once(command: list[str], journal: tuple[str, ...], unhurried: None) -> None:
    said = run(*command, *journal, "--time-budget", "1e-9").stdout
    assert "constant" in said
    assert len(re.findall("continue", said)) == 1, said


@pytest.mark.slow
def test_standard_input_that_never_ends() -> None:
    command = [sys.executable, "-c", "from foldless.cli import main; main()", "select", "-", "--label", "y"]
    start = time.monotonic()
    with subprocess.Popen(
        [*command, "--time-budget", "1"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert SENTENCE in process.stderr.read()
        assert process.wait(60) == 2
        assert time.monotonic() - start < 40


@pytest.mark.slow
def test_what_files_need_is_imported_before_the_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    monkeypatch.setattr(model_files, "prepare", lambda: order.append("prepared"))
    fit = foldless.FoldlessSearch.fit

    def fitting(self: foldless.FoldlessSearch, *args: Any, **options: Any) -> foldless.FoldlessSearch:
        order.append("fits")
        return fit(self, *args, **options)

    monkeypatch.setattr(foldless.FoldlessSearch, "fit", fitting)
    run(*SELECT, "--time-budget", "60", "--save", "m.skops")
    run(*SELECT, "--save", "n.skops")  # without a budget nothing is late
    assert order == ["prepared", "fits", "fits"]
