"""Co-training: two classifiers on two views of the same rows label rows for each other.

If the views are independent given the class, rows that one view finds easy are as good as random rows for the other.
Predictions are the product of the two posteriors, p₁(y) p₂(y) / Σ p₁ p₂.
"""

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import check_array, check_random_state, get_tags
from sklearn.utils.validation import check_is_fitted, check_scalar, validate_data

from foldless.core import Array
from foldless.core.batch import Answered, Member
from foldless.errors import BadInput
from foldless.learners._inputs import FORMS, as_given, check_missing, check_positive, labels_of, partial_labels
from foldless.learners._stacked import Stacked, StackedAsGiven
from foldless.learners._views import cut, evaluated, is_single_column, two_columns
from foldless.learners.co_training._rounds import (
    Classifiers,
    L1Labelers,
    Labelers,
    RoundLabels,
    TrainedViews,
    posteriors_of,
)
from foldless.learners.linear.l1_logistic_regression import (
    MAX_STEPS,
    L1LogisticRegression,
    check_scale,
    warn_unfinished,
)
from foldless.saving._names import saved
from foldless.solvers._co_training import CoTrainingSettings, RoundPlan

HELD = 256 * 2**20  # bytes of weights of candidate models; beyond, the best one is fitted once more


@saved("foldless.learners")
@dataclass(eq=False, repr=False)
class CoTraining(ClassifierMixin, BaseEstimator):
    """Co-training of two classifiers on two views.

    In each round both classifiers are fitted on the labeled rows, and each labels the rows of a small pool about which
    it is most confident. These rows join the labeled rows of both, and the pool is refilled.

    Parameters
    ----------
    estimator1, estimator2 : classifier with ``predict_proba``, or None, default=None
        The classifier of each view. It gets its columns as they are in X: data frames stay data frames, and may hold
        texts or NaN if the classifier accepts them. None means an `L1LogisticRegression` with ``l1`` (or ``l2``), whose
        view must be numeric; if both are None the rounds run in compiled code.
    l1, l2 : float, default=1e-3
        λ, the weight of the penalty ‖w‖₁ in the first and in the second view.
    scale : {"mean", "sum"}, default="mean"
        Whether the penalty is added to the mean of the losses or to their sum.
    p, n : int, default=1
        How many rows each view labels in a round: p rows with the second of two classes (the positive class), n rows
        with the first.
    per_round : list of int or None, default=None
        The same for any number of classes, in their order. If the labels are the numbers 0, 1, 2, …, a class without a
        labeled row keeps its place. None means ``n`` and ``p``; with more than two classes these must be equal.
    views : two lists of columns, or None, default=None
        Column numbers, slices, masks, names, or functions of X such as scikit-learn's ``make_column_selector``. None
        means the first half of the columns and the rest. As in scikit-learn's ``ColumnTransformer``, a slice of names
        includes its end, and a classifier gets a single name or number without a list around it as a vector, which
        ``TfidfVectorizer`` needs.
    pool_size : int, default=75
        Number of unlabeled rows that the views choose from in the first round; after each round as many rows are added
        as both views may have labeled.
    rounds : int, default=30
        Maximum number of rounds; they end when the pool is empty.
    tol : float, default=1e-4
        Tolerance of `L1LogisticRegression`.
    random_state : int, RandomState instance or None, default=None
        Seed of the order in which rows enter the pool, and of classifiers whose ``random_state`` is None.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_
        The class labels, the number of features, and their names if X has names that are strings.
    estimators_ : list of two classifiers
        The classifiers, fitted on the given labels and on those of the rounds.
    n_rounds_ : int
        Number of rounds.
    views_ : list of two
        The column numbers of each view, or a single number where the classifier gets its column as a vector.
    labeled_round_ : ndarray of shape (n_rows,)
        For every row passed to ``fit``: 0 if its label was given, the round in which it was labeled, −1 if it never
        was. Missing in models that a search fitted in a batch.
    transduction_ : ndarray of shape (n_rows,)
        The label of every row passed to ``fit``: given, from its round, or predicted. Missing in models that a search
        fitted in a batch.

    Notes
    -----
    Rows with y = −1 are unlabeled. Pairs of a row and a class are chosen by their posterior, the highest first; ties go
    to the row that entered the pool first. A row that both views choose with different labels gets that of the more
    confident view; if both are equally confident, it stays in the pool. Where the posteriors of the views exclude each
    other, the prediction is their mean.

    References
    ----------
    Blum and Mitchell (1998). Combining labeled and unlabeled data with co-training. COLT.

    Examples
    --------
    >>> import numpy as np
    >>> from foldless.learners import CoTraining
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(200) % 2
    >>> X = rng.normal(size=(200, 2)) + 3 * y[:, None]
    >>> y_known = np.where(np.arange(200) < 6, y, -1)
    >>> CoTraining(views=[[0], [1]], random_state=0).fit(X, y_known).score(X, y) > 0.9
    True
    """

    estimator1: Any = None
    estimator2: Any = None
    _: KW_ONLY
    l1: float = 1e-3
    l2: float = 1e-3
    scale: str = "mean"
    p: int = 1
    n: int = 1
    per_round: Any = None
    views: Any = None
    pool_size: int = 75
    rounds: int = 30
    tol: float = 1e-4
    random_state: Any = None

    semi_supervised = True
    independent = True

    @property
    def batch_over(self) -> frozenset[str]:
        """Many label vectors share the tables of the views; other classifiers are fitted one by one."""
        return frozenset({"rows", "labels", "unlabeled"}) if self._is_compiled else frozenset()

    def fit(self, X: Any, y: Any) -> "CoTraining":
        """Fit the model on rows X with labels y, −1 for unlabeled rows."""
        check_missing(y)
        asked = evaluated(self.views, X)
        X, y = self._checked(X, y)
        partial = partial_labels(y, type(self).__name__)
        labels = RoundLabels(partial.classes, np.flatnonzero(partial.labeled), partial.codes)
        view_columns = self._columns(asked, X.shape[1], getattr(self, "feature_names_in_", None))
        labelers = self._labelers(X, view_columns)
        plan = self._plan(partial.classes, np.flatnonzero(~partial.labeled))
        trained = labelers.train(labels, plan)
        self._take_over(labelers, trained, view_columns)
        return self._remember(labelers, trained, X.shape[0])

    def predict(self, X: Any) -> Array:
        """The label with the highest product of posteriors."""
        shares = self.predict_proba(X)  # first, as it says what is not fitted
        return self.classes_[shares.argmax(axis=1)]

    def predict_proba(self, X: Any) -> Array:
        """The product of the posteriors of both views, divided by its sum over the classes."""
        check_is_fitted(self)
        return product(*posteriors_of(self.estimators_, self._cut(self._checked(X), self.views_)))

    def answer_batch(self, blocks: Sequence[Any], members: Sequence[Member]) -> Iterator[Answered]:
        """Run the rounds of every member, on tables that are built once."""
        rows = Stacked(blocks) if self._is_compiled else StackedAsGiven(blocks)
        view_columns = self._columns(evaluated(self.views, blocks[0]), rows.X.shape[1], rows.names)
        labelers = self._labelers(rows.X, view_columns)
        room = HELD
        for member in members:
            classes, codes = np.unique(member.y, return_inverse=True)
            plan = self._plan(classes, rows.rows(member.unlabeled))
            trained = labelers.train(RoundLabels(classes, rows.rows(member.train), codes), plan)
            answers = []
            for question in member.questions:
                p = product(*labelers.posteriors(trained, rows.rows(question.part)))
                answers.append(p if question.response == "probabilities" else classes[p.argmax(axis=1)])
            model = None
            if member.keep and room > 0:
                model = clone(self)
                validate_data(model, blocks[member.train.block], reset=True, skip_check_array=True)
                model._take_over(labelers, trained, view_columns)
                room -= len(classes) * rows.X.shape[1] * 8
            yield Answered(tuple(answers), classes, model)

    def _plan(self, classes: Array, unlabeled: Array) -> RoundPlan:
        """How many rows of each class a view labels in a round, and the order in which rows enter the pool."""
        check_scalar(self.pool_size, "pool_size", Integral, min_val=1)
        check_scalar(self.rounds, "rounds", Integral, min_val=0)
        order = unlabeled[check_random_state(self.random_state).permutation(len(unlabeled))]
        return RoundPlan(self._counts(classes), order.astype(np.int64), int(self.pool_size), int(self.rounds))

    def _counts(self, classes: Array) -> Array:
        check_scalar(self.p, "p", Integral, min_val=0)
        check_scalar(self.n, "n", Integral, min_val=0)
        if self.per_round is None:
            if len(classes) > 2 and self.p != self.n:
                raise BadInput(
                    f"p={self.p} and n={self.n} are for two classes, the labels hold {len(classes)}: set per_round"
                )
            counts = np.array([self.n, self.p]) if len(classes) == 2 else np.full(len(classes), self.p)
        else:
            counts = np.asarray(self.per_round)
            if counts.ndim != 1 or counts.dtype.kind not in "iu" or (counts < 0).any():
                raise BadInput(f"per_round must hold a whole number for every class, got {self.per_round!r}")
            if classes.dtype.kind in "iu" and classes[0] >= 0 and classes[-1] < len(counts):
                counts = counts[classes]
            elif len(counts) != len(classes):
                raise BadInput(f"per_round has {len(counts)} numbers for {len(classes)} classes")
        if not counts.any():
            raise BadInput("no class may be labeled in a round: set p, n or per_round above 0")
        return counts.astype(np.int64)

    @property
    def _is_compiled(self) -> bool:
        return self.estimator1 is None and self.estimator2 is None

    def _checked(self, X: Any, *y: Any) -> Any:
        """X, and y if given, as the classifiers take them; with y, the columns of X are stored."""
        if self._is_compiled:
            return validate_data(self, X, *y, reset=bool(y), **FORMS)
        X = as_given(X)
        validate_data(self, X, *y, reset=bool(y), skip_check_array=True)
        return (X, labels_of(X, *y)) if y else X

    def _columns(self, views: Any, n_features: int, names: Any) -> list[Any]:
        """The column numbers of both views; one number where a classifier gets its column as a vector."""
        view_columns: list[Any] = two_columns(views, n_features, names, self)
        for at, estimator in enumerate((self.estimator1, self.estimator2)):
            if estimator is not None and views is not None and is_single_column(views[at]):
                view_columns[at] = int(view_columns[at][0])
        return view_columns

    def _cut(self, X: Any, view_columns: list[Any]) -> list[Any]:
        """Each view as its classifier takes it: columns of X as given, or numbers for an L1LogisticRegression."""
        views = [cut(X, which) for which in view_columns]
        if self._is_compiled:
            return views
        for at, estimator in enumerate((self.estimator1, self.estimator2)):
            if estimator is None:
                try:
                    views[at] = check_array(views[at], **FORMS)
                except ValueError as error:
                    raise BadInput(
                        f"view {at + 1} must hold finite numbers, because estimator{at + 1}=None is an "
                        f"L1LogisticRegression: choose other columns, or pass a classifier that takes them"
                    ) from error
        return views

    def _labelers(self, X: Any, view_columns: list[Any]) -> Labelers:
        views = self._cut(X, view_columns)
        for penalty, name in ((self.l1, "l1"), (self.l2, "l2"), (self.tol, "tol")):
            check_positive(penalty, name)
        check_scale(self.scale)
        if self._is_compiled:
            of_sum = self.scale == "sum"
            return L1Labelers(
                views, CoTrainingSettings(float(self.l1), float(self.l2), of_sum, float(self.tol), MAX_STEPS)
            )
        random = check_random_state(self.random_state)
        estimators = [
            L1LogisticRegression(lam=lam, scale=self.scale, tol=self.tol)
            if estimator is None
            else _seeded(estimator, random)
            for estimator, lam in ((self.estimator1, self.l1), (self.estimator2, self.l2))
        ]
        return Classifiers(views, estimators)

    def _take_over(self, labelers: Labelers, trained: TrainedViews, view_columns: list[Any]) -> None:
        warn_unfinished(trained.unfinished, MAX_STEPS, self)
        self.classes_ = trained.labels.classes
        self.estimators_ = labelers.estimators(trained)
        self.n_rounds_ = trained.rounds
        self.views_ = view_columns

    def _remember(self, labelers: Labelers, trained: TrainedViews, n: int) -> "CoTraining":
        """Store the round in which each of the n rows was labeled; rows that never were are predicted."""
        self.labeled_round_ = np.full(n, -1)
        self.labeled_round_[trained.labels.rows] = trained.joined
        self.transduction_ = np.empty(n, self.classes_.dtype)
        self.transduction_[trained.labels.rows] = self.classes_[trained.labels.codes]
        rest = np.flatnonzero(self.labeled_round_ < 0)
        if len(rest):
            self.transduction_[rest] = self.classes_[product(*labelers.posteriors(trained, rest)).argmax(axis=1)]
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        passed = [estimator for estimator in (self.estimator1, self.estimator2) if estimator is not None]
        bases = [get_tags(estimator).input_tags for estimator in passed]
        tags.input_tags.sparse = all(base.sparse for base in bases)
        tags.input_tags.allow_nan = len(bases) == 2 and all(base.allow_nan for base in bases)
        tags.input_tags.string = len(bases) == 2 and all(base.string for base in bases)
        return tags


def product(first: Array, second: Array) -> Array:
    """Posteriors of two views multiplied and divided by their sum; their mean where they exclude each other."""
    both = first * second
    total = both.sum(axis=1, keepdims=True)
    return np.where(total > 0, both / np.where(total > 0, total, 1), (first + second) / 2)


def _seeded(estimator: Any, random: Any) -> Any:
    """A classifier whose unset seeds are drawn from ours."""
    free = [
        name
        for name, value in sorted(estimator.get_params().items())
        if name.split("__")[-1] == "random_state" and value is None
    ]
    return clone(estimator).set_params(**{name: int(random.randint(np.iinfo(np.int32).max)) for name in free})
