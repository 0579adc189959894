"""What tests of the engine share."""

import math

import pytest
from helpers.clock import Clock, patched

from foldless.engine import _progress, _workers


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that moves only while a learner sleeps."""
    return patched(monkeypatch)


@pytest.fixture(autouse=True)
def unhurried(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the clock is that of the machine, a pause of it cuts no group of fits in two and skips no look at them."""
    if "clock" not in request.fixturenames:
        monkeypatch.setattr(_workers, "PATIENCE", math.inf)
        monkeypatch.setattr(_progress, "BRIEF", math.inf)
