"""A line on a terminal, and in a log one every ten seconds."""

import io
import itertools
import sys
import threading
import time
import types

import pytest
from helpers.learners import Ridge
from rich.console import Console
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB

from foldless import FoldlessSearch
from foldless.core import compiled_code
from foldless.criteria import KFold
from foldless.data._opening import open_sample
from foldless.engine import _driving
from foldless.engine import _progress as progress
from foldless.engine import _time_left as time_left
from foldless.engine._time_left import Remaining
from foldless.errors import FoldlessError
from foldless.selection._request import Request
from foldless.selection._road import OnTestRows
from foldless.selection._session import Session


def test_a_log_gets_a_line_every_ten_seconds(capsys, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(progress, "working_time", lambda: now[0])
    monkeypatch.setattr(time_left, "working_time", lambda: now[0])
    monkeypatch.setattr(progress.LogLines, "begin", lambda _: None)  # no thread asks for a line between two of these
    lines = progress.observer(1)
    assert isinstance(lines, progress.LogLines)
    lines.expect(600)
    lines.best("C=1 (0.9)")
    for _ in range(60):  # a fit a second
        now[0] += 1
        lines.advance(1)
    lines.close()
    shown = capsys.readouterr().err.splitlines()
    assert len(shown) == 6
    assert shown[0] == "after 10 seconds, 10 of 600 fits, about 10 minutes left, best so far C=1 (0.9)"
    assert "60 of 600 fits" in shown[-1]
    assert "about 9 minutes left" in shown[-1]


def test_a_log_gets_lines_during_one_long_fit(capsys, monkeypatch):
    monkeypatch.setattr(progress, "PACE", 0.1)
    lines, shown, end = progress.observer(1), "", time.monotonic() + 60
    lines.expect(2)
    while shown.count("\n") < 2 and time.monotonic() < end:
        time.sleep(0.05)
        shown += capsys.readouterr().err
    lines.close()
    assert shown.count("\n") >= 2


@pytest.mark.parametrize("width", [20, 60, 80, 200])
def test_parts_of_the_line_are_whole_at_any_width(width):
    parts = ["34 of 155 fits", "about 12 seconds left, at most 27 seconds", "best so far extra-trees (0.87)",
             "training pool-features(estimator=spreading-7, features=components)"]  # fmt: skip
    line = progress.fitting(parts, 0.3, width)
    assert len(line) <= width
    shown = line.lstrip("━╌ ").split(" · ")
    assert shown == [part for part in parts if part in shown]
    assert (width == 200) == (shown == parts and line.startswith("━"))


@pytest.mark.parametrize("terminal", ["dumb", "xterm"])
def test_a_dumb_terminal_gets_lines(monkeypatch, terminal):
    monkeypatch.setenv("TERM", terminal)
    monkeypatch.setattr(sys, "stderr", Terminal())
    shown = progress.observer(1)
    shown.close()
    assert isinstance(shown, progress.LogLines if terminal == "dumb" else progress.Line)


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


def test_a_short_run_writes_nothing_into_a_log(capsys):
    lines = progress.observer(1)
    lines.expect(2)
    lines.advance(2)
    lines.close()
    assert capsys.readouterr().err == ""


@pytest.fixture
def often(monkeypatch):
    """The best so far is looked for after every fit, however long the last look took."""
    monkeypatch.setattr(_driving._BestSoFar, "_next", property(lambda _: 0.0, lambda *_: None), raising=False)


def test_a_terminal_sees_fits_time_left_and_the_best_so_far(often):
    out = io.StringIO()
    bar = progress.Line(Console(file=out, force_terminal=True, width=120))
    X, y = make_classification(60, 5, random_state=0)
    session = Session(Request(Ridge(sleep=0.06), {"C": [0.1, 1.0]}, random_state=0), open_sample(X, y), bar)
    session.run([KFold(5)])
    shown = out.getvalue()
    assert " of 10 fits" in shown
    assert "best so far C=" in shown


class BestSoFar(progress.Account):
    """Keeps all that was shown as the best so far."""

    def __init__(self):
        super().__init__()
        self.shown = []

    def best(self, text):
        self.shown.append(text)


def test_what_measures_candidates_on_test_rows_is_not_shown_as_the_best(often):
    """Every test label is wrong, so that the score there is below that of the folds."""
    X, y = make_classification(60, 5, random_state=0)
    sample, account = open_sample(X, y, X_test=X, y_test=1 - y), BestSoFar()
    session = Session(Request(Ridge(), {"C": [0.1, 1.0]}, random_state=0), sample, account)
    drives = session.run([KFold(5)], last=OnTestRows(session.test_rows, sample.test_y))
    best = session.ranking(drives[0])[0]
    assert account.shown[-1] == f"{best.candidate.name} ({best.score:.4g})"
    assert max(choice.score for choice in drives[1].choices) < 0.5


def left(**of_run):
    return progress._time_left(Remaining(time_left.working_time(), 3, 12, **of_run))


def test_the_time_left_is_never_more_than_is_left_of_a_budget(monkeypatch):
    """At the beginning, before a fit is timed; with fits that take longer; and with an end that does."""
    monkeypatch.setattr(time_left, "working_time", itertools.count(1000.0, 1e-6).__next__)
    budget = {"allowed": 15.0, "whole": 30.0}
    assert left(**budget) == left(later=200.0, **budget) == "at most 15 seconds left to choose"
    assert left(later=4.0, closing=120.0, **budget) == "at most 15 seconds left to choose"
    assert left(later=4.0, closing=2.0, **budget) == "about 6 seconds left"
    assert left(later=200.0) == "about 3 minutes left"
    over = "the time budget is over, at most 12 seconds to finish"
    assert left(allowed=0.0, whole=12.0) == left(later=200.0, closing=9.0, allowed=0.0, whole=12.0) == over


def test_compiling_is_said_and_takes_no_time_that_is_left(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(compiled_code.time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(compiled_code, "_COMPILING", compiled_code._Compiling())
    account = progress.Account()
    account.expect(10)
    now[0] += 4.0
    account.advance(4)
    compiled_code._COMPILING.begin()
    now[0] += 60.0
    assert account.parts() == ["compiling, once on this machine", "4 of 10 fits", "about 6 seconds left"]
    compiled_code._COMPILING.end()
    assert account.parts() == ["4 of 10 fits", "about 6 seconds left"]


def test_fits_beyond_those_of_the_criterion_have_the_same_budget():
    """Those of an estimate are not in its plan."""
    account = progress.Account()
    X, y = make_classification(60, 5, random_state=0)
    session = Session(Request(Ridge(), {"C": [1.0]}, random_state=0, time_budget=15.0), open_sample(X, y), account)
    session.run([KFold(5)])
    account._began -= 1000  # as if its fits had taken that long
    account.expect(8)
    account.advance(4)
    assert account._left.fits == 13
    assert account._left.later > 100
    assert account._left.allowed <= 15
    assert "to choose" in account.parts()[1]


def test_silence_is_the_default():
    assert isinstance(progress.observer(0), progress.Silent)


def test_a_notebook_gets_a_bar_in_its_place(monkeypatch):
    """IPython's display, of which notebooks need nothing more."""
    updates = []

    class Place:
        def update(self, page):
            updates.append(page)

    page = types.ModuleType("IPython.display")
    page.HTML, page.display = str, lambda *_, **__: Place()
    monkeypatch.setitem(sys.modules, "IPython", types.ModuleType("IPython"))
    monkeypatch.setitem(sys.modules, "IPython.display", page)
    bar = progress.Notebook()
    bar.expect(4)
    bar.best("C=<1>")
    bar.advance(1)
    bar.close()
    assert "<progress" in updates[0]
    assert "1 of 4 fits" in updates[0]
    assert "C=&lt;1&gt;" in updates[0]
    assert updates[-1] == ""


def test_a_call_that_goes_wrong_before_its_fits_leaves_no_thread() -> None:
    before = {thread.ident for thread in threading.enumerate()}
    with pytest.raises(FoldlessError):
        FoldlessSearch(GaussianNB(), {"nothing": [1]}, verbose=1).fit(*make_classification(40))
    assert not [t for t in threading.enumerate() if t.ident not in before and t.name == "progress"]
