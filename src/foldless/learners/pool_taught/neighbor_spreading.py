"""Labels spread over the graph of nearest neighbors: F ← α S F + (1 − α) Y, as often as it changes anything.

S = D^(−1/2) W D^(−1/2) is the normalized graph in which two rows are joined if one is among the neighbors of the other.
A new row has the mean of its neighbors.

References
----------
Zhou, Bousquet, Lal, Weston & Schölkopf (2004). Learning with local and global consistency. NIPS.
"""

from typing import Any, ClassVar, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.validation import check_is_fitted, validate_data

from foldless.core import Array
from foldless.core._resampling import check_share, check_whole
from foldless.learners._inputs import check_missing, partial_labels
from foldless.learners._logits import SparseClassifier
from foldless.saving._names import saved

MAX_STEPS, CHANGED = 200, 1e-6


class NearestRows(NamedTuple):
    """The nearest rows of each of some rows, itself among them, and how far they are: the nearest first."""

    distances: Array
    rows: Array

    @classmethod
    def of(cls, X: Any, n_nearest: int) -> "NearestRows":
        """So many rows that are nearest, of all rows."""
        return cls(*NearestNeighbors(n_neighbors=n_nearest).fit(X).kneighbors(X))

    def first(self, k: int) -> Array | None:
        """The nearest k; None where another row is as near as the last of them, so that they may be others."""
        if self.rows.shape[1] <= k or (self.distances[:, k - 1] >= self.distances[:, k]).any():
            return None
        return self.rows[:, :k]

    def others(self, k: int) -> Array | None:
        """The nearest k beside a row itself, likewise."""
        near = self.first(k + 1)
        if near is None:
            return None
        beside = near != np.arange(len(near))[:, None]
        return near[beside].reshape(len(near), k) if (beside.sum(axis=1) == k).all() else None


class NeighborGraph(NamedTuple):
    """The neighbors of rows, and their normalized graph."""

    index: NearestNeighbors
    smoothing: Any


@saved("foldless.learners")
class NeighborSpreading(SparseClassifier):
    """Spread labels over the graph of nearest neighbors of labeled and unlabeled rows.

    It is scikit-learn's `LabelSpreading` with ``kernel="knn"`` and a symmetric graph, which many fits can share.

    Parameters
    ----------
    n_neighbors : int, default=20
        Neighbors of a row in the graph, and of a new row.
    alpha : float, default=0.2
        How much of a row's label comes from its neighbors, between 0 and 1.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    label_distributions_ : ndarray of shape (n_rows, n_classes)
        Shares of the classes in what reached each row that was passed to ``fit``.
    n_features_in_ : int
        Number of features seen in ``fit``.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_moons
    >>> from foldless.learners import NeighborSpreading
    >>> X, y = make_moons(200, noise=0.05, random_state=0)
    >>> y_known = np.where(np.arange(200) < 10, y, -1)
    >>> NeighborSpreading(n_neighbors=7, alpha=0.9).fit(X, y_known).score(X, y) > 0.9
    True
    """

    semi_supervised: ClassVar[bool] = True

    def __init__(self, n_neighbors: int = 20, *, alpha: float = 0.2):
        self.n_neighbors = n_neighbors
        self.alpha = alpha

    def fit(self, X: Any, y: Any, graph: NeighborGraph | None = None) -> "NeighborSpreading":
        """Spread the labels; −1 marks rows without one. A ``graph`` of the same rows need not be made again."""
        check_missing(y)
        X, y = validate_data(self, X, y, accept_sparse="csr")
        check_whole("n_neighbors", self.n_neighbors)
        check_share("alpha", self.alpha)
        labels = partial_labels(y, type(self).__name__)
        self.classes_ = labels.classes
        start = np.zeros((X.shape[0], len(labels.classes)))
        start[np.flatnonzero(labels.labeled), labels.codes] = 1.0
        graph = self.graph(X) if graph is None else graph
        spread = start
        for _ in range(MAX_STEPS):
            before, spread = spread, self.alpha * (graph.smoothing @ spread) + (1 - self.alpha) * start
            if np.abs(spread - before).max() < CHANGED:
                break
        self.prior_ = start.sum(axis=0) / start.sum()
        self.label_distributions_ = self._shares(spread)
        self.index_ = graph.index
        return self

    def graph(self, X: Any, nearest: NearestRows | None = None) -> NeighborGraph:
        """The graph of some rows, which depends on no label. The ``nearest`` rows of each need not be found again."""
        n = X.shape[0]
        k = max(1, min(self.n_neighbors, n - 1))
        index = NearestNeighbors(n_neighbors=k).fit(X)
        near = None if nearest is None else nearest.others(k)
        if near is None:
            joined = index.kneighbors_graph()
        else:
            joined = sparse.csr_matrix((np.ones(n * k), near.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n))
        joined = joined.maximum(joined.T)
        scale = sparse.diags_array(1 / np.sqrt(np.maximum(1.0, np.asarray(joined.sum(axis=1)).ravel())))
        return NeighborGraph(index, (scale @ joined @ scale).tocsr())

    def predict_proba(self, X: Any) -> Array:
        """The mean over the neighbors of each row."""
        return self.of_neighbors(self.neighbors(X))

    def neighbors(self, X: Any) -> Array:
        """The numbers of the rows of ``fit`` that are nearest to each row, which depend on no label."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, accept_sparse="csr")
        return np.asarray(self.index_.kneighbors(X, return_distance=False))

    def of_neighbors(self, near: Array) -> Array:
        """The mean over rows that are known to be the nearest."""
        return self._shares(self.label_distributions_[near].mean(axis=1))

    def predict(self, X: Any) -> Array:
        """The class with the largest share."""
        shares = self.predict_proba(X)  # first, as it says what is not fitted
        return np.asarray(self.classes_[shares.argmax(axis=1)])

    def _shares(self, spread: Array) -> Array:
        """Rows that add up to 1; where no label arrived, the shares of the labels."""
        total = spread.sum(axis=1, keepdims=True)
        return np.where(total > 0, spread / np.where(total > 0, total, 1.0), self.prior_)
