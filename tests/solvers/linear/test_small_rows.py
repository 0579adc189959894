"""NumPy for small tables and the kernels give the same bits."""

import sys

import numpy as np
import pytest
from scipy import sparse

from foldless.solvers._lane_arrays import WIDTHS, Model
from foldless.solvers.linear import _block_scores as block_scores
from foldless.solvers.linear import _csr_entries as csr_entries
from foldless.solvers.linear import _small_rows as small_rows
from foldless.solvers.linear._csr_rows import Csr, Vocabulary, as_csr


def table(seed: int, zeros: float = 0.3) -> np.ndarray:
    rng = np.random.default_rng(seed)
    n, d = rng.integers(1, 60), rng.integers(1, 20)
    return rng.normal(size=(n, d)) * 10 ** rng.uniform(-3, 3) * (rng.random((n, d)) >= zeros)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scaling", [0.0, 1.0, 2.5])
def test_scores_and_best_labels_are_those_of_the_kernels(width: int, scaling: float) -> None:
    lanes = WIDTHS[width]
    for seed in range(20):
        rng, X = np.random.default_rng(seed), table(seed, zeros=0.3 * (seed % 2))
        vocabulary = Vocabulary.of(X)
        rows = vocabulary.rows(X)
        W, intercept = (lanes(rng.normal(size=(n, width)).astype(np.float32)) for n in (len(vocabulary.used), 1))
        model = Model(W, intercept, np.float32(scaling))
        scores = [lanes(np.empty((rows.n, width), np.float32)) for _ in range(2)]
        best = [np.full(rows.n, -np.inf, np.float32) for _ in range(2)]
        labels = [np.zeros(rows.n, np.int32) for _ in range(2)]
        for at, loops in enumerate((small_rows, block_scores)):
            loops.write_scores(rows, model, scores[at])
            for first in (0, 16):
                loops.keep_best(rows, model, max(1, width - 1), first, best[at], labels[at])
        np.testing.assert_array_equal(scores[0].values, scores[1].values)
        np.testing.assert_array_equal(best[0], best[1])
        np.testing.assert_array_equal(labels[0], labels[1])


def test_features_and_rows_are_those_of_the_kernels() -> None:
    for seed in range(20):
        X = as_csr(sparse.csr_array(table(seed)) if seed % 2 else table(seed))
        indices, data = X.indices.astype(np.int32), X.data.astype(np.float32)
        which = np.random.default_rng(seed).permutation(X.shape[0])[: 1 + X.shape[0] // 2]
        found = []
        for loops in (small_rows, csr_entries):
            used, place = np.zeros(X.shape[1], np.int64), np.full(X.shape[1], -1, np.int32)
            n = loops.meet(indices, data, used, place)
            out = Csr(np.zeros(len(which) + 1, np.int64), np.zeros(X.nnz, np.int32), np.zeros(X.nnz, np.float32))
            rows = Csr(X.indptr.astype(np.int64), indices, data)
            assert loops.squeeze(rows, which, place, np.full(n, -1, np.int64), out)
            found.append((used[:n], place, *out))
        for ours, theirs in zip(*found, strict=True):
            np.testing.assert_array_equal(ours, theirs)


def test_squares_are_those_of_the_kernel() -> None:
    for seed in range(20):
        X = as_csr(sparse.csr_array(table(seed)))
        starts, values = X.indptr.astype(np.int64), X.data.astype(np.float32)
        np.testing.assert_array_equal(small_rows.squares(starts, values), csr_entries.squares(starts, values))


def test_a_feature_that_a_row_has_twice_is_noticed() -> None:
    rows = Csr(np.array([0, 2]), np.array([1, 1], np.int32), np.array([1, 2], np.float32))
    out = Csr(np.zeros(2, np.int64), np.zeros(2, np.int32), np.zeros(2, np.float32))
    place = np.array([-1, 0], np.int32)
    assert not small_rows.squeeze(rows, np.array([0]), place, np.full(1, -1, np.int64), out)


def test_a_product_is_rounded_together_with_its_sum() -> None:
    one = np.float32(1) + np.float32(2.0**-12)
    assert small_rows.plus_times(np.float32(-1), one, one) == np.float32(2.0**-11 + 2.0**-24)
    # to double precision the sum is a tie of single precision, which what was lost decides
    a, b, c = np.float32(-(2.0**-60)), np.float32(1 + 2.0**-23), np.float32(1 + 2.0**-1)
    assert small_rows.plus_times(a, b, c) < np.float32(np.float64(b) * np.float64(c))


def test_kernels_take_over_where_they_are_there_or_the_work_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not small_rows.suits("csr_entries", 100)  # this file has imported them
    monkeypatch.delitem(sys.modules, csr_entries.__name__)
    assert small_rows.suits("csr_entries", 100)
    assert not small_rows.suits("csr_entries", small_rows.ENTRIES + 1)
    assert not small_rows.suits("csr_entries", 100, small_rows.WIDEST + 1)
    monkeypatch.setattr(small_rows, "_calls", iter([small_rows.CALLS]))
    assert not small_rows.suits("csr_entries", 100)
