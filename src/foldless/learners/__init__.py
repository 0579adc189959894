"""scikit-learn classifiers over the kernels of ``foldless.solvers``, and ensembles of any classifier.

A family is imported when one of its classes is first used: the kernels need Numba, which many runs do not.
"""

from typing import TYPE_CHECKING

from foldless._on_demand import on_demand

if TYPE_CHECKING:
    from foldless.learners.co_training import CoRegularizedLogisticRegression, CoTraining
    from foldless.learners.decided_classifier import DecidedClassifier
    from foldless.learners.ensembles import AveragingClassifier, DaggingClassifier, LogisticOutputs
    from foldless.learners.gaussian_process import GPCoTraining, ManifoldGP, MultiViewGP, Precomputed, ViewGP
    from foldless.learners.kernel_svm import KernelSVC
    from foldless.learners.linear import L1LogisticRegression, LinearSVC, LogisticRegression, MultinomialNB
    from foldless.learners.pool_taught import NeighborSpreading, PoolFeatures, TaughtView

__all__ = [
    "AveragingClassifier",
    "CoRegularizedLogisticRegression",
    "CoTraining",
    "DaggingClassifier",
    "DecidedClassifier",
    "GPCoTraining",
    "KernelSVC",
    "L1LogisticRegression",
    "LinearSVC",
    "LogisticOutputs",
    "LogisticRegression",
    "ManifoldGP",
    "MultiViewGP",
    "MultinomialNB",
    "NeighborSpreading",
    "PoolFeatures",
    "Precomputed",
    "TaughtView",
    "ViewGP",
]

__getattr__, __dir__ = on_demand(__name__)
