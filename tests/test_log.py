"""The logger "foldless" has what a long run does, and is silent until a user asks for it."""

import logging
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers.clusters import Deadly
from sklearn.datasets import load_iris
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression

from foldless import FoldlessSearch
from foldless._log import LOG, stage

X, Y = load_iris(return_X_y=True)
FEW = np.arange(0, 150, 5)
POOL = np.delete(X, FEW, axis=0)
GRID = {"C": [1e-5, 1e-3, 0.1, 10.0]}


def run(**arguments: object) -> FoldlessSearch:
    search = FoldlessSearch(LogisticRegression(max_iter=500), GRID, random_state=0, **arguments)
    return search.fit(X[FEW], Y[FEW], X_unlabeled=POOL)


@pytest.mark.slow
def test_a_run_logs_its_rounds_its_stages_and_what_it_resumes(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "foldless")
    n_fits = run(criterion="k_fold", journal=tmp_path / "run.db").selection_.n_fits
    assert n_fits.run == 20
    lines = [re.sub(r"[\d.]+ s$", "… s", line) for line in caplog.messages]
    assert lines[:2] == ["k_fold asks 4 of 4 candidates", "a round of 20 fits took … s"]
    assert "the estimate of accuracy took … s" in lines
    assert "the comparison of labels and pool took … s" in lines
    assert "the chosen model took … s" in lines
    assert not any("resumed" in line for line in lines)
    caplog.clear()
    run(criterion="k_fold", journal=tmp_path / "run.db")
    assert f"20 fits resumed from {tmp_path / 'run.db'}" in caplog.messages
    assert not any("a round of 20 fits" in line for line in caplog.messages)


def test_debug_says_why_candidates_left_a_race(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "foldless")
    selection = run(criterion="auto").selection_
    asked = [int(match[1]) for line in caplog.messages if (match := re.match(r"auto asks (\d) of 4", line))]
    assert asked[0] == 4
    assert min(asked) < 4
    for choice in selection.ranking:
        assert any(choice.candidate.name in line and "; ".join(choice.notes) in line for line in caplog.messages)


@pytest.mark.slow
def test_a_dead_worker_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "foldless")
    search = FoldlessSearch(Deadly(), {"var_smoothing": [1e-9, 1.0]}, criterion="k_fold", n_jobs=2, random_state=0)
    with pytest.warns(FitFailedWarning, match="worker process died"):
        search.fit(X[FEW], Y[FEW])
    assert any(re.match(r"a worker process died: \d+ groups of fits run again", line) for line in caplog.messages)


def test_it_is_silent_without_a_handler() -> None:
    script = "import logging; from foldless._log import LOG; LOG.warning('heard by nobody'); print(LOG.handlers)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "NullHandler" in done.stdout


def test_a_stage_that_fails_is_not_timed(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, LOG.name)

    @stage("a stage")
    def fails() -> None:
        raise ValueError("it fails")

    with pytest.raises(ValueError, match="it fails"):
        fails()
    assert not caplog.messages


def test_test_rows_have_a_name_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "foldless")
    X, y = np.random.default_rng(0).normal(size=(60, 3)), np.arange(60) % 2
    FoldlessSearch(LogisticRegression(), {}, criterion="k_fold").fit(X[:40], y[:40], X_test=X[40:], y_test=y[40:])
    assert "on_test_rows asks 1 of 1 candidates" in caplog.messages
