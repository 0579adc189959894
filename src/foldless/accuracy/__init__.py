"""Estimates of a classifier's accuracy on the pool from out-of-fold answers and answers on the pool: one file each.

Of labeled rows ``confidence`` (n,) is the probability of the predicted class, out of fold, and ``right`` (n,) whether
that class is the true one; ``pool_confidence`` are the same probabilities on the pool. ``units`` (n,) are codes of what
is independent among the labeled rows: rows, or groups of them.
"""

from foldless.accuracy._calibrated_confidence import calibrated_confidence
from foldless.accuracy._confidence_difference import confidence_difference
from foldless.accuracy._confidence_threshold import confidence_threshold
from foldless.accuracy._contingency import contingency
from foldless.accuracy._difference import paired_difference
from foldless.accuracy._held_out_accuracy import HeldOut, held_out_accuracy
from foldless.accuracy._prediction_powered import prediction_powered

__all__ = [
    "HeldOut",
    "calibrated_confidence",
    "confidence_difference",
    "confidence_threshold",
    "contingency",
    "held_out_accuracy",
    "paired_difference",
    "prediction_powered",
]
