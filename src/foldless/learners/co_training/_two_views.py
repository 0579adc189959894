"""Two views, each prepared by a transformer of its own, side by side in halves of the same width.

The number of columns of a prepared view (categories, words) is known only after fitting, and learners of two views take
the halves of the columns where ``views`` is None. So the narrower view is padded with zeros: these do not change
distances and inner products, and penalized weights stay 0 there.
"""

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.utils.validation import check_is_fitted

from foldless.saving._names import saved


@saved("foldless.saving")
class TwoViews(TransformerMixin, BaseEstimator):
    """Apply two transformers to the same rows; their outputs are the first and the second half of the columns.

    Parameters
    ----------
    first, second : transformer
        The preparation of each view; each selects its columns.

    Attributes
    ----------
    first_, second_ : transformer
        The fitted transformers.
    width_ : int
        The number of columns of each half.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.preprocessing import FunctionTransformer
    >>> from foldless.learners.co_training import TwoViews
    >>> first = FunctionTransformer(np.take, kw_args={"indices": [0], "axis": 1})
    >>> second = FunctionTransformer(np.take, kw_args={"indices": [1, 2], "axis": 1})
    >>> TwoViews(first, second).fit_transform([[1.0, 2.0, 3.0]])
    array([[1., 0., 2., 3.]])
    """

    def __init__(self, first: Any, second: Any):
        self.first = first
        self.second = second

    def fit(self, X: Any, y: Any = None) -> "TwoViews":
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        self.first_, self.second_ = clone(self.first), clone(self.second)
        parts = [transformer.fit_transform(X, y) for transformer in (self.first_, self.second_)]
        self.width_ = max(part.shape[1] for part in parts)
        return self._beside(parts)

    def transform(self, X: Any) -> Any:
        check_is_fitted(self)
        return self._beside([transformer.transform(X) for transformer in (self.first_, self.second_)])

    def _beside(self, parts: list[Any]) -> Any:
        """The parts side by side, sparse if one of them is."""
        if any(sparse.issparse(part) for part in parts):
            wide = [self._filled(sparse.csr_array(part), sparse.csr_array, sparse.hstack) for part in parts]
            return sparse.csr_array(sparse.hstack(wide))
        return np.hstack([self._filled(np.asarray(part), np.zeros, np.hstack) for part in parts])

    def _filled(self, part: Any, zeros: Any, beside: Any) -> Any:
        return beside([part, zeros((part.shape[0], self.width_ - part.shape[1]))])
