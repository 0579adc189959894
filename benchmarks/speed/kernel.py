"""Kernel machines against scikit-learn, on the six sets of Kääriäinen (2005); run by ``run.py``."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

from benchmarks.measuring import best_times
from benchmarks.papers.kaariainen2005.sets import SETS, Parts, make
from foldless import FoldlessSearch
from foldless.core.batch import Member, Part, Question
from foldless.criteria import SemiSupervisedCV
from foldless.learners import KernelSVC

GRID = {"C": 2.0 ** np.arange(-2, 13, 3), "gamma": 2.0 ** np.arange(-10, 5, 3)}
CORNERS = {"C": 2.0 ** np.array([-2, 12]), "gamma": 2.0 ** np.array([-10, 4])}  # of the whole grid
REPEATS = 2


def svc_grid(data: Path) -> None:
    """5 x 5 values of C and gamma, 10 folds, 2,000 rows: 6 times faster in the median of six sets, never slower."""
    warnings.filterwarnings("ignore", "The least populated class")  # of shuttle, in some folds of GridSearchCV
    first = make("segment", data, 0, 300)
    _choose(first)
    _search(first)
    ratios = []
    for name in SETS:
        parts = make(name, data, 0, 2000)
        (fast, slow), chosen = _race(parts)
        ratios.append(slow / fast)
        shown = [f"C=2^{np.log2(params['C']):g}, gamma=2^{np.log2(params['gamma']):g}" for params in chosen]
        print(
            f"  {name}: {fast:.2f} s against {slow:.2f} s, {ratios[-1]:.1f} times faster; "
            f"chose {shown[0]} against {shown[1]}",
            flush=True,
        )
    print(f"  median {np.median(ratios):.1f}, least {min(ratios):.1f}; best of {REPEATS}, taking turns")


def svc_agreement(data: Path) -> None:
    """The same answers as SVC at the corners of the 15 x 15 grid, in every fold, for at least 99.5 % of the rows."""
    for name in SETS:
        parts = make(name, data, 0, 2000)
        n = len(parts.y)
        fold = np.random.default_rng(0).permutation(n) % 10
        sets = [np.arange(n), *(np.flatnonzero(fold != f) for f in range(10))]
        least = {}
        for gamma in CORNERS["gamma"]:
            ours = _batch(parts, sets, gamma)
            theirs = joblib.Parallel(n_jobs=2)(
                joblib.delayed(_single)(parts, rows, C, gamma) for C in CORNERS["C"] for rows in sets
            )
            for at, C in enumerate(CORNERS["C"]):
                equal = [
                    float(np.mean(ours[C, number] == theirs[at * len(sets) + number])) for number in range(len(sets))
                ]
                least[f"C={C:g}, gamma={gamma:g}"] = equal[0], min(equal[1:])
        lines = (f"{full:.2%} and {folds:.2%} at {corner}" for corner, (full, folds) in least.items())
        print(f"  {name}, full fit and worst of 10 folds: {', '.join(lines)}", flush=True)


def _batch(parts: Parts, sets: list[Any], gamma: float) -> dict[tuple[float, int], Any]:
    """What all costs and training sets of one batch say about the labeled rows and the pool."""
    asked = (Question(Part(0), "labels"), Question(Part(1), "labels"))
    costs = sorted({*GRID["C"], *CORNERS["C"]})
    keys = [(C, number) for C in costs for number in range(len(sets))]
    members = [Member({"C": C}, Part(0, sets[at]), parts.y[sets[at]], asked, keep=False) for C, at in keys]
    answered = KernelSVC(gamma=gamma).answer_batch([parts.X, parts.pool], members)
    return {key: np.concatenate(answer.answers) for key, answer in zip(keys, answered, strict=True)}


def _single(parts: Parts, rows: Any, C: float, gamma: float) -> Any:
    return SVC(C=C, gamma=gamma).fit(parts.X[rows], parts.y[rows]).predict(np.vstack([parts.X, parts.pool]))


def _race(parts: Parts) -> tuple[list[float], list[dict[str, float]]]:
    """The times of both sides, and what they chose."""
    chosen: list[dict[str, float]] = [{}, {}]

    def ours() -> None:
        chosen[0] = _choose(parts)

    def theirs() -> None:
        chosen[1] = _search(parts)

    return best_times([ours, theirs], REPEATS), chosen


def _choose(parts: Parts) -> dict[str, float]:
    search = FoldlessSearch(KernelSVC(), GRID, criterion=SemiSupervisedCV(10), n_jobs=2, random_state=0)
    return dict(search.fit(parts.X, parts.y, X_unlabeled=parts.pool).best_params_)


def _search(parts: Parts) -> dict[str, float]:
    return dict(GridSearchCV(SVC(), GRID, cv=10, n_jobs=2).fit(parts.X, parts.y).best_params_)


BENCHMARKS: dict[str, Callable[[Path], None]] = {function.__name__: function for function in (svc_grid, svc_agreement)}
