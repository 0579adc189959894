"""Labels reach the rows that are joined to them, and nothing else."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_moons
from sklearn.neighbors import NearestNeighbors
from sklearn.semi_supervised import LabelSpreading
from sklearn.utils.estimator_checks import parametrize_with_checks

from foldless.errors import BadInput
from foldless.learners import NeighborSpreading
from foldless.learners.pool_taught.neighbor_spreading import NearestRows

X, Y = make_moons(200, noise=0.08, random_state=0)
KNOWN = np.where(np.arange(200) < 12, Y, -1)


@parametrize_with_checks(
    [NeighborSpreading()],
    expected_failed_checks=lambda _: {
        "check_classifiers_classes": "the labels are -1 and 1, and -1 means that there is no label"
    },
)
def test_contract(estimator, check):
    check(estimator)


def test_it_follows_two_moons():
    model = NeighborSpreading(7, alpha=0.9).fit(X, KNOWN)
    new, labels = make_moons(100, noise=0.08, random_state=1)
    assert model.score(X, Y) > 0.95
    assert model.score(new, labels) > 0.93


def test_distributions_solve_the_equation_of_the_paper():
    model = NeighborSpreading(5, alpha=0.5).fit(X, KNOWN)
    start = np.zeros((200, 2))
    start[np.flatnonzero(KNOWN >= 0), KNOWN[KNOWN >= 0]] = 1
    smoothing = model.graph(X).smoothing.toarray()
    exact = 0.5 * np.linalg.solve(np.eye(200) - 0.5 * smoothing, start)
    reached = exact.sum(axis=1) > 1e-4
    shares = exact[reached] / exact[reached].sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.label_distributions_[reached], shares, atol=0.01)


def test_it_is_near_scikit_learns_spreading():
    theirs = LabelSpreading(kernel="knn", n_neighbors=7, alpha=0.5, max_iter=1000).fit(X, KNOWN)
    ours = NeighborSpreading(7, alpha=0.5).fit(X, KNOWN)
    assert np.mean(theirs.predict(X) == ours.predict(X)) > 0.95


def test_a_graph_that_was_made_before_gives_the_same():
    model = NeighborSpreading(7)
    once = model.fit(X, KNOWN).label_distributions_
    np.testing.assert_array_equal(model.fit(X, KNOWN, model.graph(X)).label_distributions_, once)


def test_rows_that_no_label_reaches_have_the_shares_of_the_labels():
    rows = np.r_[X, X + 100]
    known = np.r_[KNOWN, np.full(200, -1)]
    model = NeighborSpreading(5).fit(rows, known)
    shares = np.bincount(Y[:12]) / 12
    np.testing.assert_allclose(model.predict_proba(X[:3] + 100), np.tile(shares, (3, 1)))


def test_sparse_rows_and_strings_as_labels():
    names = np.array(["a", "b"], dtype=object)
    known = np.where(KNOWN >= 0, names[KNOWN], -1)
    model = NeighborSpreading(7).fit(sparse.csr_array(X), known)
    assert set(model.predict(sparse.csr_array(X))) == {"a", "b"}
    np.testing.assert_allclose(model.predict_proba(X), NeighborSpreading(7).fit(X, KNOWN).predict_proba(X), atol=1e-9)


def test_fewer_rows_than_neighbors():
    assert NeighborSpreading(20).fit(X[:6], Y[:6]).predict(X[:6]).shape == (6,)


@pytest.mark.parametrize(("params", "sentence"), [({"alpha": 1.0}, "alpha"), ({"n_neighbors": 0}, "n_neighbors")])
def test_parameters_out_of_range(params, sentence):
    with pytest.raises(BadInput, match=sentence):
        NeighborSpreading(**params).fit(X, KNOWN)


@pytest.mark.parametrize("k", [1, 7, 20])
@pytest.mark.parametrize("width", [3, 30])
def test_nearest_rows_that_are_known_make_the_same_graph(k, width):
    rows = np.random.default_rng(0).normal(size=(100, width))
    spreading, nearest = NeighborSpreading(k), NearestRows.of(rows, 22)
    np.testing.assert_array_equal(nearest.first(k), NearestNeighbors(n_neighbors=k).fit(rows).kneighbors(rows)[1])
    graph, plain = spreading.graph(rows, nearest), spreading.graph(rows)
    np.testing.assert_array_equal(graph.smoothing.toarray(), plain.smoothing.toarray())


def test_rows_that_are_as_near_as_others_are_searched_again():
    rows = np.repeat(np.arange(10.0), 5)[:, None]
    nearest = NearestRows.of(rows, 12)
    assert nearest.first(3) is None
    assert nearest.others(3) is None
    assert nearest.first(12) is None
    np.testing.assert_array_equal(
        NeighborSpreading(3).graph(rows, nearest).smoothing.toarray(),
        NeighborSpreading(3).graph(rows).smoothing.toarray(),
    )
