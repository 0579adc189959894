"""Coupling pulls two views together, up to their consensus."""

import numpy as np
from helpers.two_views import VIEWS, blobs, synth

from foldless.learners import MultiViewGP, ViewGP

X, Y, KNOWN = blobs(60, 6)


def test_without_coupling_it_is_the_sum_of_the_kernels():
    """Stacked linear kernels are their sum."""
    stacked = ViewGP(VIEWS, form="stacked", kernel="linear").fit(X[:6], Y[:6])
    free = MultiViewGP(VIEWS, kernel="linear", coupling=0.0).fit(X, KNOWN)
    np.testing.assert_allclose(free.decision_function(X), stacked.decision_function(X), rtol=1e-8)


def test_coupling_uses_the_pool():
    errors = {}
    for coupling in (0.0, 1e4):
        wrong = []
        for seed in range(5):
            X, y, known = synth(seed)
            model = MultiViewGP(VIEWS, kernel="centered_linear", coupling=coupling).fit(X, known)
            wrong.append(np.mean(model.predict(X)[4:] != y[4:]))
        errors[coupling] = np.mean(wrong)
    assert errors[1e4] < 0.5 * errors[0.0]


def test_manifold_co_regularization():
    model = MultiViewGP([slice(None)] * 2, kernel=("rbf", "graph"), n_neighbors=3, coupling=10.0, penalty2=10.0)
    assert model.fit(X, KNOWN).score(X, Y) > 0.8
