"""Every classifier that is not fitted says so, whatever it is asked, and says what it can read.

The other checks of scikit-learn are with the tests of each classifier.
"""

import numpy as np
import pytest
from sklearn.base import is_classifier
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression as AnyClassifier
from sklearn.utils import get_tags

from foldless import FoldlessSearch, learners

GIVEN = {
    "AveragingClassifier": ([AnyClassifier()],),
    "DaggingClassifier": (AnyClassifier(),),
    "DecidedClassifier": (AnyClassifier(),),
    "LogisticOutputs": (AnyClassifier(),),
}
MADE = [
    getattr(learners, name) for name in learners.__all__ if name not in ("Precomputed", "TaughtView")
]  # transformers
CLASSIFIERS = [each(*GIVEN.get(each.__name__, ())) for each in MADE]
ANSWERS = ("predict", "predict_proba", "predict_log_proba", "decision_function")


@pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize("answer", ANSWERS)
def test_what_is_not_fitted_says_so(model, answer):
    assert is_classifier(model)
    if hasattr(model, answer):
        with pytest.raises(NotFittedError):
            getattr(model, answer)(np.ones((3, 2)))


def test_a_classifier_that_decides_for_another_reads_what_it_reads():
    linear, boosting = (
        get_tags(learners.DecidedClassifier(each)).input_tags
        for each in (AnyClassifier(), HistGradientBoostingClassifier())
    )
    assert (linear.sparse, linear.allow_nan) == (True, False)
    assert (boosting.sparse, boosting.allow_nan) == (False, True)


def test_the_portfolio_reads_missing_values_and_an_estimator_what_it_reads():
    assert get_tags(FoldlessSearch()).input_tags.allow_nan
    assert not get_tags(FoldlessSearch(AnyClassifier())).input_tags.allow_nan
