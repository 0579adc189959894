"""A bar on a terminal, nothing elsewhere."""

import io

from helpers.learners import Ridge
from rich.console import Console
from sklearn.datasets import make_classification

from foldless.criteria import KFold
from foldless.data.opening import open_data
from foldless.engine import progress
from foldless.selection._request import Request
from foldless.selection.session import Session


def test_nothing_when_piped(capsys):
    assert isinstance(progress.observer(1), progress.Silent)
    assert capsys.readouterr().err == ""


def test_a_terminal_sees_fits_time_left_and_the_best_so_far():
    out = io.StringIO()
    bar = progress.Bar(Console(file=out, force_terminal=True, width=120))
    X, y = make_classification(60, 5, random_state=0)
    session = Session(Request(Ridge(sleep=0.06), {"C": [0.1, 1.0]}, random_state=0), open_data(X, y), bar)
    session.run([KFold(5)])
    shown = out.getvalue()
    assert "/10" in shown
    assert "best so far C=" in shown


def test_silence_is_the_default():
    assert isinstance(progress.observer(0), progress.Silent)
