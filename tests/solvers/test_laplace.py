"""Evidence and predictions against scikit-learn, against one dimension by hand, and over 22 decades."""

import numpy as np
import pytest
from scipy.optimize import brentq, minimize
from scipy.special import expit, log_expit
from scipy.stats import norm
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel

from foldless.solvers._laplace import Problems, Solved, mode_of, solve, solve_apart

rng = np.random.default_rng(0)  # for these two only: what tests draw must not depend on their order
X = rng.normal(size=(60, 3))
TARGET = X[:, 0] + rng.normal(size=60) / 2 > 0


def some(*sizes):
    """Training sets of so many random rows."""
    random = np.random.default_rng(1)
    return [(rows, TARGET[rows]) for rows in (random.permutation(60)[:n] for n in sizes)]


def solved(K, sets, asked, times=None):
    """Evidence and scores of training sets, each (rows, targets), all asked about the same rows."""
    ends = np.cumsum([0] + [len(rows) for rows, _ in sets])
    rows, targets = (np.concatenate(parts) for parts in zip(*sets, strict=True))
    questions = np.tile(asked, len(sets))
    times = np.ones(len(rows)) if times is None else times
    problems = Problems(rows, targets, times, ends, questions, np.arange(len(sets) + 1) * len(asked))
    out = Solved(np.empty(len(sets)), np.empty(len(questions)))
    solve(K, problems, 0, len(sets), out)
    return out.evidence, out.scores.reshape(len(sets), len(asked))


def latent(K, rows, target):
    """The mode by a general-purpose optimizer, and all that follows from it."""
    block = K[np.ix_(rows, rows)]
    sign = 2.0 * target - 1

    def loss(a):
        f = block @ a
        return 0.5 * a @ f - log_expit(sign * f).sum(), f - block @ (target - expit(f))

    a = minimize(loss, np.zeros(len(rows)), jac=True, method="BFGS", options={"gtol": 1e-10, "maxiter": 10_000}).x
    f = block @ a
    W = expit(f) * expit(-f)
    mean = K[:, rows] @ (target - expit(f))
    variance = np.diag(K) - np.sum(K[:, rows] * np.linalg.solve(block + np.diag(1 / W), K[rows]).T, axis=1)
    evidence = -loss(a)[0] - 0.5 * np.linalg.slogdet(np.eye(len(rows)) + W * block)[1]
    return evidence, mean / np.sqrt(1 + np.pi * variance / 8)


@pytest.mark.parametrize("scale", [1e-8, 1e-2, 1.0, 30.0, 1e4, 1e8])
def test_evidence_equals_scikit_learns(scale):
    kernel = ConstantKernel(scale) * RBF(1.5)
    K, everything = kernel(X), np.arange(60)
    # their Newton steps are never halved: with a kernel that large they end beside the mode of some larger sets
    sets = some(4, 7, 20, 45) if scale < 1e8 else some(4, 7)
    evidence, scores = solved(K, sets, everything)
    for at, (rows, target) in enumerate(sets):
        theirs = GaussianProcessClassifier(kernel, optimizer=None, max_iter_predict=10_000).fit(X[rows], target)
        assert evidence[at] == pytest.approx(theirs.log_marginal_likelihood_value_, abs=1e-6)
        # they average σ over the latent normal by five error functions, we by one
        np.testing.assert_allclose(expit(scores[at]), theirs.predict_proba(X)[:, 1], atol=0.02)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 50.0])
def test_same_as_the_definition_solved_by_scipy(scale):
    K = scale * RBF(1.0)(X)
    rows = np.arange(12)
    expected = latent(K, rows, TARGET[rows])
    evidence, scores = solved(K, [(rows, TARGET[rows])], np.arange(60))
    assert evidence[0] == pytest.approx(expected[0], abs=1e-8)
    np.testing.assert_allclose(scores[0], expected[1], atol=1e-6)


@pytest.mark.parametrize("k", 10.0 ** np.arange(-10, 13, 2))
@pytest.mark.parametrize("signs", [[1, 1, 1], [1, -1], [1, -1, 1, 1, -1, 1]])
def test_one_dimension_by_hand_over_22_decades(k, signs):
    """Copies of one row: a kernel of rank one, whose mode is the root of Σ y σ(−y f) = f / k."""
    signs = np.array(signs)
    f = brentq(lambda f: np.sum(signs * expit(-signs * f)) - f / k, -60, 60, xtol=1e-28, rtol=1e-15)
    W = expit(f) * expit(-f)
    expected = log_expit(signs * f).sum() - f**2 / (2 * k) - 0.5 * np.log1p(k * len(signs) * W)
    variance = k / (1 + k * len(signs) * W)
    evidence, scores = solved(np.full((7, 7), k), [(np.arange(len(signs)), signs > 0)], np.array([0, 6]))
    assert evidence[0] == pytest.approx(expected, abs=1e-7)
    # labels that disagree leave f to 1e-16 of K: the difference of halves
    np.testing.assert_allclose(scores[0], f / np.sqrt(1 + np.pi * variance / 8), rtol=1e-7, atol=1e-15 * k)


def test_the_score_is_the_logit_of_the_mean_probability():
    """MacKay's formula against the integral, whose error it keeps below 0.02."""
    K = 9.0 * RBF(1.0)(X[:20])
    rows = np.arange(6)
    _, scores = solved(K, [(rows, TARGET[rows])], np.arange(6, 20))
    block, (_, near) = K[np.ix_(rows, rows)], latent(K, rows, TARGET[rows])
    np.testing.assert_allclose(scores[0], near[6:], atol=1e-6)
    mode = minimize(lambda a: 0.5 * a @ block @ a - log_expit((2 * TARGET[rows] - 1) * (block @ a)).sum(), np.zeros(6))
    f = block @ mode.x
    W = expit(f) * expit(-f)
    for at, u in enumerate(range(6, 20)):
        mean = K[u, rows] @ (TARGET[rows] - expit(f))
        sd = np.sqrt(K[u, u] - K[u, rows] @ np.linalg.solve(block + np.diag(1 / W), K[rows, u]))
        exact = norm(mean, sd).expect(expit)
        assert expit(scores[0, at]) == pytest.approx(exact, abs=0.02)
        assert abs(expit(mean) - exact) > 0.02 or abs(mean) < 0.3  # which the mean alone does not reach


def test_many_sets_are_solved_as_each_alone():
    K = RBF(0.7)(X)
    sets = some(2, 5, 9, 30, 4)
    evidence, scores = solved(K, sets, np.arange(60))
    for at, training in enumerate(sets):
        alone = solved(K, [training], np.arange(60))
        assert evidence[at] == alone[0][0]
        np.testing.assert_array_equal(scores[at], alone[1][0])


def test_rows_outside_of_the_matrix():
    K, rows = RBF(0.7)(X), np.arange(15)
    _, scores = solved(K, [(rows, TARGET[rows])], np.arange(60))
    block, cross = K[:15, :15], K[:, :15]
    mode = mode_of(block, TARGET[rows], np.ones(15))
    for _ in range(2):  # nothing of a mode is used up
        np.testing.assert_allclose(solve_apart(mode, cross, np.ones(60)), scores[0], rtol=1e-12)


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e4])
def test_a_label_given_often_is_as_many_rows(scale):
    K, rows = scale * RBF(0.7)(X), np.arange(15)
    times = np.random.default_rng(1).integers(1, 6, size=15)
    again = np.repeat(rows, times)
    counted = solved(K, [(rows, TARGET[rows])], np.arange(60), times.astype(float))
    repeated = solved(K, [(again, TARGET[again])], np.arange(60))
    np.testing.assert_allclose(counted[0], repeated[0], rtol=1e-9)
    np.testing.assert_allclose(counted[1], repeated[1], rtol=1e-7, atol=1e-12)
    once = solved(K, [(rows, TARGET[rows])], np.arange(60))
    assert np.abs(once[0] - repeated[0]) > 0.1


def test_a_kernel_of_zeros_knows_nothing():
    evidence, scores = solved(np.zeros((4, 4)), [(np.arange(4), np.array([True, False, True, True]))], np.arange(4))
    assert evidence[0] == pytest.approx(4 * np.log(0.5))
    assert not scores.any()


def test_shapes_that_do_not_fit_are_refused():
    two = np.array([True, False])
    with pytest.raises(ValueError, match=r"shape \(3, 3\).* do not match 2 labels"):
        mode_of(np.eye(3), two, np.ones(2))
    with pytest.raises(ValueError, match=r"counts of shape \(3,\) do not match 2 labels"):
        mode_of(np.eye(2), two, np.ones(3))
    with pytest.raises(ValueError, match=r"shape \(1, 3\) do not match 1 rows and 2 labels"):
        solve_apart(mode_of(np.eye(2), two, np.ones(2)), np.ones((1, 3)), np.ones(1))
