"""The rounds of co-training by hand: who offers what, who wins, and which rows come next."""

import numpy as np
import pytest
from scipy.special import expit

from foldless.solvers._co_training import (
    NONE,
    CoTrainingSettings,
    RoundPlan,
    SeedRows,
    merge,
    offer,
    posteriors,
    refill,
    run,
)
from foldless.solvers.linear._l1_table import L1Table

SETTINGS = CoTrainingSettings(0.01, 0.01, False, 1e-6, 1000)


def two(positive):
    """Posteriors of two classes, from those of the second."""
    return np.column_stack([1 - np.array(positive), positive])


@pytest.mark.parametrize(("positive", "counts", "labels"), [
    ([0.9, 0.2, 0.6, 0.05], [1, 1], [1, -1, -1, 0]),
    ([0.9, 0.2, 0.6, 0.05], [2, 1], [1, 0, -1, 0]),
    ([0.9, 0.8, 0.7, 0.6], [1, 1], [1, -1, -1, 0]),  # nothing is negative, so the least positive row is
    ([0.3, 0.3, 0.3, 0.3], [1, 1], [0, 1, -1, -1]),  # no opinion: rows as they joined the pool
    ([0.9, 0.2, 0.6, 0.05], [0, 2], [1, -1, 1, -1]),  # a class that is never chosen
    ([0.4], [1, 1], [0]),  # more wanted than there are rows
    ([0.5], [1, 1], [0]),
    ([0.9, 0.6, 0.7, 0.8], [9, 1], [1, 0, 0, 0]),
])  # fmt: skip
def test_what_a_view_offers(positive, counts, labels):
    offered, sure = offer(two(positive), np.array(counts))
    assert offered.tolist() == labels
    for row, label in enumerate(labels):
        assert sure[row] == (0 if label == NONE else two(positive)[row, label])


def test_several_classes_are_offered_by_count():
    p = np.array([[0.6, 0.3, 0.1], [0.5, 0.4, 0.1], [0.2, 0.45, 0.35], [0.3, 0.3, 0.4], [0.98, 0.01, 0.01]])
    assert offer(p, np.array([1, 1, 1]))[0].tolist() == [-1, -1, 1, 2, 0]
    assert offer(p, np.array([2, 0, 1]))[0].tolist() == [0, -1, -1, 2, 0]
    assert offer(p, np.array([1, 2, 0]))[0].tolist() == [-1, 1, 1, -1, 0]


def test_no_pair_is_offered_where_no_posterior_is_a_number():
    """Without a label there is nothing to count: the number of rows left of the last class stays what it was."""
    labels, sure = offer(np.full((3, 2), -2.0), np.array([1, 1]))
    assert labels.tolist() == [NONE] * 3
    assert not sure.any()
    labels, _ = offer(np.full((5, 2), np.nan), np.array([2, 2]))  # which are compared is left to the compiler
    assert set(labels.tolist()) <= {NONE, 0, 1}


def test_whose_label_a_row_gets():
    labels = merge(
        np.array([-1, 0, -1, 1, 1, 0, 0]), np.array([0, 0.9, 0, 0.7, 0.8, 0.6, 0.7]),
        np.array([-1, -1, 1, 1, 0, 1, 1]), np.array([0, 0, 0.6, 0.9, 0.7, 0.9, 0.7]),
    )  # fmt: skip
    assert labels.tolist() == [-1, 0, 1, 1, 1, 1, -1]


def test_the_pool_keeps_its_order():
    pool, labels = np.array([7, 3, 9, 1]), np.array([-1, 0, -1, 1])
    assert refill(pool, labels, np.array([4, 2])).tolist() == [7, 9, 4, 2]
    assert refill(pool, labels, np.arange(0)).tolist() == [7, 9]


def test_posteriors_are_sigmoids_divided_by_their_sum():
    X = np.array([[1.0, 0.0], [0.0, 2.0], [-3000.0, -3000.0]])
    table, rows = L1Table.with_intercept(X), np.array([2, 0, 1])
    np.testing.assert_allclose(posteriors(table, np.array([[1.0, 2.0, 0.5]]), rows)[1:, 1], expit([1.5, 4.5]))
    weights = np.array([[1.0, 0.5, 0.0], [2.0, 0.0, 0.1], [0.0, 1.0, -1.0]])
    raw = expit(X[:2] @ weights[:, :2].T + weights[:, 2])
    p = posteriors(table, weights, rows)
    np.testing.assert_allclose(p[1:], raw / raw.sum(axis=1, keepdims=True))
    np.testing.assert_allclose(p[0], [0, 0, 1], atol=1e-12)  # all three sigmoids are zero in double precision


def line(positions, labels, plan, settings=SETTINGS, second=None):
    """Run the rounds on rows on a line, the labeled ones first: rows in training with their labels, and rounds."""
    views = [np.array(positions, dtype=float)[:, None], np.array(second or positions, dtype=float)[:, None]]
    n = len(labels)
    codes = np.append(labels, np.zeros(len(positions) - n, int))
    rows = SeedRows(np.arange(len(positions)), codes, np.zeros(len(positions), int))
    weights = tuple(np.zeros((max(1, len(set(labels)) * (len(set(labels)) > 2)), 2)) for _ in views)
    tables = tuple(L1Table.with_intercept(view) for view in views)
    n, rounds, unfinished = run(tables, settings, plan, rows, n, weights)
    assert unfinished == 0
    assert (rows.joined[: len(labels)] == 0).all()
    assert (np.diff(rows.joined[:n]) >= 0).all()
    assert rows.joined[:n].max() <= rounds
    return list(zip(rows.numbers[:n].tolist(), codes[:n].tolist(), strict=True)), rounds


def test_rounds_by_hand():
    """Outer rows are chosen first; the pool of two is refilled by four, which empties the reserve."""
    positions = [-1, 1, -3, 2, 5, -4, 6, 0.5]
    plan = RoundPlan(np.array([1, 1]), np.array([2, 3, 4, 5, 6, 7]), 2, 30)
    chosen, rounds = line(positions, [0, 1], plan)
    assert chosen == [(0, 0), (1, 1), (2, 0), (3, 1), (5, 0), (6, 1), (4, 1), (7, 0)]
    assert rounds == 3
    assert line(positions, [0, 1], plan._replace(rounds=1)) == (chosen[:4], 1)
    assert line(positions, [0, 1], plan._replace(rounds=0)) == (chosen[:2], 0)


def test_the_rounds_in_which_rows_join():
    views = (np.array([[-1.0], [1], [-3], [2], [5], [-4], [6], [0.5]]),) * 2
    rows = SeedRows(np.arange(8), np.array([0, 1, 0, 0, 0, 0, 0, 0]), np.zeros(8, int))
    plan = RoundPlan(np.array([1, 1]), np.array([2, 3, 4, 5, 6, 7]), 2, 30)
    tables = tuple(L1Table.with_intercept(view) for view in views)
    run(tables, SETTINGS, plan, rows, 2, tuple(np.zeros((1, 2)) for _ in views))
    assert rows.numbers.tolist() == [0, 1, 2, 3, 5, 6, 4, 7]
    assert rows.joined.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]


def test_the_pool_is_all_there_is_to_choose_from():
    positions = [-1, 1, 0.1, -0.1, 9, -9]
    plan = RoundPlan(np.array([1, 1]), np.array([2, 3, 4, 5]), 2, 1)
    assert line(positions, [0, 1], plan)[0][2:] == [(2, 1), (3, 0)]
    assert line(positions, [0, 1], plan._replace(pool_size=75))[0][2:] == [(4, 1), (5, 0)]
    assert line(positions, [0, 1], plan._replace(reserve=np.arange(0))) == ([(0, 0), (1, 1)], 0)


def test_the_surer_view_is_believed_and_equal_ones_are_not():
    """Row 2 is positive in the first view and negative in the second."""
    plan = RoundPlan(np.array([1, 1]), np.array([2]), 75, 1)
    for second, expected in ((-0.5, [(2, 1)]), (-9, [(2, 0)]), (-2, [])):
        chosen, rounds = line([-1, 1, 2], [0, 1], plan, second=[-1, 1, second])
        assert chosen[2:] == expected
        assert rounds == 1


def test_rounds_go_on_where_nothing_was_agreed_on():
    plan = RoundPlan(np.array([1, 1]), np.array([2, 3]), 1, 5)
    chosen, rounds = line([-1, 1, 2, 5], [0, 1], plan, second=[-1, 1, -2, 5])
    assert (3, 1) in chosen
    assert rounds > 1


def test_three_classes():
    positions = [-3, 0, 3, -5, 0.2, 5]
    plan = RoundPlan(np.array([1, 0, 1]), np.array([3, 4, 5]), 75, 1)
    assert line(positions, [0, 1, 2], plan, SETTINGS._replace(first=1e-4, second=1e-4))[0][3:] == [(3, 0), (5, 2)]


def test_views_without_weights_choose_by_the_shares_of_the_classes():
    plan = RoundPlan(np.array([2, 1]), np.array([3, 4, 5, 6]), 75, 1)
    strong = SETTINGS._replace(first=100.0, second=100.0)
    assert line([0, 1, 2, 3, 4, 5, 6], [0, 0, 1], plan, strong)[0][3:] == [(3, 0), (4, 0), (5, 1)]


def test_a_penalty_beside_the_sum_shrinks_with_every_row():
    positions = [-1, 1, -0.5, 0.5, 0.2, -0.3]
    tables = (L1Table.with_intercept(np.array(positions)[:, None]),) * 2
    found = []
    for settings in (CoTrainingSettings(0.6, 0.6, True, 1e-9, 1000), CoTrainingSettings(0.1, 0.1, False, 1e-9, 1000)):
        weights = (np.zeros((1, 2)), np.zeros((1, 2)))
        rows = SeedRows(np.arange(6), np.array([0, 1, 0, 1, 1, 0]), np.zeros(6, int))
        run(tables, settings, RoundPlan(np.array([1, 1]), np.arange(0), 75, 30), rows, 6, weights)
        found.append(weights)
    np.testing.assert_allclose(found[0], found[1], atol=1e-8)
    assert found[0][0][0, 0] > 0
