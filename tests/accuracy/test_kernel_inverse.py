"""The inverse of a kernel with a ridge is NumPy's."""

import numpy as np
import pytest

from foldless.accuracy._kernel_inverse import kernel_inverse


@pytest.mark.parametrize("order", ["C", "F"])
def test_it_is_the_inverse_of_the_whole_matrix_and_leaves_the_kernel_alone(order):
    rows = np.random.default_rng(0).normal(size=(40, 3))
    gram = np.asarray(np.exp(-np.abs(rows[:, None] - rows).sum(axis=2)), order=order)
    before = gram.copy()
    inverse = kernel_inverse(gram, 0.1, 1.0)
    np.testing.assert_allclose(inverse, np.linalg.inv(gram + 1 + 0.1 * np.eye(40)), atol=1e-11)
    np.testing.assert_array_equal(inverse, inverse.T)
    np.testing.assert_array_equal(gram, before)


def test_what_is_no_kernel_is_refused():
    with pytest.raises(np.linalg.LinAlgError, match="positive definite"):
        kernel_inverse(-np.eye(3), 0.5)
