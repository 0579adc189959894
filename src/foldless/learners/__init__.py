"""scikit-learn classifiers over the kernels of ``foldless.solvers``, and ensembles of any classifier."""

from foldless.learners.dagging import DaggingClassifier
from foldless.learners.kernel_svc import KernelSVC
from foldless.learners.linear import LinearSVC, LogisticRegression
from foldless.learners.logistic_outputs import LogisticOutputs
from foldless.learners.naive_bayes import MultinomialNB

__all__ = ["DaggingClassifier", "KernelSVC", "LinearSVC", "LogisticOutputs", "LogisticRegression", "MultinomialNB"]
