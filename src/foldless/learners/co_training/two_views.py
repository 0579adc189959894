"""Two views behind one preparation: each prepared on its own, side by side in halves of the same width.

How many columns a view has after its preparation (categories, words) is known only when that is fitted, and learners
of two views take the halves of the columns where none are named. So the narrower view is filled up with zeros: they
add nothing to distances and inner products, and a weight with a penalty stays 0 there.
"""

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.utils.validation import check_is_fitted

from foldless.saving.names import saved


@saved("foldless.saving")
class Halves(TransformerMixin, BaseEstimator):
    """What two transformers make of the same rows, as the first and the second half of the columns.

    Parameters
    ----------
    first, second : transformer
        The preparation of each view; each picks its columns.

    Attributes
    ----------
    first_, second_ : the fitted transformers
    width_ : int
        The columns of each half.
    """

    def __init__(self, first: Any, second: Any):
        self.first = first
        self.second = second

    def fit(self, X: Any, y: Any = None) -> "Halves":
        """Fit both transformers."""
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit both transformers, and give what they make of the rows."""
        self.first_, self.second_ = clone(self.first), clone(self.second)
        parts = [one.fit_transform(X, y) for one in (self.first_, self.second_)]
        self.width_ = max(part.shape[1] for part in parts)
        return self._beside(parts)

    def transform(self, X: Any) -> Any:
        """What the fitted transformers make of the rows."""
        check_is_fitted(self)
        return self._beside([one.transform(X) for one in (self.first_, self.second_)])

    def _beside(self, parts: list[Any]) -> Any:
        """The parts side by side, sparse where one of them is."""
        if any(sparse.issparse(part) for part in parts):
            wide = [self._filled(sparse.csr_array(part), sparse.csr_array, sparse.hstack) for part in parts]
            return sparse.csr_array(sparse.hstack(wide))
        return np.hstack([self._filled(np.asarray(part), np.zeros, np.hstack) for part in parts])

    def _filled(self, part: Any, zeros: Any, beside: Any) -> Any:
        return beside([part, zeros((part.shape[0], self.width_ - part.shape[1]))])
