"""Choices and numbers are what they were, as far as they can be compared on another processor."""

import copy
import json
import math
from typing import Any

import pytest
from golden import comparing, runs
from golden.comparing import differences, exact_differences, leaves, measured_tolerances

RECORDED, TOLERANCES = runs.recorded(), runs.tolerances()


def test_each_run_is_recorded_with_its_tolerances() -> None:
    assert list(runs.RUNS) == list(RECORDED) == list(TOLERANCES)
    assert len(runs.RUNS) >= 20


LONG = ("commands_of_streams", "commands_that_predict", "online_learners")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in LONG else []) for name in runs.RUNS]
)
def test_a_run_tells_what_it_told(name: str) -> None:
    assert list(differences(runs.observed(name), RECORDED[name], TOLERANCES[name])) == []


def test_a_perturbation_moves_the_data_by_its_size_and_is_over_afterwards() -> None:
    X, *_ = runs.wine()
    with runs.perturbation(1e-6, seed=0):
        moved, *_ = runs.wine()
        assert 1e-7 < abs(moved / X - 1).max() < 1e-5
        assert (runs.table()["x"] != (x := runs.table()["x"]).round(4)).any()
        assert (runs.table()["x"] == x).all()
    assert (runs.wine()[0] == X).all()


# what is compared is worth it --------------------------------------------------------------------------------------


def test_most_is_compared_and_tightly() -> None:
    compared = tight = total = 0
    for name, result in RECORDED.items():
        allowed = [comparing.allowed(at, TOLERANCES[name]) for at in leaves(result)]
        total += len(allowed)
        compared += sum(tolerance is not None for tolerance in allowed)
        tight += sum(tolerance is not None and tolerance <= 1e-4 for tolerance in allowed)
    assert compared > 0.9 * total
    assert tight > 0.8 * total


@pytest.mark.parametrize("name", runs.RUNS)
def test_a_change_of_what_is_stable_is_seen(name: str) -> None:
    """Scores that are off by a thousandth, other labels, other counts."""
    recorded = {at.removeprefix("/"): leaf for at, leaf in leaves(RECORDED[name]).items()}  # its leaves are the same
    changed = {at: another(leaf) for at, leaf in recorded.items()}
    compared = [at for at in leaves(recorded) if comparing.allowed(at, TOLERANCES[name]) is not None]
    found = list(differences(changed, recorded, TOLERANCES[name]))
    assert len(found) == len(compared)
    assert all(line.startswith(f"{at}: ") for line, at in zip(found, compared, strict=True))


def another(leaf: Any) -> Any:
    number = isinstance(leaf, float) and math.isfinite(leaf)
    return leaf + 1e-3 * max(1.0, abs(leaf)) if number else "another"


def test_another_choice_of_a_stable_run_is_seen() -> None:
    name = "dagging_criterion"
    assert comparing.allowed("/ranking/first", TOLERANCES[name]) is not None
    other = copy.deepcopy(RECORDED[name])
    other["ranking"][:2] = other["ranking"][1::-1]
    (difference,) = differences(other, RECORDED[name], TOLERANCES[name])
    assert difference.startswith("/ranking/first: ")


def test_ties_behind_the_first_may_change_places() -> None:
    ranking = [[0, {"C": 1}, 0.9], [1, {"C": 2}, 0.8], [2, {"C": 3}, 0.8]]
    then, now = {"ranking": ranking}, {"ranking": [ranking[0], ranking[2], ranking[1]]}
    assert list(differences(now, then, {})) == []
    assert len(list(exact_differences(now, then))) > 0


# comparing ---------------------------------------------------------------------------------------------------------


def test_differences_are_seen() -> None:
    then = {"a": [1.0, "x", None], "b": 1}
    assert list(exact_differences(then, then)) == list(differences(then, then, {})) == []
    assert list(differences({"a": [1.0 + 1e-12, "x", None], "b": 1}, then, {})) == []
    for other in ({"a": [1.0 + 1e-12, "x", None], "b": 1}, {"a": [1.0, "x"], "b": 1}, {"a": [1.0, "x", 0], "b": 1}):
        assert len(list(exact_differences(other, then))) == 1
    for other in ({"a": [1.0 + 1e-5, "x", None], "b": 1}, {"a": [1.0, "x", None], "b": 2}, {"a": [1.0, "x"], "b": 1}):
        assert len(list(differences(other, then, {}))) == 1
    assert len(list(differences({"a": then["a"]}, then, {}))) == 1


def test_what_is_not_compared_may_be_anything_and_a_tolerance_has_an_end() -> None:
    then = {"accuracy": 0.9, "models": {"a": 1, "b": "x"}, "weight": 1.0}
    now = {"accuracy": 0.8, "models": None, "weight": 1.00001}
    assert list(differences(now, then, {"/accuracy": None, "/models": None, "/weight": 2e-5})) == []
    assert len(list(differences(now, then, {"/accuracy": None, "/models": None, "/weight": 5e-6}))) == 1


def test_tolerances_are_those_of_the_arithmetic() -> None:
    def result(label: str, accuracy: float, weight: float, wild: float, steady: float) -> Any:
        return json.loads(json.dumps({"label": label, "step": accuracy, "w": [weight, wild], "steady": steady}))

    own = result("a", 0.9, 1.0, 5.0, 0.5)
    perturbed = {
        1e-6: [result("a", 0.9, 1 + 3e-5, 5.1, 0.5), result("b", 0.85, 1 - 2e-5, 4.7, 0.5)],
        1e-7: [result("a", 0.9, 1 + 3e-6, 5 + 1e-5, 0.5)],
        1e-10: [result("a", 0.9, 1 + 3e-9, 5 + 1e-7, 0.5)],
    }
    # a label and an accuracy that jump are left out; a weight has what 1e-7 grows to, as has one that 1e-6 throws off
    assert measured_tolerances(own, perturbed) == {"/label": None, "/step": None, "/w/0": 4e-5, "/w/1": 4e-5}


def test_a_part_that_comes_and_goes_is_not_compared() -> None:
    own, other = {"shift": None, "n": 1}, {"shift": {"auc": 0.5}, "n": 1}
    tolerances = measured_tolerances(own, {1e-6: [other]})
    assert tolerances == {"/shift": None, "/shift/auc": None}
    assert list(differences(other, own, tolerances)) == []
