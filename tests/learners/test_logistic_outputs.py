"""Platt's form is scikit-learn's; WEKA's is the maximum of the likelihood on the training rows."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.utils.estimator_checks import parametrize_with_checks

from foldless.learners import LinearSVC, LogisticOutputs

X, Y = make_classification(300, 10, flip_y=0.2, weights=[0.8], random_state=0)


@parametrize_with_checks(
    [LogisticOutputs(LinearSVC(random_state=0)), LogisticOutputs(LinearSVC(random_state=0), targets="platt")]
)
def test_contract(estimator, check):
    check(estimator)


def test_platt_is_that_of_scikit_learn():
    ours = LogisticOutputs(LinearSVC(random_state=0), targets="platt").fit(X, Y)
    theirs = CalibratedClassifierCV(LinearSVC(random_state=0), cv=3, ensemble=False).fit(X, Y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-5)
    weka = LogisticOutputs(LinearSVC(random_state=0)).fit(X, Y)
    assert np.abs(weka.predict_proba(X) - ours.predict_proba(X)).max() > 0.01


def test_weka_is_at_the_maximum_of_the_likelihood():
    """There Σ (y − p) = 0 and Σ (y − p) s = 0."""
    made = LogisticOutputs(LinearSVC(random_state=0)).fit(X, Y)
    scores = made.estimator_.decision_function(X)
    rest = Y - made.predict_proba(X)[:, 1]
    assert abs(rest.sum()) < 1e-4 * len(Y)
    assert abs(rest @ scores) < 1e-4 * np.abs(scores).sum()
    np.testing.assert_allclose(expit(made.decision_function(X)), made.predict_proba(X)[:, 1])


def test_rows_that_can_be_separated():
    rows, y = np.array([[-2.0], [-1.0], [1.0], [2.0]]), np.array(["a", "a", "b", "b"])
    made = LogisticOutputs(LinearSVC()).fit(rows, y)
    p = made.predict_proba([[-1.0], [1.0]])[:, 1]
    assert np.isfinite(p).all()
    assert p[0] < 1e-3
    assert p[1] > 1 - 1e-3


def test_platt_moves_the_threshold_where_scores_of_training_rows_do_not():
    """Few positives among many features: the training rows are separable, rows left out are not."""
    rng = np.random.default_rng(0)
    y = (np.arange(200) < 20).astype(int)
    rows = rng.normal(size=(200, 300))
    rows[:, 0] += 2 * y
    fresh = rng.normal(size=(4000, 300))
    fresh[:400, 0] += 2
    named = {
        targets: LogisticOutputs(LinearSVC(C=10, random_state=0), targets=targets).fit(rows, y).predict(fresh).mean()
        for targets in ("weka", "platt")
    }
    plain = LinearSVC(C=10, random_state=0).fit(rows, y).predict(fresh).mean()
    assert abs(named["weka"] - plain) < 0.01
    assert abs(named["platt"] - plain) > 0.01


def test_a_class_of_one_row_leaves_none_out():
    rows, y = np.arange(6.0).reshape(-1, 1), np.array([0, 0, 0, 0, 0, 1])
    p = LogisticOutputs(LinearSVC(), targets="platt").fit(rows, y).predict_proba(rows)
    assert np.isfinite(p).all()
    with pytest.raises(ValueError, match="'other'"):
        LogisticOutputs(LinearSVC(), targets="other").fit(rows, y)
