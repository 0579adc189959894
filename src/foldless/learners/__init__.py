"""scikit-learn classifiers over the kernels of ``foldless.solvers``, and ensembles of any classifier."""

from foldless.learners.co_training import CoRegularizedLogisticRegression, CoTraining
from foldless.learners.ensembles import AveragingClassifier, DaggingClassifier, LogisticOutputs
from foldless.learners.gaussian_process import GPCoTraining, ManifoldGP, MultiViewGP, Precomputed, ViewGP
from foldless.learners.kernel_svm import KernelSVC
from foldless.learners.linear import L1LogisticRegression, LinearSVC, LogisticRegression, MultinomialNB

__all__ = [
    "AveragingClassifier",
    "CoRegularizedLogisticRegression",
    "CoTraining",
    "DaggingClassifier",
    "GPCoTraining",
    "KernelSVC",
    "L1LogisticRegression",
    "LinearSVC",
    "LogisticOutputs",
    "LogisticRegression",
    "ManifoldGP",
    "MultiViewGP",
    "MultinomialNB",
    "Precomputed",
    "ViewGP",
]
