"""Platt's form is scikit-learn's; WEKA's is the maximum of the likelihood on the training rows."""

import numpy as np
import pytest
from helpers.slow import checks_of
from scipy.special import expit
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification

from foldless.learners import LinearSVC, LogisticOutputs, MultinomialNB

X, Y = make_classification(300, 10, flip_y=0.2, weights=[0.8], random_state=0)


@checks_of(
    [LogisticOutputs(LinearSVC(random_state=0)), LogisticOutputs(LinearSVC(random_state=0), targets="platt")],
    expected_failed_checks=lambda _: {
        f"check_sample_weight_equivalence_on_{kind}_data": "LinearSVC's own weights agree to its tolerance only"
        for kind in ("dense", "sparse")
    },
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
    model = LogisticOutputs(LinearSVC(random_state=0)).fit(X, Y)
    scores = model.estimator_.decision_function(X)
    rest = Y - model.predict_proba(X)[:, 1]
    assert abs(rest.sum()) < 1e-4 * len(Y)
    assert abs(rest @ scores) < 1e-4 * np.abs(scores).sum()
    np.testing.assert_allclose(expit(model.decision_function(X)), model.predict_proba(X)[:, 1])


def test_the_ridge_ends_the_slope_where_rows_can_be_separated():
    """Scores ±1: the minimum of 2 log(1 + exp(−a)) + r a² has a (1 + exp(a)) = 1 / r."""
    model = LogisticOutputs(LinearSVC()).fit([[-1.0], [1.0]], ["a", "b"])
    slope = model.logistic_.coef_[0, 0]
    assert slope * (1 + np.exp(slope)) == pytest.approx(1e8, rel=1e-3)
    assert abs(model.logistic_.intercept_[0]) < 1e-6


def test_rows_that_can_be_separated():
    rows, y = np.array([[-2.0], [-1.0], [1.0], [2.0]]), np.array(["a", "a", "b", "b"])
    model = LogisticOutputs(LinearSVC()).fit(rows, y)
    p = model.predict_proba([[-1.0], [1.0]])[:, 1]
    assert np.isfinite(p).all()
    assert p[0] < 1e-3
    assert p[1] > 1 - 1e-3


def test_platt_may_move_the_threshold_beyond_training_rows_and_weka_may_not():
    """Few positives among many features: the training rows are separable, rows left out are not."""
    rng = np.random.default_rng(0)
    y = (np.arange(200) < 20).astype(int)
    rows = rng.normal(size=(200, 300))
    rows[:, 0] += 2 * y
    predicted = {
        targets: LogisticOutputs(LinearSVC(C=10, random_state=0), targets=targets).fit(rows, y).predict(rows)
        for targets in ("weka", "platt")
    }
    np.testing.assert_array_equal(predicted["weka"], y)
    assert predicted["platt"].sum() < 0.5 * y.sum()


def test_a_class_of_one_row_leaves_none_out():
    rows, y = np.arange(6.0).reshape(-1, 1), np.array([0, 0, 0, 0, 0, 1])
    p = LogisticOutputs(LinearSVC(), targets="platt").fit(rows, y).predict_proba(rows)
    assert np.isfinite(p).all()
    with pytest.raises(ValueError, match="'other'"):
        LogisticOutputs(LinearSVC(), targets="other").fit(rows, y)


def test_a_classifier_without_scores_is_refused():
    with pytest.raises(TypeError, match=r"decision_function, got MultinomialNB\(\)"):
        LogisticOutputs(MultinomialNB()).fit(np.abs(X), Y)


@pytest.mark.parametrize("targets", ["weka", "platt"])
def test_weights_are_those_of_both_stages(targets):
    X, y = make_classification(120, 4, n_informative=3, n_redundant=0, random_state=1)
    kept = np.arange(120) % 3 > 0
    weighted = LogisticOutputs(LinearSVC(), targets=targets).fit(X, y, sample_weight=np.where(kept, 1.0, 0.0))
    alone = LogisticOutputs(LinearSVC(), targets="weka").fit(X[kept], y[kept])
    if targets == "weka":  # the targets of Platt are those of the counts of rows
        np.testing.assert_allclose(weighted.predict_proba(X), alone.predict_proba(X), atol=1e-4)
    np.testing.assert_allclose(weighted.estimator_.coef_, alone.estimator_.coef_, atol=1e-4)
