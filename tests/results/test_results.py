"""Everything users receive is in one package, has a page, and is found where it was before."""

import importlib
import inspect
import pickle
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from foldless import results
from foldless.results import Difference, Estimate, Prevalence, PriorShift, Shift, Timing

API = Path(__file__).parents[2] / "docs" / "api.rst"
SHIFT = Shift(True, 0.002, 0.8, 0.001, 0.3, "spam", 0.5, 0.25, 100, 900)
VALUES = [
    SHIFT,
    PriorShift(False, 0.4, 0.01),
    Difference(0.1, -0.05, 0.25, 60),
    Timing((0.1, 0.2), (0.01, 0.02)),
    Estimate("accuracy", 0.8, 0.7, 0.9, 0.95, "labels", ("rows are independent",), 100, shift=SHIFT),
]


@pytest.mark.parametrize("name", results.__all__)
def test_each_class_is_on_the_api_page_and_says_what_it_holds(name):
    section = API.read_text(encoding="utf-8").partition(".. module:: foldless.results")[2].partition(".. module::")[0]
    assert re.search(rf"^   {name}$|``{name}``", section, flags=re.MULTILINE)
    assert inspect.getdoc(getattr(results, name))


@pytest.mark.parametrize(
    "name", ["Estimate", "Shift", "Difference", "PriorShift", "Timing", "Evaluation", "Prevalence"]
)
def test_a_docstring_names_each_attribute(name):
    kind = getattr(results, name)
    documented = set(
        re.findall(r"\w+", " ".join(re.findall(r"^([\w, ]+) :", inspect.getdoc(kind), flags=re.MULTILINE)))
    )
    private_shape = {"values", "lowest", "highest", "sizes", "groups", "labeled"} if name == "Prevalence" else set()
    assert set(kind.__dataclass_fields__) - private_shape <= documented


@pytest.mark.parametrize(
    ("module", "names"),
    {
        "foldless.selection": ("Selection", "Comparison", "Evaluation", "Prevalence"),
        "foldless.selection.evaluate": ("Evaluation",),
        "foldless.streams": ("StreamShares", "PrevalenceWindow"),
        "foldless.streams.shares": ("StreamShares",),
    }.items(),
)
def test_they_are_found_where_they_were(module, names):
    for name in names:
        assert getattr(importlib.import_module(module), name) is getattr(results, name)


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_values_survive_pickling(value):
    assert pickle.loads(pickle.dumps(value)) == value


def test_an_alarm_says_what_to_do_and_no_alarm_says_nothing():
    assert "differ" in str(SHIFT)
    assert SHIFT.note.endswith("pass a pool like the labels")
    assert not Shift(False, 0.5, 0.5, 0.5, 0.5, "spam", 0.5, 0.5, 100, 900).note
    assert SHIFT.to_dict()["level"] == 0.01


def test_a_difference_whose_interval_holds_zero_is_a_tie():
    assert not Difference(0.1, -0.05, 0.25, 60).told_apart
    assert not Difference(0.1, 0.0, 0.2, 60).told_apart
    assert Difference(0.1, 0.01, 0.19, 60).told_apart


def test_an_estimate_says_its_interval_and_is_plain_data():
    estimate = VALUES[-1]
    assert str(estimate) == "accuracy on new rows about 0.800, 0.700 to 0.900 with confidence 0.95 (from 100 labels)"
    assert estimate.to_dict()["assumes"] == ["rows are independent"]
    assert estimate.to_dict()["shift"]["moved"] == "spam"


def test_reprs_are_short_with_plain_numbers():
    made = Estimate("accuracy", np.float64(0.8), np.float64(0.7), np.float64(0.9), 0.95, "labels", ("a",), 100, 900)
    assert repr(made) == "Estimate(accuracy=0.800 (0.700 to 0.900), rows=100, pool=900)"
    bare = Estimate("r2", 0.5, np.nan, np.nan, 0.95, "labels", (), 10, population="rows like the labeled ones")
    assert repr(bare) == "Estimate(r2=0.500 (no interval), rows=10, on rows like the labeled ones)"
    shares = np.array([[0.1, 0.5, 0.15, 0.25]])
    fields = np.array(list("abcd")), shares, shares - 0.05, shares + 0.05, np.array([400]), ("all",), shares[0], 0.95
    assert repr(Prevalence(*fields, "map", (), n_labels=100)) == (
        "Prevalence(map, b=0.500 (0.450 to 0.550), d=0.250 (0.200 to 0.300), c=0.150 (0.100 to 0.200) and 1 more, "
        "rows=400, labels=100)"
    )
    assert repr(Prevalence(*fields, "map", (), "day", n_labels=100)) == (
        "Prevalence(map, by 'day', groups=1, classes=4, rows=400, labels=100)"
    )


def test_an_estimate_in_a_notebook_has_its_interval_assumptions_and_notes():
    page = Estimate("f1_macro", 0.8, 0.7, 0.9, 0.95, "labels", ("a < b",), 100, notes=("few labels",))._repr_html_()
    for text in ("macro F1 on new rows about 0.800, 0.700 to 0.900 with confidence 0.95", "a &lt; b", "few labels"):
        assert text in page
    assert "<summary>assumptions</summary>" in page
    assert "<table" not in page


def test_groups_are_named_as_tables_name_them():
    shares = np.array([[0.5, 0.5]])
    days = (pd.Timestamp("1996-05-01"),)
    made = Prevalence(
        np.array(["a", "b"]), shares, shares, shares, np.array([4]), days, shares[0], 0.95, "map", (), "day"
    )
    assert "day 1996-05-01 (4 rows)" in str(made)
