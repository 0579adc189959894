"""Intervals of macro F1 and the like hold with rare classes; those without a prior, or blind to groups, do not."""

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.metrics import balanced_accuracy_score, f1_score, matthews_corrcoef, precision_score

from foldless.accuracy import _confusion_interval as module
from foldless.accuracy._confusion_interval import MEASURES, confusion_interval, rare_classes, with_interval

RUNS, LEVEL = 250, 0.93


def population(share, recall, false):
    """The shares of the four cells: true class by predicted class."""
    return np.array([(1 - share) * (1 - false), (1 - share) * false, share * (1 - recall), share * recall])


def measured(measure, cells, n_classes=2):
    table = module._Table(np.repeat(np.arange(n_classes), n_classes), np.tile(np.arange(n_classes), n_classes), 2)
    return float(table.of(MEASURES[measure], cells))


def misses(measure, cells, n, copies=1, grouped=True, **settings):
    """How often an interval that is given does not hold the measure of the population, and how many are given."""
    rng, missed, given = np.random.default_rng(5), 0, 0
    truth = measured(measure, cells)
    for _ in range(RUNS):
        drawn = rng.choice(4, n, p=cells)
        y, predicted = np.repeat(drawn // 2, copies), np.repeat(drawn % 2, copies)
        units = np.repeat(np.arange(n), copies)
        if rare_classes(measure, np.bincount(drawn // 2, minlength=2)):
            continue
        ends = confusion_interval(measure, y, predicted, 2, 0.95, rng, units if grouped else None, **settings)
        value = measured(measure, np.bincount(drawn, minlength=4) / n)
        found = with_interval(value, ends)
        given += 1
        missed += not found.lower <= truth <= found.upper
    return missed, given


@pytest.fixture(autouse=True)
def fewer_draws(monkeypatch):
    monkeypatch.setattr(module, "DRAWS", 600)


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["f1_macro", "matthews_corrcoef", "balanced_accuracy"])
@pytest.mark.parametrize(("share", "n"), [(0.05, 100), (0.2, 100)])
def test_they_hold_with_rare_positives(measure, share, n):
    missed, given = misses(measure, population(share, 0.9, 0.02), n)
    assert given > RUNS / 2
    assert binom.sf(missed - 1, given, 1 - LEVEL) > 1e-6


@pytest.mark.parametrize("measure", ["f1_macro", "matthews_corrcoef", "balanced_accuracy"])
def test_without_a_prior_they_do_not(measure):
    """Of five positives most samples have no wrong one, and their recall is then thought to be certain."""
    missed, given = misses(measure, population(0.05, 0.9, 0.002), 100, prior=1e-6)
    assert binom.sf(missed - 1, given, 1 - LEVEL) < 1e-6


@pytest.mark.parametrize(("grouped", "holds"), [(True, True), (False, False)])
def test_copies_of_a_row_count_once(grouped, holds):
    missed, given = misses("f1_macro", population(0.2, 0.6, 0.05), 60, copies=3, grouped=grouped)
    assert (binom.sf(missed - 1, given, 1 - LEVEL) > 1e-6) == holds


def test_measures_are_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    y = rng.integers(4, size=200)
    predicted = np.where(rng.random(200) < 0.6, y, rng.integers(4, size=200))
    table = module._Table(y, predicted, 4)
    expected = {
        "f1_macro": f1_score(y, predicted, average="macro"),
        "f1_micro": f1_score(y, predicted, average="micro"),
        "f1_weighted": f1_score(y, predicted, average="weighted"),
        "balanced_accuracy": balanced_accuracy_score(y, predicted),
        "matthews_corrcoef": matthews_corrcoef(y, predicted),
        "precision_macro": precision_score(y, predicted, average="macro"),
        "recall_macro": balanced_accuracy_score(y, predicted),
    }
    assert {name: float(table.of(measure, table.counts)) for name, measure in MEASURES.items()} == pytest.approx(
        expected
    )


@pytest.mark.parametrize("n_classes", [3, 40])
def test_a_prediction_that_is_no_class_is_wrong(n_classes):
    """Also in the last class, and where there are too many classes for a prior in every cell."""
    y = np.repeat(np.arange(n_classes), 5)
    predicted = np.where(np.arange(5 * n_classes) % 5 == 0, -1, y)
    table = module._Table(y, predicted, n_classes)
    assert float(table.of(MEASURES["balanced_accuracy"], table.counts)) == pytest.approx(0.8)
    assert float(table.of(MEASURES["precision_macro"], table.counts)) == pytest.approx(1.0)
    assert float(table.of(MEASURES["matthews_corrcoef"], table.counts)) == pytest.approx(
        matthews_corrcoef(y, predicted)
    )
    lower, upper = confusion_interval("balanced_accuracy", y, predicted, n_classes, 0.95, np.random.default_rng(0))
    assert lower < 0.8 < upper


def test_the_prior_weighs_two_rows_however_many_the_classes():
    for n_classes in (2, 7, 50):
        y = np.arange(n_classes)
        assert module._Table(y, y, n_classes).prior.sum() == pytest.approx(2)


def test_a_value_at_the_edge_is_in_its_interval_and_few_rows_have_none():
    assert with_interval(1.0, (0.8, 0.999)).upper == 1.0
    assert np.isnan(with_interval(0.5, None).lower)
    assert rare_classes("f1_macro", np.array([50, 2, 3])) == [1]
    assert rare_classes("f1_weighted", np.array([50, 2, 3])) == []


def test_both_ends_leave_out_as_much():
    """Matthews' correlation of the other labels is its negative, and so are the ends of its interval, in reverse."""
    y = np.repeat([0, 1], 20)
    labels = np.where(np.arange(40) % 5 == 0, 1 - y, y)
    ends = [
        confusion_interval("matthews_corrcoef", y, codes, 2, 0.95, np.random.default_rng(0))
        for codes in (labels, 1 - labels)
    ]
    (lower, upper), (other_lower, other_upper) = ends
    assert lower == pytest.approx(-other_upper, abs=0.02)
    assert upper == pytest.approx(-other_lower, abs=0.02)
