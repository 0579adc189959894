"""Who labels in co-training: two L1 logistic regressions in one compiled loop, or any two classifiers.

Both are given rows by their numbers in the views, and go through the same rounds of `foldless.solvers.co_training`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from sklearn.base import clone

from foldless.core import Array
from foldless.learners.l1_logistic import L1LogisticRegression, empty_weights
from foldless.solvers.co_training import NONE, Plan, Settings, merge, offer, posteriors, refill, run
from foldless.solvers.l1_table import Table


class Labels(NamedTuple):
    """The classes, and the labeled rows by number with their class numbers."""

    classes: Array
    rows: Array
    codes: Array


@dataclass(frozen=True, eq=False)
class Trained:
    """What came of the rounds: a fitted classifier for each view, or what one is made of; rows with their labels."""

    views: Sequence[Any]
    labels: Labels
    rounds: int
    unfinished: int = 0


class Labelers(Protocol):
    """Two views that can be trained to label for each other."""

    def train(self, labels: Labels, plan: Plan) -> Trained: ...

    def posteriors(self, trained: Trained, rows: Array) -> list[Array]:
        """What each trained view says about some rows."""
        ...

    def estimators(self, trained: Trained) -> list[Any]:
        """The trained views as classifiers."""
        ...


class L1Labelers:
    """L1 logistic regression in both views, each round from the weights of the last."""

    def __init__(self, views: Sequence[Any], settings: Settings):
        self._tables = tuple(Table.with_intercept(view) for view in views)
        self._widths = [view.shape[1] for view in views]
        self._settings = settings

    def train(self, labels: Labels, plan: Plan) -> Trained:
        n, most = len(labels.rows), len(labels.rows) + len(plan.reserve)
        rows, codes = np.empty(most, np.int64), np.empty(most, np.int64)
        rows[:n], codes[:n] = labels.rows, labels.codes
        weights = tuple(empty_weights(len(labels.classes), width) for width in self._widths)
        n, rounds, unfinished = run(self._tables, self._settings, plan, rows, codes, n, weights)
        return Trained(weights, Labels(labels.classes, rows[:n], codes[:n]), rounds, unfinished)

    def posteriors(self, trained: Trained, rows: Array) -> list[Array]:
        return [posteriors(table, own, rows) for table, own in zip(self._tables, trained.views, strict=True)]

    def estimators(self, trained: Trained) -> list[Any]:
        settings = self._settings
        scale = "sum" if settings.of_sum else "mean"
        return [
            L1LogisticRegression(lam=lam, scale=scale, tol=settings.tol)._take_over(trained.labels.classes, weights)
            for lam, weights in zip((settings.first, settings.second), trained.views, strict=True)
        ]


class Classifiers:
    """Any two classifiers with probabilities, trained anew in each round."""

    def __init__(self, views: Sequence[Any], estimators: Sequence[Any]):
        for estimator in estimators:
            if not hasattr(estimator, "predict_proba"):
                raise ValueError(
                    f"{type(estimator).__name__} has no predict_proba, and co-training multiplies probabilities: "
                    f"wrap it in CalibratedClassifierCV"
                )
        self._views, self._estimators = views, estimators

    def train(self, labels: Labels, plan: Plan) -> Trained:
        reserve, pool = np.split(plan.reserve, [plan.pool_size])[::-1]
        for done in range(plan.rounds + 1):
            fitted = [
                clone(estimator).fit(view[labels.rows], labels.classes[labels.codes])
                for estimator, view in zip(self._estimators, self._views, strict=True)
            ]
            trained = Trained(fitted, labels, done)
            if done == plan.rounds or not len(pool):
                break
            first, second = (np.ascontiguousarray(said, dtype=float) for said in self.posteriors(trained, pool))
            chosen = merge(*offer(first, plan.counts), *offer(second, plan.counts))
            joins = chosen != NONE
            labels = Labels(labels.classes, np.append(labels.rows, pool[joins]), np.append(labels.codes, chosen[joins]))
            fresh, reserve = np.split(reserve, [2 * plan.counts.sum()])
            pool = refill(pool, chosen, fresh)
        return trained

    def posteriors(self, trained: Trained, rows: Array) -> list[Array]:
        return [fitted.predict_proba(view[rows]) for fitted, view in zip(trained.views, self._views, strict=True)]

    def estimators(self, trained: Trained) -> list[Any]:
        return list(trained.views)
