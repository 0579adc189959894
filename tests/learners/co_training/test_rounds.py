"""Two ways through the same rounds: compiled L1 logistic regressions, and any classifiers."""

import numpy as np
import pytest
from helpers.two_views import VIEWS, blobs
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from foldless.learners import L1LogisticRegression
from foldless.learners.co_training._rounds import Classifiers, L1Labelers, RoundLabels, posteriors_of
from foldless.solvers._co_training import CoTrainingSettings, RoundPlan

CLOSE = CoTrainingSettings(0.003, 0.01, False, 1e-8, 1000)


def rounds(n_classes, counts, n=80, pool_size=20):
    """Two views, the labels of 6 rows, and a plan for the others."""
    X, _, known = blobs(n, 6, n_classes, seed=n_classes)
    reserve = 6 + np.random.default_rng(0).permutation(n - 6)
    views = [X[:, view] for view in VIEWS]
    return (
        views,
        RoundLabels(np.arange(n_classes), np.arange(6), known[:6]),
        RoundPlan(np.array(counts), reserve, pool_size, 30),
    )


def same(views, labels, plan, labelers_a, labelers_b):
    a, b = (labelers.train(labels, plan) for labelers in (labelers_a, labelers_b))
    assert a.rounds == b.rounds > 1
    np.testing.assert_array_equal(a.labels.rows, b.labels.rows)
    np.testing.assert_array_equal(a.labels.codes, b.labels.codes)
    np.testing.assert_array_equal(a.joined, b.joined)
    assert a.joined[:6].tolist() == [0] * 6
    assert sorted(set(a.joined)) == list(range(max(a.joined) + 1))
    rows = np.arange(views[0].shape[0])
    np.testing.assert_allclose(labelers_a.posteriors(a, rows), labelers_b.posteriors(b, rows), atol=1e-4)
    for p, estimator, view in zip(labelers_a.posteriors(a, rows), labelers_a.estimators(a), views, strict=True):
        np.testing.assert_allclose(estimator.predict_proba(view), p, atol=1e-12)


@pytest.mark.parametrize(("n_classes", "counts"), [(2, [1, 1]), (2, [3, 1]), (3, [1, 1, 2])])
def test_compiled_rounds_are_the_rounds_of_our_classifier(n_classes, counts):
    views, labels, plan = rounds(n_classes, counts)
    bases = [L1LogisticRegression(lam=lam, tol=1e-8) for lam in CLOSE[:2]]
    same(views, labels, plan, L1Labelers(views, CLOSE), Classifiers(views, bases))
    as_sparse = [sparse.csr_matrix(view) for view in views]
    same(as_sparse, labels, plan, L1Labelers(as_sparse, CLOSE), Classifiers(as_sparse, bases))


@pytest.mark.slow
def test_compiled_rounds_are_the_rounds_of_theirs():
    views, labels, plan = rounds(2, [1, 1])
    penalties = CoTrainingSettings(0.5, 1.0, True, 1e-8, 1000)
    bases = [LogisticRegression(l1_ratio=1, solver="saga", C=C, tol=1e-9, max_iter=100_000) for C in (2.0, 1.0)]
    same(views, labels, plan, L1Labelers(views, penalties), Classifiers(views, bases))


def test_every_row_is_labeled_where_rounds_are_enough():
    views, labels, plan = rounds(2, [1, 1])
    for labelers in (L1Labelers(views, CLOSE), Classifiers(views, [GaussianNB()] * 2)):
        trained = labelers.train(labels, plan._replace(rounds=1000))
        assert sorted(trained.labels.rows) == list(range(80))
        assert 18 < trained.rounds < 80
        stopped = labelers.train(labels, plan._replace(rounds=2))
        assert stopped.rounds == 2
        np.testing.assert_array_equal(stopped.labels.rows, trained.labels.rows[: len(stopped.labels.rows)])


def test_a_classifier_without_probabilities_is_refused():
    with pytest.raises(ValueError, match=r"LinearSVC has no predict_proba.*wrap it in CalibratedClassifierCV"):
        Classifiers([], [GaussianNB(), LinearSVC()])


class Strange(GaussianNB):
    """Gives NaN for rows on the right."""

    def predict_proba(self, X):
        posteriors = super().predict_proba(X)
        posteriors[np.asarray(X)[:, 0] > 3] = np.nan
        return posteriors


def test_posteriors_that_are_not_finite_are_refused():
    rows, y = np.array([[0.0], [1.0], [4.0], [5.0], [2.0]]), [0, 1, 0, 1, 0]
    views = [rows, rows]
    message = r"estimator2 \(Strange\) gives probabilities that are not finite for 2 of 5 rows of view 2: drop constant"
    with pytest.raises(ValueError, match=message):
        posteriors_of([GaussianNB().fit(rows, y), Strange().fit(rows, y)], views)
    labels, plan = (
        RoundLabels(np.arange(2), np.array([0, 1]), np.array([0, 1])),
        RoundPlan(np.array([1, 1]), np.arange(2, 5), 75, 1),
    )
    with pytest.raises(ValueError, match=r"estimator1 \(Strange\) .* for 2 of 3 rows of view 1"):
        Classifiers(views, [Strange(var_smoothing=1), GaussianNB(var_smoothing=1)]).train(labels, plan)
    trained = Classifiers(views, [Strange(var_smoothing=1)] * 2).train(labels, plan._replace(rounds=0))
    assert trained.rounds == 0


def test_a_classifier_that_needs_a_table_is_told_how_to_get_one():
    labels, plan = (
        RoundLabels(np.arange(2), np.arange(4), np.array([0, 1, 0, 1])),
        RoundPlan(np.array([1, 1]), np.arange(0), 75, 1),
    )
    views = [np.arange(8.0).reshape(4, 2), np.arange(4.0)]
    message = r"estimator2 \(GaussianNB\) gets view 2 as a vector.*make it a list.*\(Expected 2D array[^\n]*\)$"
    with pytest.raises(ValueError, match=message):
        Classifiers(views, [GaussianNB()] * 2).train(labels, plan)
    with pytest.raises(ValueError, match=r"^Input X contains NaN"):
        Classifiers([np.full((4, 2), np.nan), views[0]], [GaussianNB()] * 2).train(labels, plan)
