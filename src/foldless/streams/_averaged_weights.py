"""The average of linear classifiers that learned from parts of a stream: w = Σ n_i w_i / Σ n_i over n_i rows each.

With n rows in k parts the variance of the average is about that of one learner on all rows, and its bias that of a
learner on n/k rows: what is lost shrinks as the parts grow.

References
----------
McDonald, Hall & Mann (2010). Distributed training strategies for the structured perceptron. NAACL. (parameter mixing)
Zhang, Duchi & Wainwright (2013). Communication-efficient algorithms for statistical optimization. JMLR 14.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from foldless.core import Array
from foldless.errors import BadInput
from foldless.learners.online._linear_learner import OneVsRest
from foldless.saving._names import saved


@saved("foldless.saving")
class AveragedWeights(OneVsRest):
    """The mean of the weights of linear classifiers; it learns nothing more.

    Parameters
    ----------
    measure : str
        What the learners optimized.
    """

    def __init__(self, measure: Any = None):
        self.measure = measure

    def around(self, learners: Sequence[Any], rows: Sequence[int]) -> "AveragedWeights":
        """The average of fitted learners, by the rows that each has learned from."""
        first = learners[0]
        if not all(hasattr(learner, "coef_") and hasattr(learner, "intercept_") for learner in learners):
            raise BadInput(
                f"{type(first).__name__} has no weights that can be averaged",
                place="n_jobs", remedy="use a linear learner, or one job",
            )  # fmt: skip
        shares = np.asarray(rows, dtype=float) / sum(rows)
        self.classes_, self.n_features_in_ = first.classes_, int(first.n_features_in_)
        self.coef_ = _mean([learner.coef_ for learner in learners], shares)
        self.intercept_ = _mean([np.asarray(learner.intercept_) for learner in learners], shares)
        return self

    def fit(self, X: Any, y: Any) -> "AveragedWeights":  # noqa: ARG002 (scikit-learn's signature)
        """It is made of learners that have learned."""
        raise BadInput("an average of learners does not learn: train the learners, and average them")


def _mean(parts: Sequence[Array], shares: Array) -> Array:
    total = np.zeros(parts[0].shape, dtype=np.float64)
    for part, share in zip(parts, shares, strict=True):
        total += share * part
    return total.astype(np.result_type(*parts), copy=False)
