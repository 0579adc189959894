"""What a measurement prints and writes is kept where it ends well, and one that is stopped goes on."""

import json
import signal
import sys

import pytest
from benchmarks import ages, remeasuring
from benchmarks.measurements import QUIET, Measurement

SCRIPT = """
import os, signal, sys, time
from pathlib import Path
here, lines = Path(__file__).parent, Path(sys.argv[1]) / "draws.jsonl"
with lines.open("a") as file:
    file.write('{"won": 1}\\n')
if (here / "stop").exists():
    os.kill(os.getppid(), signal.SIGINT)
    time.sleep(60)
print("draws", len(lines.read_text().splitlines()))
sys.exit(0 if (here / "ready").exists() else 3)
"""


@pytest.fixture
def there(tmp_path, monkeypatch):
    """A benchmark that fails until there is a file, and stops all where there is another."""
    (tmp_path / "script.py").write_text(SCRIPT)
    monkeypatch.setattr(remeasuring, "MEASUREMENTS", {})
    monkeypatch.setattr(ages, "MEASUREMENTS", remeasuring.MEASUREMENTS)
    remeasuring.MEASUREMENTS["own"] = Measurement("script FOLDER", ("none.py",), 5)
    remeasuring.MEASUREMENTS["quick"] = Measurement("script FOLDER", ("none.py",), 1, needs="a quiet machine")
    for module in (remeasuring, ages):
        monkeypatch.setattr(module, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(remeasuring, "ROOT", tmp_path)
    monkeypatch.setattr(remeasuring, "UNDER_WAY", tmp_path / "build")
    monkeypatch.setattr(ages, "KEPT", tmp_path / "measured.json")
    ages.KEPT.write_text("{}\n")
    return tmp_path


def test_a_run_that_failed_leaves_no_results_and_the_next_one_goes_on(there):
    assert remeasuring.run(["own"]) == ["own failed with status 3; its results are as they were"]
    assert not (there / "results").exists()
    assert json.loads(ages.KEPT.read_text()) == {}
    (there / "ready").touch()
    assert remeasuring.run([]) == []
    kept = there / "results" / "own"
    assert sorted(file.name for file in kept.iterdir()) == ["draws.jsonl", "meta.json", "printed.txt"]
    assert (kept / "printed.txt").read_text() == "draws 2\n"
    meta = json.loads((kept / "meta.json").read_text())
    assert meta["command"] == "python -m script results/own"
    assert meta["commit"] == json.loads(ages.KEPT.read_text())["own"]["commit"]
    assert not ages.is_older("own")
    assert not list((there / "build").iterdir())


def test_what_is_of_the_code_as_it_is_now_is_not_measured_again(there):
    (there / "ready").touch()
    remeasuring.run([])
    remeasuring.run([])
    assert (there / "results" / "own" / "printed.txt").read_text() == "draws 1\n"


def test_what_needs_more_than_time_is_run_where_it_is_named(there):
    assert list(remeasuring.plan(["own", "quick"], minutes=4)) == [
        "own, about 5 min: left out, more than 4 minutes",
        "quick, about 1 min: left out, it needs a quiet machine",
    ]
    (there / "ready").touch()
    assert remeasuring.run([], minutes=4) == []
    assert not (there / "results").exists()
    assert remeasuring.run(["quick"]) == []
    assert (there / "results" / "quick" / "printed.txt").exists()


@pytest.fixture
def interrupts():
    """Ctrl-C reaches Python also where the tests were started in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interrupts")
def test_a_run_that_is_stopped_goes_on_the_next_time(there):
    (there / "ready").touch()
    (there / "stop").touch()
    assert remeasuring.run(["quick", "own"]) == [
        "stopped in quick; what was finished is kept, and the next run goes on"
    ]
    (there / "stop").unlink()
    assert remeasuring.run(["own"]) == []
    assert (there / "results" / "own" / "printed.txt").read_text() == "draws 1\n"
    assert not (there / "results" / "quick").exists()
    assert remeasuring.run(["quick"]) == []
    assert (there / "results" / "quick" / "printed.txt").read_text() == "draws 2\n"


def test_a_second_command_reads_what_the_first_has_kept(there):
    (there / "ready").touch()
    remeasuring.MEASUREMENTS["own"] = Measurement("script FOLDER && script FOLDER", ("none.py",), 5)
    assert remeasuring.run([]) == []
    kept = there / "results" / "own"
    assert (kept / "printed.txt").read_text() == "draws 1\ndraws 2\n"
    said = "python -m script results/own && python -m script results/own"
    assert json.loads((kept / "meta.json").read_text())["command"] == said


def test_where_times_are_compared_threads_are_not_limited(there, monkeypatch):
    (there / "ready").touch()
    (there / "script.py").write_text("import os\nprint(os.environ.get('OMP_NUM_THREADS'))")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    remeasuring.MEASUREMENTS["quick"] = Measurement("script FOLDER", ("none.py",), 1, needs=QUIET)
    remeasuring.run(["own", "quick"])
    printed = [(there / "results" / name / "printed.txt").read_text() for name in ("own", "quick")]
    assert printed == ["1\n", "None\n"]


def test_the_python_that_measures_is_the_one_that_was_started(there):
    assert list(remeasuring._commands("script --out FOLDER/a.csv && script", there)) == [
        [sys.executable, "-m", "script", "--out", f"{there}/a.csv"],
        [sys.executable, "-m", "script"],
    ]
