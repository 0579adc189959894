"""A scorer that reads the pool: the accuracy on the test rows of a split, corrected by confidence on the pool.

It works with any ``cv``: in each split the fitted model is asked about the rows left out and about the pool. By default
the score is θ = λ mean_U c + mean_L(z − λ c), with z whether a prediction is right, c its confidence, and λ the weight
of the smallest variance. It estimates the accuracy, as the plain mean of z does, and varies less.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import is_regressor

from foldless.accuracy import calibrated_confidence, confidence_difference, confidence_threshold, prediction_powered
from foldless.core import Array
from foldless.data.pool import Pool
from foldless.errors import BadInput
from foldless.judging._cross_fit import softened

Estimate = Callable[[Array, Array, Array], float]
METHODS: dict[str, Estimate] = {
    "prediction_powered": lambda sure, right, pool: prediction_powered(right, sure, pool).value,
    "calibrated_confidence": lambda sure, right, pool: float(calibrated_confidence(sure, right, pool)),
    "confidence_difference": confidence_difference,
    "confidence_threshold": confidence_threshold,
}


class PoolScorer:
    """Score a classifier on labeled rows it has not seen, with the help of a pool; for ``scoring=``.

    Parameters
    ----------
    X_unlabeled : array, sparse matrix, data frame, or Pool
        The pool, with the columns of the labeled rows. A label −1 is a class.
    method : str
        ``"prediction_powered"``, ``"calibrated_confidence"``, ``"confidence_difference"`` or
        ``"confidence_threshold"``: an estimate of `foldless.accuracy`.
    """

    def __init__(self, X_unlabeled: Any, method: str = "prediction_powered"):
        if method not in METHODS:
            raise BadInput(f"method must be one of {', '.join(map(repr, METHODS))}, got {method!r}")
        self.X_unlabeled = X_unlabeled.X if isinstance(X_unlabeled, Pool) else X_unlabeled
        self.method = method

    def __call__(self, estimator: Any, X: Any, y: Any) -> float:
        if is_regressor(estimator):
            raise BadInput("PoolScorer counts right classes, and the estimator is a regressor: use scoring='r2'")
        labels, sure = _confidence(estimator, X)
        right = labels == np.asarray(y)
        if len(right) < 2:  # one row has no variance
            return float(np.mean(right))
        _, pool = _confidence(estimator, self.X_unlabeled)
        return float(METHODS[self.method](sure, right, pool))

    def __repr__(self) -> str:
        return f"PoolScorer({Pool(self.X_unlabeled)!r}, method={self.method!r})"


def _confidence(estimator: Any, X: Any) -> tuple[Array, Array]:
    """Predicted labels, and the probability of each."""
    if hasattr(estimator, "predict_proba"):
        table = np.asarray(estimator.predict_proba(X))
    elif hasattr(estimator, "decision_function"):
        table = softened(estimator.decision_function(X))
    else:
        raise BadInput(
            f"PoolScorer reads confidence, and {type(estimator).__name__} gives neither probabilities nor scores: "
            f"use scoring='accuracy', or another estimator"
        )
    return np.asarray(estimator.classes_)[table.argmax(axis=1)], table.max(axis=1)
