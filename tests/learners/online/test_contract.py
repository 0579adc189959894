"""scikit-learn's contract, and what all learners of streams have in common: tables, names, pickles, bad input."""

import pickle

import numpy as np
import pandas as pd
import pytest
import skops.io
from helpers.counting_problems import drawn
from helpers.slow import checks_of, slow_beyond
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from foldless.measures import KLD, BalancedAccuracy
from foldless.online import CAN, NEMSIS, SCAN, OnePassMiniBatch, SVMPerf
from foldless.saving._trusted import fault_of, trusted_types

STREAMS = [NEMSIS("bakld"), SCAN("cq_reward", first_epoch=50), OnePassMiniBatch("bakld", passes=1, buffer=50)]
LEARNERS = [*STREAMS, CAN("cq_reward"), SVMPerf("bakld", C=10)]
CHECKED = [
    NEMSIS("balanced_accuracy", passes=20), SCAN("cq_reward", first_epoch=20, passes=20),
    OnePassMiniBatch("bakld", buffer=50), CAN(tol=0.1), SVMPerf("bakld", C=100),
]  # fmt: skip


WEIGHTS = "a class weight is a share to count for, and the mean of two rates depends on no share; see the test of each"


@checks_of(CHECKED, expected_failed_checks=lambda _: {"check_class_weight_classifiers": WEIGHTS})
def test_contract(estimator, check):
    check(estimator)


@pytest.mark.parametrize("model", slow_beyond(2, LEARNERS), ids=str)
def test_sparse_is_dense(model):
    X, y = drawn(600, 20, zeros=0.7)
    dense = clone(model).fit(X, y)
    for form in (sparse.csr_matrix, sparse.csr_array, sparse.csc_matrix, sparse.coo_array):
        other = clone(model).fit(form(X), y)
        np.testing.assert_allclose(other.coef_, dense.coef_, atol=1e-5)
        np.testing.assert_allclose(other.intercept_, dense.intercept_, atol=1e-5)
        np.testing.assert_allclose(other.decision_function(form(X)), dense.decision_function(X), atol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("model", LEARNERS, ids=str)
def test_any_number_type_and_order_in_memory(model):
    X, y = drawn(400, 17)
    X = X.astype(np.float32).astype(float)
    first = clone(model).fit(X, y)
    for other in (X.astype(np.float32), np.asfortranarray(X), np.repeat(X, 2, axis=1)[:, ::2], pd.DataFrame(X)):
        rounding = 1e-3 if isinstance(model, CAN) else 1e-6  # L-BFGS ends where it ends
        np.testing.assert_allclose(clone(model).fit(other, y).coef_, first.coef_, atol=rounding)


@pytest.mark.parametrize("model", LEARNERS, ids=str)
def test_each_class_against_the_others(model):
    """Of K classes, each is the problem of its own class and the rest."""
    X, y = drawn(900, 4)
    y = np.where(X[:, 0] > 1, 2, y)
    names = np.array(["a", "b", "c"])[y]
    many = clone(model).fit(X, names)
    assert many.coef_.shape == (3, 4)
    assert many.decision_function(X).shape == (900, 3)
    for k, name in enumerate("abc"):
        alone = clone(model).fit(X, names == name)
        np.testing.assert_allclose(many.coef_[k], alone.coef_[0], rtol=1e-12)
        np.testing.assert_allclose(many.intercept_[k], alone.intercept_[0], rtol=1e-12)
    assert (many.predict(X) == many.classes_[many.decision_function(X).argmax(axis=1)]).all()
    learned = [clone(model).fit(X, names == name).predict(X).mean() for name in "abc"]
    np.testing.assert_allclose(many.predict_shares(X), learned, atol=2e-3)
    two = clone(model).fit(X, names == "a")
    np.testing.assert_allclose(two.predict_shares(X), [1 - two.predict(X).mean(), two.predict(X).mean()])


@pytest.mark.parametrize("model", LEARNERS, ids=str)
def test_pickles_and_skops_hold_the_exact_state(model):
    X, y = drawn(300, 3)
    frame = pd.DataFrame(X, columns=list("abc"))
    fitted = clone(model).fit(frame, y)
    for again in (pickle.loads(pickle.dumps(fitted)), skops.io.loads(skops.io.dumps(fitted), trusted=trusted_types())):
        assert fault_of(again) is None
        assert (again.coef_ == fitted.coef_).all()
        assert again.feature_names_in_.tolist() == list("abc")
        if hasattr(model, "partial_fit"):
            more, less = again.partial_fit(frame, y), pickle.loads(pickle.dumps(fitted)).partial_fit(frame, y)
            assert (more.coef_ == less.coef_).all()
    assert clone(fitted).get_params() == fitted.get_params()


@pytest.mark.parametrize("model", LEARNERS, ids=str)
def test_labels_of_any_kind(model):
    X, y = drawn(300, 3)
    coef = clone(model).fit(X, y).coef_
    for names in (np.array(["no", "yes"])[y], y.astype(bool), y - 7, y * 10**9, y.astype(float), y.astype(np.uint8)):
        other = clone(model).fit(X, names)
        assert (other.coef_ == coef).all()
        assert set(other.predict(X)) <= set(names)


@pytest.mark.parametrize("model", LEARNERS, ids=str)
def test_without_an_intercept(model):
    X, y = drawn(300, 3)
    bare = clone(model).set_params(fit_intercept=False).fit(X, y)
    assert bare.intercept_.tolist() == [0]
    given = clone(bare).fit(np.hstack([X, np.ones((300, 1))]), y)
    whole = clone(model).fit(X, y)
    np.testing.assert_allclose(given.coef_[0, :3], whole.coef_[0], atol=1e-4)
    np.testing.assert_allclose(given.coef_[0, 3], whole.intercept_[0], atol=1e-4)


@pytest.mark.slow
def test_counts_are_learned():
    """Each learner counts better than one that is told nothing of counts, and classifies better than by chance."""
    X, y = drawn(20_000, 5)
    plain = NEMSIS("balanced_accuracy").fit(X, y).predict(X)
    for model in LEARNERS:
        if isinstance(model, SVMPerf):
            model = SVMPerf("bakld", C=1000)
        predicted = clone(model).fit(X[:10_000], y[:10_000]).predict(X)
        assert KLD().score(y, predicted, 1) > KLD().score(y, plain, 1) / 2
        assert BalancedAccuracy().score(y, predicted, 1) > 0.6


@pytest.mark.parametrize("model", LEARNERS, ids=str)
def test_a_fit_that_failed_is_no_fit(model):
    X, y = drawn(60, 3)
    failed = clone(model)
    with pytest.raises(ValueError, match="at least 2 classes"):
        failed.fit(X, np.zeros(60))
    for use in (failed.predict, failed.decision_function, failed.predict_shares):
        with pytest.raises(NotFittedError):
            use(X)
    for name in ("coef_", "intercept_", "levels_"):
        assert not hasattr(failed, name)


def test_of_many_classes_shares_are_learned_and_labels_are_not():
    X, y = drawn(6000, 5, seed=11)
    y = np.where(X[:, 3] > 1.2, 2, y)
    model = NEMSIS("kld", non_surrogate=True, passes=5).fit(X, y)
    truth = np.bincount(y) / len(y)
    learned = np.abs(model.predict_shares(X) - truth).max()
    labels = np.abs(np.bincount(model.predict(X), minlength=3) / len(y) - truth).max()
    assert learned < 0.02 < labels


@pytest.mark.parametrize("model", LEARNERS, ids=str)
def test_data_that_cannot_be(model):
    X, y = drawn(60, 3)
    with pytest.raises(ValueError, match="at least 2 classes, the labels hold one class: 'a'"):
        clone(model).fit(X, ["a"] * 60)
    for form in (np.asarray, sparse.csr_matrix):
        bad = X.copy()
        bad[41, 1] = np.nan
        with pytest.raises(ValueError, match="NaN"):
            clone(model).fit(form(bad), y)


@pytest.mark.parametrize("model", LEARNERS, ids=str)
@pytest.mark.parametrize(("change", "words"), [
    ({"measure": "auc"}, "measure must be one of"),
    ({"measure": "cqb"}, "no learner optimizes it|is for evaluation"),
    ({"eta0": 0.0}, "eta0 == 0.0, must be > 0"),
    ({"eta0": np.inf}, "eta0 must be a finite number, got inf"),
    ({"radius": -1.0}, "radius == -1.0, must be > 0"),
    ({"reward": "log"}, "reward must be 'hinge' or 'logistic', got 'log'"),
    ({"rates": "mean"}, "rates must be 'stream' or 'by_class', got 'mean'"),
    ({"low": 1.0}, "low must be below 1"),
    ({"low": "x"}, "low must be an instance of"),
    ({"cap": -1.0}, "cap == -1.0, must be > 0"),
    ({"cap": np.nan}, "cap must be a number, got nan"),
    ({"cap": "x"}, "cap must be an instance of"),
    ({"shares": "x"}, "shares must be a number between 0 and 1, .*got 'x'"),
    ({"growth": "x"}, "growth must be an instance of"),
    ({"passes": 0}, "passes == 0, must be >= 1"),
    ({"shares": 1.5}, "shares must be a number between 0 and 1, the share of the second class, or 2 numbers"),
    ({"shares": [0.3, 0.3]}, r"add up to 1, got \[0.3, 0.3\]"),
    ({"class_weight": {0: 0.0, 1: 1.0}}, "class_weight must hold finite numbers above 0"),
    ({"class_weight": "even"}, "class_weight must be a dict, 'balanced' or None, got 'even'"),
    ({"first_epoch": 1}, "first_epoch == 1, must be >= 2"),
    ({"growth": 1.0}, "growth must be a finite number above 1, got 1.0"),
    ({"buffer": 1}, "buffer == 1, must be >= 2"),
    ({"C": 0.0}, "C == 0.0, must be > 0"),
    ({"tol": 0.0}, "tol == 0.0, must be > 0"),
    ({"max_iter": 0}, "max_iter == 0, must be >= 1"),
])  # fmt: skip
def test_parameters_that_cannot_be(model, change, words):
    if set(change) <= set(model.get_params()):
        with pytest.raises((TypeError, ValueError), match=words):
            clone(model).set_params(**change).fit(*drawn(60, 3))
