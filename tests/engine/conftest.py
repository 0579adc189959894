"""What tests of the engine share."""

import pytest
from helpers.clock import Clock, patched


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that moves only while a learner sleeps."""
    return patched(monkeypatch)
