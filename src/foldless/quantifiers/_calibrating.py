"""Calibrated probabilities: softmax(a log p + b), with one slope a, and a constant b of each class where it is wanted.

The parameters have the highest likelihood of the labeled rows, which is a concave problem of K + 1 unknowns: Newton's
method with halved steps. A weak pull towards a = 1 and b = 0 keeps them finite where classes are perfectly separated.
"""

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from foldless.core import Array
from foldless.quantifiers._mixture import mixture_weights
from foldless.quantifiers.bags import Bags
from foldless.quantifiers.quantifier import Held, Learned, OfLikelihood, Quantifier, probabilities_of

EDGE = 1e-12  # probabilities of 0 have no logarithm
PULL = 1e-2  # rows that say a = 1 and b = 0
ROUNDS, DONE = 50, 1e-7
STEPS, CLOSE = 3, 1e-3  # of many lines at once, and the slope per row at which they are found
CHUNK = 2_000_000  # numbers at a time


@dataclass(frozen=True, eq=False)
class CalibrationLine:
    """A slope, and a constant for each class."""

    slope: float
    constants: Array

    def __call__(self, probabilities: Array) -> Array:
        return _softmax(self.slope * _logs(probabilities) + self.constants)[0]


@dataclass(frozen=True, eq=False)
class LearnedPosterior(OfLikelihood):
    """The shares of the labels, and what makes a likelihood of answers.

    ``known`` (K,) is what probabilities are divided by, after ``line`` has calibrated them; or it is rates (K, K), the
    likelihoods of predicted classes.
    """

    shares: Array
    known: Array
    n_classes: int
    line: CalibrationLine | None = None
    prior: Array | None = None

    def likelihood(self, answers: Array) -> Array:
        seen = self.shares > 0
        if self.known.ndim == 2:
            return np.where(seen, self.known.T[np.asarray(answers)], 0.0)
        probabilities = probabilities_of(answers, self.n_classes)
        if self.line is not None:
            probabilities = self.line(probabilities)
        return np.where(seen, probabilities / np.where(self.known > 0, self.known, 1.0), 0.0)

    def aggregate_many(self, answers: Array, bags: Any) -> Array:
        return mixture_weights(self.likelihood(answers), Bags.of(bags, len(answers)), self.shares, self.prior)


class Calibrating(Quantifier):
    """A quantifier of calibrated probabilities; many draws of labels are calibrated together."""

    @property
    @abstractmethod
    def line_options(self) -> dict[str, Any]:
        """How lines are searched: ``biased`` and ``pull``, where they are not the default."""

    @abstractmethod
    def around(self, line: CalibrationLine, probabilities: Array, held: Held) -> LearnedPosterior:
        """What is learned from labeled rows with these probabilities, where this line calibrates them."""

    def calibrated(self, held: Held) -> LearnedPosterior:
        probabilities = probabilities_of(held.answers, held.n_classes)
        near = held.near.line if isinstance(held.near, LearnedPosterior) else None
        line = calibrated_line(probabilities, held.y, held.weights, start=near, **self.line_options)
        return self.around(line, probabilities, held)

    def learn_again(self, held: Held, weights: Array) -> list[Learned]:
        near = self.learn(held)
        if not isinstance(near, LearnedPosterior) or near.line is None:
            return super().learn_again(held, weights)
        probabilities = probabilities_of(held.answers, held.n_classes)
        lines = calibrated_lines(probabilities, held.y, weights, start=near.line, **self.line_options)
        return [
            self.around(line, probabilities, replace(held, weights=row_weights))
            for row_weights, line in zip(weights, lines, strict=True)
        ]


def calibrated_line(
    probabilities: Array,
    y: Array,
    weights: Array | None = None,
    *,
    biased: bool = True,
    start: CalibrationLine | None = None,
    pull: float = PULL,
) -> CalibrationLine:
    """The line of the highest likelihood, searched from ``start``; ``pull`` is the weight, in rows, of a = 1 and b = 0.

    Examples
    --------
    >>> line = calibrated_line(np.tile([[0.99, 0.01], [0.01, 0.99]], (5, 1)), np.array([0, 1] * 4 + [1, 0]))
    >>> line(np.array([[0.99, 0.01]])).round(1)
    array([[0.8, 0.2]])
    """
    logs = _logs(probabilities)
    n, k = logs.shape
    weights = np.ones(n) if weights is None else weights
    rows = np.flatnonzero(weights > 0)
    logs, y, weights = logs[rows], y[rows], weights[rows]
    label_logs = logs[np.arange(len(y)), y]
    counts = np.bincount(y, weights, k)
    line, prior = np.zeros(k + 1), np.zeros(k + 1)
    line[0] = prior[0] = 1.0
    if start is not None:
        line = np.append(start.slope, start.constants)

    def loss(at: Array) -> float:
        scores = at[0] * logs + at[1:]
        likelihood = weights @ (at[0] * label_logs + at[1:][y] - _softmax(scores)[1])
        return float(pull * ((at - prior) ** 2).sum() / 2 - likelihood)

    now = loss(line)
    for _ in range(ROUNDS):
        moved = _softmax(line[0] * logs + line[1:])[0]
        slope, bend = _slopes(logs, label_logs, moved, weights, counts)
        slope, bend = slope + pull * (line - prior), bend + pull * np.eye(k + 1)
        free = k + 1 if biased else 1
        step = np.zeros(k + 1)
        step[:free] = np.linalg.solve(bend[:free, :free], slope[:free])
        size = 1.0
        while size > 1e-6 and (after := loss(line - size * step)) > now - 1e-4 * size * float(slope @ step):
            size /= 2
        if size <= 1e-6:
            break
        line, gained, now = line - size * step, now - after, after
        if gained < DONE * max(1.0, abs(now)):
            break
    return CalibrationLine(float(line[0]), line[1:])


def calibrated_lines(
    probabilities: Array, y: Array, weights: Array, *, biased: bool = True, start: CalibrationLine, pull: float = PULL
) -> list[CalibrationLine]:
    """A line for each row of weights (R, n), near to ``start``: a few steps of Newton's method for all of them.

    Those that have not ended by then are searched one by one.
    """
    logs = _logs(probabilities)
    (n, k), prior = logs.shape, np.zeros(logs.shape[1] + 1)
    prior[0] = 1.0
    free, step = k + 1 if biased else 1, max(1, CHUNK // (n * k))
    lines: list[CalibrationLine] = []
    for first in range(0, len(weights), step):
        part = weights[first : first + step]
        solutions = np.tile(np.append(start.slope, start.constants), (len(part), 1))
        for _ in range(STEPS):
            slope, bend = _many_slopes(logs, y, part, solutions)
            slope, bend = slope + pull * (solutions - prior), bend + pull * np.eye(k + 1)
            solutions[:, :free] -= np.linalg.solve(bend[:, :free, :free], slope[:, :free, None])[:, :, 0]
        slope = _many_slopes(logs, y, part, solutions)[0] + pull * (solutions - prior)
        slope_per_row = np.abs(slope[:, :free]).max(axis=1) / np.maximum(part.sum(axis=1), 1.0)
        for at, line in enumerate(solutions):
            ended = bool(np.isfinite(line).all() and slope_per_row[at] < CLOSE)
            lines.append(
                CalibrationLine(float(line[0]), line[1:]) if ended
                else calibrated_line(probabilities, y, part[at], biased=biased, start=start, pull=pull)
            )  # fmt: skip
    return lines


def _many_slopes(logs: Array, y: Array, weights: Array, lines: Array) -> tuple[Array, Array]:
    """As `_slopes`, (R, K + 1) and (R, K + 1, K + 1)."""
    k = logs.shape[1]
    scores = lines[:, :1, None] * logs + lines[:, None, 1:]
    scores -= scores.max(axis=2, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=2, keepdims=True)
    mean, label_logs = (scores * logs).sum(axis=2), logs[np.arange(len(y)), y]
    heavy = scores * weights[:, :, None]
    slope, bend = np.empty(lines.shape), np.empty((len(lines), k + 1, k + 1))
    slope[:, 0] = (weights * (mean - label_logs)).sum(axis=1)
    slope[:, 1:] = heavy.sum(axis=1) - weights @ np.eye(k)[y]
    bend[:, 0, 0] = (weights * ((scores * logs**2).sum(axis=2) - mean**2)).sum(axis=1)
    bend[:, 0, 1:] = bend[:, 1:, 0] = (heavy * logs).sum(axis=1) - (mean[:, None, :] @ heavy)[:, 0]
    bend[:, 1:, 1:] = -heavy.swapaxes(1, 2) @ scores
    at = np.arange(1, k + 1)
    bend[:, at, at] += heavy.sum(axis=1)
    return slope, bend


def _softmax(scores: Array) -> tuple[Array, Array]:
    """Of each row, and the logarithm of the sum of its exponentials."""
    top = scores.max(axis=1, keepdims=True)
    raised = np.exp(scores - top)
    total = raised.sum(axis=1, keepdims=True)
    return raised / total, (top + np.log(total))[:, 0]


def _slopes(logs: Array, label_logs: Array, moved: Array, weights: Array, counts: Array) -> tuple[Array, Array]:
    """First and second derivatives of the negative log-likelihood."""
    k = logs.shape[1]
    heavy = moved * weights[:, None]
    mean = (moved * logs).sum(axis=1)
    slope = np.concatenate([[weights @ (mean - label_logs)], heavy.sum(axis=0) - counts])
    bend = np.empty((k + 1, k + 1))
    bend[0, 0] = weights @ ((moved * logs**2).sum(axis=1) - mean**2)
    bend[0, 1:] = bend[1:, 0] = (heavy * (logs - mean[:, None])).sum(axis=0)
    bend[1:, 1:] = np.diag(heavy.sum(axis=0)) - heavy.T @ moved
    return slope, bend


def _logs(probabilities: Array) -> Array:
    return np.asarray(np.log(np.maximum(probabilities, EDGE)))
