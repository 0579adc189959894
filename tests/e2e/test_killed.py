"""Real processes: kill -9 in the middle, Ctrl-C in the middle, two at once on one journal."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from foldless.engine._journal import Journal

pytestmark = pytest.mark.slow  # processes that are killed

SCRIPT = """
    import json, os, sys, time, warnings
    import numpy as np
    from helpers.learners import CALLS, Ridge
    from sklearn.datasets import make_classification
    from helpers.searches import plain_search
    from foldless.errors import FoldlessError

    warnings.simplefilter("ignore")
    X, y = make_classification(300, 6, n_informative=4, n_classes=3, random_state=1)
    search = plain_search(Ridge(sleep={sleep}), {{"C": np.logspace(-2, 2, 6)}}, criterion="k_fold",
                            journal=sys.argv[1], n_jobs={n_jobs}, random_state=0)
    plain_search(Ridge(), {{"C": [1.0]}}, criterion="k_fold").fit(X[:20], y[:20])  # all imports are done
    print("started", flush=True)
    CALLS.clear()
    sleep, patience = time.sleep, time.monotonic() + 60
    def held(seconds):
        sleep(seconds)
        while CALLS["fit"] > {hold} and not os.path.exists(sys.argv[1] + ".go") and time.monotonic() < patience:
            sleep(0.01)
    time.sleep = held
    try:
        search.fit(X[:80], y[:80], X_unlabeled=X[80:])
    except FoldlessError as error:
        print(json.dumps({{"error": str(error)}}))
        sys.exit(3)
    print(json.dumps({{"scores": search.cv_results_["mean_test_score"].tolist(), "best": search.best_params_,
                      "predicted": search.predict(X[80:]).tolist(), "stopped": search.selection_.stopped,
                      "n_fits": dict(search.selection_.n_fits)}}))
"""


def start(journal, sleep, n_jobs=1, hold=10**9):
    """A run; so many of its fits end before `go_on`, so that it can be disturbed whenever this process comes to it."""
    script = textwrap.dedent(SCRIPT).format(sleep=sleep, n_jobs=n_jobs, hold=hold)
    paths = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        [sys.executable, "-c", script, str(journal)],
        stdout=subprocess.PIPE, text=True, start_new_session=True, env={**os.environ, "PYTHONPATH": paths},
    )  # fmt: skip


def go_on(journal):
    journal.with_name(f"{journal.name}.go").touch()


def finish(process):
    outcome, _ = process.communicate(timeout=120)
    return json.loads(outcome.splitlines()[-1])


def wait_for_answers(journal, n, process):
    for _ in range(2400):  # two minutes: the machine may be busy
        if journal.exists() and len(Journal(journal)) >= n:
            return
        assert process.poll() is None, "the run ended before it could be disturbed"
        time.sleep(0.05)
    pytest.fail("no answers were journaled")


def wait_for_workers(process):
    """Until the first of its processes is there; where that cannot be seen, for a moment."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    for _ in range(2400 if children.exists() else 6):
        if children.exists() and children.read_text():
            return
        time.sleep(0.05)


@pytest.mark.parametrize("n_jobs", [1, pytest.param(2, marks=pytest.mark.nightly)])
def test_kill_nine_then_the_same_command(tmp_path, n_jobs):
    whole = finish(start(tmp_path / "other", 0.05, n_jobs))
    journal = tmp_path / "j"
    process = start(journal, 0.05, n_jobs, hold=12)
    wait_for_answers(journal, 5, process)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    go_on(journal)
    done = len(Journal(journal))
    assert 5 <= done < 30
    again = finish(start(journal, 0.05, n_jobs))
    assert again["n_fits"] == {"run": 30 - done, "shared": 0, "resumed": done, "final": 1}
    assert {k: again[k] for k in ("scores", "best", "predicted")} == {
        k: whole[k] for k in ("scores", "best", "predicted")
    }


@pytest.mark.parametrize("n_jobs", [1, pytest.param(2, marks=pytest.mark.nightly)])
def test_ctrl_c_chooses_among_the_complete_and_resumes(tmp_path, n_jobs):
    journal = tmp_path / "j"
    process = start(journal, 0.1, n_jobs, hold=12)
    wait_for_answers(journal, 12, process)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: the whole process group
    go_on(journal)
    outcome = finish(process)
    assert process.returncode == 0
    assert outcome["stopped"] == "it was interrupted"
    assert outcome["n_fits"]["run"] == len(Journal(journal)) < 30
    assert sum(score == score for score in outcome["scores"]) in range(1, 6)
    again = finish(start(journal, 0.1, n_jobs))
    assert again["stopped"] is None
    assert again["n_fits"]["resumed"] == outcome["n_fits"]["run"]


def test_ctrl_c_before_anything_is_complete(tmp_path):
    process = start(tmp_path / "j", 0.3, hold=1)
    wait_for_answers(tmp_path / "j", 1, process)
    os.killpg(process.pid, signal.SIGINT)
    go_on(tmp_path / "j")
    outcome = finish(process)
    assert process.returncode == 3
    assert "before one candidate was complete" in outcome["error"]
    assert "answers are in the journal" in outcome["error"]


def test_ctrl_c_while_the_workers_start(tmp_path):
    process = start(tmp_path / "j", 0.5, n_jobs=2)
    assert process.stdout.readline() == "started\n"
    wait_for_workers(process)
    os.killpg(process.pid, signal.SIGINT)
    outcome = finish(process)
    assert process.returncode in (0, 3)
    assert outcome.get("stopped") == "it was interrupted" or "before one candidate was complete" in outcome["error"]


def test_code_that_was_typed_into_a_shell_is_told_apart(tmp_path):
    script = """
        import numpy as np
        from sklearn.linear_model import LogisticRegression
        from foldless import FoldlessSearch
        class Mine(LogisticRegression):
            def predict(self, X):
                return super().predict(X) * {factor}
        X = np.random.default_rng(0).normal(size=(60, 3))
        y = (X[:, 0] > 0).astype(int)
        search = FoldlessSearch(
            Mine(), {{"C": [1.0, 2.0]}}, criterion="k_fold", journal={journal!r}, random_state=0, estimate=False
        )
        print(search.fit(X, y).selection_.n_fits.run)
    """

    def run(factor):
        code = textwrap.dedent(script).format(factor=factor, journal=str(tmp_path / "j"))
        return int(subprocess.run([sys.executable, "-"], input=code, capture_output=True, text=True, check=True).stdout)

    assert [run(1), run(1), run(0)] == [10, 0, 10]


def test_two_processes_on_one_journal(tmp_path):
    both = [start(tmp_path / "j", 0.02) for _ in range(2)]
    first, second = (finish(process) for process in both)
    assert first["scores"] == second["scores"]
    assert len(Journal(tmp_path / "j")) == 30
