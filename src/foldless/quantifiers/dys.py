"""DyS: as HDy, with one number of bins and a distance of choice; Topsøe's is the usual one.

References
----------
Maletzke et al. (2019). DyS: a framework for mixture models in quantification. AAAI.
"""

from dataclasses import dataclass

import numpy as np

from foldless.core import Array
from foldless.errors import BadInput
from foldless.quantifiers._matching import LearnedMeans, Matching
from foldless.quantifiers._nearest import Distance, bag_histograms, class_histograms, nearest_mixture
from foldless.quantifiers.bags import Bags
from foldless.quantifiers.quantifier import Held, probabilities_of


@dataclass(frozen=True)
class DyS(Matching):
    """The nearest mixture of histograms.

    Parameters
    ----------
    bins : the number of bins
    distance : "topsoe" or "hellinger"

    Examples
    --------
    >>> answers = np.array([[0.9, 0.1], [0.7, 0.3], [0.4, 0.6], [0.2, 0.8]])
    >>> DyS().learn(Held(answers, np.array([0, 0, 1, 1]), n_classes=2)).aggregate(answers[[0, 1, 2]]).round(2)
    array([0.74, 0.26])
    """

    bins: int = 8
    distance: Distance = "topsoe"

    def learn(self, held: Held) -> LearnedMeans:
        if self.distance not in ("topsoe", "hellinger"):
            raise BadInput(f"distance must be 'topsoe' or 'hellinger', got {self.distance!r}")
        return LearnedMeans(self, self.class_means(held), held.n_classes)

    def pool_means(self, answers: Array, bags: Bags, n_classes: int) -> Array:
        return bag_histograms(probabilities_of(answers, n_classes), bags, self.bins)

    def class_means(self, held: Held) -> Array:
        return class_histograms(held, probabilities_of(held.answers, held.n_classes), self.bins)

    def solve(self, class_means: Array, bag_means: Array) -> Array:
        if class_means.ndim == 2:
            return nearest_mixture(class_means, bag_means, self.distance)
        pairs = zip(class_means, bag_means, strict=True)
        return np.array([nearest_mixture(by_class, bag[None, :], self.distance)[0] for by_class, bag in pairs])
