"""NEMSIS: learn a nested concave measure of quantification from a stream, one cheap primal-dual step per row.

With rates r = (P, N) so far, a row of the positive class moves w by η₀/√t · (∂Ψ(ζ₁, ζ₂)/∂P) / p times the gradient of
its reward, a row of the other class likewise with N and 1 − p. The derivatives are those at running means of the
rates and of the values of ζ₁ and ζ₂. The mean of all iterates is the model.

KLD and NSS alone are concave in (P, N) but not in w, as they fall where a rate rises: there the method is a heuristic.

References
----------
Kar, Li, Narasimhan, Chawla and Sebastiani (2016). Online optimization methods for the quantification problem. KDD.
Algorithm 1 and Theorem 3; NEMSIS-NS in Section 5. Corrected: the duals of Table 1, and the start, which is infeasible
at zero.
"""

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np

from foldless.core import Array
from foldless.learners.online._stream_learner import StreamLearner, model_of
from foldless.measures import NestedConcave
from foldless.saving._names import saved
from foldless.solvers.online._stream import Objective, Span, learn
from foldless.solvers.online._stream_weights import averaged, latest


@saved("foldless.online")
@dataclass(eq=False, repr=False)
class NEMSIS(StreamLearner):
    """A linear classifier that learns to estimate class shares (quantification), row by row.

    With ``non_surrogate=True`` and "kld" the predicted class shares are right. Without it rewards are counted in place
    of rows, and the predicted shares are biased. "kld" and "nss" do not separate rows, as they pull both classes the
    same way; "bakld" and "q_measure" separate them too.

    More than two classes: each against the others, with its own share. `predict_shares` gives these counts;
    `predict` takes the class with the highest score, so its counts differ.

    Parameters
    ----------
    measure : str or object of foldless.measures
        What is learned: "kld", "nss", "balanced_accuracy", "q_measure", "bakld", "g_mean", or a measure of your own.
    eta0 : float
        Step size; the t-th step is eta0 / √t.
    radius : float
        The largest length of the weight vector, with the intercept: longer ones are projected.
    reward : "hinge" or "logistic"
        The reward of a margin m in a step: min(1, m), or 1 − log(1 + exp(−m)).
    cap : float
        Rows with a margin of this or more make no step; it is above 0.
    low : float
        The least that a row counts in the running rates.
    non_surrogate : bool
        Count right and wrong in the running rates, not rewards (NEMSIS-NS).
    shares : float, array or None
        The class shares of the stream if they are known (a number: that of the second of two classes); None for running
        shares.
    rates : "stream" or "by_class"
        Running rates as means over the stream of rewards divided by the share, or as means within the classes, which
        vary less.
    class_weight : dict, "balanced" or None
        The shares at which counts are to be right, where these are not the stream's: odds are multiplied by the
        weights; "balanced" for equal shares.
    fit_intercept : bool
        Whether there is a constant feature.
    average : bool
        Whether the model is the mean of all iterates, or the last one.
    passes : int
        Passes over the rows in ``fit``.
    shuffle : bool
        Whether ``fit`` takes rows in random order, as it should where a table is sorted.
    random_state : int, RandomState or None
        Of that order.

    Attributes
    ----------
    classes_, coef_, intercept_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from foldless.online import NEMSIS
    >>> rng = np.random.default_rng(0)
    >>> y = (rng.random(20_000) < 0.1).astype(int)
    >>> X = rng.normal(size=(20_000, 3)) + y[:, None]
    >>> model = NEMSIS("kld", non_surrogate=True).fit(X, y)
    >>> bool(abs(model.predict(X).mean() - y.mean()) < 0.02)
    True
    """

    measure: Any = "kld"
    _: KW_ONLY
    average: bool = True

    kind: ClassVar[Any] = NestedConcave

    def _problem(
        self,
        state: dict[str, Array],
        at: int,
        span: Span,
        objective: Objective,
        measure: Any,  # noqa: ARG002 (SCAN's)
    ) -> int:
        return learn(span, model_of(state, at), objective)

    def _model(self) -> Array:
        which = averaged if self.average else latest
        models = [model_of(self._state, at) for at in range(len(self._state["weights"]))]
        return np.array([which(model.weights, model.state) for model in models])
