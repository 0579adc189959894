"""Kernels against scikit-learn's, and against each other."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import pairwise
from sklearn.svm import SVC

from foldless.learners.kernel_svm._kernels import (
    Linear,
    Polynomial,
    PrecomputedKernel,
    Rbf,
    base_of,
    gram_of,
    in_blocks,
    scale,
)

RNG = np.random.default_rng(0)
X, Z = RNG.normal(size=(40, 5)), RNG.normal(size=(25, 5))
X[np.abs(X) < 0.5], Z[np.abs(Z) < 0.5] = 0, 0
KERNELS = {
    Linear(): lambda X, Z: X @ Z.T,
    Polynomial(0.3, 3, 1.0): lambda X, Z: pairwise.polynomial_kernel(X, Z, degree=3, gamma=0.3, coef0=1.0),
    Rbf(0.7): lambda X, Z: pairwise.rbf_kernel(X, Z, gamma=0.7) - 1,
}


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: type(kernel).__name__)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_as_in_scikit_learn(kernel, form):
    theirs = KERNELS[kernel]
    anchors = kernel.anchors(form(Z), np.arange(5, 20))
    np.testing.assert_allclose(kernel.of(kernel.base(form(X), anchors)), theirs(X, Z[5:20]), atol=1e-12)
    rows = RNG.permutation(40)[:30]
    base, gram = np.zeros((2, 32, 32), np.float32)
    base_of(kernel, form(X), rows, base)
    gram_of(kernel, base, gram, 30)
    np.testing.assert_allclose(gram[:30, :30], theirs(X[rows], X[rows]), atol=1e-5)
    assert (gram[30:] == 0).all()
    assert (gram[:, 30:] == 0).all()


def test_precomputed_takes_columns():
    K, rows = RNG.normal(size=(40, 40)), RNG.permutation(40)[:10]
    kernel = PrecomputedKernel()
    assert (kernel.of(kernel.base(K[:3], kernel.anchors(K, rows))) == K[:3][:, rows]).all()
    base = np.empty((10, 10), np.float32)
    base_of(kernel, K, rows, base)
    assert (base == K[np.ix_(rows, rows)].astype(np.float32)).all()


def test_a_small_width_keeps_its_digits():
    exact = -np.expm1(-1e-9 * pairwise.euclidean_distances(X, squared=True))
    gram = np.empty((40, 40), np.float32)
    base_of(Rbf(1e-9), X, np.arange(40), gram)
    gram_of(Rbf(1e-9), gram, gram, 40)
    off = ~np.eye(40, dtype=bool)
    np.testing.assert_allclose(-gram[off], exact[off], rtol=1e-6)


def test_values_past_single_precision_are_refused():
    base = np.full((3, 3), 1e20, np.float32)
    with pytest.raises(ValueError, match="scale the features, or lower degree"):
        gram_of(Polynomial(1.0, 3, 0.0), base, base, 3)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_scale(form):
    y = np.arange(40) % 2
    assert scale(form(X)) == pytest.approx(SVC().fit(form(X), y)._gamma)
    assert scale(form(np.zeros((3, 2)))) == 1.0


def test_blocks_cover_all_rows_once():
    for n, width in ((1, 1), (1000, 10**7), (100_000, 50), (0, 3)):
        blocks = in_blocks(n, width)
        assert [at for block in blocks for at in range(block.start, block.stop)] == list(range(n))
        assert all((block.stop - block.start) * width * 8 <= 2**21 or block.stop - block.start == 1 for block in blocks)
