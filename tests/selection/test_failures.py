"""What the fits of a run warned of, once for each fact."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from foldless import FoldlessSearch
from foldless.learners import LinearSVC


def test_a_solver_that_stops_early_at_several_costs_warns_once():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 30)), rng.integers(0, 2, size=40)
    search = FoldlessSearch(LinearSVC(max_iter=3), {"C": [0.01, 10, 1000]}, criterion="k_fold", random_state=0)
    with pytest.warns(ConvergenceWarning) as caught:
        search.fit(X, y)
    assert len([warning for warning in caught if "did not converge" in str(warning.message)]) == 1
    assert str(caught[0].message).count("(in ") == 1


def test_test_rows_of_classes_without_labels_are_one_note():
    X, y = np.arange(12.0)[:, None], np.repeat(["a", "b"], 6)
    test = np.array(["a", "c", "d", "c"])
    fitted = FoldlessSearch(LinearSVC(), {"C": [1]}, criterion="k_fold", random_state=0)
    fitted.fit(X, y, X_test=X[:4], y_test=test)
    strange = [note for note in fitted.selection_.notes if "no labeled row has" in note]
    assert strange == [
        "3 test rows are of class 'c' and 1 other, which no labeled row has: every candidate is wrong about them"
    ]
