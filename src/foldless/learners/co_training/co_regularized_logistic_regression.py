"""Co-regularized logistic regression: two views that are penalized where they disagree on the unlabeled rows.

Minimizes (1/n) Σ_labeled [loss(y f₁) + loss(y f₂)] + λ (‖w₁‖₁ + ‖w₂‖₁) + (μ/u) Σ_unlabeled (f₁ − f₂)² over the linear
functions f_j = w_j·x_j + b_j of the views, with the logistic loss; predictions are σ((f₁ + f₂) / 2). It is solved by
Newton's method: steps of a gradient method get shorter as μ grows, and μ covers twenty orders of magnitude in the
paper.

This is one L1 problem, with labeled rows once for each view and unlabeled rows for their difference. Columns are those
of the first view, its intercept, those of the second, its intercept. A labeled row is (x₁, 1, 0, 0) and (0, 0, x₂, 1)
with logistic loss and weight 1/n, an unlabeled one (x₁, 1, −x₂, −1) with squared loss and weight μ/u.
"""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted, validate_data

from foldless.core import Array
from foldless.core.batch import Answered, Member
from foldless.learners._inputs import FORMS, check_missing, check_positive, partial_labels
from foldless.learners._logits import ScoredClassifier, as_answer, as_response, probabilities
from foldless.learners._stacked import Stacked
from foldless.learners._views import evaluated, two_columns
from foldless.learners.linear.l1_logistic_regression import MAX_STEPS, warn_unfinished
from foldless.saving._names import saved
from foldless.solvers.linear._l1_logistic import L1Rows, solve
from foldless.solvers.linear._l1_table import L1Table


class Agreement:
    """The problem of some labeled and unlabeled rows of two views, for any λ and μ."""

    def __init__(self, views: Sequence[Any], labeled: Array, unlabeled: Array, codes: Array, n_classes: int):
        first, second = (
            sparse.hstack([sparse.csr_array(view), np.ones((view.shape[0], 1))], format="csr") for view in views
        )
        stacked = sparse.block_array(
            [
                [first[labeled], None],
                [None, second[labeled]],
                [first[unlabeled], -second[unlabeled]],
            ]
        )
        self._table = L1Table.of(stacked)
        self._widths = first.shape[1], second.shape[1]
        self._n, self._u = first[labeled].shape[0], first[unlabeled].shape[0]
        self._positive = [codes == (1 if n_classes == 2 else k) for k in range(1 if n_classes == 2 else n_classes)]

    def start(self) -> Array:
        """Weights of zero: a row for each class, but only one row for two classes."""
        return np.zeros((len(self._positive), sum(self._widths)))

    def solve(self, lam: float, mu: float, tol: float, max_steps: int, weights: Array) -> int:
        """Turn the weights into the optimum: how many classes did not converge."""
        shares = np.repeat([1 / self._n, mu / max(self._u, 1)], [2 * self._n, self._u])
        penalties = np.full(sum(self._widths), float(lam))
        penalties[[self._widths[0] - 1, -1]] = 0
        unfinished = 0
        for positive, class_weights in zip(self._positive, weights, strict=True):
            signs = np.where(positive, 1.0, -1.0)
            rows = L1Rows(np.arange(len(shares)), np.concatenate([signs, signs, np.zeros(self._u)]), shares)
            unfinished += solve(self._table, rows, penalties, float(tol), max_steps, class_weights) < 0
        return unfinished

    def by_view(self, weights: Array) -> list[tuple[Array, Array]]:
        """Coefficients and intercepts of each view."""
        return [(half[:, :-1], half[:, -1]) for half in np.split(weights, [self._widths[0]], axis=1)]


@saved("foldless.learners")
class CoRegularizedLogisticRegression(ScoredClassifier):
    """L1 logistic regression on two views, with a penalty where they disagree on the unlabeled rows.

    Parameters
    ----------
    lam : float, default=1e-3
        λ, the weight of the penalty ‖w₁‖₁ + ‖w₂‖₁ against the mean loss of the labeled rows.
    mu : float, default=1.0
        μ, the weight of the mean of (f₁ − f₂)² over the unlabeled rows; 0 fits the views independently.
    views : two lists of columns, or None, default=None
        Column numbers, slices, masks, names, or functions of X such as scikit-learn's ``make_column_selector``. None
        means the first half of the columns and the rest.
    tol : float, default=1e-4
        Largest violation of the optimality conditions, in units of λ.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_
        The class labels, the number of features, and their names if X has names that are strings.
    coefs_ : list of two ndarrays of shape (1, n_columns) or (n_classes, n_columns)
        Weights of each view.
    intercepts_ : list of two ndarrays of shape (1,) or (n_classes,)
        Intercepts of each view.
    views_ : list of two ndarrays
        The column numbers of each view.
    transduction_ : ndarray of shape (n_rows,)
        The label of every row passed to ``fit``, given or predicted. Missing in models that a search fitted.

    Notes
    -----
    Rows with y = −1 are unlabeled. More than two classes are solved one-vs-rest. The Hessian of the nonzero weights is
    a dense matrix: a fit with a hundred of them takes milliseconds, with a thousand seconds. So many are nonzero where
    λ is small, μ is large and there are as many columns.

    References
    ----------
    Quanz and Huan (2012). Sampling-based model selection with limited labeled data, section 4.2.

    Sindhwani, Niyogi and Belkin (2005). A co-regularization approach to semi-supervised learning with multiple views.
    ICML workshop on learning with multiple views.

    Examples
    --------
    >>> import numpy as np
    >>> from foldless.learners import CoRegularizedLogisticRegression
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(200) % 2
    >>> X = rng.normal(size=(200, 2)) + 3 * y[:, None]
    >>> y_known = np.where(np.arange(200) < 6, y, -1)
    >>> CoRegularizedLogisticRegression(views=[[0], [1]]).fit(X, y_known).score(X, y) > 0.9
    True
    """

    semi_supervised: ClassVar[bool] = True
    batch_over: ClassVar[frozenset[str]] = frozenset({"lam", "mu"})

    def __init__(self, *, lam: float = 1e-3, mu: float = 1.0, views: Any = None, tol: float = 1e-4):
        self.lam = lam
        self.mu = mu
        self.views = views
        self.tol = tol

    def fit(self, X: Any, y: Any) -> "CoRegularizedLogisticRegression":
        """Fit the model on rows X with labels y, −1 for unlabeled rows."""
        check_missing(y)
        asked = evaluated(self.views, X)
        X, y = validate_data(self, X, y, **FORMS)
        partial = partial_labels(y, type(self).__name__)
        self._check()
        view_columns = two_columns(asked, X.shape[1], getattr(self, "feature_names_in_", None), self)
        views = [X[:, which] for which in view_columns]
        problem = Agreement(views, partial.labeled, ~partial.labeled, partial.codes, len(partial.classes))
        weights = problem.start()
        warn_unfinished(problem.solve(self.lam, self.mu, self.tol, MAX_STEPS, weights), MAX_STEPS, self)
        parts = problem.by_view(weights)
        self._take_over(partial.classes, parts, view_columns)
        scores = _mean_scores([view[~partial.labeled] for view in views], parts)
        self.transduction_ = partial.completed(as_response(scores, "labels"))
        return self

    def decision_function(self, X: Any) -> Array:
        """(f₁ + f₂) / 2 of the classes, of shape (n, K); for two classes that of the second, of shape (n,)."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **FORMS)
        parts = list(zip(self.coefs_, self.intercepts_, strict=True))
        return as_response(_mean_scores([X[:, which] for which in self.views_], parts), "scores")

    def predict_proba(self, X: Any) -> Array:
        """Probabilities of the classes, of shape (n, K): σ of the scores, divided by their sum."""
        return probabilities(self.decision_function(X))

    def answer_batch(self, blocks: Sequence[Any], members: Sequence[Member]) -> Iterator[Answered]:
        """Solve the grid of λ and μ, each from its neighbor, and answer for every member."""
        models = [clone(self).set_params(**member.params) for member in members]
        for model in models:
            model._check()
        rows, first = Stacked(blocks), members[0]
        classes, codes = np.unique(first.y, return_inverse=True)
        view_columns = two_columns(evaluated(self.views, blocks[0]), rows.X.shape[1], rows.names, self)
        views = [rows.X[:, which] for which in view_columns]
        problem = Agreement(views, rows.rows(first.train), rows.rows(first.unlabeled), codes, len(classes))
        solved, unfinished = self._solve_grid(problem, {(model.mu, model.lam) for model in models})
        warn_unfinished(unfinished, MAX_STEPS, self)
        asked = {id(q.part): [view[rows.rows(q.part)] for view in views] for m in members for q in m.questions}
        for member, model in zip(members, models, strict=True):
            parts = problem.by_view(solved[model.mu, model.lam])
            answers = tuple(
                as_answer(_mean_scores(asked[id(q.part)], parts), q.response, classes) for q in member.questions
            )
            if member.keep:
                validate_data(model, blocks[member.train.block], reset=True, skip_check_array=True)
                model._take_over(classes, parts, view_columns)
            yield Answered(answers, classes, model if member.keep else None)

    def _solve_grid(self, problem: Agreement, grid: set[tuple[float, float]]) -> tuple[dict[Any, Array], int]:
        """The weights at every (μ, λ): μ rises, λ falls, and the first λ of a μ starts from that of the μ before."""
        solved: dict[Any, Array] = {}
        unfinished = 0
        start = problem.start()
        for mu in sorted({mu for mu, _ in grid}):
            weights = start
            penalties = sorted((lam for at, lam in grid if at == mu), reverse=True)
            for lam in penalties:
                weights = solved[mu, lam] = weights.copy()
                unfinished += problem.solve(lam, mu, self.tol, MAX_STEPS, weights)
            start = solved[mu, penalties[0]]
        return solved, unfinished

    def _check(self) -> None:
        check_positive(self.lam, "lam")
        check_positive(self.tol, "tol")
        check_positive(self.mu, "mu", zero=True)

    def _take_over(self, classes: Array, parts: list[tuple[Array, Array]], view_columns: list[Array]) -> None:
        self.classes_ = classes
        self.coefs_ = [coef for coef, _ in parts]
        self.intercepts_ = [intercept for _, intercept in parts]
        self.views_ = view_columns


def _mean_scores(views: Sequence[Any], parts: Sequence[tuple[Array, Array]]) -> Array:
    """(f₁ + f₂) / 2, one row for each problem."""
    first, second = (view @ coef.T + intercept for view, (coef, intercept) in zip(views, parts, strict=True))
    return (first + second).T / 2
