"""Whether scikit-learn's searches weigh the rows they score by; those of 1.6 weigh only the rows they fit."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV


def _weighs_scores() -> bool:
    y, weights = np.array([0, 1, 0, 1]), np.array([1.0, 3.0, 1.0, 3.0])
    search = GridSearchCV(DummyClassifier(strategy="constant", constant=1), {"constant": [1]}, cv=2)
    return bool(search.fit(np.zeros((4, 1)), y, sample_weight=weights).best_score_ > 0.6)


needs_weighted_scores = pytest.mark.skipif(
    not _weighs_scores(), reason="this scikit-learn's searches do not weigh the rows they score by"
)
