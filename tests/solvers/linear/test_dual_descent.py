"""Descent keeps w = Σ α y x, leaves rows out without changing the optimum, and stops when it should."""

import numpy as np
import pytest
from helpers.linear_problems import LOSS_NAMES, LOSSES, blobs, descend, topics
from helpers.slow import slow_beyond
from numba import njit
from scipy import sparse
from scipy.special import expit
from sklearn.svm import LinearSVC

from foldless.solvers._lanes import WIDTHS, load, same, store
from foldless.solvers.linear._csr_rows import Vocabulary
from foldless.solvers.linear._dual_descent import LaneLabels, Model, _shuffle, keep_best, settle, update, write_scores


def alphas(states, loss, C):
    return C * expit(states.values.astype(float)) if loss == "logistic" else states.values.astype(float)


def packed(X):
    vocabulary = Vocabulary.of(X)
    return vocabulary.rows(X), (X.toarray() if hasattr(X, "toarray") else X)[:, vocabulary.used]


@pytest.mark.parametrize("loss", slow_beyond(1, LOSS_NAMES))
def test_weights_are_the_sum_of_their_rows(loss):
    X, y = topics(120, 80, 3)
    rows, D = packed(X)
    own = np.where(y < 3, y, -1)
    (W, b, states, _, _), done = descend(rows, own, D.shape[1], loss, 10.0, n=3, width=16, scaling=0.5)
    assert done > 0
    steps = alphas(states, loss, 10.0)[:, :3] * np.where(y[:, None] == np.arange(3), 1, -1)
    np.testing.assert_allclose(W.values[:, :3], D.T @ steps, atol=2e-4)
    np.testing.assert_allclose(b.values[0, :3], 0.5 * steps.sum(axis=0), atol=2e-4)


@pytest.mark.parametrize("loss", slow_beyond(1, LOSS_NAMES))
def test_lanes_past_the_last_class_stay_at_zero_and_cost_no_pass(loss):
    """Rows that are all negative, at the C of the others, would keep a block of three classes busy for long."""
    X, y = blobs(100, 8, 3)
    rows, D = packed(X)
    (W, b, *_), in_sixteen = descend(rows, y, 8, loss, 1e-3, n=3, width=16, scaling=1.0)
    assert (W.values[:, 3:] == 0).all()
    assert (b.values[0, 3:] == 0).all()
    one_by_one = [descend(rows, np.where(y == k, 0, -1), 8, loss, 1e-3, scaling=1.0) for k in range(3)]
    assert in_sixteen <= max(done for _, done in one_by_one) + 2
    for k, ((alone, *_), _) in enumerate(one_by_one):
        np.testing.assert_allclose(W.values[:, k], alone.values[:, 0], atol=1e-6)


@pytest.mark.parametrize("loss", slow_beyond(1, ["squared_hinge", "hinge"]))
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_leaving_rows_out_does_not_change_the_optimum(loss, C):
    X, y = topics(200, 100, 4)
    rows, D = packed(X)
    (W, *_), done = descend(rows, y, D.shape[1], loss, C, n=4, width=4, scaling=1.0, passes=20_000)
    assert done > 0
    arrays = None
    for _ in range(20_000):  # every call begins with all rows, so one pass a call leaves none out
        arrays, _ = descend(rows, y, D.shape[1], loss, C, n=4, width=4, scaling=1.0, passes=1, start=arrays)
        if arrays[3].values.max() <= 1e-6:
            break
    np.testing.assert_allclose(W.values, arrays[0].values, atol=1e-3)


@pytest.mark.slow
def test_a_small_tolerance_looks_at_all_rows_on_its_way():
    """Rows that are left out too early come back long before those that are left have converged to the end."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 100))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    own = (X @ rng.normal(size=(100, 6)) + 0.03 * rng.normal(size=(400, 6))).argmax(axis=1)
    rows, D = packed(X)
    signs = np.where(own[:, None] == np.arange(6), 1, -1)

    def objective(calls, passes):
        arrays = None
        for _ in range(calls):
            arrays, _ = descend(rows, own, 100, "hinge", 30.0, n=6, width=16, scaling=1.0, passes=passes, start=arrays)
        w, b = arrays[0].values[:, :6].astype(float), arrays[1].values[0, :6].astype(float)
        return ((w**2).sum() + (b**2).sum()) / 2 + 30 * np.maximum(0, 1 - signs * (D @ w + b)).sum()

    assert objective(1, 1000) < 1.0005 * objective(4000, 1)


@pytest.mark.parametrize("loss", LOSS_NAMES)
def test_single_precision_does_not_keep_a_small_tolerance_from_being_met(loss):
    for X, y in (topics(150, 200, 2), blobs(100, 60, 2)):
        rows, D = packed(X)
        for C in (1e-4, 1.0, 50.0):
            _, done = descend(rows, y - 1, D.shape[1], loss, C, scaling=1.0, tol=1e-6)
            assert 0 < done < 2000, (loss, C)


def test_too_few_passes_are_told_by_their_sign():
    X, y = topics(100, 80, 2)
    rows, D = packed(X)
    assert descend(rows, y - 1, D.shape[1], "squared_hinge", 10.0, passes=3)[1] == -3


@pytest.mark.parametrize("loss", LOSS_NAMES)
def test_very_large_values_make_very_small_steps_that_count(loss):
    """α is 1e-24 here, and its square zero in single precision."""
    rows, D = packed(1e12 * np.array([[1.0], [-1.0], [2.0]]))
    (W, *_), done = descend(rows, np.array([0, -1, 0]), 1, loss, 1.0)
    assert done > 0
    assert W.values[0, 0] * 1e12 > 0.9


def test_an_order_holds_every_row_once():
    active, order = np.arange(50, dtype=np.int32), np.empty(50, np.int32)
    orders = set()
    seed = np.uint64(7)
    for _ in range(20):
        seed = np.uint64(_shuffle(active, order, 30, seed))
        assert sorted(order[:30]) == list(range(30))
        orders.add(tuple(order[:30]))
    assert len(orders) == 20


def test_a_loss_without_an_update_says_so():
    with pytest.raises(TypeError, match="no update for str"):
        update("loss", 0, 0, 0, 0, 0)


@pytest.mark.slow
def test_a_copy_in_the_other_class_gets_visits_of_its_own():
    """The two pull against each other while all rows stay active: by passes over all rows it takes ten thousand."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 600)) / 600**0.5, rng.integers(2, size=400)
    X = np.vstack([X, X[:1] + 0.03 * rng.normal(size=600) / 600**0.5])
    own = np.append(y, 1 - y[0]) - 1
    rows, _ = packed(X)
    (W, b, *_), done = descend(rows, own, 600, "squared_hinge", 1e3, scaling=1.0, tol=1e-3, passes=20_000)
    assert 0 < done < 5000
    theirs = LinearSVC(C=1e3, tol=1e-8, dual=False, max_iter=10**4).fit(X, own)
    np.testing.assert_allclose(X @ W.values[:, 0] + b.values[0, 0], theirs.decision_function(X), atol=0.02)


@pytest.mark.parametrize("scaling", [0.0, 1.0])
@pytest.mark.parametrize("C", [1e-2, 1.0, 1e3])
def test_copies_in_different_classes_are_settled_together(C, scaling):
    """By visits to one after the other it takes more than 5,000 passes where C is 1,000."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 300)) / 300**0.5, rng.integers(3, size=200)
    copies = rng.integers(50, size=60)
    X, y = np.vstack([X, X[copies]]), np.append(y, rng.integers(3, size=60))
    weights = rng.uniform(0.5, 2, len(X))
    rows, _ = packed(X)
    assert (rows.copies(y) != np.arange(len(X))).sum() > 60
    (W, b, *_), done = descend(
        rows, y, 300, "squared_hinge", C, n=3, width=4, scaling=scaling, tol=1e-3, passes=1000, weights=weights
    )
    assert 0 < done < 300
    for k in range(3):
        model = LinearSVC(C=C, tol=1e-9, max_iter=10**4, dual=False, fit_intercept=scaling > 0)
        scores = model.fit(X, y == k, weights).decision_function(X)
        np.testing.assert_allclose(X @ W.values[:, k] + b.values[0, k], scores, atol=0.02)


@njit
def settle_one(datafit, y, dual, score, row, out):
    s = load(score, 0)
    store(out, 0, settle(datafit, y, dual, s, same(s, np.float32(0)), row))


@pytest.mark.parametrize("reach", [0.5, 30.0])
def test_settled_copies_hold_each_other(reach):
    """Each α is what the loss gives at their common score: inside the margins, above both, and below both."""
    rng, lanes, sides = np.random.default_rng(0), WIDTHS[4], set()
    for _ in range(50):
        lane_of, weights = rng.integers(-1, 4, size=5).astype(np.int32), rng.uniform(0.5, 2, 5).astype(np.float32)
        C, q = rng.uniform(0.01, 1, (2, 4)), rng.uniform(0.1, 2)
        dual, out = lanes(rng.uniform(0, 1, (5, 4)).astype(np.float32)), lanes(np.zeros((1, 4), np.float32))
        score, held = rng.normal(0, reach, 4), dual.values.copy()
        y = LaneLabels(lane_of, lanes(np.ones((1, 4), np.float32)), np.roll(np.arange(5, dtype=np.int32), -1))
        costs = (lanes(side[None].astype(np.float32)) for side in C)
        datafit = LOSSES["squared_hinge"][0](*costs, weights, np.full(5, q, np.float32))
        settle_one(datafit, y, dual, lanes(score[None].astype(np.float32)), 2, out)
        signs = np.where(lane_of[:, None] == np.arange(4), 1.0, -1.0)
        common = score + q * out.values[0]
        expected = 2 * np.where(signs > 0, C[0], C[1]) * weights[:, None] * np.maximum(0, 1 - signs * common)
        np.testing.assert_allclose(dual.values, expected, rtol=1e-3, atol=1e-3)
        np.testing.assert_allclose(out.values[0], (signs * (dual.values - held)).sum(axis=0), rtol=1e-4, atol=1e-4)
        sides |= set(np.sign(np.trunc(common)))
    assert 0 in sides
    assert len(sides) == 3 or reach < 1


def problem(width, n=40, d=7, seed=0):
    rng = np.random.default_rng(seed)
    X = sparse.random_array((n, d), density=0.5, rng=rng, format="csr") + sparse.csr_array(np.eye(n, d))
    vocabulary = Vocabulary.of(X)
    W = rng.normal(size=(len(vocabulary.used), width)).astype(np.float32)
    b = rng.normal(size=(1, width)).astype(np.float32)
    model = Model(WIDTHS[width](W), WIDTHS[width](b), np.float32(2))
    return vocabulary.rows(X), X.toarray()[:, vocabulary.used] @ W + 2 * b, model


def best_of(rows, model, n_lanes, first=0, best=None, label=None):
    best = np.full(rows.n, -np.inf, np.float32) if best is None else best
    label = np.zeros(rows.n, np.int32) if label is None else label
    keep_best(rows, model, n_lanes, first, best, label)
    return best, label


@pytest.mark.parametrize("width", WIDTHS)
def test_scores_and_labels(width):
    rows, scores, model = problem(width)
    out = WIDTHS[width](np.empty((rows.n, width), np.float32))
    write_scores(rows, model, out)
    np.testing.assert_allclose(out.values, scores, atol=1e-5)
    best, label = best_of(rows, model, width)
    assert (label == out.values.argmax(axis=1)).all()
    np.testing.assert_allclose(best, scores.max(axis=1), atol=1e-5)


def test_lanes_past_the_last_class_do_not_win():
    rows, scores, model = problem(16)
    model.W.values[:, 5:], model.intercept.values[:, 5:] = 0, 50.0
    assert (best_of(rows, model, 5)[1] == scores[:, :5].argmax(axis=1)).all()


def test_blocks_follow_each_other_and_the_first_of_equals_stays():
    rows, scores, model = problem(4)
    best, label = best_of(rows, model, 4, first=8)
    assert (label == 8 + scores.argmax(axis=1)).all()
    again = best_of(rows, model, 4, first=12, best=best.copy(), label=label.copy())[1]
    assert (again == label).all()
    for part in (model.W, model.intercept):
        part.values[:] = part.values[:, :1]  # all lanes equal
    assert (best_of(rows, model, 4)[1] == 0).all()


def test_scores_that_are_no_numbers_leave_the_label_alone():
    rows, scores, model = problem(4)
    b = model.intercept
    b.values[0, 1], b.values[0, 2] = -np.inf, -np.inf
    assert (best_of(rows, model, 4)[1] == np.where(scores[:, 0] >= scores[:, 3], 0, 3)).all()
    b.values[:] = -np.inf
    best, label = best_of(rows, model, 4)
    assert (label == 0).all()
    assert (best == -np.inf).all()
    b.values[:] = np.nan
    label = best_of(rows, model, 4)[1]
    assert ((label >= 0) & (label < 4)).all()
