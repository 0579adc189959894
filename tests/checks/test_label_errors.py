"""FL012: labels that sure probabilities contradict, where calibrated ones would not."""

import numpy as np
import pytest
from helpers.checked_data import FixedFits, diagnoses, numbers
from scipy import stats

from foldless.checks._check import DoesNotApply
from foldless.checks._label_errors import random_labels


def answers(flipped, seed=0, n=400, sharp=6.0, too_sure=1.0):
    """Labels by the probabilities themselves, of which some are flipped; the model may be too sure of itself."""
    rng = np.random.default_rng(seed)
    logits = sharp * rng.normal(size=n)
    codes = (rng.random(n) < 1 / (1 + np.exp(-logits))).astype(int)
    at = rng.choice(np.flatnonzero(np.abs(logits) > 3), flipped, replace=False)
    codes[at] = 1 - codes[at]
    p = 1 / (1 + np.exp(-too_sure * logits))
    return FixedFits(codes == (p > 0.5), codes, np.c_[1 - p, p]), codes, at


@pytest.mark.parametrize("too_sure", [1.0, 3.0])
def test_flipped_labels_are_found_and_come_first(too_sure):
    fits, codes, at = answers(40, too_sure=too_sure)
    (one,) = diagnoses("FL012", numbers(400), codes, fits=fits)
    assert len(set(one.finding.rows[:20]) & set(at.tolist())) >= 18


@pytest.mark.slow
@pytest.mark.parametrize("too_sure", [0.5, 1.0, 3.0])
def test_labels_that_probabilities_allow_are_left_in_peace(too_sure):
    reported = 0
    for seed in range(40):
        fits, codes, _ = answers(0, seed, too_sure=too_sure)
        reported += len(diagnoses("FL012", numbers(400), codes, fits=fits))
    assert reported <= 6  # the level is .05: seven or more of 40 have probability 3e-3


@pytest.mark.slow
def test_tails_that_a_model_lacks_are_no_wrong_labels_in_many_rows():
    """Labels by a t distribution, probabilities by a logistic one: as good as equal, and apart in 2,000 rows."""
    reported = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        logits = 2 * rng.normal(size=2000)
        codes = (rng.random(2000) < stats.t.cdf(logits, 3)).astype(int)
        p = 1 / (1 + np.exp(-1.7 * logits))
        fits = FixedFits(codes == (p > 0.5), codes, np.c_[1 - p, p])
        reported += len(diagnoses("FL012", numbers(2000), codes, fits=fits))
    assert reported <= 6  # as above


def test_the_share_of_random_labels_is_estimated():
    fits, codes, _ = answers(40, n=1000)
    _, share, _ = random_labels(fits.answers().probabilities, codes)
    assert 0.02 <= share <= 0.07


def test_it_needs_answers():
    with pytest.raises(DoesNotApply, match="no cheap model"):
        diagnoses("FL012", numbers(20))


def test_classes_of_a_few_rows_are_not_called_wrong():
    """A fold may have none of them: that the model gives them no probability says nothing of their labels."""
    codes = np.r_[np.zeros(100, dtype=int), np.ones(100, dtype=int), [2, 2, 3, 4, 4, 5]]
    p = np.full((206, 6), 1e-9)
    p[np.arange(206), np.where(codes < 2, codes, 0)] = 1.0
    fits = FixedFits(codes < 2, codes, p)
    assert diagnoses("FL012", numbers(206), codes, fits=fits) == []
