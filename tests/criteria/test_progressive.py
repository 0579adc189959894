"""Progressive fits by hand: which rows train and test, how pool rows are drawn, and the two terms of the bound."""

from dataclasses import replace

import numpy as np
import pytest

from foldless.bounds import _binomial as binomial
from foldless.bounds import _martingale as martingale
from foldless.core import Contents, Overlap, ranked
from foldless.criteria import Progressive
from foldless.errors import BadInput, CannotAnswer
from foldless.judging._copies import GROUPED

N, M = 23, 60
Y = np.random.default_rng(0).integers(0, 3, N)


def right(task):
    """Right on every label; class 0 on the pool."""

    def predict(ask):
        rows = ask.rows.indices
        return np.where(rows < N, np.append(task.y, 0)[np.minimum(rows, N)], 0)

    return predict


def on_labels(asked):
    """The questions about labeled rows, in the order of their blocks."""
    asks = [ask for ask in asked if len(ask.rows) and ask.rows.bounds[1] < N]
    return sorted(asks, key=lambda ask: len(ask.fit.rows))


def test_fits_grow_and_each_is_tested_on_the_next_block(make_task, answered, asked):
    task = make_task(Y, n_pool=M)
    answered(Progressive(), task, right(task))
    asks = on_labels(asked)
    assert [len(ask.fit.rows) for ask in asks] == [12, 14, 16, 19, 21]
    known = set(asks[0].fit.rows.indices)
    for ask in asks:
        assert set(ask.fit.rows.indices) == known
        assert not known & set(ask.rows.indices)
        known |= set(ask.rows.indices)
    assert known == set(range(N))


def test_the_terms_are_those_of_the_paper_and_of_the_martingale(make_task, answered):
    task, wrong = make_task(Y, n_pool=M, params=[{}, {}]), {3, 8, 12, 20}

    def predict(ask):
        labels = right(task)(ask)
        labels[np.isin(ask.rows.indices, list(wrong))] += 1
        labels[(ask.rows.indices >= N + 50) & (len(ask.fit.rows) == N)] = 1
        return labels

    choice, _ = answered(Progressive(confidence=0.9, labeled_share=0.6), task, predict)
    labels, pool = choice.certificate.terms
    tested = {row for part in Progressive()._parts(task) for row in part.test.indices}
    assert labels.rows == len(tested) == 11
    assert labels.upper == martingale.upper(len(wrong & tested), 11, 0.1 * 0.6 / 2)
    assert pool.upper == pytest.approx(binomial.upper(10, M, 0.1 * 0.4 / 2))
    assert choice.score == labels.upper + pool.upper


def test_a_fit_answers_for_as_many_pool_rows_as_it_tests_labels(make_task, answered, asked):
    task = make_task(np.arange(500) % 2, n_pool=4000)
    answered(Progressive(start=0.9, blocks=2), task, lambda ask: np.zeros(len(ask.rows), dtype=int))
    fits = [ask for ask in asked if ask.rows.bounds[0] >= 500 and len(ask.fit.rows) < 500]
    assert sorted(len(ask.fit.rows) for ask in fits) == [450, 475]
    drawn = np.concatenate([ask.rows.indices for ask in fits])
    assert sorted(drawn) == list(range(500, 4500))
    uneven = Progressive(start=0.9, blocks=3)
    asked.clear()
    answered(uneven, make_task(np.arange(50) % 2, n_pool=4000), lambda ask: np.zeros(len(ask.rows), dtype=int))
    shares = {len(a.fit.rows): len(a.rows) / 4000 for a in asked if a.rows.bounds[0] >= 50 and len(a.fit.rows) < 50}
    assert shares == pytest.approx({45: 2 / 5, 47: 1 / 5, 48: 2 / 5}, abs=0.03)


def test_groups_are_whole_and_count_once(make_task, answered, asked):
    groups = np.arange(N) // 2
    task = make_task(Y, n_pool=M, groups=groups, of_pool={"groups": 3 + np.arange(M) // 3})
    (choice,) = answered(Progressive(), task, right(task))
    for ask in on_labels(asked):
        assert not set(groups[ask.fit.rows.indices]) & set(groups[ask.rows.indices])
        assert len(set(groups[ask.rows.indices])) == len(ask.rows)
    assert [term.rows for term in choice.certificate.terms] == [6, 11]
    assert choice.certificate.assumes[0] == GROUPED


def test_a_row_whose_copy_trained_the_fit_counts_as_an_error_and_pool_copies_once(make_task, answered, asked):
    contents = Contents(np.arange(N) // 2, np.arange(M) // 5)
    task = make_task(Y, n_pool=M, of_pool={"contents": lambda: contents})
    (choice,) = answered(Progressive(), task, right(task))
    wrong, tests = 0, []
    for train, test in Progressive()._parts(task):
        firsts = [row for row in test.indices if row % 2 == 0]
        wrong += sum(contents.labeled[row] in contents.labeled[train.indices] for row in firsts)
        tests.append(len(firsts))
    labels, pool = choice.certificate.terms
    assert (labels.rows, labels.observed) == (sum(tests), pytest.approx(wrong / sum(tests)))
    assert 0 < wrong < sum(tests)
    assert pool.rows == M // 5
    (draws,) = answered(Progressive(equal_rows="draws"), task, right(task))
    assert [term.observed for term in draws.certificate.terms] == [0, 0]
    assert [term.rows for term in draws.certificate.terms] == [11, M]


def test_with_copies_pool_rows_are_drawn_by_the_rows_that_count(make_task, answered, asked):
    y = np.arange(40) % 2
    contents = Contents(np.where(np.arange(40) < 10, 0, np.arange(40)))
    task = make_task(y, n_pool=20_000, of_pool={"contents": lambda: contents})
    answered(Progressive(), task, lambda ask: np.zeros(len(ask.rows), dtype=int))
    parts = Progressive()._parts(task)
    firsts = np.array([np.sum((test.indices == 0) | (test.indices >= 10)) for _, test in parts])
    for weights in (np.array([len(test) for _, test in parts]), firsts):
        for part, share in zip(parts, weights / weights.sum(), strict=True):
            sizes = [
                len(a.rows) / 20_000 for a in asked if len(a.fit.rows) == len(part.train) and a.rows.bounds[0] >= 40
            ]
            assert min(abs(size - share) for size in sizes) < 0.015


def test_ties_go_to_the_smaller_error(make_task, answered):
    task = make_task(Y, n_pool=M, params=[{}, {}])
    choices = answered(Progressive(), task, right(task))
    worse = replace(choices[0].certificate.terms[0], observed=0.5)
    certificate = replace(choices[0].certificate, terms=(worse, choices[0].certificate.terms[1]))
    tied = [replace(choices[0], certificate=certificate), choices[1]]
    assert ranked(Progressive(), tied)[0].candidate.index == 1


def test_it_is_blind_to_the_labels_and_to_the_candidates(make_task):
    task = make_task(Y, n_pool=M)
    other = make_task(Y, n_pool=M, params=[{}, {}, {}]).relabeled(task.y[::-1].copy())
    assert Progressive()._parts(task) == Progressive()._parts(other)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"start": 1.0}, r"start must be a number in \(0, 1\), got 1.0"),
        ({"blocks": 0}, "blocks must be a whole number, 1 or more, got 0"),
        ({"confidence": 95}, r"confidence must be a number in \(0, 1\), got 95"),
        ({"labeled_share": 0}, "labeled_share"),
        ({"equal_rows": "copies"}, "equal_rows must be one of 'either', 'draws', got 'copies'"),
    ],
)
def test_settings_that_cannot_be_used(options, message, make_task):
    with pytest.raises(BadInput, match=message):
        next(Progressive(**options).evaluate(make_task(Y, n_pool=M)))


def test_data_that_cannot_be_used(make_task):
    with pytest.raises(CannotAnswer, match="the groups of the pool are not known"):
        next(Progressive().evaluate(make_task(Y, n_pool=M, groups=np.arange(N) // 2)))
    with pytest.raises(CannotAnswer, match="the pool holds the labeled rows themselves"):
        next(Progressive().evaluate(make_task(Y, n_pool=N, of_pool={"overlap": lambda: Overlap(N, same=True)})))
    one = make_task(Y, n_pool=M, groups=np.zeros(N), of_pool={"groups": 1 + np.arange(M)})
    with pytest.raises(CannotAnswer, match="needs at least 2 labeled rows or groups, got 1"):
        next(Progressive().evaluate(one))


def test_two_labels_are_enough_for_a_bound_that_says_nothing(make_task, answered):
    task = make_task([0, 1], n_pool=5)
    (choice,) = answered(Progressive(), task, lambda ask: np.zeros(len(ask.rows), dtype=int))
    assert choice.certificate.upper == 1
    assert "the bound is not below 1, so it is vacuous" in choice.notes
