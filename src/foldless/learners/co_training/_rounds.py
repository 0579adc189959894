"""The rounds of co-training: two L1 logistic regressions in one compiled loop, or any two classifiers.

Both take rows by their numbers in the views, and run the same rounds as `foldless.solvers._co_training`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from foldless.core import Array
from foldless.data._features import take
from foldless.errors import BadInput
from foldless.learners.linear.l1_logistic_regression import L1LogisticRegression, empty_weights
from foldless.solvers._co_training import (
    NONE,
    CoTrainingSettings,
    RoundPlan,
    SeedRows,
    merge,
    offer,
    posteriors,
    refill,
    run,
)
from foldless.solvers.linear._l1_table import L1Table


class RoundLabels(NamedTuple):
    """The classes, and the labeled rows by number with their class numbers."""

    classes: Array
    rows: Array
    codes: Array


@dataclass(frozen=True, eq=False)
class TrainedViews:
    """The result of the rounds: a fitted classifier or its weights for each view, and rows with their labels.

    ``joined`` has the round in which each row was labeled, 0 if its label was given.
    """

    views: Sequence[Any]
    labels: RoundLabels
    joined: Array
    rounds: int
    unfinished: int = 0


class L1Labelers:
    """L1 logistic regression in both views, each round from the weights of the last."""

    def __init__(self, views: Sequence[Any], settings: CoTrainingSettings):
        self._tables = tuple(L1Table.with_intercept(view) for view in views)
        self._widths = [view.shape[1] for view in views]
        self._settings = settings

    def train(self, labels: RoundLabels, plan: RoundPlan) -> TrainedViews:
        n, most = len(labels.rows), len(labels.rows) + len(plan.reserve)
        rows = SeedRows(np.empty(most, np.int64), np.empty(most, np.int64), np.zeros(most, np.int64))
        rows.numbers[:n], rows.codes[:n] = labels.rows, labels.codes
        weights = tuple(empty_weights(len(labels.classes), width) for width in self._widths)
        n, rounds, unfinished = run(self._tables, self._settings, plan, rows, n, weights)
        chosen = RoundLabels(labels.classes, rows.numbers[:n], rows.codes[:n])
        return TrainedViews(weights, chosen, rows.joined[:n], rounds, unfinished)

    def posteriors(self, trained: TrainedViews, rows: Array) -> list[Array]:
        return [posteriors(table, weights, rows) for table, weights in zip(self._tables, trained.views, strict=True)]

    def estimators(self, trained: TrainedViews) -> list[Any]:
        settings = self._settings
        scale = "sum" if settings.of_sum else "mean"
        return [
            L1LogisticRegression(lam=lam, scale=scale, tol=settings.tol)._take_over(trained.labels.classes, weights)
            for lam, weights in zip((settings.first, settings.second), trained.views, strict=True)
        ]


class Classifiers:
    """Any two classifiers with probabilities, trained anew in each round on the columns of their view as given."""

    def __init__(self, views: Sequence[Any], estimators: Sequence[Any]):
        for estimator in estimators:
            if not hasattr(estimator, "predict_proba"):
                raise BadInput(
                    f"{type(estimator).__name__} has no predict_proba, and co-training multiplies probabilities: "
                    f"wrap it in CalibratedClassifierCV"
                )
        self._views, self._estimators = views, estimators

    def train(self, labels: RoundLabels, plan: RoundPlan) -> TrainedViews:
        reserve, pool = np.split(plan.reserve, [plan.pool_size])[::-1]
        joined = np.zeros(len(labels.rows), np.int64)
        for done in range(plan.rounds + 1):
            fitted = [
                _fitted(clone(estimator), take(view, labels.rows), labels.classes[labels.codes], number)
                for number, (estimator, view) in enumerate(zip(self._estimators, self._views, strict=True), 1)
            ]
            trained = TrainedViews(fitted, labels, joined, done)
            if done == plan.rounds or not len(pool):
                break
            first, second = self.posteriors(trained, pool)
            chosen = merge(*offer(first, plan.counts), *offer(second, plan.counts))
            joins = chosen != NONE
            labels = RoundLabels(
                labels.classes, np.append(labels.rows, pool[joins]), np.append(labels.codes, chosen[joins])
            )
            joined = np.append(joined, np.full(joins.sum(), done + 1))
            fresh, reserve = np.split(reserve, [2 * plan.counts.sum()])
            pool = refill(pool, chosen, fresh)
        return trained

    def posteriors(self, trained: TrainedViews, rows: Array) -> list[Array]:
        return posteriors_of(trained.views, [take(view, rows) for view in self._views])

    def estimators(self, trained: TrainedViews) -> list[Any]:
        return list(trained.views)


Labelers = L1Labelers | Classifiers
"""Two views that can be trained to label for each other."""


def posteriors_of(fitted: Sequence[Any], views: Sequence[Any]) -> list[Array]:
    pairs = zip(fitted, views, strict=True)
    return [_posteriors(classifier, view, number) for number, (classifier, view) in enumerate(pairs, 1)]


def _posteriors(fitted: Any, view: Any, number: int) -> Array:
    posteriors = np.ascontiguousarray(fitted.predict_proba(view), dtype=float)
    n_bad = int((~np.isfinite(posteriors)).any(axis=1).sum())
    if n_bad:
        raise BadInput(
            f"estimator{number} ({type(fitted).__name__}) gives probabilities that are not finite for {n_bad} of "
            f"{len(posteriors)} rows of view {number}: drop constant columns from the view, or regularize the "
            f"classifier (GaussianNB by var_smoothing)"
        )
    return posteriors


def _fitted(estimator: Any, view: Any, y: Array, number: int) -> Any:
    try:
        return estimator.fit(view, y)
    except ValueError as error:
        if len(view.shape) > 1:
            raise
        first_line = str(error).partition("\n")[0]
        raise BadInput(
            f"estimator{number} ({type(estimator).__name__}) gets view {number} as a vector, because the view is one "
            f"column without a list around it: make it a list where a table is needed ({first_line})"
        ) from error
