"""Classify and count: the share of a class is the share of rows given to it, M_y / |S|.

References
----------
Forman, G. (2008). Quantifying counts and costs via classification. Data Mining and Knowledge Discovery 17.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from foldless.core import Array
from foldless.errors import BadInput
from foldless.quantifiers._matching import OfLabels
from foldless.quantifiers.quantifier import NO_SHIFT, summing_to_one


@dataclass(frozen=True)
class CC(OfLabels):
    """Count the predicted classes; rows given to no class are left out.

    Examples
    --------
    >>> from foldless.quantifiers import Held
    >>> learned = CC().learn(Held(np.array([0, 1]), np.array([0, 1]), n_classes=2))
    >>> learned.aggregate_many(np.array([0, 0, 1, 0]), [[0, 1, 2, 3], [2, 3]])
    array([[0.75, 0.25],
           [0.5 , 0.5 ]])
    """

    corrects: ClassVar[bool] = False
    assumes: ClassVar[tuple[str, ...]] = (
        NO_SHIFT,
        "for each class, false positives and false negatives are equally frequent",
    )

    def solve(self, class_means: Array, bag_means: Array) -> Array:  # noqa: ARG002 (one signature)
        return summing_to_one(bag_means)


def classify_and_count(labels: Array, n_classes: int) -> Array:
    """Shares of the classes among predicted labels; rows given to no class (code −1) count for none."""
    if not len(labels):
        raise BadInput("there are no rows to estimate shares from: pass at least one row")
    return np.bincount(labels[labels >= 0], minlength=n_classes) / len(labels)
