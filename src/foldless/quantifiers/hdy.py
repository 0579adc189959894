"""HDy: the shares whose mixture of histograms of probabilities is nearest to that of the pool, by Hellinger's distance.

The distance is convex in the shares, so the nearest mixture is found exactly. Histograms have 10, 20, ... and 110 bins,
and the median of the shares is taken. With more than two classes each class has a histogram of its probability, and
all of them are matched together.

References
----------
González-Castro, Alaiz-Rodríguez & Alegre (2013). Class distribution estimation based on the Hellinger distance.
Information Sciences 218.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from foldless.core import Array
from foldless.quantifiers._nearest import bag_histograms, class_histograms, nearest_mixture
from foldless.quantifiers.bags import Bags
from foldless.quantifiers.quantifier import Held, Learned, Quantifier, probabilities_of, summing_to_one


@dataclass(frozen=True)
class HDy(Quantifier):
    """The median over histograms of different bins.

    Parameters
    ----------
    bins : how many bins each of the histograms has

    Examples
    --------
    >>> from foldless.quantifiers import Held
    >>> answers = np.array([[0.9, 0.1], [0.7, 0.3], [0.4, 0.6], [0.2, 0.8]])
    >>> HDy().learn(Held(answers, np.array([0, 0, 1, 1]), n_classes=2)).aggregate(answers[[0, 1, 2]]).round(2)
    array([0.8, 0.2])
    """

    bins: tuple[int, ...] = (10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110)

    def learn(self, held: Held) -> "LearnedHistograms":
        probabilities = probabilities_of(held.answers, held.n_classes)
        every = tuple(class_histograms(held, probabilities, bins) for bins in self.bins)
        return LearnedHistograms(self.bins, every, held.n_classes)


@dataclass(frozen=True, eq=False)
class LearnedHistograms(Learned):
    """The histograms of each class, for each number of bins."""

    bins: tuple[int, ...]
    histograms: tuple[Array, ...]
    n_classes: int

    def aggregate_many(self, answers: Array, bags: Any) -> Array:
        probabilities, bags = probabilities_of(answers, self.n_classes), Bags.of(bags, len(answers))
        by_bins = [
            nearest_mixture(by_class, bag_histograms(probabilities, bags, bins), "hellinger")
            for bins, by_class in zip(self.bins, self.histograms, strict=True)
        ]
        return summing_to_one(np.median(by_bins, axis=0))
