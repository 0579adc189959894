"""Solve one-vs-rest problems along a path of C: blocks of classes in lanes, threads over blocks, each C from the one
before.

An observer is shown the weights of every block at every C, and takes what it needs: labels keep the best score so far,
scores their columns. The weights of all classes at all C never exist together. Where rows are many and features few,
Newton's method takes the place of coordinate descent.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning

from foldless.core._threads import threads
from foldless.errors import warn_user
from foldless.learners.linear import _newton as newton
from foldless.learners.linear._problem import ClassBlock, LinearProblem, Observer, Passes
from foldless.solvers._lanes import WIDTHS
from foldless.solvers.linear import _hinges as hinges
from foldless.solvers.linear import _logistic as logistic
from foldless.solvers.linear._csr_rows import Csr
from foldless.solvers.linear._dual_descent import (
    Descent,
    LaneLabels,
    Model,
    Settings,
    keep_best,
    solve,
    start_at,
    write_scores,
)

NEWTON_WORK = 1024  # features times classes in a block: a step for each class then takes as long as some 30 passes
LEARNERS = {"squared_hinge": "LinearSVC", "hinge": "LinearSVC", "logistic": "LogisticRegression"}
Work = Callable[[LinearProblem, Sequence[float], Iterable[ClassBlock], Observer], Passes]
LOSSES: dict[str, tuple[Any, float]] = {
    "squared_hinge": (hinges.SquaredHinge, 0.0),
    "hinge": (hinges.Hinge, 0.0),
    "logistic": (logistic.Logistic, logistic.START),
}  # the loss, and the state in which α is 0
SETTLED = ("squared_hinge",)  # copies in different classes have a joint best that is known
COSTS = 1e-20, 1e20  # within single precision; at the lowest, lanes past the last class are solved in one pass


def solve_path(
    problem: LinearProblem,
    costs: Sequence[float],
    observers: Callable[[], Observer],
    blocks: Sequence[ClassBlock] | None = None,
    start: NDArray[Any] | None = None,
) -> list[int]:
    """Solve for rising costs: the most passes of a block at every cost. ``observers`` returns one for each thread.

    ``blocks`` are those to solve, all of them by default. Descent may ``start`` at y α of the rows in all classes.
    """
    blocks = blocks_of(problem.n_columns) if blocks is None else blocks
    n_threads = min(threads(), len(blocks))
    if suits_newton(problem):
        work: Work = partial(_newton, newton.DenseRows(problem.rows, problem.n_features, problem.scaling))
    else:
        work = partial(_descend, start=start)
    left = deque(blocks)
    if n_threads == 1:
        passes = work(problem, costs, _taken(left), observers())
    else:
        with ThreadPoolExecutor(n_threads) as pool:
            futures = [pool.submit(work, problem, costs, _taken(left), observers()) for _ in range(n_threads)]
            passes = [of_block for future in futures for of_block in future.result()]
    if open_at := sorted({at for at, done in passes if done < 0}):
        warn_user(
            f"{LEARNERS[problem.loss]} ({problem.loss}) did not converge in {problem.max_iter} passes at C = "
            f"{', '.join(f'{costs[at]:g}' for at in open_at)}: lower C, raise max_iter or tol, or scale the features",
            ConvergenceWarning,
        )
    return [max(abs(done) for other, done in passes if other == at) for at in range(len(costs))]


def _taken(left: deque[ClassBlock]) -> Iterator[ClassBlock]:
    """Blocks that no other thread has taken yet: some take ten times as long as others."""
    with suppress(IndexError):
        while True:
            yield left.popleft()


def blocks_of(n_columns: int) -> list[ClassBlock]:
    """Sixteen classes a block; what is left over in the narrowest lanes that hold it."""
    blocks = [ClassBlock(first, 16, 16) for first in range(0, n_columns - 15, 16)]
    first = 16 * len(blocks)
    if left := n_columns - first:
        blocks.append(ClassBlock(first, left, min(width for width in WIDTHS if width >= left)))
    return blocks


def suits_newton(problem: LinearProblem) -> bool:
    """Whether rows are many and features few: coordinate descent then takes thousands of passes where C is large."""
    n, d = problem.rows.n, problem.n_features
    few = d * min(problem.n_columns, 16) <= NEWTON_WORK
    dense = 4 * len(problem.rows.values) >= n * d
    return problem.loss in newton.LOSSES and n > 4 * d and few and dense


def _newton(
    dense: newton.DenseRows,
    problem: LinearProblem,
    costs: Sequence[float],
    blocks: Iterable[ClassBlock],
    observer: Observer,
) -> Passes:
    """Newton's method, class by class, each C from the one before."""
    passes = []
    for block in blocks:
        lanes = WIDTHS[block.width]
        W, intercept = (lanes(np.zeros((rows, block.width), np.float32)) for rows in (problem.n_features, 1))
        model = Model(W, intercept, np.float32(problem.scaling))
        weights = np.zeros((block.n, problem.n_features + 1))
        for at, cost in enumerate(costs):
            for lane, k in enumerate(range(block.first, block.first + block.n)):
                positive = problem.codes == k
                c = cost * problem.weights * np.where(positive, problem.positive[k], problem.negative[k])
                weights[lane], done = newton.minimize(
                    dense, 2.0 * positive - 1, c, problem.loss, weights[lane], problem.tol, problem.max_iter
                )
                passes.append((at, done))
            W.values[:, : block.n], intercept.values[0, : block.n] = weights[:, :-1].T, weights[:, -1]
            observer(at, block, model, None)
    return passes


def _descend(
    problem: LinearProblem,
    costs: Sequence[float],
    blocks: Iterable[ClassBlock],
    observer: Observer,
    start: NDArray[Any] | None = None,
) -> Passes:
    """Coordinate descent, block by block: room for the kernels, and each C from the one before."""
    n = problem.rows.n
    rows_in_use = np.empty((3, n), np.int32)
    squares = problem.rows.squares() + np.float32(problem.scaling**2)
    datafit_of, at_zero = LOSSES[problem.loss]
    copies = problem.rows.copies(problem.codes) if problem.loss in SETTLED else np.arange(n, dtype=np.int32)
    settings = Settings(np.float32(problem.tol), problem.max_iter, np.uint64(problem.seed))
    passes: Passes = []
    arrays: dict[int, tuple[Any, ...]] = {}
    for block in blocks:
        lanes = WIDTHS[block.width]
        if block.width not in arrays:
            heights = (problem.n_features, 1, n, 1, 1)
            arrays[block.width] = tuple(lanes(np.empty((rows, block.width), np.float32)) for rows in heights)
        W, intercept, dual, worst, limits = arrays[block.width]
        W.values[:], intercept.values[:], dual.values[:] = 0, 0, at_zero
        model = Model(W, intercept, np.float32(problem.scaling))
        if start is not None:
            dual.values[:, : block.n] = start[:, block.first : block.first + block.n]
            start_at(problem.rows, model, dual)
        descent = Descent(dual, worst, limits, *rows_in_use)
        lane_of = problem.codes - np.int32(block.first)
        lane_of[(lane_of < 0) | (lane_of >= block.n)] = -1
        y = LaneLabels(lane_of, lanes((np.arange(block.width)[None] < block.n).astype(np.float32)), copies)
        before = None
        for at, cost in enumerate(costs):
            if problem.loss == "logistic" and before is not None:
                logistic.at_larger_cost(dual.values, cost / before)
            before = cost
            datafit = datafit_of(
                *(_costs(lanes, block, cost * side) for side in (problem.positive, problem.negative)),
                problem.weights,
                squares,
            )
            passes.append((at, solve(problem.rows, y, datafit, model, descent, settings)))
            observer(at, block, model, partial(_signed_alphas, problem, block, cost, lane_of, dual.values))
    return passes


def _signed_alphas(
    problem: LinearProblem, block: ClassBlock, cost: float, lane_of: Any, dual: NDArray[np.float32]
) -> NDArray[Any]:
    """How much of each row is in the weights of each class: y α."""
    mine = lane_of[:, None] == np.arange(block.n)
    alphas = dual[:, : block.n]
    if problem.loss == "logistic":
        classes = slice(block.first, block.first + block.n)
        sides = np.where(mine, problem.positive[classes], problem.negative[classes])
        alphas = cost * problem.weights[:, None] * np.clip(sides, *COSTS) * expit(alphas)
    return np.where(mine, alphas, -alphas)


def _costs(lanes: Any, block: ClassBlock, costs: NDArray[Any]) -> Any:
    values = np.zeros((1, block.width))
    values[0, : block.n] = costs[block.first : block.first + block.n]
    return lanes(np.clip(values, *COSTS).astype(np.float32))


class BestLabels:
    """Keeps the best score so far, and its class, for rows that want labels at every C."""

    def __init__(self, rows: Csr, n_costs: int):
        self.rows = rows
        self.best = np.full((n_costs, rows.n), -np.inf, np.float32)
        self.labels = np.zeros((n_costs, rows.n), np.int32)

    def observe(self, at: int, block: ClassBlock, model: Model) -> None:
        keep_best(self.rows, model, block.n, block.first, self.best[at], self.labels[at])

    def merge(self, best: NDArray[np.float32], labels: NDArray[np.int32]) -> None:
        """Take over what other classes do better; of equal scores the first class wins, as in argmax."""
        better = (best > self.best) | ((best == self.best) & (labels < self.labels))
        self.best[better], self.labels[better] = best[better], labels[better]


class AllScores:
    """The scores of all classes at every C, written block by block."""

    def __init__(self, rows: Csr, n_costs: int, n_columns: int):
        self.rows = rows
        self.scores = np.empty((n_costs, rows.n, n_columns), np.float32)

    def observe(self, at: int, block: ClassBlock, model: Model) -> None:
        out = WIDTHS[block.width](np.empty((self.rows.n, block.width), np.float32))
        write_scores(self.rows, model, out)
        self.scores[at, :, block.first : block.first + block.n] = out.values[:, : block.n]
