"""1PMB: stochastic gradient descent on the structural hinge of one buffer of rows at a time.

For every full buffer, w ← Π(w − η₀/√e · (1/b) Σ (ȳ_i − y_i) x_i) with ȳ the most violating labels; the model is the
mean of the iterates. Rows that do not yet fill a buffer count as one that is short: the model is what it would be if
the stream ended here.

References
----------
Kar, Narasimhan and Jain (2014). Online and stochastic gradient methods for non-decomposable loss functions. NIPS.
"""

from dataclasses import KW_ONLY, dataclass
from numbers import Integral
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_scalar

from foldless.core import Array
from foldless.learners._inputs import check_positive
from foldless.learners.online._linear_learner import OneVsRest, positive_classes
from foldless.learners.online._structural_hinge import learnable, most_violating
from foldless.measures import resolve
from foldless.measures.measure import Measure
from foldless.saving._names import saved


@saved("foldless.online")
@dataclass(eq=False, repr=False)
class OnePassMiniBatch(OneVsRest):
    """A linear classifier trained on the structural hinge of buffers of rows (1PMB).

    The hinge is a bound on the measure, not the measure: it separates rows, also with "kld", and predicted
    shares are near the true ones, not equal. Those of `NEMSIS` with ``non_surrogate=True`` are.

    More than two classes: each against the others, with its own share. `predict_shares` gives these counts;
    `predict` takes the class with the highest score, so its counts differ.

    Parameters
    ----------
    measure : str or object of foldless.measures
        Any but "cqb".
    eta0, radius, fit_intercept, shuffle, random_state
        As in `NEMSIS`; the e-th buffer's step is eta0 / √e.
    buffer : int
        Rows in a buffer.
    passes : int
        Passes over the rows in ``fit``.

    Attributes
    ----------
    classes_, coef_, intercept_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from foldless.online import OnePassMiniBatch
    >>> rng = np.random.default_rng(0)
    >>> y = (rng.random(5_000) < 0.1).astype(int)
    >>> X = rng.normal(size=(5_000, 3)) + y[:, None]
    >>> bool(abs(OnePassMiniBatch("kld").fit(X, y).predict(X).mean() - 0.1) < 0.05)
    True
    """

    measure: Any = "kld"
    _: KW_ONLY
    eta0: float = 1.0
    radius: float = np.inf
    buffer: int = 500
    fit_intercept: bool = True
    passes: int = 25
    shuffle: bool = False
    random_state: Any = None

    def fit(self, X: Any, y: Any) -> "OnePassMiniBatch":
        """Learn from rows X with labels y, in as many passes as wanted; what was learned before is forgotten."""
        X, classes, codes = self._labeled(X, y)
        self._check()
        self._start(classes)
        rng = check_random_state(self.random_state)
        for _ in range(self.passes):
            order = rng.permutation(len(codes)) if self.shuffle else None
            self._learn(X if order is None else X[order], codes if order is None else codes[order])
        return self._finish()

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> "OnePassMiniBatch":
        """Learn from some more rows, once, in their order; the first call names all classes."""
        fresh = not hasattr(self, "classes_")
        X, known, codes = self._further(X, y, classes)
        self._check()
        if fresh:
            self._start(known)
        self._learn(X, codes)
        return self._finish()

    def _start(self, classes: Array) -> None:
        self.classes_ = classes
        n_problems = len(positive_classes(classes))
        self._iterates = np.zeros((n_problems, self.n_features_in_ + 1))
        self._sums = np.zeros_like(self._iterates)
        self._steps = np.zeros(n_problems)
        self._waiting: tuple[Any, Array] | None = None

    def _learn(self, X: Any, codes: Array) -> None:
        """Fill buffers, and take a step for each that is full."""
        measure = resolve(self.measure)
        if self._waiting is not None:
            join = sparse.vstack if sparse.issparse(X) or sparse.issparse(self._waiting[0]) else np.vstack
            X, codes = join([self._waiting[0], X]), np.concatenate([self._waiting[1], codes])
            X = X.tocsr() if sparse.issparse(X) else X
        full = len(codes) - len(codes) % self.buffer
        for first in range(0, full, self.buffer):
            which = slice(first, first + self.buffer)
            self._step(measure, X[which], codes[which], self._iterates, self._sums, self._steps)
        self._waiting = (X[full:].copy(), codes[full:].copy()) if full < len(codes) else None

    def _step(self, measure: Measure, X: Any, codes: Array, iterates: Array, sums: Array, steps: Array) -> None:
        constant = float(self.fit_intercept)
        for at, code in enumerate(positive_classes(self.classes_)):
            positive = codes == code
            if positive.all() or not positive.any():
                continue  # the rates of a class that is not there have no meaning
            w = iterates[at]
            predicted, _ = most_violating(measure, X @ w[:-1] + constant * w[-1], positive)
            signs = 2.0 * (predicted.astype(float) - positive) / len(codes)
            steps[at] += 1
            step = self.eta0 / np.sqrt(steps[at])
            w[:-1] -= step * (X.T @ signs)
            w[-1] -= step * constant * signs.sum()
            length = np.sqrt(w @ w)
            if length > self.radius:
                w *= self.radius / length
            sums[at] += w

    def _finish(self) -> "OnePassMiniBatch":
        """The model, as if the stream ended here."""
        iterates, sums, steps = self._iterates.copy(), self._sums.copy(), self._steps.copy()
        if self._waiting is not None:
            self._step(resolve(self.measure), *self._waiting, iterates, sums, steps)
        mean = sums / np.maximum(steps, 1)[:, None]
        self.coef_, self.intercept_ = mean[:, :-1], mean[:, -1]
        return self

    def _check(self) -> None:
        learnable(self.measure)
        check_positive(self.eta0, "eta0")
        check_positive(self.radius, "radius", finite=False)
        check_scalar(self.passes, "passes", Integral, min_val=1)
        check_scalar(self.buffer, "buffer", Integral, min_val=2)
