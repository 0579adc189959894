"""Problems for support vector machines, and their optimum by other means."""

import numpy as np
from scipy.optimize import LinearConstraint, minimize

from foldless.solvers.kernel_svm._smo import SmoState, padded


def rings(n, k, d=2, noise=0.3, seed=0):
    """Classes at different distances from the origin, which overlap."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % k
    X = rng.normal(size=(n, d))
    X *= ((1 + y) / np.linalg.norm(X, axis=1))[:, None]
    return X + noise * rng.normal(size=(n, d)), y


def rbf(X, gamma):
    """The kernel without its constant, in single precision."""
    distances = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    return np.expm1(-gamma * distances).astype(np.float32)


def problem(K, y, C):
    """A state at zero with room to vectorize: the rows past the last one cannot move."""
    n, m = len(y), padded(len(y))
    state = SmoState.empty(m)
    gram = np.zeros((m, m), np.float32)
    gram[:n, :n] = K
    for array in state:
        array[:] = 0
    signs = np.ones(m)
    signs[:n] = np.where(y == 0, 1, -1)
    state.residuals[:] = signs
    bound = signs[:n] * C
    state.lower[:n], state.upper[:n] = np.minimum(bound, 0), np.maximum(bound, 0)
    return gram, gram.diagonal().copy(), signs, state


def dual(K, y, beta):
    """Σ yβ − ½ βᵀKβ."""
    return y @ beta - beta @ K.astype(float) @ beta / 2


def primal(K, y, C, beta, intercept):
    """½ βᵀKβ + Σ C max(0, 1 − y s); never below the dual."""
    scores = K.astype(float) @ beta + intercept
    return beta @ K.astype(float) @ beta / 2 + np.sum(C * np.maximum(0, 1 - y * scores))


def by_scipy(K, y, C):
    """The optimum of the dual, by a method that knows nothing of pairs."""
    K = K.astype(float)
    bound = y * C
    found = minimize(
        lambda beta: (beta @ K @ beta / 2 - y @ beta, K @ beta - y),
        np.zeros(len(y)),
        jac=True,
        method="SLSQP",
        bounds=np.c_[np.minimum(bound, 0), np.maximum(bound, 0)],
        constraints=LinearConstraint(np.ones(len(y)), 0, 0),
        options={"maxiter": 1000, "ftol": 1e-12},
    )
    return -found.fun
