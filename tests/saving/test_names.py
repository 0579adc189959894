"""Every class that may be saved has a public name, by which it is found, pickled and trusted."""

import doctest
import importlib
import inspect
import pickle
import subprocess
import sys
from typing import Any

import pytest
import skops.io

import foldless.saving
from foldless.saving._names import MODULES, find, names, saved
from foldless.saving._old_names import OLD
from foldless.saving._trusted import trusted_types

PUBLIC = ("foldless.learners", "foldless.measures", "foldless.online", "foldless.saving", "foldless.text")


@pytest.mark.parametrize("name", names())
def test_a_saved_class_is_found_by_its_public_name(name: str) -> None:
    home, _, own = name.rpartition(".")
    cls = find(name)
    assert home in PUBLIC
    assert cls is getattr(importlib.import_module(home), own)
    assert pickle.loads(pickle.dumps(cls)) is cls
    assert name in trusted_types()


@pytest.mark.parametrize("name", [name for name in names() if name.startswith("foldless.saving.")])
def test_docstrings_of_parts_run(name: str) -> None:
    """doctest looks into modules, and a part has its home in none that holds it."""
    cls: Any = find(name)
    runner = doctest.DocTestRunner()
    for test in doctest.DocTestFinder().find(cls, name, module=False, globs={cls.__name__: cls}):
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_all_classes_of_0_1_may_still_be_saved() -> None:
    assert set(OLD.values()) <= set(names())


def test_public_learners_and_measures_may_be_saved() -> None:
    for home in ("foldless.learners", "foldless.measures", "foldless.online"):
        package = importlib.import_module(home)
        offered = [getattr(package, name) for name in package.__all__]
        classes = [one for one in offered if inspect.isclass(one) and not inspect.isabstract(one)]
        missing = [one for one in classes if find(f"{home}.{one.__name__}") is not one]
        names = {one.__name__ for one in missing}
        assert names <= {"Nested", "PseudoConcave"}  # it holds functions; it is a base without top and bottom


@pytest.mark.slow
def test_parts_are_found_in_a_new_process() -> None:
    names = ("Points", "TwoViews", "CodedClassifier", "Seasons")
    code = "import pickle, sys; print(*(pickle.loads(bytes.fromhex(raw)).__name__ for raw in sys.argv[1:]))"
    raw = [pickle.dumps(getattr(foldless.saving, name)).hex() for name in names]
    told = subprocess.run([sys.executable, "-c", code, *raw], capture_output=True, text=True, check=True).stdout
    assert tuple(told.split()) == names


def test_what_has_no_home_is_not_found() -> None:
    for name in ("Nothing", "_private"):
        with pytest.raises(AttributeError, match=f"has no attribute '{name}'"):
            getattr(foldless.saving, name)
    assert all(importlib.import_module(module) for module in MODULES)


def test_a_name_is_given_once() -> None:
    def other() -> None:
        class LinearSVC:
            pass

        LinearSVC.__qualname__ = "LinearSVC"
        saved("foldless.learners")(LinearSVC)

    before = find("foldless.learners.LinearSVC")
    with pytest.raises(TypeError, match=r"LinearSVC is saved from foldless\..* already: give the class of .* another"):
        other()
    assert find("foldless.learners.LinearSVC") is before


def test_a_subclass_is_not_trusted_with_its_parent() -> None:
    class Mine(find("foldless.learners.LinearSVC")):  # type: ignore[misc]  # any class
        pass

    assert Mine.__module__ == __name__
    assert f"{Mine.__module__}.{Mine.__qualname__}" not in trusted_types()
    assert skops.io.get_untrusted_types(data=skops.io.dumps(find("foldless.learners.LinearSVC")()))[0] in names()
