"""Co-regularized logistic regression as a scikit-learn classifier and a batch learner; its optimum is tested apart."""

import numpy as np
import pandas as pd
import pytest
from helpers.searches import plain_search
from helpers.slow import slow_beyond
from helpers.two_views import VIEWS, blobs, synth
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.compose import make_column_selector
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks
from skops.io import dumps, loads

from foldless.core.batch import Member, Part, Question
from foldless.criteria import SimilarData
from foldless.learners import CoRegularizedLogisticRegression, L1LogisticRegression
from foldless.learners.co_training import co_regularized_logistic_regression
from foldless.learners.co_training.co_regularized_logistic_regression import Agreement
from foldless.saving._trusted import trusted_types

Learner = CoRegularizedLogisticRegression


@parametrize_with_checks(
    [Learner()],
    expected_failed_checks=lambda _: {
        "check_classifiers_classes": "the labels are -1 and 1, and -1 means that there is no label"
    },
)
def test_contract(estimator, check):
    check(estimator)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_it_answers_with_the_mean_of_both_scores(n_classes):
    X, _, known = blobs(60, 6, n_classes)
    model = Learner(views=VIEWS).fit(X, known)
    scores = [X[:, view] @ w.T + b for view, w, b in zip(VIEWS, model.coefs_, model.intercepts_, strict=True)]
    mean = (scores[0] + scores[1]) / 2
    if n_classes == 2:
        mean = mean.ravel()
        raw = np.column_stack([expit(-mean), expit(mean)])
    else:
        raw = expit(mean) / expit(mean).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.decision_function(X), mean, atol=1e-12)
    np.testing.assert_allclose(model.predict_proba(X), raw, atol=1e-12)
    np.testing.assert_array_equal(model.predict(X), raw.argmax(axis=1))


def test_without_mu_two_regressions():
    X, _, known = blobs(60, 8)
    model = Learner(lam=0.02, mu=0, views=VIEWS, tol=1e-8).fit(X, known)
    for view, coef, intercept in zip(VIEWS, model.coefs_, model.intercepts_, strict=True):
        alone = L1LogisticRegression(lam=0.02, tol=1e-8).fit(X[known != -1][:, view], known[known != -1])
        np.testing.assert_allclose(coef, alone.coef_, atol=1e-5)
        np.testing.assert_allclose(intercept, alone.intercept_, atol=1e-5)


def test_the_larger_mu_the_closer_the_views():
    X, _, known = synth(0)
    gaps = []
    for mu in (0, 1e-3, 1e-1, 10, 1e3):
        model = Learner(lam=1e-3, mu=mu, views=VIEWS).fit(X, known)
        first, second = (X[:, v] @ w[0] + b for v, w, b in zip(VIEWS, model.coefs_, model.intercepts_, strict=True))
        gaps.append(np.mean((first - second)[known == -1] ** 2))
    assert (np.diff(gaps) < 0).all()
    assert gaps[-1] < 1e-3 * gaps[0]


def test_unlabeled_rows_help():
    """Mean error over ten sets of four labels: what the views agree on is nearer to the classes."""
    errors = []
    for mu in (0, 1):
        fits = [(Learner(mu=mu, views=VIEWS).fit(X, known), X, y) for X, y, known in map(synth, range(10))]
        errors.append(np.mean([1 - model.score(X, y) for model, X, y in fits]))
    assert errors[1] < 0.75 * errors[0]


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_array])
def test_sparse_is_dense(form):
    X, _, known = blobs(60, 6)
    X[np.abs(X) < 1] = 0
    dense, other = Learner(views=VIEWS).fit(X, known), Learner(views=VIEWS).fit(form(X), known)
    np.testing.assert_allclose(other.predict_proba(form(X)), dense.predict_proba(X), atol=1e-8)


def test_views_by_name_and_labels_of_any_kind():
    X, _, known = blobs(60, 6)
    frame = pd.DataFrame(X, columns=list("abcd"))
    words = np.where(known == -1, -1, np.array(["no", "yes"], dtype=object)[known])
    named = Learner(views=[["b", "a"], ["d", "c"]]).fit(frame, words)
    numbered = Learner(views=[[1, 0], [3, 2]]).fit(X, known)
    assert named.classes_.tolist() == ["no", "yes"]
    np.testing.assert_array_equal(named.predict_proba(frame), numbered.predict_proba(X))


def test_a_view_of_zeros_and_identical_rows():
    X, _, known = blobs(60, 6)
    X[:, 2:] = 0
    X, known = np.vstack([X, X]), np.append(known, known)
    for mu in (0, 1, 1e6):
        model = Learner(mu=mu, views=VIEWS).fit(X, known)
        assert not model.coefs_[1].any()
        assert np.isfinite(model.predict_proba(X)).all()
    same = Learner(views=VIEWS).fit(np.ones((9, 4)), [0, 1, 0, 1, 1, -1, -1, -1, -1])
    np.testing.assert_allclose(same.predict_proba(np.ones((1, 4))), [[0.4, 0.6]], atol=1e-3)


def test_what_it_refuses():
    X, _, known = blobs(60, 6)
    for params, message in (
        ({"lam": 0}, "lam"),
        ({"mu": -1.0}, "mu"),
        ({"mu": np.inf}, "mu must be a finite number, got inf"),
        ({"tol": 0}, "tol"),
        ({"views": [[0], [1], [2]]}, "CoRegularizedLogisticRegression needs two views, got 3"),
    ):
        with pytest.raises(ValueError, match=message):
            Learner(**params).fit(X, known)
    with pytest.raises(ValueError, match="one class: 1"):
        Learner().fit(X, np.where(known == 1, 1, -1))


def test_it_says_when_it_did_not_converge(monkeypatch):
    X, _, known = blobs(60, 6)
    monkeypatch.setattr(co_regularized_logistic_regression, "MAX_STEPS", 1)
    with pytest.warns(ConvergenceWarning, match="CoRegularizedLogisticRegression did not converge in"):
        Learner(lam=1e-6, views=VIEWS).fit(X, known)


def grid(X, y, rows, keep=False):
    """A member for each λ and μ, in the order of no path; the last asks for scores on a block of its own."""
    train, rest = Part(0, rows[:8]), Part(0, rows[8:])
    questions = (Question(rest, "labels"), Question(train, "probabilities"), Question(Part(1), "scores"))
    return [
        Member({"lam": lam, "mu": mu}, train, y[rows[:8]], questions, keep, rest)
        for lam in (1e-3, 0.5, 1e-2)
        for mu in (1.0, 0.0, 1e3)
    ]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_a_batch_says_what_fits_say(n_classes, form):
    """Up to what tol allows, because each problem starts from its neighbor."""
    X, y, _ = blobs(60, 8, n_classes)
    rows = np.random.default_rng(0).permutation(50)
    members = grid(X, y, rows, keep=True)
    learner = Learner(views=VIEWS, tol=1e-8)
    for member, answered in zip(members, learner.answer_batch([form(X[:50]), form(X[50:])], members), strict=True):
        model = Learner(**member.params, views=VIEWS, tol=1e-8)
        model.fit(form(X[rows]), np.append(member.y, np.full(42, -1)))
        labels, probabilities, scores = answered.answers
        np.testing.assert_allclose(probabilities, model.predict_proba(form(X[rows[:8]])), atol=1e-5)
        np.testing.assert_allclose(scores, model.decision_function(form(X[50:])), atol=1e-4)
        kept = answered.model
        assert (kept.lam, kept.mu, kept.n_features_in_) == (member.params["lam"], member.params["mu"], 4)
        np.testing.assert_array_equal(labels, kept.predict(form(X[rows[8:]])))
        np.testing.assert_allclose(scores, kept.decision_function(form(X[50:])), rtol=1e-12)
        np.testing.assert_array_equal(answered.classes, np.arange(n_classes))


def test_a_batch_with_no_pool_and_classes_that_are_missing():
    X, y, _ = blobs(60, 8)
    (first, *_) = grid(X, 2 * y, np.arange(50))
    alone = Member(first.params, first.train, first.y, first.questions[:1], False)
    (answered,) = Learner(views=VIEWS).answer_batch([X], [alone])
    assert answered.model is None
    assert set(answered.answers[0]) <= {0, 2}
    assert answered.classes.tolist() == [0, 2]


def test_a_search_over_the_grid():
    X, y, known = synth(0)
    labeled = known != -1
    words = np.array(["no", "yes"])[y]
    search = plain_search(
        Learner(views=VIEWS), {"lam": [1e-4, 1e-2], "mu": [1e-2, 1.0]}, criterion=SimilarData(5), random_state=0
    )
    search.fit(X[labeled], words[labeled], X_unlabeled=X[~labeled])
    assert search.score(X[~labeled], words[~labeled]) > 0.85
    again = loads(dumps(search.best_estimator_), trusted=trusted_types())
    np.testing.assert_array_equal(again.predict(X), search.predict(X))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_row_of_fit_has_a_label(n_classes):
    X, _, known = blobs(60, 9, n_classes)
    words = np.where(known == -1, -1, np.array(["ant", "bee", "cat"], dtype=object)[known])
    for form in (np.asarray, sparse.csr_array):
        model = Learner(views=VIEWS).fit(form(X), words)
        given = known != -1
        assert (model.transduction_[given] == words[given]).all()
        np.testing.assert_array_equal(model.transduction_[~given], model.predict(form(X[~given])))
    assert Learner(views=VIEWS).fit(X, np.arange(60) % n_classes).transduction_.tolist() == list(range(n_classes)) * (
        60 // n_classes
    )


def test_functions_choose_columns_once():
    X, _, known = blobs(60, 6)
    frame = pd.DataFrame(X, columns=list("abcd")).assign(c=np.arange(60) % 5)
    views = [make_column_selector(dtype_include=float), make_column_selector(dtype_include=int)]
    model = Learner(views=views).fit(frame, known)
    assert [view.tolist() for view in model.views_] == [[0, 1, 3], [2]]
    np.testing.assert_array_equal(model.predict(frame.astype(float)), model.predict(frame))
    search = plain_search(Learner(views=views), {"mu": [0.1, 1]}, criterion=SimilarData(3), random_state=0)
    assert [view.tolist() for view in search.fit(frame, known).best_estimator_.views_] == [[0, 1, 3], [2]]


def test_labels_that_are_missing():
    X, _, known = blobs(60, 6)
    words = pd.Series(np.array(["a", "b", None], dtype=object)[known])
    for y in (words.astype("string"), words.tolist(), np.where(known == -1, np.nan, known)):
        with pytest.raises(ValueError, match=r"y has no label .* in 54 rows, the first is row 6: mark them with"):
            Learner().fit(X, y)


N, U = 8, 40


def problem(n_classes=2, form=np.asarray, seed=0):
    X, y, _ = blobs(N + U, N, n_classes, seed=seed)
    views = [X[:, view] / 2 for view in VIEWS]
    codes = y[:N]
    return views, codes, Agreement([form(v) for v in views], np.arange(N), np.arange(N, N + U), codes, n_classes)


def objective(parts, views, signs, lam, mu):
    """As the paper has it, with the weights of one class."""
    scores = [view @ coef + intercept for view, (coef, intercept) in zip(views, parts, strict=True)]
    loss = sum(np.logaddexp(0, -signs * f[:N]).mean() for f in scores)
    return loss + lam * sum(np.abs(coef).sum() for coef, _ in parts) + mu * np.mean((scores[0] - scores[1])[N:] ** 2)


def solved(agreement, lam, mu, tol=1e-8):
    weights = agreement.start()
    assert agreement.solve(lam, mu, tol, 1000, weights) == 0
    return agreement.by_view(weights)


def of_class(parts, k=0):
    return [(coef[k], intercept[k]) for coef, intercept in parts]


@pytest.mark.parametrize("lam", [0.1, 1e-3])
@pytest.mark.parametrize("mu", [0.0, 0.01, 1.0, 100.0])
def test_minimum_of_scipy(lam, mu):
    views, codes, agreement = problem()
    signs = 2.0 * codes - 1

    def split(v):  # w = v₊ − v₋ makes the penalty linear
        w, b = v[:4] - v[4:8], v[8:]
        parts = [(w[:2], b[0]), (w[2:], b[1])]
        return objective(parts, views, signs, 0.0, mu) + lam * v[:8].sum()

    bounds = [(0, None)] * 8 + [(None, None)] * 2
    theirs = minimize(split, np.full(10, 0.1), method="L-BFGS-B", bounds=bounds, tol=1e-14, options={"maxfun": 10**5})
    ours = objective(of_class(solved(agreement, lam, mu)), views, signs, lam, mu)
    assert ours <= theirs.fun + 1e-9
    assert ours == pytest.approx(theirs.fun, abs=1e-5)


def fista(views, signs, lam, mu, steps=20_000):
    """Beck and Teboulle (2009) with step 1 / L, on the columns of both views and two intercepts."""
    A = np.hstack([views[0], np.ones((N + U, 1)), views[1], np.ones((N + U, 1))])
    first, second, apart = A[:N] * [1, 1, 1, 0, 0, 0], A[:N] * [0, 0, 0, 1, 1, 1], A[N:] * [1, 1, 1, -1, -1, -1]
    curvature = (first.T @ first + second.T @ second) / (4 * N) + 2 * mu * apart.T @ apart / U
    step, penalties = 1 / np.linalg.eigvalsh(curvature)[-1], lam * np.array([1, 1, 0, 1, 1, 0])
    w = v = np.zeros(6)
    t = 1.0
    for _ in range(steps):
        gradient = sum(-rows.T @ (signs * expit(-signs * (rows @ v))) / N for rows in (first, second))
        free = v - step * (gradient + 2 * mu * apart.T @ (apart @ v) / U)
        new = np.sign(free) * np.maximum(np.abs(free) - step * penalties, 0)
        t, before = (1 + np.sqrt(1 + 4 * t * t)) / 2, t
        v, w = new + (before - 1) / t * (new - w), new
    return [(w[:2], w[2]), (w[3:5], w[5])]


@pytest.mark.parametrize(("lam", "mu"), slow_beyond(1, [(0.1, 0.1), (0.02, 1.0), (0.3, 0.0), (0.05, 20.0)]))
def test_minimum_of_fista(lam, mu):
    views, codes, agreement = problem(seed=1)
    theirs, ours = fista(views, 2.0 * codes - 1, lam, mu), of_class(solved(agreement, lam, mu))
    for (coef, intercept), (other, b) in zip(ours, theirs, strict=True):
        np.testing.assert_allclose([*coef, intercept], [*other, b], atol=1e-5)


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_array])
def test_a_problem_of_sparse_views_is_that_of_dense_ones(form):
    _, _, dense = problem()
    _, _, other = problem(form=form)
    for first, second in zip(of_class(solved(dense, 0.01, 1.0)), of_class(solved(other, 0.01, 1.0)), strict=True):
        np.testing.assert_allclose(first[0], second[0], atol=1e-8)
        np.testing.assert_allclose(first[1], second[1], atol=1e-8)


def test_each_of_three_classes_is_against_the_rest():
    views, codes, agreement = problem(3)
    parts = solved(agreement, 0.01, 1.0)
    for k in range(3):
        alone = Agreement(views, np.arange(N), np.arange(N, N + U), (codes == k).astype(int), 2)
        for first, second in zip(of_class(parts, k), of_class(solved(alone, 0.01, 1.0)), strict=True):
            np.testing.assert_array_equal(first[0], second[0])
            assert first[1] == second[1]


@pytest.mark.parametrize("exponent", [-40, -20, 0, 12, 25])
def test_it_ends_everywhere_on_the_papers_grid(exponent):
    """A gradient method with step 1 / L would move as little as μ is large."""
    views, codes, agreement = problem(seed=2)
    for lam in 2.0 ** np.array([3, -10, -20]):
        parts = of_class(solved(agreement, lam, 2.0**exponent, 1e-4))
        least = objective(of_class(solved(agreement, lam, 2.0**exponent)), views, 2.0 * codes - 1, lam, 2.0**exponent)
        got = objective(parts, views, 2.0 * codes - 1, lam, 2.0**exponent)
        assert got - least <= 1e-3


def test_without_unlabeled_rows_the_views_are_apart():
    views, codes, _ = problem()
    views = [view[:N] for view in views]
    none = Agreement(views, np.arange(N), np.arange(0), codes, 2)
    for first, second in zip(of_class(solved(none, 0.01, 50.0)), of_class(solved(none, 0.01, 0.0)), strict=True):
        np.testing.assert_array_equal(first[0], second[0])
