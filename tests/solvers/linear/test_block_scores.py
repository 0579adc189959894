"""The running arg-max is numpy's arg-max; lanes past the last class never win."""

import numpy as np
import pytest
from scipy import sparse

from foldless.solvers._lanes import WIDTHS
from foldless.solvers.linear._block_scores import keep_best, write_scores
from foldless.solvers.linear._csr_rows import Vocabulary
from foldless.solvers.linear._dual_descent import Model


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
