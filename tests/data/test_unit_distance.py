"""Rows are 1 apart in the mean square, dense and sparse alike; equal rows stay as they are."""

import numpy as np
from scipy import sparse
from scipy.spatial.distance import cdist

from foldless.data._unit_distance import UnitDistance


def test_the_mean_squared_distance_is_one():
    X = np.random.default_rng(0).normal(3, [1, 5, 0.1], size=(50, 3))
    dense, thin = UnitDistance().fit_transform(X), UnitDistance().fit_transform(sparse.csr_matrix(X))
    np.testing.assert_allclose(np.mean(cdist(dense, dense) ** 2), 1)
    np.testing.assert_allclose(thin.toarray(), dense)
    assert UnitDistance().fit(np.ones((4, 2))).scale_ == 1
