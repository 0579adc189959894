"""Choices are what they were, and numbers to about six digits: other processors round otherwise."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest


def _runs() -> Any:
    spec = importlib.util.spec_from_file_location("golden_runs", Path(__file__).with_name("runs.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["golden_runs"] = module
    spec.loader.exec_module(module)
    return module


runs = _runs()


def test_each_run_is_recorded() -> None:
    assert list(runs.RUNS) == list(runs.recorded())
    assert len(runs.RUNS) >= 20


@pytest.mark.parametrize("name", runs.RUNS)
def test_a_run_tells_what_it_told(name: str) -> None:
    assert list(runs.differences(runs.observed(name), runs.recorded()[name], exact=False)) == []


def test_differences_are_seen() -> None:
    then = {"a": [1.0, "x", None], "b": 1}
    assert list(runs.differences(then, then, exact=True)) == []
    assert list(runs.differences({"a": [1.0 + 1e-12, "x", None], "b": 1}, then, exact=False)) == []
    for other in ({"a": [1.0 + 1e-12, "x", None], "b": 1}, {"a": [1.0, "x"], "b": 1}, {"a": [1.0, "x", 0], "b": 1}):
        assert len(list(runs.differences(other, then, exact=True))) == 1
    assert len(list(runs.differences({"a": then["a"]}, then, exact=False))) == 1
