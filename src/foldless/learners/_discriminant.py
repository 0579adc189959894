"""Linear discriminant analysis with a shrunken covariance, of classes that may have a single row."""

import warnings
from typing import Any

from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from foldless.saving._names import saved


@saved("foldless.saving")
class ShrunkenDiscriminant(LinearDiscriminantAnalysis):
    """scikit-learn's, without its warning to reshape the data where a class has one row, whose covariance is 0.

    Examples
    --------
    >>> from foldless.learners._discriminant import ShrunkenDiscriminant
    >>> model = ShrunkenDiscriminant(solver="lsqr", shrinkage="auto").fit([[0.0], [1.0], [5.0]], [0, 0, 1])
    >>> model.predict([[0.4], [6.0]]).tolist()
    [0, 1]
    """

    def fit(self, X: Any, y: Any) -> "ShrunkenDiscriminant":
        """Train, without a warning about classes of one row."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Only one sample available", UserWarning)
            super().fit(X, y)
        return self
