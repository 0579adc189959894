"""Not a digit of what a fold's machines say depends on the labels of the rows held out from it."""

import warnings

import numpy as np
import pytest
from helpers.kernel_problems import rings
from sklearn.exceptions import ConvergenceWarning

from foldless.core.batch import Member, Part, Question
from foldless.learners import KernelSVC
from foldless.learners.kernel_svm._shared_fits import TrainingRows

N, COSTS = 240, (0.1, 10.0, 1e3)
POOL = rings(150, 2, seed=5)[0]


def problem(k):
    """Rows, their labels, the same with other labels in the first fold, and the folds."""
    X, y = rings(N, k, noise=0.4)
    fold = np.random.default_rng(0).permutation(N) % 3
    return X, y, np.where(fold == 0, (y + 1) % k, y), fold


def first_fold(model, X, y, fold, *, draws=False):
    """Scores by the fits that do not know the first fold, of it and of the pool, or of a part that only they get."""
    sets = [np.arange(N), *(np.flatnonzero(fold != f) for f in range(3))]
    pools = [Part(1, np.arange(f, 150, 4)) if draws else Part(1) for f in range(4)]
    held = Part(0, np.flatnonzero(fold == 0))
    members = [
        Member(
            {"C": C}, Part(0, rows), y[rows], (Question(pools[f], "scores"), Question(held, "scores")), keep=False
        )
        for f, rows in enumerate(sets)
        for C in COSTS
    ]  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        given = model.answer_batch([X, POOL[:, : X.shape[1]]], members)
    return np.stack([np.concatenate(answered.answers) for answered in given[len(COSTS) : 2 * len(COSTS)]])


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("draws", [False, True])
@pytest.mark.parametrize("settings", [
    {"gamma": 0.05},
    {"gamma": 1.0},
    {"gamma": 16.0},
    {"gamma": 1.0, "tol": 0.5},
    {"gamma": 1.0, "max_iter": 4},
    {"kernel": "linear", "max_iter": 2000},
    {"kernel": "poly", "gamma": 1.0, "degree": 2, "coef0": -1.0},  # indefinite, so there are several optima
    {"class_weight": "balanced"},
])  # fmt: skip
def test_held_out_labels_leave_no_trace(k, draws, settings):
    X, y, other, fold = problem(k)
    model = KernelSVC(**settings)
    assert (first_fold(model, X, y, fold, draws=draws) == first_fold(model, X, other, fold, draws=draws)).all()


def test_the_same_test_sees_a_trace(monkeypatch):
    X, y, other, fold = problem(2)
    spread = TrainingRows.spread
    monkeypatch.setattr(TrainingRows, "spread", lambda *given: np.maximum(spread(*given), 1e-9))
    model = KernelSVC(gamma=1.0)
    assert (first_fold(model, X, y, fold) != first_fold(model, X, other, fold)).any()


@pytest.mark.parametrize("held", ["flipped", "all of one class"])
def test_even_votes_are_not_decided_by_labels_held_out(held):
    """As many rows of each class, nearly no two of which are alike to the kernel: any digit decides."""
    X = np.random.default_rng(1).normal(size=(200, 10))
    y, out = np.arange(200) // 2 % 2, np.arange(200) < 40
    other = np.where(out, 1 - y if held == "flipped" else 1, y)
    pool = np.random.default_rng(2).normal(size=(150, 10))
    asked = (Question(Part(1), "scores"), Question(Part(0, np.flatnonzero(out)), "scores"))

    def fold(y):
        sets = [np.arange(200), np.flatnonzero(~out)]
        members = [Member({"C": C}, Part(0, rows), y[rows], asked, keep=False) for rows in sets for C in (0.25, 16.0)]
        given = KernelSVC(gamma=2.0**4).answer_batch([X, pool], members)
        return np.stack([np.concatenate(answered.answers) for answered in given[2:]])

    assert (fold(y) == fold(other)).all()
