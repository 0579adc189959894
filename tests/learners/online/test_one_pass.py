"""1PMB against its three lines by hand, and pieces as the whole."""

import numpy as np
import pytest
from helpers.counting_problems import drawn, weights_of
from scipy import sparse

from foldless.learners.online._structural_hinge import most_violating
from foldless.measures import KLD, resolve
from foldless.online import OnePassMiniBatch


@pytest.mark.parametrize("measure", ["kld", "q_measure"])
def test_three_buffers_by_hand(measure):
    X, y = drawn(130, 3)
    model = OnePassMiniBatch(measure, buffer=50, passes=1, eta0=2.0, radius=1.0).fit(X, y)
    rows, w, total = np.hstack([X, np.ones((130, 1))]), np.zeros(4), np.zeros(4)
    for e, (x, label) in enumerate(zip(np.split(rows, [50, 100]), np.split(y == 1, [50, 100]), strict=True), 1):
        predicted, _ = most_violating(resolve(measure), x @ w, label)
        w = w - 2 / np.sqrt(e) * ((2.0 * predicted - 1) - (2.0 * label - 1)) @ x / len(label)
        w = w * min(1, 1 / np.linalg.norm(w))
        total += w
    np.testing.assert_allclose(weights_of(model), total / 3, rtol=1e-10)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_pieces_do_what_the_whole_does(form):
    X, y = drawn(730, 6, zeros=0.4)
    whole = OnePassMiniBatch(buffer=100, passes=1).fit(form(X), y)
    pieces = OnePassMiniBatch(buffer=100)
    for first, last in ((0, 1), (1, 99), (99, 301), (301, 730)):
        pieces.partial_fit(form(X[first:last]), y[first:last], classes=[0, 1])
    np.testing.assert_allclose(weights_of(pieces), weights_of(whole), rtol=1e-12)


def test_buffers_of_one_class_are_left_out():
    X, y = drawn(300, 3)
    y[:100] = 0
    late = OnePassMiniBatch(buffer=100, passes=1).fit(X, y)
    assert (weights_of(late) == weights_of(OnePassMiniBatch(buffer=100, passes=1).fit(X[100:], y[100:]))).all()


def test_it_counts_right():
    X, y = drawn(20_000, 5, seed=1)
    new, labels = drawn(20_000, 5, seed=2)
    assert KLD().score(labels, OnePassMiniBatch("kld").fit(X, y).predict(new), 1) > -5e-3
