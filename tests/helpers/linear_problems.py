"""Small problems for linear classifiers, their objectives by hand, and scikit-learn's classifiers for the same."""

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression as TheirLogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import LinearSVC as TheirLinearSVC

from foldless.learners import LinearSVC, LogisticRegression
from foldless.learners.linear._paths import COSTS, LOSSES
from foldless.solvers._lanes import WIDTHS
from foldless.solvers.linear._dual_descent import Descent, LaneLabels, Model, Settings, solve

LOSS_NAMES = ["squared_hinge", "hinge", "logistic"]


def topics(n=300, d=400, k=5, seed=0, words=12):
    """Rows like short texts: words of all topics, a few of the row's own, rows of length 1."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % k
    own = rng.integers(d, size=(k, 10))
    columns = np.where(
        rng.random((n, words)) < 0.3, own[y[:, None], rng.integers(10, size=(n, words))],
        np.minimum(rng.zipf(1.4, size=(n, words)) - 1, d - 1),
    )  # fmt: skip
    X = sparse.coo_array((rng.random(n * words) + 0.5, (np.repeat(np.arange(n), words), columns.ravel())), shape=(n, d))
    X = X.tocsr()
    X.sum_duplicates()
    X = sparse.csr_matrix(sparse.diags_array(1 / np.sqrt(X.power(2).sum(axis=1))) @ X)
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)  # liblinear wants them so
    return X, y


def blobs(n=240, d=8, k=3, seed=0, spread=1.5):
    """Dense rows around a center per class."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % k
    return rng.normal(size=(k, d))[y] + spread * rng.normal(size=(n, d)), y


def ours(loss, **settings):
    settings = {"random_state": 0, **settings}
    return LogisticRegression(**settings) if loss == "logistic" else LinearSVC(loss=loss, **settings)


def theirs(loss, n_classes, **settings):
    if loss == "logistic":
        model = TheirLogisticRegression(solver="liblinear", **settings)
        return model if n_classes == 2 else OneVsRestClassifier(model)
    return TheirLinearSVC(loss=loss, dual=loss == "hinge", random_state=0, **settings)


def weights_of(model):
    """Coefficients and intercepts, a row per column of the decision function."""
    if isinstance(model, OneVsRestClassifier):
        return np.vstack([e.coef_ for e in model.estimators_]), np.concatenate(
            [e.intercept_ for e in model.estimators_]
        )
    return model.coef_, np.broadcast_to(model.intercept_, len(model.coef_))


def losses(loss, margins):
    if loss == "logistic":
        return np.logaddexp(0, -margins)
    return np.maximum(0, 1 - margins) ** (2 if loss == "squared_hinge" else 1)


def objectives(X, y, model, C, loss, scaling=1.0, sample_weight=1.0):
    """½‖w‖² + C Σ loss, of every column."""
    coef, intercept = weights_of(model)
    classes = np.unique(y)
    columns = classes[1:] if len(classes) == 2 else classes
    signs = np.where(y[:, None] == columns, 1.0, -1.0)
    margins = signs * (np.asarray(X @ coef.T) + intercept)
    constant = intercept / scaling if scaling else 0 * intercept
    costs = C * np.broadcast_to(sample_weight, len(y))
    return ((coef**2).sum(axis=1) + constant**2) / 2 + costs @ losses(loss, margins)


def descend(
    rows, own, n_features, loss, C, *, n=1, width=1, scaling=0.0, tol=1e-6, passes=2000, weights=None, start=None
):  # fmt: skip
    """Solve a block of classes with the kernel itself: weights, intercepts, dual, worst violations, passes."""
    lanes = WIDTHS[width]
    kind, empty = LOSSES[loss]
    shapes = (n_features, 0), (1, 0), (rows.n, empty), (1, 0), (1, 0)
    W, b, dual, worst, limits = start or tuple(lanes(np.full((h, width), v, np.float32)) for h, v in shapes)
    live = np.arange(width)[None] < n
    costs = lanes(np.where(live, C, COSTS[0]).astype(np.float32))
    weights = np.ones(rows.n, np.float32) if weights is None else weights.astype(np.float32)
    squares = rows.squares() + np.float32(scaling**2)
    done = solve(
        rows,
        LaneLabels(own.astype(np.int32), lanes(live.astype(np.float32)), rows.copies(own)),
        kind(costs, costs, weights, squares),
        Model(W, b, np.float32(scaling)),
        Descent(dual, worst, limits, *np.empty((3, rows.n), np.int32)),
        Settings(np.float32(tol), passes, np.uint64(88172645463325252)),
    )
    return (W, b, dual, worst, limits), done
