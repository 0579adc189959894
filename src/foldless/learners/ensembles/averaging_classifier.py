"""An average of several classifiers, each trained on all rows and on bootstraps of them.

It is what the criterion ``auto`` offers where one candidate is not enough: f = Σ_e w_e (v f_e + Σ_b f_eb) / (v + B_e),
where f_e is trained on all rows and has v votes, and f_eb on the b-th of B_e bootstraps.

References
----------
Breiman (1996). Bagging predictors. Machine Learning 24.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import check_random_state, get_tags

from foldless.core import Array
from foldless.core._resampling import bootstraps
from foldless.errors import BadInput
from foldless.learners.ensembles._members import Members, seeded
from foldless.learners.ensembles._shared_steps import share_steps
from foldless.saving._names import saved

FULL = 3.0  # votes of a fit on all rows, where a bootstrap has one


@saved("foldless.learners")
@dataclass(eq=False, repr=False)
class AveragingClassifier(Members, MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """The weighted average of classifiers and of their bootstraps.

    Parameters
    ----------
    estimators : list of classifiers
        What is averaged.
    bootstraps : int or list of int, default=4
        Bootstraps of each, or of all; 0 trains on all rows only.
    weights : list of float, optional
        The weight of each; equal by default.
    voting : {"soft", "hard"}, default="soft"
        Whether to average probabilities or to count labels.
    temperatures : list of float or None, optional
        For each that has scores and no probabilities, the number by which scores are divided before their softmax;
        None for the others.
    n_jobs : int or None, default=None
        Number of members fitted in parallel, in threads unless ``joblib.parallel_config`` says otherwise.
    random_state : int, RandomState instance or None, default=None
        Seed of the bootstraps, and of members whose own ``random_state`` is None.

    Attributes
    ----------
    estimators_ : list of classifiers
        The fitted members: for each estimator the one on all rows, then its bootstraps.
    weights_ : tuple of float
        The votes of the members; they add up to 1.
    classes_, n_features_in_, feature_names_in_
        The class labels; the number of features and their names, if the members have them.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from foldless.learners import AveragingClassifier, LogisticRegression
    >>> X, y = load_iris(return_X_y=True)
    >>> average = AveragingClassifier([GaussianNB(), LogisticRegression()], bootstraps=2, random_state=0).fit(X, y)
    >>> len(average.estimators_)
    6
    """

    estimators: Sequence[Any]
    bootstraps: int | Sequence[int] = 4
    _: KW_ONLY
    weights: Sequence[float] | None = None
    voting: str = "soft"
    temperatures: Sequence[float | None] | None = None
    n_jobs: int | None = None
    random_state: Any = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "AveragingClassifier":
        """Train every estimator on all rows and on its bootstraps."""
        copies, votes = self._plan()
        X, y = self._rows(X, y)
        classes, codes = np.unique(y, return_inverse=True)
        rng = np.random.default_rng(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        most = max(copies) if len(classes) > 1 else 0
        draws = [split.train for split in bootstraps(most, codes, None, rng)] if most else []
        every = np.arange(len(y))
        plan = [
            (seeded(clone(estimator), rng), rows)
            for estimator, n in zip(self.estimators, copies, strict=True)
            for rows in [every, *draws[:n]]
        ]
        members = self._trained(plan, X, y, sample_weight)
        each = self.temperatures or [None] * len(self.estimators)
        temperatures = tuple(t for t, n in zip(each, copies, strict=True) for _ in range(1 + min(n, most)))
        return self.around(
            members, classes, votes if len(votes) == len(members) else (), temperatures if any(each) else ()
        )

    def _plan(self) -> tuple[list[int], tuple[float, ...]]:
        """The number of bootstraps of each estimator, and the votes of all members."""
        n = len(self.estimators)
        if not n:
            raise BadInput("estimators must have at least one classifier, got none")
        temperatures = [None] * n if self.temperatures is None else list(self.temperatures)
        if len(temperatures) != n or any(t is not None and not t > 0 for t in temperatures):
            raise BadInput(f"temperatures must be above 0 or None, one for each of {n}, got {self.temperatures!r}")
        for estimator, temperature in zip(self.estimators, temperatures, strict=True):
            self._check_votes_of(estimator, temperature)
        copies = [self.bootstraps] * n if isinstance(self.bootstraps, int) else list(self.bootstraps)
        weights = [1.0] * n if self.weights is None else list(self.weights)
        if len(copies) != n or min(copies) < 0:
            raise BadInput(f"bootstraps must be 0 or more, for all or for each of {n}, got {self.bootstraps!r}")
        if len(weights) != n or min(weights) < 0 or not sum(weights) > 0:
            raise BadInput(f"weights must not be negative, one for each of {n}, got {self.weights!r}")
        return copies, votes_of(weights, copies)

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        """Before it is fitted as scikit-learn writes it; then its members with their weights, the heaviest first."""
        if not hasattr(self, "estimators_"):
            return str(super().__repr__(N_CHAR_MAX))
        weights = np.ones(len(self.estimators)) if self.weights is None else np.asarray(self.weights, dtype=float)
        order, shown = np.argsort(-weights, kind="stable"), []
        for at in order:
            last = self.estimators[at][-1] if hasattr(self.estimators[at], "steps") else self.estimators[at]
            shown.append(f"{weights[at] / weights.sum():.2f} {' '.join(repr(last).split())}")
        text = f"{type(self).__name__}({len(shown)} models: {', '.join(shown)})"
        return text if len(text) <= N_CHAR_MAX else f"{text[: N_CHAR_MAX - 2]}…)"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        member_tags = [get_tags(estimator) for estimator in self.estimators]
        tags.input_tags.sparse = all(each.input_tags.sparse for each in member_tags)
        tags.input_tags.allow_nan = all(each.input_tags.allow_nan for each in member_tags)
        tags.classifier_tags.multi_class = all(each.classifier_tags.multi_class for each in member_tags)
        return tags


def votes_of(weights: Sequence[float], copies: Sequence[int]) -> tuple[float, ...]:
    """The votes of all members, which add up to 1: a fit on all rows has those of FULL bootstraps."""
    votes = [
        weight / (FULL + n) * vote for weight, n in zip(weights, copies, strict=True) for vote in [FULL, *[1.0] * n]
    ]
    return tuple(float(vote / sum(votes)) for vote in votes)


def as_model(
    estimators: Sequence[Any], members: Sequence[Sequence[Any]], votes: Sequence[Sequence[float]], classes: Array,
    *, voting: str, temperatures: Sequence[float | None] = (), random_state: Any,
) -> AveragingClassifier:  # fmt: skip
    """Fitted members of each estimator with their votes as a model that can be trained again."""
    by_scores = any(temperature is not None for temperature in temperatures)
    average = AveragingClassifier(
        list(estimators), [len(group) - 1 for group in members], weights=[float(sum(group)) for group in votes],
        voting=voting, temperatures=list(temperatures) if by_scores else None, random_state=random_state,
    )  # fmt: skip
    flat = tuple(float(vote) for group in votes for vote in group)
    each = zip(temperatures, members, strict=True) if by_scores else ()
    flat_temperatures = tuple(temperature for temperature, group in each for _ in group)
    fitted = [member for group in members for member in group]
    share_steps(fitted)
    return average.around(fitted, classes, flat, flat_temperatures)
