"""The inverse of a kernel matrix with a ridge, from its Cholesky factor."""

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotri

from foldless.core import Array


def kernel_inverse(gram: Array, ridge: float, constant: float = 0.0) -> Array:
    """(K + constant + ρI)⁻¹ of a symmetric matrix K without negative eigenvalues.

    Examples
    --------
    >>> kernel_inverse(np.array([[1.0, 0.5], [0.5, 1.0]]), 0.5).round(3)
    array([[ 0.75, -0.25],
           [-0.25,  0.75]])
    """
    matrix = np.array(gram, dtype=float, order="F")
    matrix += constant
    matrix.flat[:: len(matrix) + 1] += ridge
    factor, failed = dpotrf(matrix, lower=1, clean=1, overwrite_a=1)
    if failed:
        raise np.linalg.LinAlgError("the kernel is not positive definite")
    below, _ = dpotri(factor, lower=1, overwrite_c=1)  # zero above the diagonal
    inverse = below + below.T
    inverse.flat[:: len(inverse) + 1] = below.diagonal()
    return np.asarray(inverse)
