"""scikit-learn classifiers over the kernels of ``foldless.solvers``."""

from foldless.learners.linear import LinearSVC, LogisticRegression

__all__ = ["LinearSVC", "LogisticRegression"]
