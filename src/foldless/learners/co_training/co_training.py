"""Co-training: two classifiers on two views of the same rows, each of which labels rows for the other.

A row that one view finds easy is as good as drawn at random for the other where the views are independent given the
class. The answer is the product of the two posteriors, p₁(y) p₂(y) / Σ p₁ p₂.

References
----------
Blum and Mitchell (1998). Combining labeled and unlabeled data with co-training. COLT.
"""

from collections.abc import Iterator, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import check_array, check_random_state, get_tags
from sklearn.utils.validation import check_is_fitted, check_scalar, validate_data

from foldless.core import Array
from foldless.core.batch import Answered, Member
from foldless.errors import BadInput
from foldless.learners._inputs import FORMS, as_given, check_positive, labels_of
from foldless.learners._partial_labels import check_missing, partial_labels
from foldless.learners._stacked import Stacked, StackedAsGiven
from foldless.learners._views import called, columns, cut, is_alone
from foldless.learners.co_training._rounds import Classifiers, L1Labelers, Labelers, Labels, Trained, said_by
from foldless.learners.linear.l1_logistic import MAX_STEPS, L1LogisticRegression, check_scale, warn_unfinished
from foldless.saving.names import saved
from foldless.solvers.co_training.co_training import Plan, Settings

HELD = 256 * 2**20  # bytes of weights of models that may win; past it the winner is fitted once more


@saved("foldless.learners")
class CoTraining(ClassifierMixin, BaseEstimator):
    """Co-training of two classifiers on two views.

    In each of the rounds both are trained on the labeled rows, and each labels the rows of a small pool about which it
    is surest. These join the labeled rows for both, and the pool is refilled.

    Parameters
    ----------
    estimator1, estimator2 : classifier with predict_proba, or None
        One for each view, which gets its columns as they are in X: data frames stay data frames, and may hold texts or
        NaN if the classifier takes them. None is an `L1LogisticRegression` with ``l1`` (or ``l2``), whose view must be
        numbers; where both are None the rounds run compiled.
    l1, l2 : float
        The weight λ of the penalty ‖w‖₁ in the first and the second view.
    scale : "mean" or "sum"
        Whether λ stands beside the mean of the losses or their sum.
    p, n : int
        How many rows each view labels in a round: p with the second of two classes (the positive one), n with the
        first.
    per_round : list of int, or None
        The same for any number of classes, in their order; where labels are the numbers 0, 1, 2, …, a class that no row
        is labeled with keeps its place. None is ``n`` and ``p``, or one number for all classes where these are equal.
    views : two lists of columns, or None
        Column numbers, slices, masks, names, or functions of X such as scikit-learn's ``make_column_selector``. None is
        the first half of the columns and the rest. As in scikit-learn's ``ColumnTransformer``, a slice between names
        holds its end, and a classifier gets one name or number without a list around it as a vector, which is what
        ``TfidfVectorizer`` needs.
    pool_size : int
        Rows that the views choose from in the first round; after every round as many join as they may have labeled.
    rounds : int
        At most; the rounds end where no row is left.
    tol : float
        Of `L1LogisticRegression`.
    random_state : int, RandomState or None
        The order in which rows join the pool, and the classifiers where they draw.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.
    estimators_ : list of two classifiers
        Trained on the labeled rows and those that were labeled.
    n_rounds_ : int
        The rounds that there were rows for.
    views_ : list of two
        The column numbers of each view, or one number where a classifier gets its column as a vector.
    labeled_round_ : array of int
        For every row given to ``fit``: 0 where it had a label, the round in which it got one, −1 where it never did.
    transduction_ : array
        The label of every row given to ``fit``: the given one, that of its round, or the predicted one. A model that a
        search has trained in a batch has neither this nor ``labeled_round_``.

    Notes
    -----
    Rows with y = −1 have no label. Of all pairs of a row and a class those with the highest posterior come first; ties
    go to the row that joined the pool first. A row that both views choose under two labels gets that of the surer one;
    where both are as sure, it stays in the pool. Where both posteriors exclude each other, their mean is the answer.

    Examples
    --------
    >>> import numpy as np
    >>> from foldless.learners import CoTraining
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(200) % 2
    >>> X = rng.normal(size=(200, 2)) + 3 * y[:, None]
    >>> known = np.where(np.arange(200) < 6, y, -1)
    >>> CoTraining(views=[[0], [1]], random_state=0).fit(X, known).score(X, y) > 0.9
    True
    """

    semi_supervised = True
    independent = True

    def __init__(
        self,
        estimator1: Any = None,
        estimator2: Any = None,
        *,
        l1: float = 1e-3,
        l2: float = 1e-3,
        scale: str = "mean",
        p: int = 1,
        n: int = 1,
        per_round: Any = None,
        views: Any = None,
        pool_size: int = 75,
        rounds: int = 30,
        tol: float = 1e-4,
        random_state: Any = None,
    ):
        self.estimator1 = estimator1
        self.estimator2 = estimator2
        self.l1 = l1
        self.l2 = l2
        self.scale = scale
        self.p = p
        self.n = n
        self.per_round = per_round
        self.views = views
        self.pool_size = pool_size
        self.rounds = rounds
        self.tol = tol
        self.random_state = random_state

    @property
    def batch_over(self) -> frozenset[str]:
        """Many label vectors share the tables of the views; other classifiers are fitted one by one."""
        return frozenset({"rows", "labels", "unlabeled"}) if self._is_compiled else frozenset()

    def fit(self, X: Any, y: Any) -> "CoTraining":
        """Train on rows X with labels y, −1 where there is none."""
        check_missing(y)
        asked = called(self.views, X)
        X, y = self._checked(X, y)
        given = partial_labels(y, type(self).__name__)
        labels = Labels(given.classes, np.flatnonzero(given.labeled), given.codes)
        found = self._columns(asked, X.shape[1], getattr(self, "feature_names_in_", None))
        labelers = self._labelers(X, found)
        plan = self._plan(given.classes, np.flatnonzero(~given.labeled))
        trained = labelers.train(labels, plan)
        self._take_over(labelers, trained, found)
        return self._remember(labelers, trained, X.shape[0])

    def predict(self, X: Any) -> Array:
        """The label with the highest product of posteriors."""
        said = self.predict_proba(X)
        return self.classes_[said.argmax(axis=1)]

    def predict_proba(self, X: Any) -> Array:
        """The product of the posteriors of both views, divided by its sum over the classes."""
        check_is_fitted(self)
        return self._product(self._checked(X))

    def answer_batch(self, blocks: Sequence[Any], members: Sequence[Member]) -> Iterator[Answered]:
        """Go through the rounds of every member, on tables that are made once."""
        rows = Stacked(blocks) if self._is_compiled else StackedAsGiven(blocks)
        found = self._columns(called(self.views, blocks[0]), rows.X.shape[1], rows.names)
        labelers = self._labelers(rows.X, found)
        room = HELD
        for member in members:
            classes, codes = np.unique(member.y, return_inverse=True)
            plan = self._plan(classes, rows.rows(member.unlabeled))
            trained = labelers.train(Labels(classes, rows.rows(member.train), codes), plan)
            answers = []
            for question in member.questions:
                said = product(*labelers.posteriors(trained, rows.rows(question.part)))
                answers.append(said if question.response == "probabilities" else classes[said.argmax(axis=1)])
            model = None
            if member.keep and room > 0:
                model = clone(self)
                validate_data(model, blocks[member.train.block], reset=True, skip_check_array=True)
                model._take_over(labelers, trained, found)
                room -= len(classes) * rows.X.shape[1] * 8
            yield Answered(tuple(answers), classes, model)

    def _plan(self, classes: Array, unlabeled: Array) -> Plan:
        """How many rows of each class are chosen in a round, and the order in which rows join the pool."""
        check_scalar(self.pool_size, "pool_size", Integral, min_val=1)
        check_scalar(self.rounds, "rounds", Integral, min_val=0)
        order = unlabeled[check_random_state(self.random_state).permutation(len(unlabeled))]
        return Plan(self._counts(classes), order.astype(np.int64), int(self.pool_size), int(self.rounds))

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
            raise BadInput("no class has rows to choose in a round: set p, n or per_round above 0")
        return counts.astype(np.int64)

    @property
    def _is_compiled(self) -> bool:
        return self.estimator1 is None and self.estimator2 is None

    def _checked(self, X: Any, *y: Any) -> Any:
        """X, and y where it is given, as the classifiers take them; in fit the columns of X are remembered."""
        if self._is_compiled:
            return validate_data(self, X, *y, reset=bool(y), **FORMS)
        X = as_given(X)
        validate_data(self, X, *y, reset=bool(y), skip_check_array=True)
        return (X, labels_of(X, *y)) if y else X

    def _columns(self, views: Any, n_features: int, names: Any) -> list[Any]:
        """The column numbers of both views; one number where a classifier gets its column as a vector."""
        found: list[Any] = columns(views, n_features, names)
        if len(found) != 2:
            raise BadInput(f"{type(self).__name__} needs two views, got {len(found)}")
        for at, one in enumerate((self.estimator1, self.estimator2)):
            if one is not None and views is not None and is_alone(views[at]):
                found[at] = int(found[at][0])
        return found

    def _cut(self, X: Any, found: list[Any]) -> list[Any]:
        """Each view as its classifier takes it: of the kind that X is of, and numbers for our own."""
        views = [cut(X, which) for which in found]
        if self._is_compiled:
            return views
        for at, one in enumerate((self.estimator1, self.estimator2)):
            if one is None:
                try:
                    views[at] = check_array(views[at], **FORMS)
                except ValueError as error:
                    raise BadInput(
                        f"view {at + 1} must hold finite numbers, because estimator{at + 1}=None is an "
                        f"L1LogisticRegression: choose other columns, or pass a classifier that takes them"
                    ) from error
        return views

    def _labelers(self, X: Any, found: list[Any]) -> Labelers:
        """Both views with their classifiers."""
        views = self._cut(X, found)
        for penalty, name in ((self.l1, "l1"), (self.l2, "l2"), (self.tol, "tol")):
            check_positive(penalty, name)
        check_scale(self.scale)
        if self._is_compiled:
            of_sum = self.scale == "sum"
            return L1Labelers(views, Settings(float(self.l1), float(self.l2), of_sum, float(self.tol), MAX_STEPS))
        random = check_random_state(self.random_state)
        return Classifiers(
            views,
            [
                L1LogisticRegression(lam=lam, scale=self.scale, tol=self.tol) if one is None else _seeded(one, random)
                for one, lam in ((self.estimator1, self.l1), (self.estimator2, self.l2))
            ],
        )

    def _take_over(self, labelers: Labelers, trained: Trained, found: list[Any]) -> None:
        warn_unfinished(trained.unfinished, self)
        self.classes_ = trained.labels.classes
        self.estimators_ = labelers.estimators(trained)
        self.n_rounds_ = trained.rounds
        self.views_ = found

    def _product(self, X: Any) -> Array:
        return product(*said_by(self.estimators_, self._cut(X, self.views_)))

    def _remember(self, labelers: Labelers, trained: Trained, n: int) -> "CoTraining":
        """Which of the n rows were labeled when; the others are predicted."""
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
        bases = [get_tags(one).input_tags for one in (self.estimator1, self.estimator2) if one is not None]
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
    """A classifier all of whose randomness is drawn from ours."""
    free = [
        name
        for name, value in sorted(estimator.get_params().items())
        if name.split("__")[-1] == "random_state" and value is None
    ]
    return clone(estimator).set_params(**{name: int(random.randint(np.iinfo(np.int32).max)) for name in free})
