"""Learners of two views of the same rows, and the preparation of such views."""

from foldless.learners.co_training._two_views import TwoViews
from foldless.learners.co_training.co_regularized_logistic_regression import CoRegularizedLogisticRegression
from foldless.learners.co_training.co_training import CoTraining

__all__ = ["CoRegularizedLogisticRegression", "CoTraining", "TwoViews"]
