"""Tuning, training and judging for Kar et al. (2016): every method tuned on validation rows, then clocked on its way.

The clock is processor time. It runs while a method learns, and stops while the model so far is judged on test rows.
Kernels are compiled before. Stream learners read single precision, the baselines the double that they compute in.
"""

import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from operator import itemgetter
from typing import Any
from unittest import mock

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import ParameterGrid

from benchmarks.papers.kar2016.sets import Parts
from foldless.learners.online import svm_perf
from foldless.measures import BAKLD, KLD, BalancedAccuracy, CQReward, QMeasure, resolve
from foldless.measures.measure import rates
from foldless.online import NEMSIS, SCAN, OnePassMiniBatch, SVMPerf
from foldless.solvers.kernel_svm._smo import solve

PASSES = 25
STEPS = {"eta0": [1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0], "radius": [1.0, 10.0, np.inf]}
BATCHES = {"eta0": [0.1, 1.0, 10.0, 100.0, 1e3], "radius": [1.0, 10.0, np.inf]}
COSTS = {"C": [2.5, 7.5, 25.0, 75.0, 250.0, 750.0, 2500.0]}  # 0.1 to 100 in the units of Joachims' program
BALANCES: dict[str, list[Any]] = {
    "measure": [BAKLD(C) for C in (0.01, 0.03, 0.1, 0.3)],
    "eta0": [0.1, 1.0, 10.0, 100.0],
}
PAIRS = 5000  # rows that tune 1PMB where it compares pairs of counts
MEASURES = {"KLD": KLD(), "BA": BalancedAccuracy(), "Q": QMeasure(), "CQ": CQReward()}
OURS, SVM, BASELINES = "NEMSIS-NS (BAKLD)", "SVMperf", ("1PMB", "SVMperf")
Weights = tuple[Any, float]  # of the features, and of the constant
Rank = Callable[[dict[str, float]], Any]  # of a setting, by what is told of it
Row = dict[str, Any]

METHODS: dict[str, dict[str, tuple[Any, dict[str, list[Any]]]]] = {
    "KLD": {
        "NEMSIS": (NEMSIS("kld"), STEPS),
        "NEMSIS-NS": (NEMSIS("kld", non_surrogate=True), STEPS),
        "1PMB": (OnePassMiniBatch("kld"), BATCHES),
        SVM: (SVMPerf("kld", max_iter=300), COSTS),
        OURS: (NEMSIS(non_surrogate=True), BALANCES),
    },
    "Q": {
        "NEMSIS": (NEMSIS("q_measure"), STEPS),
        "NEMSIS-NS": (NEMSIS("q_measure", non_surrogate=True), STEPS),
        "1PMB": (OnePassMiniBatch("q_measure"), BATCHES),
    },
    "CQ": {
        "SCAN": (SCAN("cq_reward"), STEPS),
        "SCAN-NS": (SCAN("cq_reward", non_surrogate=True), STEPS),
        "1PMB": (OnePassMiniBatch("cq_reward"), BATCHES),
    },
}


def judged(weights: Weights, X: Any, y: Any) -> dict[str, float]:
    """All measures of a model, KLD with its own sign so that smaller is better, and the share of wrong answers.

    "surprise" is |FP − FN| in standard deviations of what it is by chance where both are as likely (McNemar).
    """
    positive, right = X @ weights[0] + weights[1] > 0, y == 1
    P, N = rates(right, positive)
    values = {name: float(measure.value(P, N, right.mean(), len(y))) for name, measure in MEASURES.items()}
    wrong = int(np.sum(positive != right))
    surprise = float(abs(int(positive.sum()) - int(right.sum())) / np.sqrt(max(1, wrong)))
    return {**values, "KLD": max(0.0, -values["KLD"]), "errors": wrong / len(y), "surprise": surprise}


def weights_of(model: Any) -> Weights:
    return model.coef_[0], float(model.intercept_[0])


def tuned(model: Any, grid: dict[str, list[Any]], parts: Parts, rank: Rank) -> Any:
    """The setting that ranks highest on validation rows."""
    X, y = _tuning_rows(model, parts)
    tried = []
    for params in ParameterGrid(grid):
        candidate = clone(model).set_params(**params)
        passes = {} if isinstance(model, SVMPerf) else {"passes": PASSES}
        weights = weights_of(_quietly(clone(candidate).set_params(**passes), X, y))
        tried.append((rank(judged(weights, *parts.validating)), candidate))
    return max(tried, key=lambda pair: pair[0])[1]


def counts_right(measured: dict[str, float]) -> tuple[float, float]:
    """Of those that count right up to chance the one with the best balanced accuracy."""
    return -max(1.0, measured["surprise"]), measured["BA"]


def best_of(C: float) -> Rank:
    """The value of BAKLD(C)."""
    return lambda measured: C * measured["BA"] - (1 - C) * measured["KLD"]


RANKS: dict[str, Rank] = {"KLD": best_of(0), "Q": itemgetter("Q"), "CQ": itemgetter("CQ")}


def _tuning_rows(model: Any, parts: Parts) -> tuple[Any, Any]:
    X, y = parts.learning
    if not isinstance(model, SVMPerf | OnePassMiniBatch):
        return X, y
    most = PAIRS if resolve(model.measure).linear is None else len(y)
    return X[:most].astype(float), y[:most]


def _quietly(model: Any, X: Any, y: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # SVMperf that stopped early is ranked as it is
        return model.fit(X, y)


def learned(model: Any, X: Any, y: Any) -> Iterator[tuple[float, Weights]]:
    """Seconds of learning so far and the model then, at moments that grow geometrically; the clock stops between."""
    steps = _cuts(model, X, y) if isinstance(model, SVMPerf) else _pieces(model, X, y)
    spent = 0.0
    while True:
        start = time.process_time()
        weights = next(steps, None)
        spent += time.process_time() - start
        if weights is None:
            return
        yield spent, weights()


def _cuts(model: SVMPerf, X: Any, y: Any) -> Iterator[Callable[[], Weights]]:
    for cut in svm_perf.cutting_planes(MEASURES["KLD"], X, y == 1, model.C, model.tol, 1.0):
        yield partial(_parted, cut.weights)
        if cut.n >= model.max_iter:
            return


def _parted(weights: Any) -> Weights:
    return weights[:-1], float(weights[-1])


def _pieces(model: Any, X: Any, y: Any) -> Iterator[Callable[[], Weights]]:
    """Pieces of growing length until all passes are made."""
    n, done, length = len(y), 0, max(100, len(y) // 20)
    while done < PASSES * n:
        first = done % n
        last = min(n, first + length)
        model.partial_fit(X[first:last], y[first:last], classes=[0, 1])
        done += last - first
        length = max(length, done)
        yield partial(weights_of, model)


class Solver:
    """Counts the seconds of SVMperf's quadratic program, which others may solve in another way."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self, *problem: Any) -> Any:
        start = time.process_time()
        steps = solve(*problem)
        self.seconds += time.process_time() - start
        return steps


def race(goal: str, parts: Parts) -> tuple[list[Row], dict[str, Weights], list[Row]]:
    """Every method's curve on the test rows, its final model, and what was chosen for it with its training KLD."""
    rows, finals, chosen = list[Row](), dict[str, Weights](), list[Row]()
    for name, (model, grid) in METHODS[goal].items():
        best = tuned(model, grid, parts, counts_right if name == OURS else RANKS[goal])
        X = parts.X.astype(float) if isinstance(best, SVMPerf | OnePassMiniBatch) else parts.X
        solver = Solver()
        with mock.patch.object(svm_perf, "solve", solver):
            for seconds, weights in learned(clone(best), X, parts.y):
                finals[name] = weights
                rows.append({"method": name, "seconds": seconds, "in the program": solver.seconds,
                             **judged(weights, parts.X_test, parts.y_test)})  # fmt: skip
        measured = judged(finals[name], parts.X, parts.y)
        setting = {"C": getattr(best.measure, "C", np.nan)} | {
            key: getattr(best, key) for key in grid if key != "measure"
        }
        chosen.append({"method": name, **setting, "training KLD": measured["KLD"], "training BA": measured["BA"]})
    return rows, finals, chosen


def trade_off(parts: Parts) -> list[Row]:
    """Figure 2: balanced accuracy and KLD as the weight of balanced accuracy grows."""
    rows = []
    for C in np.linspace(0, 1, 11):
        grid = BALANCES | {"measure": [BAKLD(C)]}
        best = tuned(NEMSIS(non_surrogate=True), grid, parts, best_of(C)).set_params(passes=PASSES)
        measured = judged(weights_of(best.fit(parts.X, parts.y)), parts.X_test, parts.y_test)
        rows.append({"C": round(float(C), 1), **measured})
    return rows


def drifted(parts: Parts, finals: dict[str, Weights], seed: int) -> list[Row]:
    """Figure 4: KLD where the test rows are drawn anew with another share of positives."""
    rng, rows = np.random.default_rng(seed), []
    share, n = parts.y_test.mean(), len(parts.y_test)
    places = [np.flatnonzero(parts.y_test == k) for k in (0, 1)]
    for factor in (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0):
        n_positive = round(min(0.95, factor * share) * n)
        drawn = np.concatenate([rng.choice(places[0], n - n_positive), rng.choice(places[1], n_positive)])
        for name, weights in finals.items():
            measured = judged(weights, parts.X_test[drawn], parts.y_test[drawn])
            rows.append({"method": name, "change": factor - 1, "KLD": measured["KLD"]})
    return rows
