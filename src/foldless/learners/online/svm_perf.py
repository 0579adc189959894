"""SVMperf: the structural support vector machine of a whole table, by cutting planes with one slack.

min ½‖w‖² + C ξ subject to w·g_ȳ ≥ Δ(ȳ) − ξ for all labels ȳ, with g_ȳ = (1/n) Σ (y_i − ȳ_i) x_i. Constraints are added
one at a time, the most violated first. The dual over those found is max a·Δ − ½‖Gᵀa‖² with a ≥ 0 and Σ a = C, where the
constraint g = 0, Δ = 0 stands for ξ ≥ 0: two coefficients at a time, as in any support vector machine.

References
----------
Joachims, Finley and Yu (2009). Cutting-plane training of structural SVMs. Machine Learning 77. Algorithm 3. Their
program takes Δ in percent and half of these signs, so that C here is 25 times C there.
"""

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_scalar

from foldless.core import Array
from foldless.errors import warn_user
from foldless.learners._inputs import check_positive
from foldless.learners.online._linear_learner import OneVsRest, positive_classes
from foldless.learners.online._structural_hinge import learnable, most_violating
from foldless.measures.measure import Measure
from foldless.saving._names import saved
from foldless.solvers.kernel_svm._smo import SmoState, padded, solve

PRECISION = 1e-3  # of tol, to which the dual is solved
STEPS = 1_000_000  # of the dual


@saved("foldless.online")
@dataclass(eq=False, repr=False)
class SVMPerf(OneVsRest):
    """A linear classifier trained on the structural hinge of all rows at once.

    The hinge is a bound on the measure, not the measure: it separates rows, also with "kld", and predicted
    shares are near the true ones, not equal. Those of `NEMSIS` with ``non_surrogate=True`` are.

    More than two classes: each against the others, with its own share. `predict_shares` gives these counts;
    `predict` takes the class with the highest score, so its counts differ.

    Parameters
    ----------
    measure : str or object of foldless.measures
        Any but "cqb". For "kld", "nss", "bakld" and "balanced_accuracy" a step takes O(n log n), for others O(n⁺ n⁻);
        past n⁺ n⁻ = 10⁹ these compare counts on a grid only, and the constraint found may not be the most violated.
    C : float
        Weight of the slack against ½‖w‖². 25 is C = 1 of Joachims' program, which is also what QuaPy passes to it. For
        the error rate C weighs as 4 C / n does in `sklearn.svm.LinearSVC`, whose loss is a sum over n rows.
    tol : float
        How much more than the slack a constraint may be violated, in units of the measure.
    max_iter : int
        The maximum number of constraints.
    fit_intercept : bool
        Whether there is a constant feature; its weight is regularized with the others.

    Attributes
    ----------
    n_iter_ : int
        The number of constraints, of the class that took the most.
    objective_ : array
        ½‖w‖² + C ξ for every class against the others.
    classes_, coef_, intercept_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from foldless.online import SVMPerf
    >>> rng = np.random.default_rng(0)
    >>> y = (rng.random(2_000) < 0.1).astype(int)
    >>> X = rng.normal(size=(2_000, 3)) + y[:, None]
    >>> bool(SVMPerf("bakld", C=10).fit(X, y).score(X, y) > 0.8)
    True
    """

    measure: Any = "kld"
    _: KW_ONLY
    C: float = 25.0
    tol: float = 1e-3
    max_iter: int = 1000
    fit_intercept: bool = True

    def fit(self, X: Any, y: Any) -> "SVMPerf":
        """Train on rows X with labels y."""
        X, classes, codes = self._labeled(X, y)
        measure = learnable(self.measure)
        check_positive(self.C, "C")
        check_positive(self.tol, "tol")
        check_scalar(self.max_iter, "max_iter", Integral, min_val=1)
        settings = float(self.C), float(self.tol), float(self.fit_intercept)
        paths = [cutting_planes(measure, X, codes == code, *settings) for code in positive_classes(classes)]
        solved = [next(cut for cut in cuts if cut.done or cut.n == self.max_iter) for cuts in paths]
        if not all(cut.done for cut in solved):
            warn_user(
                f"SVMPerf did not converge with {self.max_iter} constraints at C = {self.C:g}: raise max_iter or tol",
                ConvergenceWarning,
            )
        self.classes_ = classes
        weights = np.array([cut.weights for cut in solved])
        self.coef_, self.intercept_ = weights[:, :-1], weights[:, -1]
        self.objective_ = np.array([cut.objective for cut in solved])
        self.n_iter_ = max(cut.n for cut in solved)
        return self


class Cut(NamedTuple):
    """Where the weights, with that of the constant feature, stand after n constraints."""

    weights: Array
    objective: float
    n: int
    done: bool


def cutting_planes(measure: Measure, X: Any, positive: Array, C: float, tol: float, constant: float) -> Iterator[Cut]:
    """Add the most violated constraint again and again, until none is violated by more than the slack and ``tol``."""
    program = Program(X.shape[1] + 1, C)
    done = False
    while not done:
        w = program.weights
        predicted, loss = most_violating(measure, X @ w[:-1] + constant * w[-1], positive)
        signs = 2.0 * (positive.astype(float) - predicted) / len(positive)
        plane = np.append(X.T @ signs, constant * signs.sum())
        violation = float(loss - w @ plane)
        done = violation <= program.slack + tol
        yield Cut(w, float(0.5 * w @ w) + C * max(violation, 0.0), program.n - 1, done)
        program.add(plane, loss, PRECISION * tol)


class Program:
    """The constraints so far, and the weights and the slack that are best for them."""

    def __init__(self, n_features: int, C: float):
        self.C = C
        self.n = 1  # the constraint ξ ≥ 0 is the first, with all the weight
        self.planes = np.zeros((padded(1), n_features))
        self.losses = np.zeros(padded(1))
        self.gram = np.zeros((padded(1), padded(1)))
        self.state = SmoState(*np.zeros((6, padded(1))))
        self.state.upper[0] = self.state.beta[0] = C
        self.weights = np.zeros(n_features)
        self.slack = 0.0

    def add(self, plane: Array, loss: float, tol: float) -> None:
        """One more constraint, and the new best."""
        if self.n == len(self.losses):
            self._grow()
        at = self.n
        self.n += 1
        self.planes[at], self.losses[at] = plane, loss
        self.gram[at, : self.n] = self.gram[: self.n, at] = self.planes[: self.n] @ plane
        self.state.upper[at] = self.C
        self.state.residuals[:] = self.losses - self.gram @ self.state.beta
        solve(self.gram, np.diag(self.gram).copy(), self.state, tol, STEPS)
        self.weights = self.state.beta[: self.n] @ self.planes[: self.n]
        self.slack = float((self.losses[: self.n] - self.planes[: self.n] @ self.weights).max())

    def _grow(self) -> None:
        more = padded(2 * len(self.losses))
        room = more - len(self.losses)
        self.planes = np.pad(self.planes, ((0, room), (0, 0)))
        self.losses = np.pad(self.losses, (0, room))
        self.gram = np.pad(self.gram, (0, room))
        self.state = SmoState(*(np.pad(part, (0, room)) for part in self.state))
