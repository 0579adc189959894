"""Dagging: fit a clone on each of B disjoint batches of the rows, and let them vote.

Every row affects exactly one of the B members, so a wrong label affects one vote of B; and B fits on n / B rows are
cheaper than one on n rows where training time grows faster than n.
"""

from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import check_random_state, get_tags

from foldless.core._resampling import batches
from foldless.errors import BadType
from foldless.learners.ensembles._members import Members, seeded
from foldless.saving._names import saved


@saved("foldless.learners")
@dataclass(eq=False, repr=False)
class DaggingClassifier(Members, MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """A vote of clones, each fitted on its own batch of rows.

    Parameters
    ----------
    estimator : classifier
        The classifier that is cloned. A batch with a single class gets a constant classifier in its place.
    n_batches : int, default=10
        Number of batches, and of members.
    stratify : bool, default=True
        Whether each class is spread evenly over the batches.
    voting : {"hard", "soft"}, default="hard"
        Whether to count labels or to average probabilities.
    n_jobs : int or None, default=None
        Number of members fitted in parallel, in threads unless ``joblib.parallel_config`` says otherwise.
    random_state : int, RandomState instance or None, default=None
        Seed of the batches, and of members whose own ``random_state`` is None.

    Attributes
    ----------
    estimators_ : list of classifiers
        The fitted members.
    batches_ : list of ndarrays
        The rows that each member was fitted on; only after ``fit``.
    classes_, n_features_in_, feature_names_in_
        The class labels; the number of features and their names, if the members have them.

    References
    ----------
    Ting & Low (1997). Model combination in the multiple-data-batches scenario. ECML.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from foldless.learners import DaggingClassifier, LinearSVC
    >>> X, y = load_digits(return_X_y=True)
    >>> ensemble = DaggingClassifier(LinearSVC(), n_batches=5, random_state=0).fit(X[:1200], y[:1200])
    >>> ensemble.predict_proba(X[1200:1201]).max()
    np.float64(1.0)
    """

    estimator: Any
    n_batches: int = 10
    _: KW_ONLY
    stratify: bool = True
    voting: str = "hard"
    n_jobs: int | None = None
    random_state: Any = None

    def __getstate__(self) -> dict[str, Any]:
        """With a parameter of earlier releases, so that the answers in their journals stay valid."""
        return {**super().__getstate__(), "tie_break": "first"}

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "DaggingClassifier":
        """Cut the rows into batches and fit a member on each; weights are passed on to the members."""
        self._check_votes_of(self.estimator)
        if get_tags(self.estimator).input_tags.pairwise:
            raise BadType(
                f"{self.estimator!r} takes kernel values, which batches of rows lack: use one that takes features"
            )
        X, y = self._rows(X, y)
        classes, codes = np.unique(y, return_inverse=True)
        rng = np.random.default_rng(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        self.batches_ = batches(self.n_batches, codes, rng, stratify=self.stratify)
        blank = [seeded(clone(self.estimator), rng) for _ in self.batches_]
        members = self._trained(zip(blank, self.batches_, strict=True), X, y, sample_weight)
        return self.around(members, classes)

    def __sklearn_tags__(self) -> Any:
        tags, inner = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.input_tags = replace(inner.input_tags, pairwise=False)
        tags.classifier_tags = inner.classifier_tags
        return tags
