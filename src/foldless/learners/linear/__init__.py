"""Linear classifiers: whole paths of C at once, an L1 penalty, and naive Bayes."""

from foldless.learners.linear.l1_logistic_regression import L1LogisticRegression
from foldless.learners.linear.linear_svc import LinearSVC
from foldless.learners.linear.logistic_regression import LogisticRegression
from foldless.learners.linear.multinomial_nb import MultinomialNB

__all__ = ["L1LogisticRegression", "LinearSVC", "LogisticRegression", "MultinomialNB"]
