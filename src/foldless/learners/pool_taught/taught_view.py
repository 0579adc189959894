"""Features that labeled rows and pool teach together, without a label: components, normal scores, nearness to clusters.

Rows are put into an order of their own before anything is learned, so that the same rows teach the same features
whichever of them are labeled. Views of one set of rows share what is costly: the components of a smaller view are the
first of a larger one.
"""

from copy import copy
from typing import Any, Literal

import numpy as np
from scipy import sparse
from scipy.linalg import eigh
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.cluster import MiniBatchKMeans
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.preprocessing import QuantileTransformer, normalize
from sklearn.utils.validation import check_is_fitted, validate_data

from foldless.core import Array
from foldless.errors import BadInput
from foldless.learners._inputs import dense
from foldless.saving._names import saved

ViewName = Literal["components", "few", "many", "clusters", "rows"]
SIZES = {"few": 30, "components": 100, "many": 200, "clusters": 100}  # dimensions of sparse rows, such as texts
VARIANCE = {"few": 0.8, "components": 0.95, "clusters": 0.95}  # that the components of dense rows keep
QUANTILES, CLUSTERS, NEARNESS = 200, 60, 3.0
MAX_PRODUCTS = 2500  # rows of which all products are a table
MAX_ROWS = 5000  # that teach features: components of more differ little


@saved("foldless.learners")
class TaughtView(TransformerMixin, BaseEstimator):
    """Turn rows into features that were learned from unlabeled rows, for the classifier that follows.

    Parameters
    ----------
    name : {"components", "few", "many", "clusters", "rows"}, default="components"
        Whitened principal components that keep 95 % of the variance, of sparse rows 100 dimensions of a singular value
        decomposition; "few" of these (80 %, or 30); "many" (normal scores of each column, or 200 dimensions);
        "clusters" (components and the nearness to 60 centers); or "rows" as they are.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from foldless.learners import TaughtView
    >>> X, _ = load_digits(return_X_y=True)
    >>> TaughtView("few").fit_transform(X).shape
    (1797, 13)
    """

    def __init__(self, name: ViewName = "components"):
        self.name = name

    def fit(self, X: Any, y: Any = None) -> "TaughtView":  # noqa: ARG002 (as every transformer)
        """Learn from all rows, or from a part of them if they are many."""
        return self.fit_on(Taught(validate_data(self, X, accept_sparse="csr")))

    def fit_on(self, taught: "Taught") -> "TaughtView":
        """Learn from rows that may have taught another view before."""
        if self.name not in (*SIZES, "rows"):
            raise BadInput(f"features must be one of {', '.join([*SIZES, 'rows'])}, got {self.name!r}")
        self.base_, self.size_ = taught.base(self.name)
        if self.name == "clusters":
            rows = taught.rows
            features = dense(rows) if self.base_ is None else self._first(self.base_.transform(rows))
            self.centers_ = MiniBatchKMeans(min(CLUSTERS, len(features)), random_state=0, n_init=3).fit(features)
            self.reach_ = float(np.median(self.centers_.transform(features))) or 1.0
        return self

    def transform(self, X: Any) -> Any:
        """The same rows by the features of this view."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, accept_sparse="csr")
        return X if self.base_ is None else self.of_base(self.base_.transform(X))

    def of_base(self, components: Array) -> Array:
        """The features of this view, from all components that its base has of some rows."""
        features = self._first(components)
        if self.name != "clusters":
            return features
        return np.c_[features, np.exp(-NEARNESS * (self.centers_.transform(features) / self.reach_) ** 2)]

    def share_base(self, other: "TaughtView") -> None:
        """Use the base of another view if it begins with the components of this one: saved, they are then one."""
        base, larger = self.base_, other.base_
        if base is larger or not isinstance(base, WordDirections) or not isinstance(larger, WordDirections):
            return
        first = larger.directions_[: len(base.directions_)]
        if np.array_equal(larger.columns_, base.columns_) and np.array_equal(first, base.directions_):
            self.base_ = larger

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _first(self, components: Array) -> Array:
        features = components[:, : self.size_]
        return np.asarray(normalize(features) if isinstance(self.base_, WordDirections) else features)


@saved("foldless.saving")
class WordDirections(TransformerMixin, BaseEstimator):
    """The leading right singular vectors of sparse rows, as scikit-learn's ``TruncatedSVD`` has them, for few rows.

    Of up to some thousand rows the products of each two are a small table, whose eigenvectors are exact and take a
    fraction of the time of a random projection of all words. Words that only one row has are left out: they say nothing
    about two rows. Single precision halves what a model of texts is saved with.
    """

    def __init__(self, size: int):
        self.size = size

    def fit(self, X: Any, y: Any = None) -> "WordDirections":  # noqa: ARG002 (as every transformer)
        """Find the directions of sparse rows."""
        rows = np.bincount(X.indices, minlength=X.shape[1])
        self.columns_ = np.flatnonzero(rows > 1) if (rows > 1).sum() > self.size else np.arange(X.shape[1])
        kept = X[:, self.columns_].astype(float)
        if X.shape[0] > MAX_PRODUCTS:
            size = min(self.size, kept.shape[1] - 1)
            self.directions_ = TruncatedSVD(size, n_iter=2, random_state=0).fit(kept).components_
        else:
            products = (kept @ kept.T).toarray()
            n = len(products)
            values, vectors = eigh(products, subset_by_index=(max(0, n - self.size), n - 1))
            real = np.flatnonzero(values > 1e-10 * values[-1])[::-1]
            self.directions_ = (kept.T @ (vectors[:, real] / np.sqrt(values[real]))).T
        self.directions_ = np.asarray(self.directions_, dtype=np.float32)
        return self

    def first(self, size: int) -> "WordDirections":
        """The first of the directions alone."""
        part = copy(self)
        part.size, part.directions_ = size, self.directions_[:size]
        return part

    def transform(self, X: Any) -> Array:
        """Rows by their products with the directions."""
        return np.asarray(X[:, self.columns_].astype(np.float32) @ self.directions_.T)


class Taught:
    """Rows from which views are learned, and what several views of them have in common."""

    def __init__(self, X: Any):
        self.order = in_order(X)
        self.rows = X[self.order[:MAX_ROWS]]
        self._bases: dict[str, Any] = {}

    def base(self, name: ViewName) -> tuple[Any, int]:
        """The transformer behind a view, and how many of its components the view has; None for the rows themselves."""
        if name == "rows" or min(self.rows.shape) < 2:
            return None, self.rows.shape[1]
        if sparse.issparse(self.rows):
            whole = self._made("svd")
            size = min(SIZES[name], len(whole.directions_))
            return whole.first(size), size  # a model is saved with the directions that it needs, and no others
        if name == "many":
            return self._made("quantiles"), self.rows.shape[1]
        base = self._made("components")
        share = np.cumsum(base.explained_variance_ratio_)
        return base, min(len(share), int(np.searchsorted(share, VARIANCE[name])) + 1)

    def _made(self, kind: str) -> Any:
        if kind not in self._bases:
            n, width = self.rows.shape
            if kind == "svd":
                base: Any = WordDirections(min(SIZES["many"], n - 1, width - 1))
            elif kind == "quantiles":
                base = QuantileTransformer(n_quantiles=min(QUANTILES, n), output_distribution="normal", random_state=0)
            else:
                base = PCA(VARIANCE["components"], svd_solver="full", whiten=True)
            self._bases[kind] = base.fit(self.rows)
        return self._bases[kind]


def in_order(X: Any) -> Array:
    """The numbers of the rows in an order that depends on their content alone, and on it as if at random."""
    direction = np.random.default_rng(0).normal(size=X.shape[1])
    shadow = np.asarray(X @ direction).ravel()
    scale = float(np.abs(shadow).max()) or 1.0
    return np.lexsort((shadow, np.modf(shadow / scale * 1e4)[0]))
