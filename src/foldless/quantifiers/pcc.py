"""Probabilistic classify and count: the share of a class is its mean probability.

Scores without probabilities pass through expit(σ t) per class; each row is then divided by its sum, a row of zeros
counts as undecided between all classes. The pool decides which σ: the one whose shares are nearest to the counted ones.

Both are written as reductions: a worker sends K numbers instead of a matrix of the pool's size.

References
----------
Bella et al. (2010). Quantification via probability estimators. ICDM.
Balikas et al. (2015). Section 5: "varying σ from 1 to 10".
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import expit

from foldless.core import Array
from foldless.errors import BadInput
from foldless.quantifiers._matching import OfProbabilities
from foldless.quantifiers.quantifier import CALIBRATED, NO_SHIFT, summing_to_one

CHUNK = 65_536  # rows turned into probabilities at a time


@dataclass(frozen=True)
class PCC(OfProbabilities):
    """Add up the probabilities of each class.

    Examples
    --------
    >>> from foldless.quantifiers import Held
    >>> learned = PCC().learn(Held(np.eye(2), np.array([0, 1]), n_classes=2))
    >>> learned.aggregate(np.array([[0.9, 0.1], [0.5, 0.5]])).round(2)
    array([0.7, 0.3])
    """

    corrects: ClassVar[bool] = False
    assumes: ClassVar[tuple[str, ...]] = (NO_SHIFT, CALIBRATED)

    def solve(self, class_means: Array, bag_means: Array) -> Array:  # noqa: ARG002 (one signature)
        return summing_to_one(bag_means)


@dataclass(frozen=True)
class MeanProbabilities:
    """The shares that probabilities (n, K) add up to."""

    def __call__(self, probabilities: Array) -> Array:
        if not len(probabilities):
            raise BadInput("there are no rows to estimate shares from: pass at least one row")
        return np.asarray(probabilities.mean(axis=0))


@dataclass(frozen=True)
class SigmoidShares:
    """The shares that scores (n, K) give for each σ: an array (number of σ, K)."""

    sigmas: tuple[float, ...] = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
    normalize: bool = True

    def __call__(self, scores: Array) -> Array:
        if not len(scores):
            raise BadInput("there are no rows to estimate shares from: pass at least one row")
        sums = np.zeros((len(self.sigmas), scores.shape[1]))
        for start in range(0, len(scores), CHUNK):
            part = scores[start : start + CHUNK]
            for at, sigma in enumerate(self.sigmas):
                sums[at] += self.probabilities(part, sigma).sum(axis=0)
        return sums / len(scores)

    def probabilities(self, scores: Array, sigma: float) -> Array:
        """expit(σ t), each row divided by its sum; scores of two classes are (−s, s) and already sum to one."""
        p = expit(sigma * scores)
        return summing_to_one(p) if self.normalize else np.asarray(p)
