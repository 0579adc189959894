"""Every classifier that is not fitted says so, whatever it is asked; the other checks of scikit-learn are with each."""

import numpy as np
import pytest
from sklearn.base import is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression as AnyClassifier

from foldless import learners

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
