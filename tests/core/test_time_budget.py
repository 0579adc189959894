"""Budgets count from their start, and timers that nest never lose the end of the outer one."""

import copy
import os
import pickle
import signal
import time
from contextlib import ExitStack

import pytest
from sklearn.base import clone

from foldless import FoldlessSearch
from foldless.core.time_budget import TimeBudget, woken_after
from foldless.errors import Overtime

timers = pytest.mark.skipif(os.name == "nt", reason="no timers")


@pytest.fixture(autouse=True)
def _no_timer_is_left() -> None:
    yield
    if hasattr(signal, "setitimer"):
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL


def test_it_counts_from_its_start() -> None:
    budget = TimeBudget(10, time.monotonic() - 4)
    assert budget == 10
    assert 4 <= budget.spent < 60
    assert TimeBudget(10).spent < 60


@pytest.mark.parametrize(("seconds", "whole"), [(2, 7), (5, 10), (10, 20), (60, 120)])
def test_all_is_over_five_seconds_later_or_after_twice_the_time(seconds: float, whole: float) -> None:
    assert TimeBudget(seconds).whole == whole


def test_copies_keep_the_start() -> None:
    budget = TimeBudget(10, 3.0)
    copies = [copy.deepcopy(budget), pickle.loads(pickle.dumps(budget))]
    copies.append(clone(FoldlessSearch(time_budget=budget)).time_budget)
    assert [(each, each.start) for each in copies] == [(10.0, 3.0)] * 3


@timers
def test_work_is_woken_though_the_time_has_passed() -> None:
    with pytest.raises(Overtime), TimeBudget(1, time.monotonic() - 9).until(1):
        time.sleep(30)


@timers
def test_the_end_of_the_outer_one_comes_after_an_inner_one_that_was_caught() -> None:
    start = time.monotonic()
    with pytest.raises(Overtime), woken_after(0.2):
        with pytest.raises(Overtime), woken_after(25):
            time.sleep(30)
        time.sleep(30)
    assert time.monotonic() - start < 20


@timers
def test_the_outer_one_goes_on_with_what_is_left() -> None:
    with woken_after(50):
        with woken_after(20):
            pass
        assert 40 < signal.getitimer(signal.ITIMER_REAL)[0] <= 50
        with pytest.raises(Overtime), woken_after(0.01):
            time.sleep(30)
        assert 10 < signal.getitimer(signal.ITIMER_REAL)[0] <= 50


@timers
def test_work_is_not_woken_before_its_own_clock_says_so() -> None:
    """And then within half a second, though the timer has rung long ago; an outer end counts on the outer clock."""
    now = [0.0]
    with woken_after(0.05, lambda: now[0]):
        time.sleep(0.7)
    with pytest.raises(Overtime), woken_after(0.05, lambda: now[0]):
        time.sleep(0.2)
        now[0] = 1.0
        time.sleep(30)
    with pytest.raises(Overtime), woken_after(0.3), woken_after(0.05, lambda: now[0]):
        time.sleep(30)


@timers
def test_compiling_is_not_broken_off() -> None:
    from numba.core.compiler_lock import global_compiler_lock

    compiled = False
    with pytest.raises(Overtime), ExitStack() as timers:
        with global_compiler_lock:
            timers.enter_context(woken_after(0.02))
            time.sleep(0.2)
            compiled = True
        time.sleep(5)
    assert compiled


def test_a_timer_that_ends_where_it_begins_is_not_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is woken before the block has begun has nobody else to end the timer, which wakes again and again."""
    set_timer = signal.setitimer

    def ends_at_once(which: int, seconds: float, again: float = 0.0) -> None:
        set_timer(which, seconds, again)
        if seconds:
            raise Overtime

    monkeypatch.setattr(signal, "setitimer", ends_at_once)
    with pytest.raises(Overtime), woken_after(60):
        pytest.fail("the block has begun")
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL
