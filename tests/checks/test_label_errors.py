"""FL012: labels that the labels of all other rows contradict, and the rows to look at first."""

import numpy as np
import pytest
from helpers.checked_data import FixedFits, diagnoses, numbers

from foldless.checks._check import DoesNotApply


def flipped_labels(flipped, seed=0, n=400, slope=6.0):
    """Labels by a linear score, of which some that are clear are flipped."""
    rng = np.random.default_rng(seed)
    logits = slope * rng.normal(size=n)
    codes = (rng.random(n) < 1 / (1 + np.exp(-logits))).astype(int)
    at = rng.choice(np.flatnonzero(np.abs(logits) > 3), flipped, replace=False)
    codes[at] = 1 - codes[at]
    return logits[:, None], codes, at


def findings_of(features, codes, columns=None):
    fits = FixedFits(np.ones(len(codes)), codes, features=features)
    return diagnoses("FL012", numbers(len(codes)) if columns is None else columns, codes, fits=fits)


def test_flipped_labels_are_named_and_come_first():
    features, codes, at = flipped_labels(40)
    (one,) = findings_of(features, codes)
    assert len(set(one.finding.rows[:20]) & set(at.tolist())) >= 18
    assert findings_of(*flipped_labels(0)[:2]) == []


def test_it_needs_answers_and_features():
    with pytest.raises(DoesNotApply, match="no time"):
        diagnoses("FL012", numbers(20))
    with pytest.raises(DoesNotApply, match="no time"):
        findings_of(None, np.arange(20) % 2)


def test_classes_of_a_few_rows_are_not_called_wrong():
    """That others give them no probability says nothing of their labels."""
    codes = np.r_[np.zeros(100, dtype=int), np.ones(100, dtype=int), [2, 2, 3, 4, 4, 5]]
    features = np.random.default_rng(0).normal(size=(206, 1)) + 8 * (codes[:, None] == 1)
    assert findings_of(features, codes) == []
    with pytest.raises(DoesNotApply, match="fewer than two classes"):
        findings_of(features[99:], np.r_[0, np.ones(100, dtype=int), codes[200:]])


def test_copies_of_a_wrong_label_do_not_confirm_it():
    """Each wrong label is there three times; by its copies it would be right."""
    features, codes, at = flipped_labels(40)
    every = np.concatenate([np.arange(400), at, at])
    columns = {name: values[every] for name, values in numbers(400).items()}
    (one,) = findings_of(features[every], codes[every], columns)
    assert len(set(one.finding.rows[:20]) & set(at.tolist())) >= 18
