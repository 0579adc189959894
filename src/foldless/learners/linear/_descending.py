"""Coordinate descent along a path of C, block by block: room for the kernels, and each C from the one before."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from foldless.learners.linear._problem import ClassBlock, LinearProblem, Observer, Passes
from foldless.solvers._lanes import WIDTHS
from foldless.solvers.linear import _hinges as hinges
from foldless.solvers.linear import _logistic as logistic
from foldless.solvers.linear._dual_descent import Descent, LaneLabels, Model, Settings, solve

LOSSES: dict[str, tuple[Any, float]] = {
    "squared_hinge": (hinges.SquaredHinge, 0.0),
    "hinge": (hinges.Hinge, 0.0),
    "logistic": (logistic.Logistic, logistic.START),
}  # the loss, and the state in which α is 0
COSTS = 1e-20, 1e20  # within single precision; at the lowest, lanes past the last class are solved in one pass


def descend(problem: LinearProblem, costs: Sequence[float], blocks: Iterable[ClassBlock], observer: Observer) -> Passes:
    n = problem.rows.n
    rows_in_use = np.empty((3, n), np.int32)
    squares = problem.rows.squares() + np.float32(problem.scaling**2)
    datafit_of, start = LOSSES[problem.loss]
    settings = Settings(np.float32(problem.tol), problem.max_iter, np.uint64(problem.seed))
    passes: Passes = []
    arrays: dict[int, tuple[Any, ...]] = {}
    for block in blocks:
        lanes = WIDTHS[block.width]
        if block.width not in arrays:
            heights = (problem.n_features, 1, n, 1, 1)
            arrays[block.width] = tuple(lanes(np.empty((rows, block.width), np.float32)) for rows in heights)
        W, intercept, dual, worst, limits = arrays[block.width]
        W.values[:], intercept.values[:], dual.values[:] = 0, 0, start
        model = Model(W, intercept, np.float32(problem.scaling))
        descent = Descent(dual, worst, limits, *rows_in_use)
        lane_of = problem.codes - np.int32(block.first)
        lane_of[(lane_of < 0) | (lane_of >= block.n)] = -1
        y = LaneLabels(lane_of, lanes((np.arange(block.width)[None] < block.n).astype(np.float32)))
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
