"""Thousands of cases are for the night: ``make fuzz``, or ``pytest -m nightly``."""

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "nightly" not in config.getoption("markexpr"):
        for item in items:
            if item.get_closest_marker("nightly"):
                item.add_marker(pytest.mark.skip(reason="nightly: make fuzz"))
