"""FL012: labels that sure probabilities contradict, where calibrated ones would not."""

import numpy as np
import pytest
from helpers.checked_data import FixedFits, diagnoses, numbers

from foldless.checks._check import DoesNotApply


def answers(flipped, seed=0, n=400):
    """Labels by the probabilities themselves, of which some are flipped."""
    rng = np.random.default_rng(seed)
    p = 1 / (1 + np.exp(-6 * rng.normal(size=n)))
    codes = (rng.random(n) < p).astype(int)
    at = rng.choice(np.flatnonzero(np.abs(p - 0.5) > 0.45), flipped, replace=False)
    codes[at] = 1 - codes[at]
    return FixedFits(codes == (p > 0.5), codes, np.c_[1 - p, p]), codes, at


def test_flipped_labels_are_found_and_come_first():
    fits, codes, at = answers(40)
    (one,) = diagnoses("FL012", numbers(400), codes, fits=fits)
    assert len(set(one.finding.rows[:20]) & set(at.tolist())) >= 18


def test_labels_that_probabilities_allow_are_left_in_peace():
    reported = 0
    for seed in range(60):
        fits, codes, _ = answers(0, seed)
        reported += len(diagnoses("FL012", numbers(400), codes, fits=fits))
    assert reported <= 2  # the level is .001: three or more of 60 have probability 3e-5


def test_it_needs_answers():
    with pytest.raises(DoesNotApply, match="no time"):
        diagnoses("FL012", numbers(20))
