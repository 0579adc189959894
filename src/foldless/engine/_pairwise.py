"""Candidates that are given kernel values or distances instead of features: a column for every labeled row.

A fit on some rows must see these rows against each other, and its questions against these rows: as in scikit-learn's
own searches, columns are cut to the training rows. The fitted model does it for itself, so that whoever asks passes all
columns, whatever rows it was trained on.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.frozen import FrozenEstimator
from sklearn.utils import get_tags

from foldless.core import Array, Fit
from foldless.data._features import take_columns, width
from foldless.data._sample import Sample
from foldless.engine._candidates import METHODS
from foldless.errors import BadInput


class OnColumns(ClassifierMixin, BaseEstimator):
    """A classifier of kernel values that was trained on some rows, and takes their columns out of all."""

    def __init__(self, estimator: Any, columns: Array):
        self.estimator = estimator
        self.columns = columns

    def fit(self, X: Any, y: Any, **params: Any) -> "OnColumns":
        """Train on kernel values of the rows that the columns stand for, against all rows."""
        self.estimator_ = clone(self.estimator).fit(take_columns(X, self.columns), y, **params)
        if hasattr(self.estimator_, "classes_"):  # a regressor has none
            self.classes_ = self.estimator_.classes_
        self.n_features_in_ = width(X)
        return self

    def predict(self, X: Any) -> Array:
        return np.asarray(self.estimator_.predict(take_columns(X, self.columns)))

    def __getattr__(self, name: str) -> Any:
        if name in METHODS.values() and "estimator" in self.__dict__:
            asked = getattr(self.__dict__.get("estimator_", self.__dict__["estimator"]), name)
            return lambda X: asked(take_columns(X, self.columns))
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def is_pairwise(estimator: Any) -> bool:
    """Whether an estimator says that it wants kernel values or distances; what is fitted already is not cut again."""
    if isinstance(estimator, FrozenEstimator) or not hasattr(estimator, "__sklearn_tags__"):
        return False
    return bool(get_tags(estimator).input_tags.pairwise)


def check_columns(estimators: Iterable[Any], data: Sample) -> None:
    """Refuse kernel values that lack columns, or have some that no labeled row stands for, or that are features too."""
    estimators = list(estimators)
    wants = [is_pairwise(estimator) for estimator in estimators]
    if any(wants) and not all(wants):
        one, other = estimators[wants.index(True)], estimators[wants.index(False)]
        raise BadInput(
            f"X cannot be kernel values for {one!r} and features for {other!r}: choose among each kind by itself"
        )
    for estimator in estimators:
        if is_pairwise(estimator) and (columns := width(data.labeled)) != len(data.y):
            raise BadInput(
                f"{type(estimator).__name__} needs one column for each labeled row, and X has {columns} columns for "
                f"{len(data.y)} labeled rows: pass K[labeled][:, labeled] as X and K[pool][:, labeled] as X_unlabeled"
            )


def on_columns(estimator: Any, fit: Fit, data: Sample) -> Any:
    """The estimator, behind a cut where it wants columns for fewer rows than there are."""
    if not is_pairwise(estimator):
        return estimator
    if data.touched(fit.rows) != range(1):
        rows, other = "pool", "by a criterion that does not train on the pool"
    elif fit.unlabeled is not None and len(fit.unlabeled):
        rows, other = "unlabeled", "a supervised candidate"
    else:
        return estimator if fit.rows == data.rows()[0] else OnColumns(estimator, fit.rows.indices)
    raise BadInput(
        f"{type(estimator).__name__} needs a column for each training row, and {rows} rows have none: pass features "
        f"in place of kernel values, or choose {other}"
    )
