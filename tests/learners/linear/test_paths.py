"""A path of C: blocks and threads change nothing, each C is what a fit of its own gives, and one warning tells all."""

import warnings

import numpy as np
import pytest
from helpers.linear_problems import LOSS_NAMES, topics
from sklearn.exceptions import ConvergenceWarning

from foldless.core._threads import threads
from foldless.learners.linear._paths import AllScores, BestLabels, blocks_of, solve_path
from foldless.learners.linear._problem import ClassBlock, LinearProblem
from foldless.solvers._lanes import WIDTHS
from foldless.solvers.linear._csr_rows import Vocabulary
from foldless.solvers.linear._dual_descent import Model

COSTS = [1e-3, 0.1, 1.0, 30.0]


def problem(k=5, loss="squared_hinge", n=200, d=150, **settings):
    X, y = topics(n, d, k)
    vocabulary = Vocabulary.of(X)
    settings = {"loss": loss, "tol": 1e-6, "max_iter": 3000, "scaling": 1.0, "seed": 1, **settings}
    ones = np.ones(k, np.float32)
    return LinearProblem(
        **settings, rows=vocabulary.rows(X), codes=y.astype(np.int32), n_features=len(vocabulary.used), n_columns=k,
        positive=ones, negative=ones, weights=np.ones(n, np.float32),
    )  # fmt: skip


def observer_of(keeper):
    return lambda at, block, model, alphas: keeper.observe(at, block, model)


def scores_of(problem, costs):
    every = AllScores(problem.rows, len(costs), problem.n_columns)
    passes = solve_path(problem, costs, lambda: observer_of(every))
    return every.scores, passes


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5, 15, 16, 17, 20, 33, 100])
def test_blocks_hold_every_class_once(k):
    blocks = blocks_of(k)
    assert [c for b in blocks for c in range(b.first, b.first + b.n)] == list(range(k))
    assert all(b.n <= b.width and b.width in WIDTHS for b in blocks)
    assert sum(b.width for b in blocks) < k + 16


@pytest.mark.parametrize("loss", LOSS_NAMES)
def test_each_cost_is_a_fit_of_its_own(loss):
    path, passes = scores_of(problem(loss=loss), COSTS)
    assert len(passes) == len(COSTS)
    assert passes[0] < passes[-1]
    for at, cost in enumerate(COSTS):
        alone, _ = scores_of(problem(loss=loss), [cost])
        np.testing.assert_allclose(path[at], alone[0], atol=2e-3)


@pytest.mark.parametrize("k", [3, 17, 33])
def test_threads_give_the_same_numbers(k, monkeypatch):
    by_number = []
    for number in ("1", "2"):
        monkeypatch.setenv("OMP_NUM_THREADS", number)
        assert threads() == int(number)
        by_thread = []

        def observer(by_thread=by_thread, k=k):
            by_thread.append(BestLabels(problem(k).rows, len(COSTS)))
            return observer_of(by_thread[-1])

        solve_path(problem(k), COSTS, observer)
        assert len(by_thread) == min(int(number), len(blocks_of(k)))
        for other in by_thread[1:]:
            by_thread[0].merge(other.best, other.labels)
        by_number.append((by_thread[0].labels, by_thread[0].best, scores_of(problem(k), COSTS)[0]))
    (labels, best, scores), again = by_number
    assert all((a == b).all() for a, b in zip(by_number[0], again, strict=True))
    assert (labels == scores.argmax(axis=2)).all()
    assert (best == scores.max(axis=2)).all()


def test_non_convergence_is_told_once_and_names_its_costs(monkeypatch):
    for number in ("1", "2"):
        monkeypatch.setenv("OMP_NUM_THREADS", number)
        with pytest.warns(ConvergenceWarning) as warned:
            passes = scores_of(problem(20, tol=1e-2, max_iter=8), COSTS)[1]
        assert len(warned) == 1
        assert "LinearSVC (squared_hinge) did not converge in 8 passes at C = 1, 30: lower C, raise" in str(
            warned[0].message
        )
        assert passes[-2:] == [8, 8]
        assert passes[0] < 8
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scores_of(problem(20, tol=1e-2, max_iter=8), COSTS[:1])


def test_a_path_takes_fewer_passes_than_cold_starts():
    for loss in LOSS_NAMES:
        costs = [3.0, 6.0, 12.0, 24.0]
        together = scores_of(problem(loss=loss, tol=1e-3), costs)[1]
        alone = [scores_of(problem(loss=loss, tol=1e-3), [cost])[1][0] for cost in costs]
        assert sum(together) < sum(alone)


def test_of_equal_scores_the_first_class_wins_across_threads():
    rows = problem().rows
    first, other = BestLabels(rows, 1), BestLabels(rows, 1)
    first.best[:], first.labels[:] = 1.0, 20
    other.best[:], other.labels[:] = 1.0, 3
    other.best[0, :5] = 0.5
    other.best[0, 5:9], other.labels[0, 5:9] = 2.0, 40
    first.merge(other.best, other.labels)
    assert first.labels[0, :10].tolist() == [20] * 5 + [40] * 4 + [3]
    assert first.best[0, 6] == 2


def test_scores_of_narrow_blocks_land_in_their_columns():
    rows = problem().rows
    every = AllScores(rows, 2, 6)
    every.scores[:] = 7
    W = WIDTHS[4](np.zeros((200, 4), np.float32))
    intercept = WIDTHS[4](np.array([[1, 2, 3, 4]], np.float32))
    every.observe(1, ClassBlock(4, 2, 4), Model(W, intercept, np.float32(1)))
    assert (every.scores[1, :, 4:] == [1, 2]).all()
    assert (every.scores[1, :, :4] == 7).all()
    assert (every.scores[0] == 7).all()
