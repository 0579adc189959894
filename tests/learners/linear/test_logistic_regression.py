"""Probabilities of the classes, also where all of them are zero in double precision."""

import numpy as np
from helpers.linear_problems import blobs, topics
from scipy.special import expit

from foldless.learners import LogisticRegression


def test_probabilities():
    for n_classes in (2, 5):
        X, y = topics(200, 300, n_classes)
        model = LogisticRegression(random_state=0).fit(X, y)
        p = model.predict_proba(X)
        sigmoid = expit(model.decision_function(X))
        wanted = np.c_[1 - sigmoid, sigmoid] if sigmoid.ndim == 1 else sigmoid / sigmoid.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(p, wanted, atol=1e-12)
        np.testing.assert_allclose(model.predict_log_proba(X), np.log(p), atol=1e-12)


def test_probabilities_far_from_all_classes():
    """σ(s) is zero for every class in double precision: the nearest one still wins."""
    X, y = blobs(60, 4, 3)
    model = LogisticRegression(random_state=0).fit(X, y)
    model.coef_[:], model.intercept_[:] = 0, [-900, -800, -1000]
    p = model.predict_proba(X)
    assert (p.argmax(axis=1) == 1).all()
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_allclose(model.predict_log_proba(X)[0], [-100, 0, -200])
    two = LogisticRegression(random_state=0).fit(X[y < 2], y[y < 2])
    two.coef_[:], two.intercept_[:] = 0, [50]
    assert 0 < two.predict_proba(X)[0, 0] < 1e-20
