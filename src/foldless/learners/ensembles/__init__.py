"""Classifiers built on other classifiers."""

from foldless.learners.ensembles.averaging_classifier import AveragingClassifier
from foldless.learners.ensembles.dagging_classifier import DaggingClassifier
from foldless.learners.ensembles.logistic_outputs import LogisticOutputs

__all__ = ["AveragingClassifier", "DaggingClassifier", "LogisticOutputs"]
