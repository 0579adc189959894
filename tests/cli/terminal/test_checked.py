"""Findings on a terminal of 80 columns, and the short form of two lines."""

import io

import pytest

from foldless.cli.terminal import _checked as checked
from foldless.cli.terminal._console import Screen
from foldless.results import CheckedFinding, Finding, Findings, Impact

CHANGE = Impact(0.91, 0.86, -0.08, -0.02, "with one of each", "logistic-regression", 300)
COPIES = CheckedFinding(
    Finding("FL004", "14 of 300 labeled rows appear more than once", rows=range(14), remedy="keep one of each"),
    "issue",
    CHANGE,
)
DATES = CheckedFinding(Finding("FL021", "later dates"), "tip", untold="no label is of that time")


@pytest.fixture
def narrow(monkeypatch):
    """A screen of 80 columns."""
    stream = io.StringIO()

    def screen(file=None):
        made = Screen.__new__(Screen)
        from rich.console import Console

        made.console = Console(file=stream, width=80, no_color=True)
        return made

    monkeypatch.setattr(checked, "Screen", screen)
    return stream


def test_lines_fit_eighty_columns(narrow):
    checked.findings(Findings((COPIES, DATES), {"FL001": ""}, about="300 rows"))
    lines = narrow.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[1] == "FL004 issue  14 of 300 labeled rows appear more than once"
    assert lines[2] == "             accuracy .91 → .86 with one of each   keep one of each"
    assert lines[3] == "FL021 tip    later dates"
    assert "--verbose, --report check.html" in lines[-1]


def test_verbose_says_everything(narrow):
    checked.findings(Findings((COPIES, DATES), {"FL001": "rare classes"}, {"FL006": "there is no pool"}), verbose=True)
    shown = " ".join(narrow.getvalue().split())
    assert "rows 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 4 more" in shown
    assert "the change is -0.050 (-0.080 to -0.020 with confidence 0.95), by logistic-regression on 300 rows" in shown
    assert "how much it matters is not known: no label is of that time" in shown
    assert "FL006 does not apply: there is no pool" in shown


@pytest.mark.parametrize(
    ("entries", "n"), [((), 0), ((DATES,), 1), ((COPIES,), 1), ((COPIES, COPIES), 2), ((COPIES,) * 4 + (DATES,), 2)]
)
def test_the_short_form_has_two_lines_at_most(entries, n):
    stream = io.StringIO()
    checked.short(Findings(tuple(entries)), Screen(stream))
    lines = stream.getvalue().splitlines()
    assert len(lines) == n
    if len(entries) == 5:
        assert lines[1] == "3 more issues and 1 more tip: foldless check shows them, and how much they matter"
    if entries == (DATES,):
        assert lines == ["FL021 tip    later dates"]


def test_the_short_form_leaves_out_details_that_do_not_fit():
    stream = io.StringIO()
    screen = Screen(stream)
    screen.console.width = 60
    long = CheckedFinding(
        Finding("FL020", "labels and pool differ (p 0.003): existing (share of rows with it)"), "issue"
    )
    checked.short(Findings((long,)), screen)
    assert stream.getvalue().splitlines() == [
        "FL020 issue  labels and pool differ (p 0.003): existing",
        "             (share of rows with it)",
    ]
    stream.truncate(0)
    stream.seek(0)
    checked.short(Findings((long, DATES)), screen)
    assert stream.getvalue().splitlines() == [
        "FL020 issue  labels and pool differ (p 0.003)",
        "FL021 tip    later dates",
    ]
