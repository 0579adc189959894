"""scikit-learn classifiers over the kernels of ``foldless.solvers``."""

from foldless.learners.co_regularized import CoRegularizedLogisticRegression
from foldless.learners.co_training import CoTraining
from foldless.learners.gp_co_training import GPCoTraining
from foldless.learners.kernel_svc import KernelSVC
from foldless.learners.l1_logistic import L1LogisticRegression
from foldless.learners.linear import LinearSVC, LogisticRegression
from foldless.learners.manifold import ManifoldGP
from foldless.learners.multi_view import MultiViewGP
from foldless.learners.view_gp import ViewGP
from foldless.learners.view_kernels import Precomputed

__all__ = [
    "CoRegularizedLogisticRegression",
    "CoTraining",
    "GPCoTraining",
    "KernelSVC",
    "L1LogisticRegression",
    "LinearSVC",
    "LogisticRegression",
    "ManifoldGP",
    "MultiViewGP",
    "Precomputed",
    "ViewGP",
]
