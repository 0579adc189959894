"""Linear classifiers: whole paths of C at once, an L1 penalty, and naive Bayes; each is imported when it is used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from foldless.learners.linear.l1_logistic_regression import L1LogisticRegression
    from foldless.learners.linear.linear_svc import LinearSVC
    from foldless.learners.linear.logistic_regression import LogisticRegression
    from foldless.learners.linear.multinomial_nb import MultinomialNB

__all__ = ["L1LogisticRegression", "LinearSVC", "LogisticRegression", "MultinomialNB"]

_FILES = {
    "L1LogisticRegression": "l1_logistic_regression",
    "LinearSVC": "linear_svc",
    "LogisticRegression": "logistic_regression",
    "MultinomialNB": "multinomial_nb",
}


def __getattr__(name: str) -> Any:
    if name not in _FILES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_FILES[name]}"), name)
    return value
