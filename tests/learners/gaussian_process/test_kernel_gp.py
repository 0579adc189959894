"""scikit-learn's contract, and what all Gaussian process classifiers share."""

import pickle

import numpy as np
import pandas as pd
import pytest
from helpers.slow import checks_of
from helpers.two_views import VIEWS, blobs
from scipy import sparse
from sklearn.base import clone
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF
from skops.io import dumps, loads
from threadpoolctl import ThreadpoolController, threadpool_limits

from foldless.learners import GPCoTraining, ManifoldGP, MultiViewGP, ViewGP
from foldless.learners.gaussian_process._fitted import Fitted
from foldless.learners.gaussian_process._laplace_sets import TrainingSets
from foldless.saving._trusted import trusted_types

SENTINEL = "the labels are -1 and 1, and -1 means that there is no label"
LEARNERS = [
    GPCoTraining(VIEWS, sigma1=0.3, sigma2=0.2),
    GPCoTraining([slice(None)] * 2, kernel=("centered_linear", "graph"), n_neighbors=2),
    MultiViewGP(VIEWS, coupling=5.0),
    ManifoldGP(ratio=3.0),
    ViewGP(VIEWS),
    ViewGP(VIEWS, form="stacked", kernel="linear"),
]
SEMI_SUPERVISED = [learner for learner in LEARNERS if learner.semi_supervised]
X, Y, KNOWN = blobs(40, 8)
NEW = blobs(40, 8, seed=5)[0][:6]


def fitted(learner, X=X, y=Y, known=KNOWN):
    return clone(learner).fit(X, known) if learner.semi_supervised else clone(learner).fit(X[:8], y[:8])


@checks_of(
    [GPCoTraining(), ManifoldGP(), MultiViewGP(), ViewGP()],
    expected_failed_checks=lambda learner: {"check_classifiers_classes": SENTINEL} if learner.semi_supervised else {},
)
def test_contract(estimator, check):
    check(estimator)


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_probabilities_labels_and_scores_agree(learner):
    for n_classes in (2, 3):
        X, y, known = blobs(40, 8, n_classes)
        model = fitted(learner, X, y, known)
        for rows in (X, NEW):
            P, scores = model.predict_proba(rows), model.decision_function(rows)
            assert P.shape == (len(rows), n_classes)
            np.testing.assert_allclose(P.sum(axis=1), 1)
            np.testing.assert_array_equal(model.predict(rows), model.classes_[P.argmax(axis=1)])
            if n_classes == 2:
                np.testing.assert_allclose(P[:, 1], 1 / (1 + np.exp(-scores)))
        assert np.isfinite(model.log_marginal_likelihood())
        assert model.score(X, y) > 0.6


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_a_row_is_answered_alone(learner):
    model = fitted(learner)
    alone = np.concatenate([model.decision_function(row[None]) for row in NEW])
    mixed = model.decision_function(np.vstack([NEW[::-1], X[:3]]))
    np.testing.assert_allclose(mixed[:6][::-1], alone, rtol=1e-9)
    np.testing.assert_array_equal(mixed[6:], model.decision_function(X)[:3])


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_dense_sparse_and_frames_are_the_same(learner):
    sparse_X = X * (np.abs(X) > 1)
    expected = fitted(learner, sparse_X).decision_function(np.vstack([sparse_X, NEW]))
    model = fitted(learner, sparse.csr_array(sparse_X))
    given = model.decision_function(sparse.csr_array(np.vstack([sparse_X, NEW])))
    np.testing.assert_allclose(given, expected, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(model.decision_function(np.vstack([sparse_X, NEW])), expected, rtol=1e-6, atol=1e-9)
    frame = pd.DataFrame(sparse_X, columns=list("abcd"))
    named = clone(learner)
    if learner.get_params().get("views") == VIEWS:
        named.set_params(views=[["a", "b"], ["c", "d"]])
    model = fitted(named, frame)
    np.testing.assert_allclose(model.decision_function(frame), expected[:40], rtol=1e-9)


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_models_travel_light_and_answer_the_same(learner):
    model = fitted(learner)
    expected = model.predict_proba(NEW)  # now it has cached what joining needs
    for copy in (pickle.loads(pickle.dumps(model)), loads(dumps(model), trusted=trusted_types())):
        np.testing.assert_allclose(copy.predict_proba(NEW), expected, rtol=1e-12)
        np.testing.assert_array_equal(copy.predict_proba(X), model.predict_proba(X))
    X_long, _, known = blobs(400, 8)
    assert len(pickle.dumps(fitted(learner, X_long, known=known))) < 1.5 * X_long.nbytes + 5_000  # one copy, no n²


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_a_forged_model_cannot_make_kernels_read_elsewhere(learner):
    model = fitted(learner)
    object.__setattr__(model.fitted_, "targets", model.fitted_.targets[:, :3])
    with pytest.raises(ValueError, match="do not match 3 labels"):
        model.predict(NEW)


@pytest.mark.parametrize("learner", SEMI_SUPERVISED, ids=repr)
def test_the_pool_matters_and_its_order_does_not(learner):
    order = np.random.default_rng(0).permutation(40)
    shuffled = clone(learner).fit(X[order], KNOWN[order])
    np.testing.assert_allclose(shuffled.decision_function(X), fitted(learner).decision_function(X), rtol=1e-5)
    without = clone(learner).fit(X[:8], KNOWN[:8])
    assert np.abs(without.decision_function(X) - fitted(learner).decision_function(X)).max() > 1e-3


@pytest.mark.parametrize("learner", SEMI_SUPERVISED, ids=repr)
def test_rows_without_a_label_that_occur_twice_are_one_point(learner):
    again = np.concatenate([np.arange(40), [20, 21, 21]])
    np.testing.assert_allclose(
        clone(learner).fit(X[again], KNOWN[again]).decision_function(X), fitted(learner).decision_function(X), rtol=1e-9
    )


BITS = np.array([[0.0], [1.0]]).repeat(10, axis=0)
NINE_TO_ONE = np.array([0] * 9 + [1] + [1] * 9 + [0])
ONE_VIEW = [
    ManifoldGP(ratio=0.0, gamma=0.5),
    MultiViewGP([[0]] * 2, gamma=0.5, penalty1=2.0, penalty2=2.0),
    ViewGP([[0]], gamma=0.5),
]


@pytest.mark.parametrize("learner", ONE_VIEW, ids=repr)
def test_labels_count_as_often_as_they_are_given(learner):
    """All of these are plain processes with the kernel exp(−½ (x − z)²), and so is scikit-learn's."""
    theirs = GaussianProcessClassifier(RBF(1.0), optimizer=None).fit(BITS, NINE_TO_ONE)
    model = clone(learner).fit(BITS, NINE_TO_ONE)
    assert model.log_marginal_likelihood() == pytest.approx(theirs.log_marginal_likelihood_value_, abs=1e-6)
    assert model.log_marginal_likelihood() == pytest.approx(-11.694, abs=1e-3)
    for rows in (BITS[[0, -1]], BITS[[0, -1]] + 0.2):
        np.testing.assert_allclose(model.predict_proba(rows), theirs.predict_proba(rows), atol=0.01)


@pytest.mark.parametrize("learner", SEMI_SUPERVISED, ids=repr)
def test_a_label_that_is_given_again_counts_again(learner):
    again = np.concatenate([[0, 0, 3], np.arange(40)])
    more, once = clone(learner).fit(X[again], KNOWN[again]), fitted(learner)
    assert more.log_marginal_likelihood() < once.log_marginal_likelihood() - 0.1
    for rows in (X, NEW):
        assert np.abs(more.decision_function(rows) - once.decision_function(rows)).max() > 1e-4


@pytest.mark.parametrize("learner", [GPCoTraining(), ManifoldGP(ratio=0.0), MultiViewGP()], ids=repr)
def test_discrete_features_with_noisy_labels(learner):
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, size=(400, 3)).astype(float)
    labels = (rng.random(400) < np.where(rows.sum(axis=1) >= 2, 0.8, 0.2)).astype(int)
    assert clone(learner).fit(rows, labels).score(rows, labels) > 0.7


@pytest.mark.parametrize("learner", SEMI_SUPERVISED, ids=repr)
@pytest.mark.parametrize("names", [np.array([0, 1, 2]), np.array(["a", "b", "c"], dtype=object)])
def test_transduction(learner, names):
    X, y, known = blobs(40, 8, 3)
    order = np.random.default_rng(0).permutation(40)
    X, known = X[order], known[order]
    given = np.where(known < 0, -1, names[known])
    given[np.flatnonzero(known == 0)[0]] = names[1]  # one that the model gets wrong
    model = clone(learner).fit(X, given)
    unlabeled = known < 0
    np.testing.assert_array_equal(model.transduction_[~unlabeled], given[~unlabeled])
    np.testing.assert_array_equal(model.transduction_[unlabeled], model.predict(X)[unlabeled])


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_what_is_odd_has_a_defined_answer(learner):
    zeros = X.copy()
    zeros[:, 2:] = 0  # a view of zeros
    twins = X.copy()
    twins[1] = twins[0]  # one point in two classes
    two = np.where(np.arange(40) < 2, Y, -1)  # one row of each class
    for rows, known in ((zeros, KNOWN), (twins, KNOWN), (X, two), (np.zeros_like(X), KNOWN)):
        model = clone(learner).fit(rows, known) if learner.semi_supervised else clone(learner).fit(rows[:8], Y[:8])
        assert np.isfinite(model.predict_proba(np.vstack([rows, NEW]))).all()
        assert np.isfinite(model.log_marginal_likelihood())


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_more_classes_than_rows_of_them(learner):
    y = np.arange(40) % 8
    known = np.where(np.arange(40) < 8, y, -1)
    model = fitted(learner, X, y, known)
    assert set(model.predict(X[:8])) <= set(range(8))
    np.testing.assert_allclose(model.predict_proba(NEW).sum(axis=1), 1)


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_one_class_is_refused(learner):
    with pytest.raises(ValueError, match="needs at least 2 classes"):
        clone(learner).fit(X, np.zeros(40, int))


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (GPCoTraining(sigma1=0.0), "sigma1 == 0.0, must be > 0"),
        (GPCoTraining(sigma2=np.inf), "sigma2 must be a finite number, got inf"),
        (GPCoTraining(sigma1=1e200), r"sigma1 must be at most 1e\+10, got 1e\+200: use a smaller value, or ViewGP"),
        (MultiViewGP(penalty2=1e-300), "penalty2 must be at least 1e-100, got 1e-300"),
        (GPCoTraining(gamma=np.nan), "gamma must be a finite number, got nan"),
        (ManifoldGP(gamma=np.inf), "gamma must be a finite number, got inf"),
        (ViewGP(gamma=(1.0, 0.0)), "gamma == 0.0, must be > 0"),
        (GPCoTraining([[0], [1], [2]]), "GPCoTraining needs two views, got 3"),
        (MultiViewGP(coupling=-1.0), "coupling == -1.0, must be >= 0"),
        (MultiViewGP(penalty1=0.0), "penalty1 == 0.0, must be > 0"),
        (ManifoldGP(ratio=-1.0), "ratio == -1.0, must be >= 0"),
        (ManifoldGP(degree=0), "degree == 0, must be >= 1"),
        (ViewGP(form="mean"), "form must be 'averaged' or 'stacked', got 'mean'"),
    ],
)
def test_bad_parameters_are_named(learner, message):
    with pytest.raises(ValueError, match=message):
        fitted(learner)


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_matrices_are_made_by_one_thread_and_the_limit_is_lifted(learner, monkeypatch):
    """More threads of BLAS wait for each other where other processes are at work."""
    seen = []
    for owner, name in ((TrainingSets, "solve"), (Fitted, "scores_of")):
        real = getattr(owner, name)
        monkeypatch.setattr(owner, name, lambda *given, real=real: (seen.append(blas_threads()), real(*given))[1])
    with threadpool_limits(2, user_api="blas"):
        before = blas_threads()
        fitted(learner).decision_function(NEW)
        assert blas_threads() == before == {2}
    assert seen
    assert all(threads == {1} for threads in seen)


def blas_threads():
    return {library["num_threads"] for library in ThreadpoolController().info() if library["user_api"] == "blas"}
