"""A clock that only moves when somebody sleeps: what depends on time is then the same on a busy machine."""

import signal
import time

import pytest


class Clock:
    """Stands for ``time.monotonic``, ``time.perf_counter``, ``time.sleep``, and the timer that may wake a sleeper."""

    def __init__(self, *, wakes: bool = False) -> None:
        self.now, self._wakes = 0.0, wakes
        self._due: float | None = None
        self._again = 0.0

    def read(self) -> float:
        """Seconds slept so far."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Let time pass; a timer whose end comes before that of the sleep wakes the sleeper, if it wakes at all."""
        end = self.now + seconds
        while self._wakes and self._due is not None and self._due < end:
            self.now = max(self.now, self._due)
            self._due = self._due + self._again if self._again else None
            wake = signal.getsignal(signal.SIGALRM)
            assert callable(wake)
            wake(signal.SIGALRM, None)
        self.now = end

    def setitimer(self, which: int, seconds: float, interval: float = 0.0) -> tuple[float, float]:
        """Set the one timer, or end it."""
        before = self.getitimer(which)
        self._due, self._again = (self.now + seconds, interval) if seconds else (None, 0.0)
        return before

    def getitimer(self, which: int) -> tuple[float, float]:
        """Seconds that are left until it wakes, and those between its later ends."""
        assert which == signal.ITIMER_REAL
        return (0.0, 0.0) if self._due is None else (max(self._due - self.now, 1e-6), self._again)


def patched(monkeypatch: pytest.MonkeyPatch, *, wakes: bool = False) -> Clock:
    """Use such a clock in this process until the test ends; its timer wakes nobody unless that is asked."""
    clock = Clock(wakes=wakes)
    monkeypatch.setattr(time, "monotonic", clock.read)
    monkeypatch.setattr(time, "perf_counter", clock.read)
    monkeypatch.setattr(time, "sleep", clock.sleep)
    if hasattr(signal, "setitimer"):
        monkeypatch.setattr(signal, "setitimer", clock.setitimer)
        monkeypatch.setattr(signal, "getitimer", clock.getitimer)
    return clock
