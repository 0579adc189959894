"""When to stop, and who gets the second Ctrl-C."""

import os
import select
import signal
import subprocess
import threading
import time
from contextlib import nullcontext, suppress

import pytest

from foldless.core import TimeBudget
from foldless.core.time_budget import WorkingSeconds
from foldless.engine import _stopping as stopping
from foldless.engine._stopping import Stop, work_for
from foldless.errors import Overtime


@pytest.fixture
def before():
    """Python's own handler, which a shell that starts tests in the background turns off."""
    inherited = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield signal.default_int_handler
    signal.signal(signal.SIGINT, inherited)


def test_the_first_interrupt_asks_the_second_acts(before):
    stop = Stop()
    with pytest.raises(KeyboardInterrupt), stop:
        signal.raise_signal(signal.SIGINT)
        assert stop.reason == "it was interrupted"
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_budget_runs_out_and_the_first_reason_stays():
    with Stop(1e-9) as stop:
        assert stop.reason == "the time budget of 1e-09 s ran out"
        stop.request("something else")
        assert stop.reason == "the time budget of 1e-09 s ran out"
    with Stop(1000) as stop:
        assert stop.reason is None


def test_other_threads_leave_signals_alone():
    reasons = []

    def run():
        with Stop(None) as stop:
            reasons.append(stop.reason)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert reasons == [None]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:This process")
def test_a_worker_ends_with_its_parent() -> None:
    """Also where the parent was killed, and could stop nobody."""
    reader, writer = os.pipe()
    begun, begin = os.pipe()
    parent = os.fork()
    if parent == 0:
        if os.fork() == 0:  # the worker, which holds the pipe as long as it lives
            work_for(os.getppid())
            os.write(begin, b".")
            time.sleep(60)
        os.read(begun, 1)
        os.kill(os.getpid(), signal.SIGKILL)
    os.close(writer)
    os.waitpid(parent, 0)
    ready, _, _ = select.select([reader], [], [], 30)
    assert ready
    assert os.read(reader, 1) == b""
    for end in (reader, begun, begin):
        os.close(end)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:This process")
def test_sigterm_ends_workers_that_are_still_starting(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = subprocess.Popen(["sleep", "60"])
    monkeypatch.setattr(stopping, "loky_workers", lambda: [worker.pid])
    parent = os.fork()
    if parent == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        with Stop():
            if os.fork() == 0:  # another child, which does not end what is not its own
                os.kill(os.getpid(), signal.SIGTERM)
            os.wait()
            with suppress(OSError):
                os.kill(worker.pid, 0)
                os.kill(os.getpid(), signal.SIGTERM)
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(parent, 0)[1]) == -signal.SIGTERM
    assert worker.wait(timeout=30) == -signal.SIGTERM


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:This process")
def test_the_handler_of_sigterm_is_that_of_before() -> None:
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with Stop():
            assert signal.getsignal(signal.SIGTERM) == signal.SIG_IGN
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        with Stop():
            assert callable(signal.getsignal(signal.SIGTERM))
            if (worker := os.fork()) == 0:
                work_for(os.getppid())
                os._exit(int(signal.getsignal(signal.SIGTERM) != signal.SIG_DFL))
            assert os.waitpid(worker, 0)[1] == 0
        assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    finally:
        signal.signal(signal.SIGTERM, before)


@pytest.mark.skipif(os.name == "nt", reason="no timers")
def test_what_runs_on_after_the_budget_is_woken_though_it_catches_everything() -> None:
    start = time.monotonic()
    with pytest.raises(Overtime), Stop(0.01) as stop, stop.in_time(grace=0.01):
        while True:
            with suppress(Exception):
                time.sleep(30)
    assert time.monotonic() - start < 20
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.skipif(os.name == "nt", reason="no timers")
def test_timers_of_others_are_left_alone() -> None:
    calls = []
    before = signal.signal(signal.SIGALRM, lambda *_: calls.append(1))
    try:
        with Stop(0.01) as stop, stop.in_time(grace=0.01):
            signal.raise_signal(signal.SIGALRM)
            time.sleep(0.6)
        assert calls == [1]
    finally:
        signal.signal(signal.SIGALRM, before)


def test_a_run_has_nearly_twice_its_budget_until_there_is_something_to_choose(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(stopping.time, "monotonic", lambda: now[0])
    stop = Stop(10)
    now[0] = 16.0  # the answer is there after 20
    assert stop.reason is None
    stop.answered = True
    assert stop.reason == "the time budget of 10 s ran out"
    nothing = Stop(10)
    now[0] = 36.0
    assert nothing.reason == "the time budget of 10 s ran out"


def test_there_is_time_left_to_train_what_is_chosen(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(stopping.time, "monotonic", lambda: now[0])
    stop = Stop(10)
    stop.took(4.0)
    now[0] = 12.0
    assert stop.reason is None
    stop.trains_choice = True
    assert stop.leaves(3.0)
    assert not stop.leaves(4.0)  # four are kept to write it
    assert stop.reason == "the time budget of 10 s ran out"


@pytest.mark.skipif(os.name == "nt", reason="no timers")
def test_what_is_said_of_the_choice_leaves_the_time_to_train_it(monkeypatch):
    """At most half of what is left."""
    now, woken = [10.0], []
    monkeypatch.setattr(stopping.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(stopping, "woken_after", lambda seconds, _: woken.append(seconds) or nullcontext())
    stop = Stop(TimeBudget(10, 0.0))
    stop.trains_choice = True
    for training in (0.0, 2.0, 30.0):
        with stop.to_the_end(training):
            pass
    assert woken == [6.0, 4.0, 3.0]
    now[0] = 16.0
    with pytest.raises(Overtime), stop.to_the_end():
        pass


def test_seconds_of_work_stand_still_while_kernels_are_compiled(monkeypatch):
    """Also those before the search: a first run would end where a later one goes on."""
    now, worked = [100.0], [7.0]
    monkeypatch.setattr(stopping.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(WorkingSeconds, "clock", staticmethod(lambda: worked[0]))
    stop, other = Stop(WorkingSeconds(10), 96.0), Stop(10, 96.0)
    stop.answered = other.answered = True
    now[0], worked[0] = 130.0, 9.0
    assert stop.seconds_left == 4.0
    assert stop.reason is None
    assert other.reason == "the time budget of 10 s ran out"
    worked[0] = 13.0
    assert stop.reason == "the time budget of 10 s ran out"


def test_the_time_counts_from_the_start_that_a_budget_or_a_call_has(monkeypatch):
    monkeypatch.setattr(stopping.time, "monotonic", lambda: 100.0)
    for stop in (Stop(TimeBudget(10, 95.0), 0.0), Stop(10, 95.0)):
        with stop:
            stop.answered = True
            assert stop.reason is None
            monkeypatch.setattr(stopping.time, "monotonic", lambda: 106.0)
            assert stop.reason == "the time budget of 10 s ran out"
        monkeypatch.setattr(stopping.time, "monotonic", lambda: 100.0)
