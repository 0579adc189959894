"""Out-of-fold answers of a cheap model: R² of numbers, accuracy of classes, columns prepared once in a fold."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import r2_score

from foldless.checks._checked_data import Variant
from foldless.selection import _cheap_fits as module
from foldless.selection._cheap_fits import CheapFits

rng = np.random.default_rng(0)
N = 100
X = pd.DataFrame(rng.normal(size=(N, 3)), columns=list("abc"))
NUMBERS = X["a"].to_numpy() + 0.5 * rng.normal(size=N)
CODES = (NUMBERS > 0).astype(int)


def test_the_mean_of_the_answers_to_numbers_is_r2():
    fits = CheapFits(X, NUMBERS, fast=True)
    answers = fits.answers()
    assert answers.right.mean() == pytest.approx(r2_score(NUMBERS, answers.probabilities[:, 0]))
    assert (fits.quantity, fits.model) == ("R²", "ridge")


@pytest.mark.slow
def test_the_variance_of_the_answers_is_that_of_r2():
    """The spread over resampled rows is what the influence of single rows says."""
    predicted = NUMBERS + rng.normal(size=N)
    influence = module._Numbers().right(predicted[None, :, None], NUMBERS)[0]
    at = rng.integers(N, size=(2000, N))
    drawn = np.array([r2_score(NUMBERS[rows], predicted[rows]) for rows in at])
    assert influence.std() / np.sqrt(N) == pytest.approx(drawn.std(), rel=0.2)


def test_columns_are_prepared_once_in_a_fold_for_both_models(monkeypatch):
    prepared, prepare = [], module._prepared
    monkeypatch.setattr(module, "_prepared", lambda *args: prepared.append(1) or prepare(*args))
    CheapFits(X, CODES, 2).answers()
    assert len(prepared) == module.FOLDS * module.MOST_TIMES


def test_a_form_leaves_columns_out_and_folds_stay():
    fits = CheapFits(X, CODES, 2, fast=True)
    without = fits.answers(Variant(columns=("a",)))
    assert fits.answers().right.mean() > without.right.mean() + 0.2
    same = CheapFits(X[["b", "c"]], CODES, 2, fast=True).answers()
    np.testing.assert_allclose(without.probabilities, same.probabilities)


def test_one_class_or_constant_numbers_have_no_model():
    for fits in (CheapFits(X, np.zeros(N, dtype=int), 1), CheapFits(X, np.ones(N))):
        assert fits.answers() is None
        assert fits.failed


def test_each_form_has_the_model_that_is_better_in_it():
    """Trees remember copies; once these are left out, a linear model is better."""
    y = (X.sum(axis=1) + np.random.default_rng(1).normal(size=N) > 0).to_numpy().astype(int)
    rows = np.concatenate([np.arange(N), np.repeat(np.arange(40), 3)])
    fits = CheapFits(X.iloc[rows].reset_index(drop=True), y[rows], 2)
    assert fits.answers().model == "extra-trees"
    assert fits.answers(Variant(rows=np.arange(N, len(rows)))).model == "logistic-regression"


def test_time_between_fits_does_not_count(monkeypatch):
    """A pool of 20 million rows is read for copies before the first fit: what takes the time is not the fits."""
    now = [0.0]
    monkeypatch.setattr(module, "working_time", lambda: now[0])
    fits = CheapFits(X, CODES, 2, seconds=5.0)
    now[0] += 100
    assert fits.answers() is not None
    now[0] += 100
    assert fits.answers(Variant(rows=np.arange(3))) is not None
