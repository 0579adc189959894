"""Threshold methods for two classes: adjusted counts of rows whose score is at least t, (q(t) − f(t)) / (r(t) − f(t)).

r and f are the rates of true and false positives at t on labeled rows, which are few where one class is rare: another
threshold than that of the classifier makes the difference of the rates larger. MAX takes the t with the largest r − f,
X the t at which r = 1 − f, T50 the t at which r is one half, and MS (median sweep) the median over all thresholds.

References
----------
Forman, G. (2008). Quantifying counts and costs via classification. Data Mining and Knowledge Discovery 17.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from foldless.core import Array
from foldless.errors import BadInput
from foldless.quantifiers.bags import Bags
from foldless.quantifiers.quantifier import Held, Learned, Quantifier, probabilities_of

CHUNK = 8_000_000  # shares at a time
MAX_THRESHOLDS = 4000  # thresholds of a sweep


@dataclass(frozen=True)
class Threshold(Quantifier):
    """What the threshold methods share."""

    def learn(self, held: Held) -> "LearnedThresholds":
        if held.n_classes != 2:
            raise BadInput(
                f"{self.name} counts two classes, and there are {held.n_classes}",
                value=self.name, place="method", remedy="use acc, pacc, em, hdy, dys or kdey",
            )  # fmt: skip
        scores = probabilities_of(held.answers, 2)[:, 1]
        weights = np.ones(len(scores)) if held.weights is None else held.weights
        candidates = np.unique(scores[weights > 0])
        place = np.searchsorted(candidates, scores, side="right")
        above = [
            np.cumsum(np.bincount(place, weights * (held.y == k), len(candidates) + 1)[::-1])[::-1][1:] for k in (0, 1)
        ]
        false, true = (counts / max(float(n), 1e-300) for counts, n in zip(above, held.sizes, strict=True))
        usable = np.flatnonzero(true != false)
        chosen = usable[self.choose(true[usable], false[usable])] if len(usable) else usable
        return LearnedThresholds(candidates[chosen], true[chosen], false[chosen], held.shares)

    @abstractmethod
    def choose(self, true: Array, false: Array) -> Array:
        """Positions of the thresholds to use, from the rates at each."""


@dataclass(frozen=True)
class T50(Threshold):
    """The threshold at which the true positive rate is one half."""

    def choose(self, true: Array, false: Array) -> Array:  # noqa: ARG002 (one signature)
        return np.array([np.abs(true - 0.5).argmin()])


@dataclass(frozen=True)
class MAX(Threshold):
    """The threshold at which true and false positive rate differ most."""

    def choose(self, true: Array, false: Array) -> Array:
        return np.array([(true - false).argmax()])


@dataclass(frozen=True)
class X(Threshold):
    """The threshold at which false negative and false positive rate are equal."""

    def choose(self, true: Array, false: Array) -> Array:
        return np.array([np.abs(1 - (true + false)).argmin()])


@dataclass(frozen=True)
class MS(Threshold):
    """Median sweep: the median over all thresholds (every so many, where there are more than 4,000).

    Examples
    --------
    >>> from foldless.quantifiers import Held
    >>> answers = np.array([[0.9, 0.1], [0.7, 0.3], [0.4, 0.6], [0.2, 0.8]])
    >>> MS().learn(Held(answers, np.array([0, 0, 1, 1]), n_classes=2)).aggregate(answers[[0, 1, 2]]).round(2)
    array([0.67, 0.33])
    """

    def choose(self, true: Array, false: Array) -> Array:  # noqa: ARG002 (one signature)
        return np.arange(0, len(true), -(-len(true) // MAX_THRESHOLDS))


@dataclass(frozen=True, eq=False)
class LearnedThresholds(Learned):
    """Increasing thresholds with the rates at each; without any, the shares are those of the labels."""

    thresholds: Array
    true: Array
    false: Array
    shares: Array
    n_classes: int = 2

    def aggregate_many(self, answers: Array, bags: Any) -> Array:
        scores = probabilities_of(answers, 2)[:, 1]
        bags = Bags.of(bags, len(scores))
        n = len(self.thresholds)
        if not n:
            return np.tile(self.shares, (len(bags), 1))
        codes = np.searchsorted(self.thresholds, scores, side="right")
        positive, step = np.empty(len(bags)), max(1, CHUNK // (n + 1))
        for at in range(0, len(bags), step):
            starts = bags.starts[at : at + step + 1]
            part = Bags(bags.rows[starts[0] : starts[-1]], starts - starts[0], bags.n_rows)
            counted = part.counted(codes, n + 1)[:, :0:-1].cumsum(axis=1)[:, ::-1]
            positive[at : at + step] = np.median(
                np.clip((counted - self.false) / (self.true - self.false), 0, 1), axis=1
            )
        return np.stack([1 - positive, positive], axis=1)
