"""Rows that change the kernel as they join: as if each were solved from the beginning, without doing so."""

import numpy as np
import pytest
from sklearn.gaussian_process.kernels import RBF

from foldless.solvers import _laplace_joined as laplace_joined
from foldless.solvers._laplace import mode_of, solve_apart
from foldless.solvers._laplace_joined import Joining

N, M = 40, 12


def problem(scale, part, seed=0, times=None):
    """Labels with a kernel, and rows that take up to a part of the variance along some direction."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N, 4))
    target = X[:, 0] + rng.normal(size=N) / 2 > 0
    K = scale * (RBF(1.5)(X) + 1e-6 * np.eye(N))
    root = np.linalg.cholesky(K)
    less, cross = rng.normal(size=(2, M, N))
    less *= part / np.linalg.norm(less, axis=1, keepdims=True)
    times = np.ones(N) if times is None else times
    return Joining(K, target, times, mode_of(K, target, times)), (cross / 10 @ root.T, np.full(M, scale), less @ root.T)


def one_by_one(joining, rows):
    return np.array([joining.from_the_beginning(*row) for row in zip(*rows, strict=True)])


@pytest.mark.parametrize("scale", [1e-8, 1e-2, 1.0, 30.0, 1e4, 1e8])
@pytest.mark.parametrize("part", [0.1, 0.9, 0.999])
def test_as_if_solved_from_the_beginning(scale, part):
    joining, rows = problem(scale, part)
    expected = one_by_one(joining, rows)
    np.testing.assert_allclose(joining.scores(*rows), expected, rtol=1e-8, atol=1e-8 * np.abs(expected).max())
    if scale >= 1:  # where labels change the kernel's prior at all
        kept = solve_apart(joining.mode, *rows[:2])
        assert np.abs(kept - expected).max() > 1e-6 * np.abs(expected).max()


def test_labels_that_are_given_often():
    joining, rows = problem(3.0, 0.9, times=np.random.default_rng(1).integers(1, 9, size=N).astype(float))
    expected = one_by_one(joining, rows)
    np.testing.assert_allclose(joining.scores(*rows), expected, rtol=1e-9)
    assert np.abs(expected - one_by_one(*problem(3.0, 0.9))).max() > 0.1


def test_a_row_that_changes_nothing():
    joining, (cross, diagonal, less) = problem(2.0, 0.5)
    same = joining.scores(cross, diagonal, np.zeros_like(less))
    np.testing.assert_allclose(same, solve_apart(joining.mode, cross, diagonal), rtol=1e-10)


def test_no_row_is_solved_from_the_beginning_where_steps_lead_to_it(monkeypatch):
    joining, rows = problem(1.0, 0.9)
    monkeypatch.setattr(laplace_joined, "mode_of", None)
    assert np.isfinite(joining.scores(*rows)).all()


def test_rows_that_do_not_settle_are(monkeypatch):
    joining, rows = problem(30.0, 0.9)
    expected = one_by_one(joining, rows)
    monkeypatch.setattr(laplace_joined, "NEWTON", 1)
    np.testing.assert_array_equal(joining.scores(*rows), expected)
    monkeypatch.undo()
    monkeypatch.setattr(laplace_joined, "CONJUGATE", 1)
    np.testing.assert_array_equal(joining.scores(*rows), expected)


def test_labels_that_disagree_about_one_point():
    """The mode is 0, and of the scores rounding is left."""
    K = np.full((4, 4), 5.0)
    target = np.array([True, False, True, False])
    joining = Joining(K, target, np.ones(4), mode_of(K, target, np.ones(4)))
    scores = joining.scores(np.full((2, 4), 3.0), np.full(2, 5.0), np.full((2, 4), 1.5))
    np.testing.assert_allclose(scores, 0, atol=1e-12)


def test_a_few_rows_at_a_time(monkeypatch):
    joining, rows = problem(3.0, 0.9)
    whole = joining.scores(*rows)
    monkeypatch.setattr(laplace_joined, "AT_ONCE", 5 * N)
    np.testing.assert_allclose(joining.scores(*rows), whole, rtol=1e-10)
    assert joining.scores(*(part[:0] for part in rows)).shape == (0,)


def test_shapes_that_do_not_fit_are_refused():
    joining, (cross, diagonal, less) = problem(1.0, 0.5)
    for bad in ((cross[:, :3], diagonal, less), (cross, diagonal, less[:3]), (cross, diagonal[:2], less)):
        with pytest.raises(ValueError, match="do not match"):
            joining.scores(*bad)
