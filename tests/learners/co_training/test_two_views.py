"""Zeros that fill up a view change nothing: learners of halves say what they say of views by their columns."""

from typing import Any

import numpy as np
import pytest
from helpers.two_views import blobs
from scipy import sparse
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from foldless.learners import CoRegularizedLogisticRegression, CoTraining, GPCoTraining
from foldless.learners.co_training import TwoViews

VIEWS = [[0], [1, 2, 3]]
X, Y, KNOWN = blobs(80, 8)


def view(columns: list[int], as_sparse: bool = False) -> Any:
    if as_sparse:
        return FunctionTransformer(lambda X: sparse.csr_array(X[:, columns]))
    return ColumnTransformer([("scaled", StandardScaler(), columns)])


def test_each_view_is_a_half() -> None:
    halves = TwoViews(view(VIEWS[0]), view(VIEWS[1]))
    both = halves.fit_transform(X)
    scaled = StandardScaler().fit_transform(X)
    np.testing.assert_allclose(both, np.c_[scaled[:, :1], np.zeros((80, 2)), scaled[:, 1:]])
    np.testing.assert_array_equal(halves.transform(X[:5]), both[:5])
    np.testing.assert_array_equal(TwoViews(view(VIEWS[0]), view(VIEWS[1])).fit(X).transform(X), both)


@pytest.mark.parametrize("which", [(True, False), (False, True), (True, True)])
def test_sparse_where_one_view_is(which: tuple[bool, bool]) -> None:
    both = TwoViews(view(VIEWS[1], which[0]), view(VIEWS[0], which[1])).fit_transform(X)
    assert sparse.issparse(both)
    assert both.format == "csr"
    assert both.shape == (80, 6)
    assert not both.toarray()[:, 4:].any()


@pytest.mark.parametrize("as_sparse", [False, True])
@pytest.mark.parametrize(
    "learner",
    [
        GPCoTraining(sigma1=0.1),
        GPCoTraining(kernel=("linear", "graph")),
        CoTraining(l1=0.01, l2=0.02, random_state=0),
        CoRegularizedLogisticRegression(lam=0.01, mu=0.1),
    ],
)
def test_zeros_change_nothing(learner: Any, as_sparse: bool) -> None:
    halves = make_pipeline(TwoViews(view(VIEWS[0], as_sparse), view(VIEWS[1], as_sparse)), learner).fit(X, KNOWN)
    prepared = X if as_sparse else StandardScaler().fit_transform(X)
    named = learner.__class__(**{**learner.get_params(), "views": VIEWS}).fit(prepared, KNOWN)
    np.testing.assert_allclose(halves.predict_proba(X), named.predict_proba(prepared), atol=1e-6)
