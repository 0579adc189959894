"""L1 logistic regression: scikit-learn's contract and its optimum."""

import numpy as np
import pytest
from helpers.slow import checks_of
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier

from foldless.learners import L1LogisticRegression
from foldless.learners.linear import l1_logistic_regression


@checks_of([L1LogisticRegression(), L1LogisticRegression(scale="sum", lam=1.0)])
def test_contract(estimator, check):
    check(estimator)


def iris(n_classes):
    X, y = load_iris(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    return X[50 * (3 - n_classes) :], np.array(["setosa", "versicolor", "virginica"])[y[50 * (3 - n_classes) :]]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("scale", ["mean", "sum"])
def test_same_as_theirs(n_classes, scale):
    X, y = iris(n_classes)
    lam, C = (0.01, 1 / (0.01 * len(y))) if scale == "mean" else (2.0, 0.5)
    theirs = LogisticRegression(l1_ratio=1, solver="saga", C=C, tol=1e-8, max_iter=10_000)
    theirs = (theirs if n_classes == 2 else OneVsRestClassifier(theirs)).fit(X, y)
    ours = L1LogisticRegression(lam=lam, scale=scale, tol=1e-6).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-4)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-3)
    assert (ours.predict(X) == theirs.predict(X)).all()
    assert ours.coef_.shape == ((1 if n_classes == 2 else 3), 4)


def test_sparse_is_dense():
    X, y = iris(3)
    X[np.abs(X) < 0.5] = 0
    dense = L1LogisticRegression(lam=0.01).fit(X, y)
    for form in (sparse.csr_matrix, sparse.csc_array):
        other = L1LogisticRegression(lam=0.01).fit(form(X), y)
        np.testing.assert_allclose(other.coef_, dense.coef_, atol=1e-8)
        np.testing.assert_allclose(other.predict_proba(form(X)), dense.predict_proba(X), atol=1e-8)
        np.testing.assert_allclose(other.decision_function(form(X)), dense.decision_function(X), atol=1e-8)


def test_what_it_refuses():
    X, y = iris(2)
    for params, message in (
        ({"lam": 0}, "lam"),
        ({"lam": np.inf}, "lam must be a finite number, got inf"),
        ({"tol": -1.0}, "tol"),
        ({"scale": "mode"}, "scale must be 'mean' or 'sum', got 'mode'"),
    ):
        with pytest.raises(ValueError, match=message):
            L1LogisticRegression(**params).fit(X, y)
    with pytest.raises(ValueError, match="one class: 'virginica'"):
        L1LogisticRegression().fit(X[50:], y[50:])


def test_it_says_when_it_did_not_converge(monkeypatch):
    X, y = iris(2)
    monkeypatch.setattr(l1_logistic_regression, "MAX_STEPS", 1)
    with pytest.warns(ConvergenceWarning, match="did not converge in 1 steps in 1 of its fits"):
        L1LogisticRegression(lam=1e-4).fit(X, y)
