"""Training sets on the points of one kernel, solved together; more than two classes are solved one-vs-rest.

Of several processes, one for each view, the mean of their probabilities is a logit too, and they have one evidence.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.special import log_expit

from foldless.core import Array
from foldless.solvers._laplace import Problems, Solved, solve

LITTLE = 10**8  # operations, about 0.1 s: less is not worth a thread
STRAIGHT = 0.9  # a mean of tanh(z / 2) up to which its inverse is well conditioned


class TrainingSet(NamedTuple):
    """Labeled points, whether each is of the class (by problem), how often its label is given, and points asked."""

    points: Array
    targets: Array
    times: Array
    asked: Array

    @classmethod
    def of(cls, points: Array, codes: Array, n_classes: int, asked: Array) -> "TrainingSet":
        """Two classes are one problem, more are one for each class. A label that a point has m times counts m times."""
        _, first, times = np.unique(points * n_classes + codes, return_index=True, return_counts=True)
        order = np.argsort(first)
        points, codes = points[first[order]], codes[first[order]]
        targets = codes == np.arange(1 if n_classes == 2 else 0, n_classes)[:, None]
        return cls(points, targets, times[order].astype(float), asked)


class LaplaceAnswers(NamedTuple):
    """The logit z of each problem's class, of shape (problems, asked), and its evidence."""

    scores: Array
    evidence: Array


class TrainingSets:
    """Training sets one behind the other, to be solved inside any kernel on their points."""

    def __init__(self, sets: Sequence[TrainingSet]):
        each = [training for training in sets for _ in training.targets]
        self.problems = Problems(
            np.concatenate([training.points for training in each]).astype(np.int64),
            np.concatenate([training.targets.ravel() for training in sets]),
            np.concatenate([training.times for training in each]),
            _ends([len(training.points) for training in each]),
            np.concatenate([training.asked for training in each]).astype(np.int64),
            _ends([len(training.asked) for training in each]),
        )
        self.ends = _ends([len(training.targets) for training in sets]).tolist()
        sizes = [(len(training.points), len(training.asked)) for training in each]
        self.n_operations = sum(n**2 * (n + asked) for n, asked in sizes)

    def solve(self, K: Array, n_threads: int = 1) -> list[LaplaceAnswers]:
        K, n = np.ascontiguousarray(K), self.ends[-1]
        out = Solved(np.empty(n), np.empty(len(self.problems.asked)))
        n_threads = min(n_threads, n, 1 + self.n_operations // LITTLE)
        cuts = np.linspace(0, n, n_threads + 1).astype(int)
        if n_threads == 1:
            solve(K, self.problems, 0, n, out)
        else:
            with ThreadPoolExecutor(n_threads) as pool:
                list(pool.map(lambda first, last: solve(K, self.problems, first, last, out), cuts[:-1], cuts[1:]))
        starts = self.problems.asked_starts.tolist()
        return [
            LaplaceAnswers(out.scores[starts[first] : starts[last]].reshape(last - first, -1), out.evidence[first:last])
            for first, last in pairwise(self.ends)
        ]


def _ends(lengths: Sequence[int]) -> Array:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def mean_logit(scores: Sequence[Array]) -> Array:
    """The logit of the mean probability, to full relative precision also near 0."""
    if len(scores) == 1:
        return scores[0]
    z = np.stack(scores)
    mean = np.tanh(z / 2).mean(axis=0)
    far = np.logaddexp.reduce(log_expit(z)) - np.logaddexp.reduce(log_expit(-z))
    return np.where(np.abs(mean) < STRAIGHT, 2 * np.arctanh(np.clip(mean, -STRAIGHT, STRAIGHT)), far)


def evidence_of(answers: Sequence[LaplaceAnswers]) -> float:
    """The mean over classes, as in scikit-learn; of several processes, that of their mixture with equal weights."""
    each = [float(of_view.evidence.mean()) for of_view in answers]
    return each[0] if len(each) == 1 else float(np.logaddexp.reduce(each) - np.log(len(each)))
