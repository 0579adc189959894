"""Packages whose names are imported when they are first used: they have all of their names, also for pickles."""

import pickle
import subprocess
import sys

import pytest

import foldless
from foldless import criteria, io, labeling, learners, report, tables


@pytest.mark.parametrize("module", [foldless, learners, criteria, report, tables, labeling, io])
def test_names_that_are_looked_up_later_are_the_names_of_the_package(module: object) -> None:
    names = module.__all__  # type: ignore[attr-defined]
    assert set(names) <= set(dir(module))
    assert all(getattr(module, name) is getattr(module, name) for name in names)
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        _ = module.Nothing  # type: ignore[attr-defined]
    everything: dict[str, object] = {}
    exec(f"from {module.__name__} import *", everything)  # type: ignore[attr-defined]
    assert set(names) <= set(everything)


@pytest.mark.slow
def test_pickles_find_their_classes_in_a_new_process() -> None:
    whole = (learners.LinearSVC(), criteria.KFold(3), foldless.FoldlessSearch(learners.KernelSVC(), {"C": [1]}))
    code = f"import pickle; print(*map(type, pickle.loads({pickle.dumps(whole)!r})))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "foldless.learners.LinearSVC" in done.stdout
    assert "FoldlessSearch" in done.stdout
