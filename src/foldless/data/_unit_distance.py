"""Rows scaled by one number, so that two of them are 1 apart in the mean square: E‖x − x′‖² = 1.

A kernel width then means the same for five columns as for five hundred: with γ = 10, exp(−γ d²) is e⁻¹⁰ at the mean
distance and near 1 for close neighbors.
"""

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from foldless.saving._names import saved


@saved("foldless.saving")
class UnitDistance(TransformerMixin, BaseEstimator):
    """Divide all features by the root of the mean squared distance of the rows.

    Attributes
    ----------
    scale_ : float
        What features are divided by.

    Examples
    --------
    >>> from foldless.data._unit_distance import UnitDistance
    >>> UnitDistance().fit_transform([[0.0], [4.0]]).round(3).tolist()  # two distances of four are 0, two are 4
    [[0.0], [1.414]]
    """

    def fit(self, X: Any, y: Any = None) -> "UnitDistance":  # noqa: ARG002 (scikit-learn's)
        """Measure the rows: the mean squared distance is twice the sum of the variances."""
        X = X if sparse.issparse(X) else np.asarray(X, dtype=float)
        squares = X.multiply(X) if sparse.issparse(X) else X * X
        spread = float(squares.sum()) / X.shape[0] - float(np.sum(np.asarray(X.mean(axis=0)) ** 2))
        self.scale_ = float(np.sqrt(2 * spread)) if spread > 0 else 1.0
        return self

    def transform(self, X: Any) -> Any:
        check_is_fitted(self)
        return (X if sparse.issparse(X) else np.asarray(X, dtype=float)) / self.scale_

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        return input_features
