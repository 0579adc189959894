"""The default portfolio with its quick models only, each with its first points."""

from typing import Any

import pytest

from foldless.portfolio import Facts, _default

LONG = {"extra-trees", "random-forest", "gradient-boosting", "svc", "linear-svc"}


def shorten(monkeypatch: pytest.MonkeyPatch, n_taught: int = 2) -> None:
    """Try one point of each quick model until the test ends, and ``n_taught`` that the pool teaches."""
    grids = _default.grids

    def short(facts: Facts) -> dict[str, Any]:
        kept = {name: points for name, points in grids(facts).items() if name not in LONG}
        return {name: points[: n_taught if name == "pool-features" else 1] for name, points in kept.items()}

    monkeypatch.setattr(_default, "grids", short)
