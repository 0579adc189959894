"""Ours and theirs: the same optimum, the same meaning of every parameter, and scikit-learn's contract."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from helpers.linear_problems import LOSS_NAMES, blobs, objectives, ours, theirs, topics, weights_of
from helpers.slow import checks_of
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from foldless.core.batch import Member, Part, Question
from foldless.learners import LinearSVC, LogisticRegression
from foldless.learners.linear import _path_classifier

DATA = {
    "two topics": topics(300, 400, 2),
    "five topics": topics(300, 400, 5),
    "wide": blobs(60, 40, 3),  # coordinate descent
    "long": blobs(300, 6, 2, spread=3.0),  # Newton's method, but for the hinge
}


def same_optimum(X, y, a, b, loss, C, scaling=1.0, within=1e-4):
    mine, other = (objectives(X, y, model, C, loss, scaling) for model in (a, b))
    assert ((mine - other) / other).max() < within
    np.testing.assert_allclose(a.decision_function(X), b.decision_function(X), atol=1e-2)
    assert (a.predict(X) == b.predict(X)).mean() >= 0.999


REPEATED = "equal to seven digits, which single precision and a tolerance of 1e-3 do not give; see the test below"


@checks_of(
    [LinearSVC(random_state=0), LogisticRegression(random_state=0)],
    expected_failed_checks=lambda _: {
        "check_sample_weight_equivalence_on_dense_data": REPEATED,
        "check_sample_weight_equivalence_on_sparse_data": REPEATED,
    },
)
def test_contract(estimator, check):
    check(estimator)


@pytest.mark.parametrize("loss", LOSS_NAMES)
@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("C", [1e-6, 0.01, 1.0, 10.0])
def test_same_optimum_as_theirs(name, loss, C):
    X, y = DATA[name]
    a = ours(loss, C=C, tol=1e-6, max_iter=100_000).fit(X, y)
    b = theirs(loss, len(np.unique(y)), C=C, tol=1e-6, max_iter=1_000_000).fit(X, y)
    # margins of 1 − tol on separable rows cost C n tol, which single precision cannot lower
    same_optimum(X, y, a, b, loss, C, within=1e-3 if (loss, C) == ("hinge", 10) else 1e-4)


@pytest.mark.parametrize("loss", LOSS_NAMES)
@pytest.mark.parametrize("k", [2, 3])
def test_same_meaning_of_class_weights(loss, k):
    """With two classes a weight counts on both sides, with more only for the class against the rest."""
    X, y = topics(240, 200, k)
    X, y = X[y + np.arange(240) // 40 > 1], y[y + np.arange(240) // 40 > 1]  # classes of different size
    for weight in ({0: 3.0, 1: 0.5}, "balanced"):
        a = ours(loss, tol=1e-6, max_iter=20_000, class_weight=weight).fit(X, y)
        if loss == "logistic" and k > 2:  # their one-vs-rest weighs "the rest" by its own size
            continue
        b = theirs(loss, k, tol=1e-6, max_iter=1_000_000, class_weight=weight).fit(X, y)
        np.testing.assert_allclose(a.decision_function(X), b.decision_function(X), atol=1e-2)
    plain = ours(loss, tol=1e-6, max_iter=20_000).fit(X, y)
    assert np.abs(plain.decision_function(X) - a.decision_function(X)).max() > 0.02  # it does count


@pytest.mark.parametrize("loss", LOSS_NAMES)
@pytest.mark.parametrize("data", ["two topics", "long"])
def test_same_meaning_of_the_intercept(loss, data):
    X, y = DATA[data]
    for settings in ({"fit_intercept": False}, {"intercept_scaling": 5.0}):
        a = ours(loss, C=0.1, tol=1e-6, max_iter=50_000, **settings).fit(X, y)
        b = theirs(loss, 2, C=0.1, tol=1e-6, max_iter=1_000_000, **settings).fit(X, y)
        scaling = settings.get("intercept_scaling", 0.0)
        same_optimum(X, y, a, b, loss, 0.1, scaling)
        if not scaling:
            assert a.intercept_.tolist() == [0]


@pytest.mark.parametrize("loss", LOSS_NAMES)
@pytest.mark.parametrize("data", ["five topics", "long"])
def test_a_sample_weight_is_a_number_of_rows(loss, data):
    X, y = DATA[data]
    times = np.arange(len(y)) % 4
    again = np.repeat(np.arange(len(y)), times)
    for weight in (None, "balanced"):
        model = ours(loss, C=0.1, tol=1e-6, max_iter=20_000, class_weight=weight)
        weighted = clone(model).fit(X, y, sample_weight=times)
        repeated = clone(model).fit(X[again], y[again])
        np.testing.assert_allclose(weighted.decision_function(X), repeated.decision_function(X), atol=1e-3)
    scalar = clone(model).fit(X, y, sample_weight=2.0)
    np.testing.assert_allclose(
        scalar.decision_function(X), clone(model).set_params(C=0.2).fit(X, y).decision_function(X), atol=1e-3
    )


@pytest.mark.parametrize("loss", LOSS_NAMES)
@pytest.mark.parametrize("data", ["five topics", "wide", "long"])
def test_every_kind_of_matrix_gives_the_same_numbers(loss, data):
    X, y = DATA[data]
    dense = X.toarray() if sparse.issparse(X) else X.copy()
    dense[np.abs(dense) < 0.3] = 0
    dense = dense.astype(np.float32).astype(np.float64)
    first = ours(loss, C=0.1, max_iter=20_000).fit(dense, y)
    large = sparse.csr_array(dense)
    large.indices, large.indptr = large.indices.astype(np.int64), large.indptr.astype(np.int64)
    kinds = [dense.astype(np.float32), np.asfortranarray(dense), pd.DataFrame(dense), large]
    kinds += [make(dense) for make in (sparse.csr_matrix, sparse.csc_array, sparse.coo_matrix)]
    for other in kinds:
        model = ours(loss, C=0.1, max_iter=20_000).fit(other, y)
        assert (model.coef_ == first.coef_).all()
        assert (model.intercept_ == first.intercept_).all()
        np.testing.assert_allclose(model.decision_function(other), first.decision_function(dense), atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("loss", LOSS_NAMES)
@pytest.mark.parametrize("k", [2, 3, 4, 5, 15, 16, 17, 20, 33])
def test_any_number_of_classes(loss, k):
    X, y = topics(12 * k, 150, k)
    names = np.array([f"class {c:02d}" for c in range(k)])
    model = ours(loss, tol=1e-4).fit(X, names[y])
    columns = 1 if k == 2 else k
    assert model.coef_.shape == (columns, 150)
    assert model.intercept_.shape == (columns,)
    assert (model.classes_ == names).all()
    assert model.score(X, names[y]) > 0.8
    assert model.decision_function(X).shape == ((12 * k,) if k == 2 else (12 * k, k))
    last = ours(loss, tol=1e-4).fit(
        X, y == k - 1
    )  # the last class, in the last lane of the last block, against the rest
    np.testing.assert_allclose(model.coef_[-1], last.coef_[0], atol=5e-3)


@pytest.mark.parametrize("loss", LOSS_NAMES)
def test_data_at_the_edge(loss):
    X, y = blobs(40, 3, 2)
    model = ours(loss, max_iter=10_000)
    narrow = clone(model).fit(X[:, :1], y)
    assert narrow.coef_.shape == (1, 1)
    zero = clone(model).fit(np.zeros((5, 3)), [0, 1, 1, 1, 1])
    assert (zero.coef_ == 0).all()
    assert (zero.predict(np.ones((2, 3))) == 1).all()
    nothing = clone(model).set_params(fit_intercept=False).fit(np.zeros((5, 3)), [0, 1, 1, 1, 1])
    assert (nothing.decision_function(np.ones((2, 3))) == 0).all()
    holes = sparse.vstack([sparse.csr_array(X), sparse.csr_array((6, 3))], format="csr")
    assert np.isfinite(clone(model).fit(holes, np.r_[y, y[:6]]).coef_).all()
    double = clone(model).set_params(C=0.5, tol=1e-6).fit(np.vstack([X, X]), np.r_[y, y])
    np.testing.assert_allclose(double.coef_, clone(model).set_params(tol=1e-6).fit(X, y).coef_, atol=1e-3)
    lonely = clone(model).fit(np.vstack([X, [[9.0, 9, 9]]]), np.r_[y, 2])
    assert lonely.predict([[9.0, 9, 9]]) == 2
    two = clone(model).fit([[1.0], [2.0]], ["a", "b"])
    assert set(two.classes_) == {"a", "b"}


@pytest.mark.parametrize("loss", LOSS_NAMES)
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e4])
def test_extreme_costs_and_sizes(loss, scale):
    """Nothing becomes nan, what does not converge is told, and what is easy is right."""
    for X, y in (topics(60, 100, 3), blobs(60, 4, 2)):
        for C in (1e-6, 1e6):
            for weight in (None, {0: 1e-3, 1: 1e3}):
                model = ours(loss, C=C, class_weight=weight, max_iter=300)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", ConvergenceWarning)
                    model.fit(X * scale, y)
                assert np.isfinite(model.coef_).all()
                assert np.isfinite(model.decision_function(X * scale)).all()
                if C * scale > 1 and sparse.issparse(X):
                    assert model.score(X * scale, y) == 1.0


@pytest.mark.parametrize("C", [1e2, 1e4, 1e6])
def test_separable_data_at_large_costs(C):
    """The optimum is where the hard margin is: squared hinge and logistic loss reach theirs at the default tol."""
    X, y = topics(200, 600, 2, words=20)
    for loss, within in (
        ("squared_hinge", {1e2: 1e-3, 1e4: 1e-2, 1e6: 0.5}),
        ("logistic", dict.fromkeys((1e2, 1e4, 1e6), 1e-4)),
    ):
        a = ours(loss, C=C).fit(X, y)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            b = theirs(loss, 2, C=C, tol=1e-8, max_iter=10_000).fit(X, y)
        f, best = (objectives(X, y, model, C, loss)[0] for model in (a, b))
        assert f / best - 1 < within[C]


def test_n_iter_and_the_warning():
    X, y = DATA["five topics"]
    with pytest.warns(
        ConvergenceWarning, match="converge in 2 passes at C = 1: lower C, raise max_iter or tol"
    ) as warned:
        model = LinearSVC(max_iter=2).fit(X, y)
    assert len(warned) == 1
    assert warned[0].filename == __file__
    assert model.n_iter_ == 2
    assert 2 < LinearSVC().fit(X, y).n_iter_ < LinearSVC(tol=1e-6).fit(X, y).n_iter_


def test_random_state():
    X, y = DATA["five topics"]
    loose = {"tol": 0.1}
    same = [LinearSVC(random_state=3, **loose).fit(X, y).coef_ for _ in range(2)]
    assert (same[0] == same[1]).all()
    assert (same[0] != LinearSVC(random_state=4, **loose).fit(X, y).coef_).any()


@pytest.mark.parametrize("loss", LOSS_NAMES)
def test_threads_do_not_change_a_fit(loss, monkeypatch):
    X, y = topics(330, 200, 33)
    coefs = []
    for number in ("1", "2"):
        monkeypatch.setenv("OMP_NUM_THREADS", number)
        coefs.append(ours(loss).fit(X, y).coef_)
    assert (coefs[0] == coefs[1]).all()


@pytest.mark.parametrize(("change", "message"), [
    ({"C": 0}, "C == 0, must be > 0"),
    ({"C": -1.0}, "C == -1.0, must be > 0"),
    ({"C": np.nan}, "C must be a finite number, got nan"),
    ({"C": np.inf}, "C must be a finite number, got inf"),
    ({"tol": 0.0}, "tol == 0.0, must be > 0"),
    ({"max_iter": 0}, "max_iter == 0, must be >= 1"),
    ({"intercept_scaling": 0.0}, "intercept_scaling == 0.0, must be > 0"),
    ({"loss": "log"}, "loss must be 'squared_hinge' or 'hinge', got 'log'"),
    ({"class_weight": {0: -1.0}}, "class_weight must be 0 or more"),
])  # fmt: skip
def test_parameters_that_cannot_be(change, message):
    with pytest.raises(ValueError, match=message):
        LinearSVC(**change).fit(*DATA["long"])


def test_data_that_cannot_be():
    X, y = DATA["long"]
    with pytest.raises(ValueError, match="at least 2 classes, the labels hold one class: 'a'"):
        LinearSVC().fit(X, ["a"] * len(y))
    for bad in (-np.ones(len(y)), np.zeros(len(y)), np.full(len(y), np.nan), np.full(len(y), np.inf), np.ones(3)):
        with pytest.raises(ValueError, match="sample_weight must hold 300 finite numbers"):
            LinearSVC().fit(X, y, sample_weight=bad)
    for big in (X * 1e200, sparse.csr_array(X * 1e200)):
        with pytest.raises(ValueError, match="scale them"):
            LinearSVC().fit(big, y)


def test_clone_pickle_and_names():
    X, y = DATA["long"]
    frame = pd.DataFrame(X, columns=list("abcdef"))
    model = LinearSVC(C=0.01, loss="hinge", random_state=0).fit(frame, y)
    assert model.feature_names_in_.tolist() == list("abcdef")
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[list("bacdef")])
    again = pickle.loads(pickle.dumps(model))
    assert (again.decision_function(frame) == model.decision_function(frame)).all()
    assert clone(model).get_params() == model.get_params()
    assert not hasattr(clone(model), "coef_")


def test_weights_of_two_classes_point_to_the_second():
    X, y = DATA["long"]
    for loss in LOSS_NAMES:
        coef, intercept = weights_of(ours(loss, max_iter=20_000).fit(X, np.where(y == 1, "yes", "no")))
        assert ((X @ coef[0] + intercept[0] > 0) == (y == 1)).mean() > 0.6


def _solved(model, X, y, pool, rows=slice(None), start=None, keep=False, costs=(10.0,)):
    """Answers of a batch on some rows: labels of others, scores, and the kept models as bytes."""
    at = np.arange(len(y))[rows]
    question = Question(Part(1), "scores")
    members = [Member({"C": C}, Part(0, at), y[at], (question,), keep, start=start) for C in costs]
    return model.answer_batch([X, pool], members)


def _few_words(n=120, k=5):
    """Rows of few words each, so that a solution is held as the sum of its rows."""
    rng = np.random.default_rng(0)
    y = np.arange(n) % k
    words = np.where(rng.random((n, 6)) < 0.7, 300 * y[:, None], 0) + rng.integers(300, size=(n, 6))
    return sparse.csr_matrix((np.ones(6 * n), (np.repeat(np.arange(n), 6), words.ravel())), shape=(n, 300 * k)), y


@pytest.mark.parametrize("loss", ["squared_hinge", "hinge"])
def test_fits_on_a_part_start_from_the_whole_and_end_where_they_would(loss):
    X, y = _few_words()
    model, part = LinearSVC(loss=loss, random_state=0), np.arange(len(y)) % 6 > 0
    whole = _solved(model, X, y, X, keep=True, costs=(1.0, 10.0))[-1]
    start = model.start_of(pickle.dumps(whole.model), np.flatnonzero(part))
    assert start.alphas.shape == (100, 5)
    (cold,), (warm,) = (_solved(model, X, y, X, rows=part, start=each) for each in (None, start))
    np.testing.assert_allclose(warm.answers[0], cold.answers[0], atol=1e-2)
    # the start is used: from the solution itself, no pass moves anything by more than the tolerance
    (again,) = _solved(model, X, y, X, start=model.start_of(pickle.dumps(whole.model), np.arange(len(y))))
    np.testing.assert_allclose(again.answers[0], whole.answers[0], atol=2e-3)


def test_a_fit_that_is_judged_only_labels_rows_as_an_exact_one_does(monkeypatch):
    X, y = _few_words(900, 30)
    model, part = LinearSVC(random_state=0), np.flatnonzero(np.arange(len(y)) % 5 > 0)
    whole = _solved(model, X, y, X, keep=True, costs=(1.0, 10.0))[-1]
    start = model.start_of(pickle.dumps(whole.model), part)
    (roughly,) = _solved(model, X, y, X, rows=part, start=start)
    (exact,) = _solved(LinearSVC(random_state=0, tol=1e-5), X, y, X, rows=part)
    assert (roughly.answers[0].argmax(axis=1) == exact.answers[0].argmax(axis=1)).mean() >= 0.999
    np.testing.assert_allclose(roughly.answers[0], exact.answers[0], atol=5e-3)
    monkeypatch.setattr(_path_classifier, "ROUGHLY", 300.0)  # what the limit is for
    (wrong,) = _solved(model, X, y, X, rows=part, start=start)
    assert (wrong.answers[0].argmax(axis=1) == exact.answers[0].argmax(axis=1)).mean() < 0.999


def test_a_start_has_the_classes_that_are_left():
    X, y = _few_words()
    model, part = LinearSVC(random_state=0), np.flatnonzero(y < 2)
    whole = _solved(model, X, y, X, keep=True, costs=(1.0, 10.0))[-1]
    for kept in (part, np.flatnonzero(y != 1)):
        start = model.start_of(pickle.dumps(whole.model), kept)
        (cold,), (warm,) = (_solved(model, X, y, X, rows=kept, start=each) for each in (None, start))
        np.testing.assert_allclose(warm.answers[0], cold.answers[0], atol=1e-2)


def test_where_weights_are_held_or_the_loss_is_another_there_is_no_start():
    for model, (X, y) in ((LinearSVC(), blobs(300, 6, 2)), (LogisticRegression(), _few_words())):
        whole = _solved(model, X, y, X, keep=True, costs=(1.0, 10.0))[-1]
        assert model.start_of(pickle.dumps(whole.model), np.arange(10)) is None
