"""Choosing on the first labels by hand: which rows choose, train and test, the shares of δ, and the terms."""

from dataclasses import replace

import numpy as np
import pytest

from foldless.bounds import _binomial as binomial
from foldless.core import Contents, Overlap, ranked
from foldless.core.task import without
from foldless.criteria import Progressive
from foldless.errors import BadInput, CannotAnswer
from foldless.judging._copies import GROUPED

N, M = 23, 60
Y = np.random.default_rng(0).integers(0, 3, N)
REFIT = Progressive(refit=True)


def right(task):
    """Right on every label; class 0 on the pool."""

    def predict(ask):
        rows = ask.rows.indices
        return np.where(rows < N, np.append(task.y, 0)[np.minimum(rows, N)], 0)

    return predict


def wrong_by(task, rates):
    """Wrong on the labels whose number is below the rate of the candidate."""

    def predict(ask):
        rows = ask.rows.indices
        return right(task)(ask) + (rows < rates[ask.fit.candidate.index])

    return predict


def test_the_first_labels_rank_and_train_and_the_others_test(make_task, answered, asked):
    task = make_task(Y, params=[{}, {}])
    answered(Progressive(), task, right(task))
    (split, folds), mine = Progressive()._parts(task), [ask for ask in asked if ask.fit.candidate.index == 0]
    assert (len(split.train), len(split.test)) == (16, 7)
    assert sorted([*split.train.indices, *split.test.indices]) == list(range(N))
    assert [(ask.fit.rows, ask.rows) for ask in mine if ask.may_win] == [tuple(split)]
    assert [(ask.fit.rows, ask.rows) for ask in mine if not ask.may_win] == [tuple(fold) for fold in folds]
    assert sorted(row for fold in folds for row in fold.test.indices) == sorted(split.train.indices)
    for fold in folds:
        assert sorted([*fold.train.indices, *fold.test.indices]) == sorted(split.train.indices)


def test_a_single_candidate_needs_one_fit_and_has_all_of_delta(make_task, answered, asked):
    task = make_task(Y, n_pool=M)
    (choice,) = answered(Progressive(), task, right(task))
    assert len(asked) == 1
    (term,) = choice.certificate.terms
    assert (term.upper, term.rows, term.delta) == pytest.approx((1 - 0.05 ** (1 / 7), 7, 0.05))
    assert choice.fits[0].rows == asked[0].fit.rows
    assert "the model is the fit on 16 labels, without the 7 that certify it" in choice.certificate.assumes


def test_ranks_on_the_first_labels_share_delta(make_task, answered):
    task = make_task(Y, params=[{}, {}, {}, {}])
    choices = answered(Progressive(confidence=0.9), task, wrong_by(task, [20, 5, 10, 5]))
    deltas = [choice.certificate.terms[0].delta for choice in choices]
    assert deltas == pytest.approx([0.1 * 0.1 / 12, 0.1 * 0.9, 0.1 * 0.1 / 6, 0.1 * 0.1 / 2])
    tests = Progressive()._parts(task)[0].test.indices
    for choice, rate in zip(choices, [20, 5, 10, 5], strict=True):
        (term,) = choice.certificate.terms
        assert term.upper == binomial.upper(np.count_nonzero(tests < rate), 7, term.delta)
        assert choice.score == choice.certificate.upper


def test_errors_on_the_labels_that_certify_change_no_share(make_task, answered):
    task = make_task(Y, params=[{}, {}])
    tests = Progressive()._parts(task)[0].test.indices

    def predict(ask):
        labels = right(task)(ask)
        labels[np.isin(ask.rows.indices, tests) & (ask.fit.candidate.index == 0)] += 1
        return labels

    one, other = answered(Progressive(), task, predict)
    assert one.certificate.upper == 1
    assert one.certificate.terms[0].delta > other.certificate.terms[0].delta


def test_a_missing_candidate_may_have_been_the_first(make_task, answered):
    task = make_task(Y, params=[{}, {}, {}])
    whole = answered(Progressive(), task, wrong_by(task, [0, 5, 10]))
    rest = answered(Progressive(), without(task, {task.candidates[0]}), wrong_by(task, [0, 5, 10]))
    assert [c.certificate.terms for c in rest] == [c.certificate.terms for c in whole[1:]]
    last = answered(Progressive(), without(task, {task.candidates[2]}), wrong_by(task, [0, 5, 10]))
    assert [c.certificate.terms[0].delta for c in last] == pytest.approx([0.05 * 0.1 / 2, 0.05 * 0.1 / 6])


def test_rows_of_a_fit_that_failed_count_as_errors_of_the_ranking(make_task, answered):
    task = make_task(Y, params=[{}, {}])
    failed = Progressive()._parts(task)[1][0].train

    def predict(ask):
        broken = ask.fit.candidate.index == 0 and ask.fit.rows == failed
        return np.zeros(0, dtype=int) if broken else right(task)(ask)

    one, other = answered(Progressive(), task, predict)
    assert one.certificate.terms[0].delta < other.certificate.terms[0].delta


def test_the_shares_of_any_number_of_candidates_are_at_most_one(make_task, answered):
    for n in (1, 2, 3, 40):
        task = make_task(Y, params=[{}] * n)
        choices = answered(Progressive(), task, right(task))
        total = sum(choice.certificate.terms[0].delta for choice in choices)
        assert 0.045 <= total <= 0.05 + 1e-12


def test_a_model_with_every_label_is_compared_with_the_tested_fit_on_the_pool(make_task, answered):
    task, wrong = make_task(Y, n_pool=M, params=[{}, {}]), {3, 8, 12, 20}

    def predict(ask):
        labels = right(task)(ask)
        labels[np.isin(ask.rows.indices, list(wrong))] += 1
        labels[(ask.rows.indices >= N + 50) & (len(ask.fit.rows) == N)] = 1
        return labels

    choice, other = answered(Progressive(confidence=0.9, refit=True, labeled_share=0.6), task, predict)
    labels, pool = choice.certificate.terms
    tests = set(REFIT._parts(task)[0].test.indices)
    assert labels.upper == binomial.upper(len(wrong & tests), 7, 0.1 * 0.6 * 0.9)
    assert pool.upper == pytest.approx(binomial.upper(10, M, 0.1 * 0.4 / 2))
    assert other.certificate.terms[1] == pool  # ranks may depend on a pool that trains, so it has equal shares
    assert choice.score == labels.upper + pool.upper
    assert choice.fits[0].rows == task.labeled
    assert not any("without the" in sentence for sentence in choice.certificate.assumes)
    assert (Progressive().holds_out, REFIT.holds_out) == (True, False)
    assert (Progressive().needs, REFIT.needs) == (frozenset(), {"pool"})


def test_semi_supervised_candidates_train_with_all_of_the_pool_unless_it_measures(make_task, answered, asked):
    task = make_task(Y, n_pool=M, semi_supervised=True)
    (choice,) = answered(Progressive(), task, right(task))
    assert len(choice.fits[0].unlabeled) == M
    (choice,) = answered(REFIT, task, right(task))
    assert len(choice.fits[0].unlabeled) == M // 2
    assert choice.certificate.terms[1].rows == M // 2
    measured = {row for ask in asked for row in ask.rows.indices if row >= N}
    assert not measured & set(choice.fits[0].unlabeled.indices)
    assert choice.notes[-1] == "trained with one half of the pool and measured on the other"


def test_groups_are_whole_and_count_once(make_task, answered, asked):
    groups = np.arange(N) // 2
    task = make_task(Y, n_pool=M, params=[{}, {}], groups=groups, of_pool={"groups": 3 + np.arange(M) // 3})
    choice, _ = answered(REFIT, task, right(task))
    for ask in asked:
        if ask.rows.bounds[1] < N:
            assert not set(groups[ask.fit.rows.indices]) & set(groups[ask.rows.indices])
    assert [term.rows for term in choice.certificate.terms] == [4, 11]
    assert choice.certificate.assumes[0] == GROUPED


def test_a_row_whose_copy_trained_the_fit_counts_as_an_error_and_pool_copies_once(make_task, answered):
    contents = Contents(np.arange(N) // 2, np.arange(M) // 5)
    task = make_task(Y, n_pool=M, of_pool={"contents": lambda: contents})
    (choice,) = answered(REFIT, task, right(task))
    train, test = REFIT._parts(task)[0]
    firsts = [row for row in test.indices if row % 2 == 0]
    wrong = sum(contents.labeled[row] in contents.labeled[train.indices] for row in firsts)
    labels, pool = choice.certificate.terms
    assert (labels.rows, labels.observed) == (len(firsts), pytest.approx(wrong / len(firsts)))
    assert wrong > 0
    assert pool.rows == M // 5
    (draws,) = answered(replace(REFIT, equal_rows="draws"), task, right(task))
    assert [term.observed for term in draws.certificate.terms] == [0, 0]
    assert [term.rows for term in draws.certificate.terms] == [7, M]


def test_ties_go_to_the_smaller_error(make_task, answered):
    task = make_task(Y, n_pool=M, params=[{}, {}])
    choice, other = answered(Progressive(), task, right(task))
    worse = replace(choice.certificate, terms=(replace(choice.certificate.terms[0], observed=0.5),))
    tied = [replace(choice, certificate=worse), replace(other, score=choice.score)]
    assert ranked(Progressive(), tied)[0].candidate.index == 1


def test_rows_are_assigned_blind_to_the_labels_and_to_the_candidates(make_task):
    task = make_task(Y, n_pool=M, params=[{}, {}])
    other = make_task(Y, n_pool=M, params=[{}, {}, {}]).relabeled(task.y[::-1].copy())
    assert Progressive()._parts(task) == Progressive()._parts(other)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"start": 1.0}, r"start must be a number in \(0, 1\), got 1.0"),
        ({"k": 1}, "k must be a whole number, 2 or more, got 1"),
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
        next(REFIT.evaluate(make_task(Y, n_pool=M, groups=np.arange(N) // 2)))
    same = {"overlap": lambda: Overlap(N, same=True)}
    for criterion, semi in ((REFIT, False), (Progressive(), True)):
        with pytest.raises(CannotAnswer, match="the pool holds the labeled rows themselves"):
            next(criterion.evaluate(make_task(Y, n_pool=N, of_pool=same, semi_supervised=semi)))
    with pytest.raises(CannotAnswer, match="needs at least 2 labeled rows or groups, got 1"):
        next(Progressive().evaluate(make_task(Y, groups=np.zeros(N))))


def test_two_labels_are_enough_for_a_bound_that_says_nothing(make_task, answered):
    task = make_task([0, 1], n_pool=5, params=[{}, {}])
    for criterion in (Progressive(), REFIT):
        choice, _ = answered(criterion, task, lambda ask: np.zeros(len(ask.rows), dtype=int))
        assert choice.certificate.upper > 0.9
    assert choice.certificate.upper == 1
    assert "the bound is not below 1, so it is vacuous" in choice.notes


def test_the_term_says_why_it_tests_fewer_rows_than_certify(make_task, answered):
    task = make_task(Y, n_pool=M)
    tests = Progressive()._parts(task)[0].test.indices
    contents = np.arange(N)
    contents[tests[:3]] = tests[0]
    copied = make_task(Y, n_pool=M, of_pool={"contents": lambda: Contents(contents)})
    grouped = make_task(Y, n_pool=M, groups=np.arange(N) // 2)
    for each, rows, ends in (
        (task, 7, "tested on the others"),
        (copied, 5, "tested on the others with copies counted once"),
        (grouped, None, "tested on the others, one row of each group"),
    ):
        (choice,) = answered(Progressive(), each, right(each))
        (term,) = choice.certificate.terms
        assert term.what.endswith(ends)
        assert rows in (None, term.rows)
