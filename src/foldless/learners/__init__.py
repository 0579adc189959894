"""scikit-learn classifiers over the kernels of ``foldless.solvers``."""

from foldless.learners.kernel_svc import KernelSVC
from foldless.learners.linear import LinearSVC, LogisticRegression

__all__ = ["KernelSVC", "LinearSVC", "LogisticRegression"]
