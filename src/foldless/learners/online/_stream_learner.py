"""A linear classifier that learns row by row, in constant memory: what NEMSIS and SCAN share.

The state of every problem is a row of scalars and the weights, both plain arrays: a pickle holds it to the bit, and
a learner that is loaded from one continues as if it had never stopped.
"""

from abc import abstractmethod
from dataclasses import KW_ONLY, dataclass
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, check_scalar

from foldless.core import Array
from foldless.errors import BadInput
from foldless.learners._inputs import check_positive
from foldless.learners.online._kernel_rows import batches
from foldless.learners.online._linear_learner import OneVsRest, class_weights, known_shares, odds_of, positive_classes
from foldless.measures import resolve
from foldless.solvers.online._rewards import HingeReward, LogisticReward
from foldless.solvers.online._stream import PERIOD, Objective, Rule, Span, StreamModel
from foldless.solvers.online._stream_state import FIELDS, records, restart
from foldless.solvers.online._stream_weights import constant_at, room

REWARDS = {"hinge": HingeReward, "logistic": LogisticReward}
RATES = ("stream", "by_class")
UNUSABLE = "in row {row}, X contains NaN, infinity or a number too large for single precision"
UNBOUNDED = "in row {row}, the weights or their product with the row grew without bound: lower eta0 or scale X"


@dataclass(eq=False, repr=False)
class StreamLearner(OneVsRest):
    """Rows come in the order given, or shuffled; ``partial_fit`` in pieces does what ``fit`` does at once."""

    measure: Any
    _: KW_ONLY
    eta0: float = 1.0
    radius: float = np.inf
    reward: str = "hinge"
    cap: float = 1.0
    low: float = 0.0
    non_surrogate: bool = False
    shares: Any = None
    rates: str = "stream"
    class_weight: Any = None
    fit_intercept: bool = True
    passes: int = 1
    shuffle: bool = False
    random_state: Any = None

    kind: ClassVar[Any]
    fixed: ClassVar[tuple[str, ...]] = ("measure", "rates", "fit_intercept")  # the state has a meaning for these only
    without_dual: ClassVar[str] = "write it as foldless.measures.Nested"

    def fit(self, X: Any, y: Any) -> Any:
        """Learn from rows X with labels y, in as many passes as wanted; what was learned before is forgotten."""
        X, classes, codes = self._labeled(X, y, ensure_all_finite=False)
        self._check()
        state = self._fresh(X.shape[1], classes)
        rng = check_random_state(self.random_state)
        for _ in range(self.passes):
            self._learn(state, X, codes, classes, rng.permutation(len(codes)) if self.shuffle else None)
        return self._take_over(classes, state)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Any:
        """Learn from some more rows, once, in their order; the first call names all classes.

        Where a row cannot be used nothing is learned from the call.
        """
        fresh = not hasattr(self, "classes_")
        X, known, codes = self._further(X, y, classes, ensure_all_finite=False)
        self._check()
        if fresh:
            state = self._fresh(X.shape[1], known)
        else:
            for name, was in self._begun_with.items():
                now = getattr(self, name)
                if (resolve(was) != resolve(now)) if name == "measure" else (was != now):
                    raise BadInput(
                        f"{name} must stay as in the first call, {was!r}, got {now!r}: call fit to start over"
                    )
            # a row that cannot be used may come after some that were learned from: they must not have counted
            state = {name: part.copy() for name, part in self._state.items()}
        self._learn(state, X, codes, known, None)
        return self._take_over(known, state)

    @property
    def coef_(self) -> Array:
        """Weights of shape (K, features); for two classes those of the second."""
        return self._linear()[0]

    @property
    def intercept_(self) -> Array:
        """The weights of the constant feature."""
        return self._linear()[1]

    def _linear(self) -> tuple[Array, Array]:
        check_is_fitted(self, "classes_")
        model, d = self._model(), self.n_features_in_
        return model[:, :d], model[:, constant_at(d)] * float(self.fit_intercept)

    def _fresh(self, n_features: int, classes: Array) -> dict[str, Array]:
        measure, positives = resolve(self.measure, self.kind), positive_classes(classes)
        shares = known_shares(self.shares, len(classes))
        scalars = np.zeros((len(positives), len(FIELDS)))
        for at, k in enumerate(positives):
            state = records(scalars)[at : at + 1]
            s = state[0]
            s["scale"], s["until"] = 1, PERIOD
            s["share"] = 0.5 if shares is None else shares[k]
            s["smoothing"] = measure.smooth(1)
            s["parameter"] = measure.parameter
            restart(state, measure.factors(0.0), measure.compiled_dual)
        shapes = self._shapes(n_features, classes)
        others = {name: np.zeros(shape, np.float32) for name, shape in shapes.items() if name != "scalars"}
        return {"scalars": scalars, **others}

    def _shapes(self, n_features: int, classes: Array) -> dict[str, tuple[int, ...]]:
        n = len(positive_classes(classes))
        return {"scalars": (n, len(FIELDS)), "weights": (n, 3, room(n_features))}

    def _learn(self, state: dict[str, Array], X: Any, codes: Array, classes: Array, order: Array | None) -> None:
        for part, shape in self._shapes(X.shape[1], classes).items():  # the kernels do not look at bounds
            if state[part].shape != shape:
                raise BadInput(f"the state of this {type(self).__name__} was changed: fit it again")
        if sparse.issparse(X) and self.radius < np.inf and not X.has_canonical_format:
            X = X.copy()  # the user's matrix is left alone
            X.sum_duplicates()  # for the length of a row
        measure, positives = resolve(self.measure, self.kind), positive_classes(classes)
        shares, weights = known_shares(self.shares, len(classes)), class_weights(self.class_weight, classes)
        reward = REWARDS[self.reward](float(self.cap), float(self.low), bool(self.non_surrogate))
        for batch in batches(X, codes, float(self.fit_intercept), len(positives), order):
            for at, k in enumerate(positives):
                rule = Rule(
                    step=float(self.eta0),
                    radius=float(self.radius),
                    share=0.0 if shares is None else float(shares[k]),
                    target=0.0 if weights is not None else 1 / len(classes),
                    odds=1.0 if weights is None else odds_of(weights, k),
                    smoothing=-1.0 if measure.smoothing is None else float(measure.smoothing),
                    by_class=self.rates == "by_class",
                )
                span = Span(batch.rows, batch.codes, k, 0, batch.n)
                done = self._problem(state, at, span, Objective(rule, reward, address(measure)), measure)
                if done < batch.n:
                    row = batch.first + done if order is None else order[batch.first + done]
                    raise BadInput((UNBOUNDED if _usable(X, row) else UNUSABLE).format(row=row))

    @abstractmethod
    def _problem(self, state: dict[str, Array], at: int, span: Span, objective: Objective, measure: Any) -> int:
        """Take one problem through a span of rows; the first row that cannot be used, or ``span.last``."""

    @abstractmethod
    def _model(self) -> Array:
        """The weights that predict, with that of the constant feature and what fills the last sixteen."""

    def _take_over(self, classes: Array, state: dict[str, Array]) -> Any:
        self.classes_ = classes
        self._state = state
        self._begun_with = {name: getattr(self, name) for name in self.fixed}
        return self

    def _check(self) -> None:
        measure = resolve(self.measure, self.kind)
        if measure.factors(0.0) is None and measure.compiled_dual is None:
            raise BadInput(
                f"{measure} has neither factors nor a compiled dual, which a step of {type(self).__name__} needs: "
                f"{self.without_dual}"
            )
        check_positive(self.eta0, "eta0")
        check_positive(self.cap, "cap", finite=False)
        check_scalar(self.low, "low", Real)
        check_positive(self.radius, "radius", finite=False)
        check_scalar(self.passes, "passes", Integral, min_val=1)
        if self.reward not in REWARDS:
            raise BadInput(f"reward must be 'hinge' or 'logistic', got {self.reward!r}")
        if self.rates not in RATES:
            raise BadInput(f"rates must be 'stream' or 'by_class', got {self.rates!r}")
        if not self.low < 1:
            raise BadInput(f"low must be below 1, the reward of a row that is right, got {self.low!r}")


def model_of(state: dict[str, Array], at: int) -> StreamModel:
    return StreamModel(records(state["scalars"])[at : at + 1], state["weights"][at])


def _usable(X: Any, row: int) -> bool:
    """Whether all entries of a row are numbers in single precision."""
    values = X[[row]].data if sparse.issparse(X) else X[row]
    with np.errstate(over="ignore"):
        return bool(np.isfinite(values.astype(np.float32)).all())


def address(measure: Any) -> int:
    """Of the measure's dual; 0 where factors give the derivatives."""
    return 0 if measure.factors(0.0) is not None else int(measure.compiled_dual.address)
