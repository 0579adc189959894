"""scikit-learn classifiers over the kernels of ``foldless.solvers``, and ensembles of any classifier."""

from foldless.learners.co_training.co_regularized import CoRegularizedLogisticRegression
from foldless.learners.co_training.co_training import CoTraining
from foldless.learners.ensembles.dagging_classifier import DaggingClassifier
from foldless.learners.ensembles.logistic_outputs import LogisticOutputs
from foldless.learners.gaussian_process.gp_co_training import GPCoTraining
from foldless.learners.gaussian_process.manifold_gp import ManifoldGP
from foldless.learners.gaussian_process.multi_view_gp import MultiViewGP
from foldless.learners.gaussian_process.view_gp import ViewGP
from foldless.learners.gaussian_process.view_kernels import Precomputed
from foldless.learners.kernel_svm.kernel_svc import KernelSVC
from foldless.learners.linear.l1_logistic import L1LogisticRegression
from foldless.learners.linear.naive_bayes import MultinomialNB
from foldless.learners.linear.path_classifiers import LinearSVC, LogisticRegression

__all__ = [
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
