"""The choices of several criteria, ranked together."""

from collections import Counter

import numpy as np
import pytest

from foldless.core import ranked
from foldless.criteria import (
    BY_NAME,
    BestOf,
    Dagging,
    HoldOut,
    KFold,
    QuantificationBound,
    RankSum,
    SemiSupervisedCV,
    resolve,
)
from foldless.errors import BadInput, CannotAnswer

Y = np.array(list("aabbabbaab"))


def right_for(task, shares):
    """A candidate's single fits are right about the first so many rows, its copies about others."""

    def answer(ask):
        truth = np.resize(task.y, 1000)[ask.rows.indices]
        share = shares[ask.fit.candidate.index][ask.fit.labels is not None]
        return np.where(ask.rows.indices < 10 * share, truth, 1 - truth)

    return answer


def test_the_union_with_each_ones_own_estimate(make_task, answered):
    task = make_task(Y, n_pool=30, params=[{}, {}])
    criterion = BestOf(KFold(10), Dagging())
    choices = answered(criterion, task, right_for(task, [(0.9, 0.6), (0.7, 0.8)]))
    assert [(c.candidate.index, round(c.score, 1), len(c.fits)) for c in choices] == [
        (0, 0.9, 1), (1, 0.7, 1), (0, 0.6, 3), (1, 0.8, 3),
    ]  # fmt: skip
    assert [c.notes[0] for c in choices] == ["by k_fold(k=10)", "by k_fold(k=10)", "by dagging", "by dagging"]
    best = ranked(criterion, choices)[0]
    assert (best.candidate.index, best.fits) == (0, (task.full(task.candidates[0]),))


def test_what_they_share_is_asked_in_one_round(make_task):
    task = make_task(Y, n_pool=30)
    asks = next(BestOf(HoldOut(), KFold(5), Dagging()).evaluate(task))
    assert len(asks) == 1 + 5 + 1


@pytest.mark.slow
def test_ties_are_drawn_and_every_one_may_win(make_task, answered):
    won = Counter()
    for seed in range(200):
        task = make_task(Y, n_pool=30, params=[{}, {}], seed=seed)
        choices = answered(BestOf(KFold(10), Dagging()), task, right_for(task, [(0.9, 0.5), (0.9, 0.9)]))
        best = ranked(BestOf(KFold(10), Dagging()), choices)[0]
        won[best.candidate.index, len(best.fits)] += 1
    assert set(won) == {(0, 1), (1, 1), (1, 3)}
    assert all(abs(n - 200 / 3) < 5 * np.sqrt(200 * 2 / 9) for n in won.values())
    again = answered(BestOf(KFold(10), Dagging()), task, right_for(task, [(0.9, 0.5), (0.9, 0.9)]))
    assert [c.rank.lot for c in again] == [c.rank.lot for c in choices]


def test_one_that_certifies_is_refused(make_task):
    criterion = BestOf(KFold(2), HoldOut(0.5, confidence=0.9))
    with pytest.raises(CannotAnswer, match=r"HoldOut\(test_size=0.5, .* has none: leave its confidence out"):
        next(criterion.evaluate(make_task(Y, n_pool=30)))


def test_names_and_what_it_assumes():
    criterion = resolve("k-fold|dagging")
    assert criterion == BestOf(KFold(), Dagging())
    assert criterion.name == "k_fold|dagging"
    assert BestOf(KFold(10), Dagging()).name == "k_fold(k=10)|dagging"
    assert criterion.needs == {"pool"}
    assert set(Dagging.assumes) | set(KFold.assumes) < set(criterion.assumes)


def test_the_best_alone_is_no_name():
    assert "best_of" not in BY_NAME
    with pytest.raises(BadInput, match=r"'k_fold\|dagging', or a Criterion object, got 'best_of'"):
        resolve("best_of")


def test_what_is_printed_can_be_typed():
    both = BestOf(KFold(10), Dagging(n_batches=3))
    assert eval(repr(both), {"BestOf": BestOf, "KFold": KFold, "Dagging": Dagging}) == both


def test_it_trains_on_the_pool_where_one_of_them_does():
    assert BestOf(KFold(), Dagging()).traits.trains_on_pool
    assert not BestOf(KFold(), HoldOut()).traits.trains_on_pool


def test_a_sum_of_ranks_takes_the_better_choice_of_each_candidate(make_task, answered):
    task = make_task(Y, n_pool=30, params=[{}, {}])
    criterion = RankSum(BestOf(KFold(10), Dagging()), KFold(10))
    choices = answered(criterion, task, right_for(task, [(0.9, 0.6), (0.7, 0.8)]))
    assert [(c.candidate.index, c.score, len(c.fits)) for c in choices] == [(0, 2, 1), (1, 4, 3)]


@pytest.mark.parametrize(
    "criteria",
    [
        (),
        (KFold(),),
        (KFold(), Dagging(scoring="roc_auc")),
        (KFold(), QuantificationBound()),
        (SemiSupervisedCV(), KFold()),
    ],
)
def test_what_cannot_be_compared(make_task, criteria):
    with pytest.raises(CannotAnswer, match="best_of"):
        next(BestOf(*criteria).evaluate(make_task(Y, n_pool=30)))


def test_only_criteria():
    with pytest.raises(BadInput, match="'k_fold'"):
        BestOf("k_fold")
