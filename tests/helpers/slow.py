"""Parameters of which `make test` takes the first, and `make test-all` the others."""

from collections.abc import Iterable
from typing import Any

import pytest


def slow_beyond(n: int, values: Iterable[Any]) -> list[Any]:
    """Values for `pytest.mark.parametrize`; all behind the first ``n`` are slow."""
    return [value if at < n else _slow(value) for at, value in enumerate(values)]


def slow_but(fast: Iterable[Any], values: Iterable[Any]) -> list[Any]:
    """Values for `pytest.mark.parametrize`; all that are not among ``fast`` are slow."""
    kept = list(fast)
    return [value if value in kept else _slow(value) for value in values]


def _slow(value: Any) -> Any:
    return (
        pytest.param(*value, marks=pytest.mark.slow)
        if isinstance(value, tuple)
        else pytest.param(value, marks=pytest.mark.slow)
    )
