"""CAN: learn a pseudo-concave measure from a whole table, by turns of weights and level.

v₀ = 0; w ← argmax V(w, v) with the concave valuation V = top − v · bottom; v ← the value that w reaches; until v gains
less than ``tol``. The error falls at least by the factor 1 − m/M in a turn, where bottom lies in [m, M].

The hinge is rounded off within μ of its kink, and μ is lowered in steps: each maximum is found by L-BFGS and starts
from the one before. A radius is kept by the multiplier λ of ½‖w‖² at which the maximum lies on it.

References
----------
Kar, Li, Narasimhan, Chawla and Sebastiani (2016). Online optimization methods for the quantification problem. KDD.
Algorithm 2 and Theorem 5. Corrected: the level is where V(w, v) = 0, and begins at 0.
"""

from dataclasses import KW_ONLY, dataclass, replace
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import brentq, minimize
from scipy.special import expit, log_expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_scalar

from foldless.core import Array
from foldless.errors import BadInput, warn_user
from foldless.learners._inputs import check_positive
from foldless.learners.online._linear_learner import OneVsRest, class_weights, known_shares, odds_of, positive_classes
from foldless.measures import PseudoConcave, resolve
from foldless.saving._names import saved

ROUNDINGS = (0.3, 0.03, 3e-3, 3e-4)  # μ, as a margin
LENIENT = 1e-3  # of the radius, by which the multiplier may miss it before the weights are cut to it
STEEPEST = 1e12  # multiplier
STEPS = 500  # of a search by L-BFGS
PRECISION = {"ftol": 1e-12, "gtol": 1e-8}
LIMIT = 1  # the status of a search that has come to the most steps


@saved("foldless.online")
@dataclass(eq=False, repr=False)
class CAN(OneVsRest):
    """A linear classifier that learns to classify and to estimate class shares, from all rows at once.

    More than two classes: each against the others, with its own share. `predict_shares` gives these counts;
    `predict` takes the class with the highest score, so its counts differ.

    Parameters
    ----------
    measure : str or object of foldless.measures
        What is learned: "cq_reward", "bk_reward" or "f_measure".
    radius : float
        The largest length of the weight vector, with the intercept.
    reward : "hinge" or "logistic"
        min(1, m), or 1 − log(1 + exp(−m)).
    shares, class_weight, fit_intercept
        As in `NEMSIS`; shares that are not given are those of the labels.
    tol : float
        Turns end when the level gains less than this.
    max_iter : int
        The maximum number of turns; a ConvergenceWarning says where more are needed.

    Attributes
    ----------
    levels_ : list of arrays
        For every class against the others the level after each turn, from 0 on.
    n_iter_ : int
        The number of turns, of the class that took the most.
    classes_, coef_, intercept_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from foldless.online import CAN
    >>> rng = np.random.default_rng(0)
    >>> y = (rng.random(2_000) < 0.1).astype(int)
    >>> X = rng.normal(size=(2_000, 3)) + y[:, None]
    >>> bool(CAN("cq_reward").fit(X, y).score(X, y) > 0.8)
    True
    """

    measure: Any = "cq_reward"
    _: KW_ONLY
    radius: float = np.inf
    reward: str = "hinge"
    shares: Any = None
    class_weight: Any = None
    fit_intercept: bool = True
    tol: float = 1e-6
    max_iter: int = 50

    def fit(self, X: Any, y: Any) -> "CAN":
        """Train on rows X with labels y."""
        X, classes, codes = self._labeled(X, y)
        measure = resolve(self.measure, PseudoConcave)
        check_positive(self.radius, "radius", finite=False)
        check_positive(self.tol, "tol")
        check_scalar(self.max_iter, "max_iter", Integral, min_val=1)
        if self.reward not in ("hinge", "logistic"):
            raise BadInput(f"reward must be 'hinge' or 'logistic', got {self.reward!r}")
        shares, weights = known_shares(self.shares, len(classes)), class_weights(self.class_weight, classes)
        solved = []
        for code in positive_classes(classes):
            positive = codes == code
            p = positive.mean() if shares is None else shares[code]
            # None is for equal shares, 1 / K
            odds = (1 - p) / (p * (len(classes) - 1)) if weights is None else odds_of(weights, code)
            table = KernelTable(
                X, positive, float(self.fit_intercept), measure, odds * p / (odds * p + 1 - p),
                hinge=self.reward == "hinge",
            )  # fmt: skip
            solved.append(self._alternate(table))
        models, levels, ended = zip(*solved, strict=True)
        if not all(ended):
            warn_user(
                f"CAN did not converge in {self.max_iter} turns of {STEPS} steps of L-BFGS: raise max_iter or tol, set "
                f"a radius, or scale X",
                ConvergenceWarning,
            )
        self.classes_, self.levels_ = classes, list(levels)
        self.n_iter_ = max(len(reached) - 1 for reached in levels)
        self.coef_, self.intercept_ = np.array(models)[:, :-1], np.array(models)[:, -1]
        return self

    def _alternate(self, table: "KernelTable") -> tuple[Array, Array, bool]:
        """The weights, the levels, and whether both had come to rest."""
        w, levels = np.zeros(table.X.shape[1] + 1), [0.0]
        for _ in range(self.max_iter):
            new = table.best(w, levels[-1], float(self.radius))
            reached = table.reached(new.weights)
            if reached > levels[-1]:
                w = new.weights
            levels.append(max(reached, levels[-1]))
            if levels[-1] <= levels[-2] + self.tol:
                return w, np.array(levels), new.ended
        return w, np.array(levels), False


class Maximum(NamedTuple):
    """Weights that are best, and whether the search for them had ended."""

    weights: Array
    ended: bool

    @property
    def length(self) -> float:
        return float(np.linalg.norm(self.weights))


@dataclass(frozen=True, eq=False)
class KernelTable:
    """All rows of a problem, and the valuation of weights on them."""

    X: Any
    positive: Array
    constant: float
    measure: PseudoConcave
    share: float
    hinge: bool
    rounding: float = 0.0

    def rewards(self, w: Array) -> tuple[Array, Array]:
        """The reward of every row, and its slope."""
        margins = np.where(self.positive, 1.0, -1.0) * (self.X @ w[:-1] + self.constant * w[-1])
        if not self.hinge:
            return np.asarray(1 + log_expit(margins)), np.asarray(expit(-margins))
        if not self.rounding:
            return np.minimum(margins, 1.0), (margins < 1).astype(float)
        over = np.clip(1 - margins + self.rounding, 0, 2 * self.rounding)  # inside the rounding: (z + μ)² / 4μ
        curved = over**2 / (4 * self.rounding)
        return 1 - np.where(over < 2 * self.rounding, curved, 1 - margins), over / (2 * self.rounding)

    def rates(self, rewards: Array) -> tuple[float, float]:
        """Means within the classes."""
        return float(rewards[self.positive].mean()), float(rewards[~self.positive].mean())

    def reached(self, w: Array) -> float:
        """The measure of the rewards."""
        return float(self.measure.value(*self.rates(self.rewards(w)[0]), self.share, len(self.positive)))

    def valuation(self, w: Array, level: float) -> tuple[float, Array]:
        """V at a level, and its gradient by the weights."""
        rewards, slopes = self.rewards(w)
        P, N = self.rates(rewards)
        value, by_P, by_N = self.measure.valuation(P, N, self.share, level, len(self.positive))
        n_positive = int(self.positive.sum())
        pull = np.where(self.positive, by_P / n_positive, -by_N / (len(self.positive) - n_positive)) * slopes
        return float(value), np.append(self.X.T @ pull, self.constant * pull.sum())

    def best(self, w: Array, level: float, radius: float) -> Maximum:
        """The weights within the radius that have the largest valuation."""
        free = self._penalized(w, level, 0.0)
        if free.length <= radius:
            return free
        maxima = {0.0: free}

        def excess(log_multiplier: float) -> float:
            maxima[log_multiplier] = self._penalized(w, level, float(np.exp(log_multiplier)))
            return float(np.log(maxima[log_multiplier].length / radius))

        high = 0.0
        while excess(high) > 0 and high < np.log(STEEPEST):
            high += 3.0
        low = high - 3.0
        while excess(low) < 0 and low > -np.log(STEEPEST):
            low -= 3.0
        on = maxima[brentq(excess, low, high, xtol=LENIENT)] if excess(low) > 0 else free
        return Maximum(on.weights * min(1.0, radius / on.length), on.ended)

    def _penalized(self, w: Array, level: float, multiplier: float) -> Maximum:
        """The maximum of V − ½ λ‖w‖², with the kink of the hinge rounded off less and less."""
        for rounding in ROUNDINGS if self.hinge else (0.0,):
            table = replace(self, rounding=rounding)

            def loss(w: Array, table: "KernelTable" = table) -> tuple[float, Array]:
                value, gradient = table.valuation(w, level)
                return float(0.5 * multiplier * (w @ w) - value), multiplier * w - gradient

            solution = minimize(loss, w, jac=True, method="L-BFGS-B", options={"maxiter": STEPS, **PRECISION})
            w = solution.x
        # a line search without success (status 2) is an end too: rounding leaves nothing to gain
        return Maximum(w, solution.status != LIMIT)
