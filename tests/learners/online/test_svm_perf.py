"""SVMPerf against a quadratic program with all constraints there are."""

from itertools import product

import numpy as np
import pytest
from helpers.counting_problems import drawn, weights_of
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from foldless.measures import BAKLD, KLD, NSS, QMeasure, rates
from foldless.online import SVMPerf


def all_constraints(X, y, measure):
    positive, n = y == 1, len(y)
    rows = np.hstack([X, np.ones((n, 1))])
    for bits in product([False, True], repeat=n):
        predicted = np.array(bits)
        loss = measure.value(1.0, 1.0, y.mean(), n) - measure.value(*rates(positive, predicted), y.mean(), n)
        yield 2 * (positive.astype(float) - predicted) @ rows / n, loss


@pytest.mark.parametrize("measure", [KLD(), NSS(), BAKLD(0.4), QMeasure()], ids=str)
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_same_objective_as_a_generic_quadratic_program(measure, C):
    X, y = drawn(8, 2, share=0.4, seed=5)
    planes, losses = map(np.array, zip(*all_constraints(X, y, measure), strict=True))

    def slack(w):
        return max(0.0, (losses - planes @ w).max())

    generic = minimize(
        lambda v: 0.5 * v[:-1] @ v[:-1] + C * v[-1], np.zeros(4), jac=lambda v: np.append(v[:-1], C), method="SLSQP",
        constraints=[
            {"type": "ineq", "fun": lambda v: planes @ v[:-1] - losses + v[-1],
             "jac": lambda v: np.hstack([planes, np.ones((len(planes), 1))])},
            {"type": "ineq", "fun": lambda v: v[-1:], "jac": lambda v: np.array([[0.0, 0, 0, 1]])},
        ], options={"maxiter": 1000, "ftol": 1e-12},
    )  # fmt: skip
    model = SVMPerf(measure, C=C, tol=1e-6).fit(X, y)
    w = weights_of(model)
    mine = 0.5 * w @ w + C * slack(w)
    theirs = 0.5 * generic.x[:-1] @ generic.x[:-1] + C * slack(generic.x[:-1])
    assert mine <= theirs + 1e-5 * C
    assert mine >= theirs - 1e-4 * C
    np.testing.assert_allclose(model.objective_, mine, atol=1e-9)


def test_tolerance_and_constraints():
    X, y = drawn(500, 3)
    loose, tight = (SVMPerf("kld", C=100, tol=tol).fit(X, y) for tol in (0.1, 1e-4))
    assert loose.n_iter_ < tight.n_iter_
    assert tight.objective_[0] <= loose.objective_[0] + 1e-9
    assert loose.objective_[0] - tight.objective_[0] <= 100 * 0.1
    with pytest.warns(ConvergenceWarning, match="did not converge with 3 constraints at C = 100") as warned:
        SVMPerf("kld", C=100, max_iter=3).fit(X, y)
    assert warned[0].filename == __file__


def test_the_usual_cost_is_that_of_others():
    """C = 1 of SVMperf; for the error rate, which balanced accuracy is at equal shares, 4 C / n of LinearSVC."""
    assert SVMPerf().C == 25
    X, y = drawn(6000, 5, share=0.15, seed=11)
    assert 0.05 < SVMPerf().fit(X, y).predict(X).mean() < 0.3
    assert SVMPerf(C=1).fit(X, y).predict(X).mean() == 0
    rows = np.concatenate([np.flatnonzero(y)[:150], np.flatnonzero(y == 0)[:150]])
    ours = SVMPerf("balanced_accuracy", C=75.0, tol=1e-7, max_iter=5000).fit(X[rows], y[rows])
    theirs = LinearSVC(C=1.0, loss="hinge", tol=1e-8, max_iter=10**6, random_state=0).fit(X[rows], y[rows])
    np.testing.assert_allclose(2 * weights_of(ours), weights_of(theirs), atol=2e-2)


def test_it_counts_right():
    X, y = drawn(4000, 5, seed=1)
    new, labels = drawn(4000, 5, seed=2)
    assert KLD().score(labels, SVMPerf("kld", C=1e4).fit(X, y).predict(new), 1) > -0.02
