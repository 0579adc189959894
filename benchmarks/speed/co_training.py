"""Co-training against the same rounds over scikit-learn's liblinear; run by ``run.py``."""

import time
import warnings
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from benchmarks.measuring import best_time
from benchmarks.papers.quanz2012.sets import SYNTH_VIEWS, synth, webkb
from foldless.core.batch import Member, Part, Question
from foldless.learners import CoRegularizedLogisticRegression, CoTraining

WEIGHTS = 10.0 ** np.arange(0, -5, -1)  # of the penalties in the paper, for each view
NEGATIVES = (1, 2, 3, 4, 5)  # for one positive, likewise
LAMBDAS, MUS = 2.0 ** np.arange(-20, 4), 2.0 ** np.arange(-40, 26)  # Figure 2
SAMPLES = 100
PART = 4  # sampled sets that a whole grid is timed on


class Liblinear(ClassifierMixin, BaseEstimator):
    """Their L1 logistic regression, by default with its own tolerance; λ beside the mean of the losses as in ours."""

    def __init__(self, lam: float, tol: float = 1e-4, max_iter: int = 100):
        self.lam = lam
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any) -> "Liblinear":
        C = 1 / (self.lam * len(y))
        self.model_ = LogisticRegression(l1_ratio=1, solver="liblinear", C=C, tol=self.tol, max_iter=self.max_iter).fit(
            X, y
        )
        self.classes_ = self.model_.classes_
        return self

    def predict_proba(self, X: Any) -> Any:
        return self.model_.predict_proba(X)


def co_training_rounds(data: Path) -> None:
    """30 rounds on WebKB with 12 labels: 10 times faster than liblinear in the median of seven pairs of penalties.

    Both go through the rounds of `CoTraining`, with three negatives for a positive. In a batch the tables of both views
    are made once for all label vectors. liblinear stops at a share of its first gradient, ours at a share of λ, so that
    the smaller λ is the more it has to do: liblinear's time with tol=1e-7 is printed as well, on one set of labels.
    """
    X, y, views = _webkb(data)
    sets = [_labeled(y, seed) for seed in range(10)]
    known = [np.where(np.isin(np.arange(len(y)), rows), y, -1) for rows in sets]
    warnings.simplefilter("ignore", ConvergenceWarning)  # liblinear ends after 100 iterations
    ratios = []
    for first, second in [(lam, lam) for lam in WEIGHTS] + [(1e-4, 1.0), (1.0, 1e-4)]:
        ours = CoTraining(l1=first, l2=second, n=3, views=views, random_state=0)
        theirs = CoTraining(Liblinear(first), Liblinear(second), n=3, views=views, random_state=0)
        ours.fit(X, known[0])  # compiles
        alone, other = (
            best_time(lambda model=model: [model.fit(X, own) for own in known[:3]], repeats) / 3
            for model, repeats in ((ours, 3), (theirs, 1))
        )
        batch = best_time(lambda ours=ours: list(ours.answer_batch([X], _members({}, y, sets)))) / len(sets)
        exact = CoTraining(*(Liblinear(lam, 1e-7, 10_000) for lam in (first, second)), n=3, views=views, random_state=0)
        close = best_time(lambda exact=exact: exact.fit(X, known[0]), 1)
        alike = np.mean(ours.predict(X) == theirs.predict(X))
        ratios.append(other / batch)
        print(
            f"  l1={first:g}, l2={second:g}: {1e3 * batch:.1f} ms a run in a batch of ten, {1e3 * alone:.1f} ms alone, "
            f"liblinear {1e3 * other:.0f} ms: {ratios[-1]:.0f} times faster ({other / alone:.0f} alone), "
            f"with tol=1e-7 {1e3 * close:.0f} ms: {close / batch:.0f} times; "
            f"{alike:.1%} of the labels are the same",
            flush=True,
        )
    print(f"  median {np.median(ratios):.0f}, least {min(ratios):.0f}")


def co_training_grid(data: Path) -> None:
    """The 125 candidates of the paper on 100 sampled sets of WebKB, from 4 of them."""
    X, y, views = _webkb(data)
    members = _members({}, y, [_labeled(y, seed) for seed in range(PART)])
    CoTraining(views=views, random_state=0).fit(X, np.where(np.arange(len(y)) % 50 == 0, y, -1))  # compiles
    start = time.perf_counter()
    for n, l1, l2 in product(NEGATIVES, WEIGHTS, WEIGHTS):
        list(CoTraining(n=n, l1=l1, l2=l2, views=views, random_state=0).answer_batch([X], members))
    spent = time.perf_counter() - start
    fits = 125 * PART
    print(
        f"  {fits} runs of 30 rounds in {spent:.1f} s, {1e3 * spent / fits:.1f} ms each on one core: "
        f"{spent * SAMPLES / PART:.0f} s for 100 sets"
    )


def co_regularized_grid(_: Path) -> None:
    """The 24 x 66 problems of Figure 2 on 100 sampled sets of Synth, from 4 of them."""
    X, y, n = synth(0)
    learner = CoRegularizedLogisticRegression(views=SYNTH_VIEWS)
    grid = [{"lam": lam, "mu": mu} for lam, mu in product(LAMBDAS, MUS)]
    sets = [_labeled(y, seed, (2, 2)) for seed in range(PART)]
    list(learner.answer_batch([X], _members(grid[0], y, sets[:1])))  # compiles
    start = time.perf_counter()
    for rows in sets:
        list(learner.answer_batch([X], [_members(params, y, [rows])[0] for params in grid]))
    spent = time.perf_counter() - start
    print(
        f"  {PART * len(grid)} problems with {n} labels in {spent:.1f} s, {1e3 * spent / PART / len(grid):.2f} ms each "
        f"on one core: {spent * SAMPLES / PART:.0f} s for 100 sets"
    )


def _webkb(data: Path) -> Any:
    X, y, n_first = webkb(data)
    return X.astype(float), y, [slice(0, n_first), slice(n_first, X.shape[1])]


def _labeled(y: Any, seed: int, counts: tuple[int, int] = (9, 3)) -> Any:
    """So many random rows of each class."""
    rng = np.random.default_rng(seed)
    return np.concatenate([rng.choice(np.flatnonzero(y == k), n, replace=False) for k, n in enumerate(counts)])


def _members(params: dict[str, float], y: Any, sets: Sequence[Any]) -> list[Member]:
    """A fit for each set of labeled rows, asked for the labels of all others."""
    members = []
    for rows in sets:
        rest = Part(0, np.setdiff1d(np.arange(len(y)), rows))
        members.append(Member(params, Part(0, rows), y[rows], (Question(rest, "labels"),), False, rest))
    return members


BENCHMARKS: dict[str, Callable[[Path], None]] = {
    function.__name__: function for function in (co_training_rounds, co_training_grid, co_regularized_grid)
}
