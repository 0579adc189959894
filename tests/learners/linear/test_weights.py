"""Weights come back in the user's features: dense where small, sparse where that is smaller, the same predictions."""

import tracemalloc

import numpy as np
import pytest
from helpers.linear_problems import topics
from scipy import sparse

from foldless.learners import LinearSVC
from foldless.learners.linear import _weights as weights
from foldless.learners.linear._problem import ClassBlock
from foldless.learners.linear._weights import Weights
from foldless.solvers._lanes import WIDTHS
from foldless.solvers.linear._csr_rows import Csr, Vocabulary
from foldless.solvers.linear._dual_descent import Model

VOCABULARY = Vocabulary(np.array([4, 1]), np.array([-1, 1, -1, -1, 0, -1], dtype=np.int32))


def taken(scaling=2.0):
    gathered = Weights(6, VOCABULARY, scaling)
    W = np.arange(8, dtype=np.float32).reshape(2, 4)
    for first, n in ((4, 2), (0, 4)):  # threads bring blocks in any order
        intercept = np.full((1, 4), first, np.float32)
        model = Model(WIDTHS[4](W + 10 * first), WIDTHS[4](intercept), np.float32(scaling))
        gathered.take(ClassBlock(first, n, 4), model, None)
        W[:] += 1  # the solver goes on in the same arrays
    return gathered


def test_blocks_become_rows_and_places_become_features():
    gathered = taken()
    assert gathered.coef.shape == (6, 6)
    assert gathered.coef[:, 4].tolist() == [1, 2, 3, 4, 40, 41]
    assert gathered.coef[:, 1].tolist() == [5, 6, 7, 8, 44, 45]
    assert (gathered.coef[:, [0, 2, 3, 5]] == 0).all()
    assert gathered.intercept.tolist() == [0, 0, 0, 0, 8, 8]
    assert gathered.coef is gathered.coef  # two models at one C share it


def test_the_same_numbers_sparse(monkeypatch):
    dense = taken().coef
    monkeypatch.setattr(weights, "SMALL", 0)
    coef = taken().coef
    assert sparse.issparse(coef)
    assert coef.has_sorted_indices
    assert (coef.toarray() == dense).all()


def test_sparse_only_where_it_pays(monkeypatch):
    monkeypatch.setattr(weights, "SMALL", 0)
    X, y = topics(300, 60, 4)
    dense = LinearSVC(random_state=0).fit(X, y)  # most of the few features are in use
    assert isinstance(dense.coef_, np.ndarray)
    wide = sparse.csr_matrix((X.data, X.indices, X.indptr), shape=(300, 1000))
    assert sparse.issparse(LinearSVC(random_state=0).fit(wide, y).coef_)


@pytest.mark.parametrize("k", [2, 5])
def test_a_sparse_model_predicts_the_same(monkeypatch, k):
    X, y = topics(300, 2000, k)
    dense = LinearSVC(random_state=0).fit(X, y)
    monkeypatch.setattr(weights, "SMALL", 0)
    pruned = LinearSVC(random_state=0).fit(X, y)
    assert sparse.issparse(pruned.coef_)
    assert pruned.coef_.shape == dense.coef_.shape
    for rows in (X, X.toarray(), X.astype(np.float32), X[:1]):
        np.testing.assert_allclose(pruned.decision_function(rows), dense.decision_function(rows), atol=1e-4)
        assert (pruned.predict(rows) == dense.predict(rows)).all()


def test_no_feature_in_use(monkeypatch):
    monkeypatch.setattr(weights, "SMALL", 0)
    model = LinearSVC(random_state=0).fit(np.zeros((6, 3)), [0, 0, 0, 1, 1, 1])
    assert model.coef_.shape == (1, 3)
    assert abs(model.coef_).sum() == 0


def test_the_sum_of_a_few_rows_is_the_same_as_the_weights_that_the_solver_has(monkeypatch):
    rng = np.random.default_rng(0)
    X = sparse.random(60, 900, 0.01, format="csr", random_state=0, data_rvs=lambda n: rng.random(n) + 0.5)
    y = np.arange(60) % 20
    dense = LinearSVC(C=1e3, random_state=0).fit(X, y)
    assert isinstance(dense.coef_, np.ndarray)
    assert dense.coef_.T.flags.c_contiguous  # as products read it: X @ coef.T copies nothing
    monkeypatch.setattr(weights, "SMALL", 0)
    calls = []
    plain = Weights._packed
    monkeypatch.setattr(Weights, "_packed", lambda self, *rest: calls.append(1) or plain(self, *rest))
    monkeypatch.setattr(weights, "FEW", 1.0)
    summed = LinearSVC(C=1e3, random_state=0).fit(X, y)
    assert not calls
    monkeypatch.setattr(weights, "FEW", 0.0)
    stacked = LinearSVC(C=1e3, random_state=0).fit(X, y)
    assert calls
    assert sparse.issparse(summed.coef_)
    assert summed.coef_.has_sorted_indices
    assert summed.coef_.dtype == stacked.coef_.dtype
    for other in (dense.coef_, stacked.coef_.toarray()):
        np.testing.assert_allclose(summed.coef_.toarray(), other, rtol=1e-4, atol=1e-6 * abs(other).max())


def test_the_weights_of_many_classes_are_made_a_block_at_a_time(monkeypatch):
    """All y α of 10,000 classes at once, in double precision, took 2 GB beside the weights."""
    n, n_columns, width, n_blocks = 1000, 3000, 50, 40
    rng = np.random.default_rng(0)
    X = sparse.random(n, n_columns, 0.01, format="csr", random_state=0, dtype=np.float32)
    rows = Csr(X.indptr.astype(np.int64), X.indices, X.data)
    used = rng.permutation(n_columns).astype(np.int32)  # features have places by how often they occur
    gathered = Weights(n_blocks * width, Vocabulary(used, np.argsort(used).astype(np.int32)), 1.0, rows)
    for at in range(n_blocks):
        gathered.blocks[at * width] = (rng.random((width, n)) < 0.01).astype(np.float32)
    held = np.concatenate(list(gathered.blocks.values()))
    monkeypatch.setattr(weights, "SMALL", 0)
    tracemalloc.start()
    coef = gathered.coef
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    np.testing.assert_allclose(coef.toarray()[:, used], held @ X.toarray(), rtol=1e-5)
    assert coef.has_sorted_indices
    assert peak < 4 * 8 * coef.nnz  # 2.6 times the weights; all y α at once took 7.9 times
