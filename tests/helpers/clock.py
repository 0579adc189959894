"""A clock that only moves when somebody sleeps: what depends on time is then the same on a busy machine."""

import time

import pytest


class Clock:
    """Stands for ``time.monotonic``, ``time.perf_counter`` and ``time.sleep``."""

    def __init__(self) -> None:
        self.now = 0.0

    def read(self) -> float:
        """Seconds slept so far."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds


def patched(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Use such a clock in this process until the test ends."""
    clock = Clock()
    monkeypatch.setattr(time, "monotonic", clock.read)
    monkeypatch.setattr(time, "perf_counter", clock.read)
    monkeypatch.setattr(time, "sleep", clock.sleep)
    return clock
