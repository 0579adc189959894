"""The kernel of one view as a latent kernel, on points and on rows that come later."""

import pickle

import numpy as np
from helpers.two_views import blobs
from sklearn.metrics.pairwise import rbf_kernel

from foldless.learners.gaussian_process._latent_kernels import PlainKernel
from foldless.learners.gaussian_process._view_kernels import view_kernels

X = blobs(12, 4)[0]
NEW = blobs(5, 4, seed=1)[0]
COLUMNS = np.array([0, 1])


def plain():
    return PlainKernel(view_kernels(X, [COLUMNS], "rbf", 0.3, 1)[0])


def test_values_are_those_of_the_view():
    np.testing.assert_allclose(plain().gram(), rbf_kernel(X[:, COLUMNS], gamma=0.3))


def test_a_row_that_joins_does_not_change_the_kernel_of_the_others():
    labeled = np.array([7, 2, 3])
    cross, diagonal, less = plain().at_new_rows(NEW, labeled)
    np.testing.assert_allclose(cross, rbf_kernel(NEW[:, COLUMNS], X[labeled][:, COLUMNS], gamma=0.3))
    np.testing.assert_array_equal(diagonal, np.ones(5))
    assert less is None


def test_a_copy_that_traveled_says_the_same():
    kernel = plain()
    kernel.gram()
    again = pickle.loads(pickle.dumps(kernel))
    np.testing.assert_array_equal(again.gram(), kernel.gram())
