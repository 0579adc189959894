"""Class shares on the terminal: shares without an interval are marked, and what intervals assume stands with them."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from foldless.cli.terminal import _quantified as quantified
from foldless.results import Prevalence

NOTHING = {"notes": [], "picture": None, "report": None}
MARK = "? without an interval: the share should not be trusted"


def found(known: list[bool], classes: str = "ab", by: str | None = "day") -> Prevalence:
    n, k = len(known), len(classes)
    shares = np.full((n, k), 1 / k)
    lower, upper = (np.where(np.array(known)[:, None], end, np.nan) for end in (shares - 0.1, shares + 0.1))
    groups = tuple(pd.Timestamp("1996-05-01") + pd.Timedelta(days=at) for at in range(n))
    holds = tuple("prior shift" if each else "no interval" for each in known)
    return Prevalence(
        np.array(list(classes)), shares, lower, upper, np.full(n, 40), groups if by else ("all",), shares[0], 0.95,
        "map", ("labels are drawn at random",), by, "lr", 100, holds_under=holds,
    )  # fmt: skip


def shown(prevalence: Prevalence, capsys: pytest.CaptureFixture[str]) -> str:
    problem: Any = SimpleNamespace(describe=list)
    quantified.shares(prevalence, NOTHING, problem)
    return capsys.readouterr().out


@pytest.mark.parametrize("classes", ["ab", "abc"])
def test_where_no_group_has_an_interval_nothing_is_said_of_intervals(
    classes: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = shown(found([False, False], classes), capsys)
    assert "there are no intervals" in text
    assert "The intervals hold if" not in text
    assert "with their intervals" not in text
    assert MARK in text
    assert text.count("%?") + text.count("33?") == 2 * (len(classes) - 1 + (len(classes) == 3))
    assert "1996-05-01 " in text
    assert "00:00:00" not in text


@pytest.mark.parametrize("classes", ["ab", "abc"])
def test_shares_without_an_interval_are_marked_among_others(classes: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(found([True, False], classes), capsys)
    first, second = (next(line for line in text.splitlines() if day in line) for day in ("05-01", "05-02"))
    assert "?" not in first
    assert "?" in second
    assert MARK in text
    assert "The intervals hold if\n  - labels are drawn at random" in text


def test_shares_with_intervals_have_no_mark(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(found([True, True]), capsys)
    assert "?" not in text
    assert "intervals have confidence 0.95 and assume prior shift" in text


@pytest.mark.parametrize("known", [True, False])
def test_the_shares_of_a_whole_pool(known: bool, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(found([known], by=None), capsys)
    assert ("50.0%?" in text) is not known
    assert ("The intervals hold if" in text) is known
