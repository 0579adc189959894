"""A bar on a terminal, a line a minute in a log."""

import io

from helpers.learners import Ridge
from rich.console import Console
from sklearn.datasets import make_classification

from foldless.criteria import KFold
from foldless.data._opening import open_sample
from foldless.engine import _progress as progress
from foldless.selection._request import Request
from foldless.selection._session import Session


def test_a_log_gets_lines_at_a_calm_pace(capsys, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    lines = progress.observer(1)
    assert isinstance(lines, progress.LogLines)
    lines.expect(600)
    lines.best("C=1 (0.9)")
    for _ in range(300):  # a fit a second
        now[0] += 1
        lines.advance(1)
    lines.close()
    shown = capsys.readouterr().err.splitlines()
    assert len(shown) == 5
    assert shown[0] == (
        "30 of 600 fits asked for so far, after 30 seconds, about 10 minutes left, best so far C=1 (0.9)"
    )
    assert "270 of 600 fits" in shown[-1]
    assert "about 6 minutes left" in shown[-1]


def test_a_short_run_writes_nothing_into_a_log(capsys):
    lines = progress.observer(1)
    lines.expect(2)
    lines.advance(2)
    lines.close()
    assert capsys.readouterr().err == ""


def test_a_terminal_sees_fits_time_left_and_the_best_so_far():
    out = io.StringIO()
    bar = progress.Bar(Console(file=out, force_terminal=True, width=120))
    X, y = make_classification(60, 5, random_state=0)
    session = Session(Request(Ridge(sleep=0.06), {"C": [0.1, 1.0]}, random_state=0), open_sample(X, y), bar)
    session.run([KFold(5)])
    shown = out.getvalue()
    assert "/10" in shown
    assert "best so far C=" in shown


def test_silence_is_the_default():
    assert isinstance(progress.observer(0), progress.Silent)
