"""Features that labeled rows and pool teach together, without a label: components, normal scores, nearness to clusters.

Rows are put into an order of their own before anything is learned, so that the same rows teach the same features
whichever of them are labeled.
"""

from typing import Any, Literal

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.cluster import MiniBatchKMeans
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.preprocessing import Normalizer, QuantileTransformer
from sklearn.utils.validation import check_is_fitted

from foldless.core import Array
from foldless.errors import BadInput
from foldless.saving._names import saved

ViewName = Literal["components", "few", "many", "clusters", "rows"]
SIZES = {"few": 30, "components": 100, "many": 300}  # dimensions of sparse rows, such as texts
VARIANCE = {"few": 0.8, "components": 0.95}  # that the components of dense rows keep
QUANTILES, CLUSTERS, NEARNESS = 200, 60, 3.0


@saved("foldless.learners.pool_taught._pool_view")
class PoolView(TransformerMixin, BaseEstimator):
    """Rows as the pool describes them.

    ``name`` is "components" (whitened principal components that keep 95 % of the variance; of sparse rows, 100
    dimensions of a singular value decomposition), "few" of these (80 %, or 30), "many" (normal scores of each column,
    or 300 dimensions), "clusters" (components and the nearness to 60 centers), or "rows" as they are.
    """

    def __init__(self, name: ViewName = "components", *, max_rows: int = 5000):
        self.name = name
        self.max_rows = max_rows

    def fit(self, X: Any, y: Any = None) -> "PoolView":  # noqa: ARG002 (as every transformer)
        """Learn from all rows, or from as many of them as ``max_rows`` says."""
        rows = X[in_order(X)[: self.max_rows]]
        self.steps_ = _steps(self.name, sparse.issparse(X), *rows.shape)
        for step in self.steps_:
            rows = step.fit_transform(rows)
        if self.name == "clusters":
            self.centers_ = MiniBatchKMeans(min(CLUSTERS, len(rows)), random_state=0, n_init=3).fit(rows)
            self.reach_ = float(np.median(self.centers_.transform(rows))) or 1.0
        return self

    def transform(self, X: Any) -> Any:
        """The same rows by the features of this view."""
        check_is_fitted(self, "steps_")
        for step in self.steps_:
            X = step.transform(X)
        if self.name != "clusters":
            return X
        return np.c_[X, np.exp(-NEARNESS * (self.centers_.transform(X) / self.reach_) ** 2)]


def in_order(X: Any) -> Array:
    """The numbers of the rows in an order that depends on their content alone, and on it as if at random."""
    direction = np.random.default_rng(0).normal(size=X.shape[1])
    shadow = np.asarray(X @ direction).ravel()
    scale = float(np.abs(shadow).max()) or 1.0
    return np.lexsort((shadow, np.modf(shadow / scale * 1e4)[0]))


def _steps(name: ViewName, is_sparse: bool, n: int, width: int) -> list[Any]:
    if name == "rows" or min(n, width) < 2:
        return []
    kept: ViewName = "components" if name == "clusters" else name
    if kept not in SIZES:
        raise BadInput(f"features must be one of {', '.join([*SIZES, 'clusters', 'rows'])}, got {name!r}")
    if is_sparse:
        return [TruncatedSVD(min(SIZES[kept], n - 1, width - 1), random_state=0), Normalizer()]
    if kept == "many":
        return [QuantileTransformer(n_quantiles=min(QUANTILES, n), output_distribution="normal", random_state=0)]
    return [PCA(VARIANCE[kept], svd_solver="full", whiten=True)]
