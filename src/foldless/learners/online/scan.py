"""SCAN: learn a pseudo-concave measure from a stream, epoch by epoch.

An epoch takes s_e rows through NEMSIS with the valuation V(·, v) = top − v · bottom at the level v so far, and then
s_e / 2 fresh rows to find the level top / bottom that the epoch's mean iterate reaches. Epochs grow geometrically.

References
----------
Kar, Li, Narasimhan, Chawla and Sebastiani (2016). Online optimization methods for the quantification problem. KDD.
Algorithm 3 and Theorem 6. Corrected: the epoch's own model is judged and returned, by means of rewards, not sums.
"""

from dataclasses import KW_ONLY, dataclass
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted, check_scalar

from foldless.core import Array
from foldless.errors import BadInput
from foldless.learners.online._linear_learner import positive_classes
from foldless.learners.online._stream_learner import StreamLearner, model_of
from foldless.measures import PseudoConcave
from foldless.saving._names import saved
from foldless.solvers.online._stream import Objective, Rule, Span, StreamModel, judge, learn, target_share
from foldless.solvers.online._stream_state import records, restart
from foldless.solvers.online._stream_weights import average, averaged, room, settle


@saved("foldless.online")
@dataclass(eq=False, repr=False)
class SCAN(StreamLearner):
    """A linear classifier that learns to classify and to estimate class shares, epoch by epoch.

    The model is the mean of the iterates of the last epoch, once that epoch has learned from more rows than the one
    before it, whose mean it is until then.

    More than two classes: each against the others, with its own share. `predict_shares` gives these counts;
    `predict` takes the class with the highest score, so its counts differ.

    Parameters
    ----------
    measure : str or object of foldless.measures
        What is learned: "cq_reward", "bk_reward" or "f_measure".
    first_epoch : int
        Rows that the first epoch learns from; half as many find its level.
    growth : float
        How many times longer each epoch is than the one before.
    non_surrogate : bool
        Count right and wrong in the running rates and in the levels, not rewards (SCAN-NS).
    eta0, radius, reward, cap, low, shares, rates, class_weight, fit_intercept, passes, shuffle, random_state
        As in `NEMSIS`.

    Attributes
    ----------
    levels_ : array
        The level of every class against the others, as of the last complete epoch.
    classes_, coef_, intercept_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from foldless.online import SCAN
    >>> rng = np.random.default_rng(0)
    >>> y = (rng.random(20_000) < 0.1).astype(int)
    >>> X = rng.normal(size=(20_000, 3)) + y[:, None]
    >>> model = SCAN("cq_reward").fit(X, y)
    >>> bool(model.score(X, y) > 0.8)
    True
    """

    measure: Any = "cq_reward"
    _: KW_ONLY
    first_epoch: int = 500
    growth: float = 2.0

    kind: ClassVar[Any] = PseudoConcave
    fixed: ClassVar[tuple[str, ...]] = (*StreamLearner.fixed, "first_epoch", "growth")
    without_dual: ClassVar[str] = "CAN can learn it"

    @property
    def levels_(self) -> Array:
        check_is_fitted(self, "classes_")
        return records(self._state["scalars"])["parameter"].copy()

    def _shapes(self, n_features: int, classes: Array) -> dict[str, tuple[int, ...]]:
        shapes = super()._shapes(n_features, classes)
        return {**shapes, "finished": (len(positive_classes(classes)), room(n_features))}

    def _problem(self, state: dict[str, Array], at: int, span: Span, objective: Objective, measure: Any) -> int:
        model, finished = model_of(state, at), state["finished"][at]
        s = model.state[0]
        first = span.first
        while first < span.last:
            to_learn, to_judge = self._lengths(s["epoch"])
            learning = s["done"] < to_learn
            left = (to_learn if learning else to_learn + to_judge) - s["done"]
            part = span._replace(first=first, last=min(span.last, first + int(left)))
            done = learn(part, model, objective) if learning else judge(part, model.state, finished, objective.reward)
            if done < part.last:
                return done
            s["done"] += part.last - first
            first = part.last
            if s["done"] == to_learn:
                average(model.weights, model.state, finished)
                s["seen_P"] = s["seen_N"] = s["reward_P"] = s["reward_N"] = 0
            elif s["done"] == to_learn + to_judge:
                self._next_epoch(model, objective.rule, measure)
        return span.last

    def _lengths(self, epoch: float) -> tuple[int, int]:
        """Rows to learn from and rows to judge by."""
        length = max(2, round(self.first_epoch * self.growth**epoch))
        return length, length // 2

    def _next_epoch(self, model: StreamModel, rule: Rule, measure: Any) -> None:
        """Raise the level to what the finished epoch reached, and start over from its last iterate."""
        s, weights = model.state[0], model.weights
        if s["seen_P"] and s["seen_N"]:  # without rows of both classes there is nothing to judge by
            p = rule.share if rule.share > 0 else (s["positives"] + 0.5) / (s["rows"] + 1)
            P, N = s["reward_P"] / s["seen_P"], s["reward_N"] / s["seen_N"]
            s["parameter"] = max(0.0, measure.value(P, N, target_share(p, rule), s["rows"]))
            s["smoothing"] = measure.smooth(s["rows"])
        settle(model.state, weights.ctypes.data, weights.shape[1])
        weights[1] = 0
        s["done"] = s["area"] = s["averaged"] = 0
        s["epoch"] += 1
        restart(model.state, measure.factors(s["parameter"]), measure.compiled_dual)

    def _model(self) -> Array:
        finished = self._state["finished"]
        return np.array([self._best(model_of(self._state, at), last) for at, last in enumerate(finished)])

    def _best(self, model: StreamModel, finished: Array) -> Array:
        """Of the running epoch, once it has learned from more rows than the finished one."""
        s = model.state[0]
        running = s["epoch"] == 0 or s["averaged"] > self._lengths(s["epoch"] - 1)[0]
        return averaged(model.weights, model.state) if running else finished.astype(np.float64)

    def _check(self) -> None:
        super()._check()
        check_scalar(self.first_epoch, "first_epoch", Integral, min_val=2)
        check_scalar(self.growth, "growth", Real)
        if not 1 < self.growth < np.inf:
            raise BadInput(f"growth must be a finite number above 1, got {self.growth!r}")
