"""What a fold's machines say does not depend on the labels of the rows held out from it."""

import warnings

import numpy as np
import pytest
from kernel_problems import rings
from sklearn.exceptions import ConvergenceWarning

from foldless.batching import Member, Part, Question
from foldless.learners import KernelSVC, kernel_svc, one_vs_one

N, COSTS = 240, (0.1, 10.0, 1e3)
POOL = rings(150, 2, seed=5)[0]


def problem(k):
    """Rows, their labels, the same with other labels in the first fold, and the folds."""
    X, y = rings(N, k, noise=0.4)
    fold = np.random.default_rng(0).permutation(N) % 3
    return X, y, np.where(fold == 0, (y + 1) % k, y), fold


def first_fold(model, X, y, fold):
    """Scores of the pool by the fits that do not know the first fold, solved beside the full fit and other folds."""
    sets = [np.arange(N), *(np.flatnonzero(fold != f) for f in range(3))]
    asked = (Question(Part(1), "scores"),)
    members = [Member({"C": C}, Part(0, rows), y[rows], asked, keep=False) for rows in sets for C in COSTS]
    given = model.answer_batch([X, POOL], members)
    return np.stack([one.answers[0] for one in given[len(COSTS) : 2 * len(COSTS)]])


def differences(model, k):
    """How far scores are from those under other labels held out, where all votes are the same, and how many are not."""
    X, y, other, fold = problem(k)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        a, b = first_fold(model, X, y, fold), first_fold(model, X, other, fold)
    if k == 2:
        return np.abs(a - b), (np.sign(a) != np.sign(b)).mean()
    same = (np.rint(a) == np.rint(b)).all(axis=-1)
    return np.abs(a - b)[same], (~same).mean()


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("gamma", [0.05, 1.0, 20.0])
@pytest.mark.parametrize("tol", [1e-3, 1e-5])
def test_held_out_labels_leave_no_trace_beyond_the_tolerance(k, gamma, tol):
    apart, other_votes = differences(KernelSVC(gamma=gamma, tol=tol), k)
    assert apart.max() < 30 * tol
    assert other_votes < 0.005


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("settings", [
    {"tol": 0.5},
    {"max_iter": 40},
    {"max_iter": 4},
    {"kernel": "poly", "degree": 2, "coef0": -1.0},  # indefinite, so there are several optima
])  # fmt: skip
def test_what_may_not_be_at_the_one_optimum_never_starts_from_another_training_set(k, settings):
    apart, other_votes = differences(KernelSVC(gamma=1.0, **settings), k)
    assert apart.max() == other_votes == 0


def test_the_same_test_sees_a_start_from_another_training_set(monkeypatch):
    monkeypatch.setattr(kernel_svc, "CLOSE", 1.0)
    apart, other_votes = differences(KernelSVC(gamma=1.0, tol=0.5), 2)
    assert apart.max() > 0.05
    assert other_votes > 0.005


@pytest.mark.parametrize("k", [2, 3])
def test_what_did_not_finish_beside_others_is_solved_by_itself(k, monkeypatch):
    """Also where no limit was asked for; then it says what a batch of this training set says, to the last digit."""
    X, y, _, fold = problem(k)
    monkeypatch.setattr(one_vs_one, "STEPS", 4)
    with pytest.warns(ConvergenceWarning, match="at C = 0.1, 10, 1000: ") as told:
        beside = first_fold(KernelSVC(gamma=1.0), X, y, fold)
    assert len(told) == 1
    rows, asked = np.flatnonzero(fold != 0), (Question(Part(1), "scores"),)
    members = [Member({"C": C}, Part(0, rows), y[rows], asked, keep=False) for C in COSTS]
    with pytest.warns(ConvergenceWarning, match="did not converge"):
        alone = KernelSVC(gamma=1.0).answer_batch([X, POOL], members)
    assert (beside == np.stack([one.answers[0] for one in alone])).all()
