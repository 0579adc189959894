import pickle
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from scipy.stats import rankdata

from foldless.core import Ask, Choice, Criterion, Traits, ranked
from foldless.criteria import ADA, BY_NAME, HoldOut, KFold, QuantificationBound, RankSum, SimilarData, resolve
from foldless.criteria.rank_sum import average_ranks
from foldless.errors import BadInput, CannotAnswer


@dataclass(frozen=True)
class Scores(Criterion):
    """Gives these scores, after some rounds of questions."""

    scores: tuple[float, ...]
    rounds: int = 1

    def evaluate(self, task):
        for _ in range(self.rounds):
            answers = yield [Ask(task.full(c), task.labeled) for c in task.candidates]
            assert len(answers) == len(task.candidates)
        return [Choice(c, s, (task.full(c),)) for c, s in zip(task.candidates, self.scores, strict=True)]


@dataclass(frozen=True)
class Errors(Scores):
    better: ClassVar = "lower"


@dataclass(frozen=True)
class Rough(Scores):
    traits: ClassVar = Traits(tolerance=0.1)


@pytest.fixture
def summed(make_task, answered):
    def of(*criteria):
        task = make_task(list("ab"), params=[{}] * len(criteria[0].scores))
        return answered(RankSum(*criteria), task, lambda ask: np.zeros(len(ask.rows), int))

    return of


def test_ranks_are_added_and_ties_have_their_mean(summed):
    choices = summed(Scores((0.9, 0.5, 0.5, 0.1)), Errors((0.4, 0.1, 0.2, 0.3)))
    assert [choice.score for choice in choices] == [1 + 4, 2.5 + 1, 2.5 + 2, 4 + 3]
    assert [choice.candidate.index for choice in ranked(RankSum(), choices)] == [1, 2, 0, 3]
    assert choices[1].notes == (
        "rank 2.5 by scores(scores=(0.9, 0.5, 0.5, 0.1)), 1 by errors(scores=(0.4, 0.1, 0.2, 0.3))",
    )


def test_ranks_are_those_of_scipy(make_task):
    rng = np.random.default_rng(0)
    for _ in range(50):
        scores = tuple(rng.integers(4, size=9).astype(float))
        task = make_task(list("ab"), params=[{}] * 9)
        choices = [Choice(c, s, ()) for c, s in zip(task.candidates, scores, strict=True)]
        assert list(average_ranks(Errors(scores), choices).values()) != []
        by_index = average_ranks(Errors(scores), choices)
        assert [by_index[c] for c in task.candidates] == rankdata(scores).tolist()
        by_index = average_ranks(Scores(scores), choices)
        assert [by_index[c] for c in task.candidates] == rankdata(-np.array(scores)).tolist()


def test_infinite_scores_tie_and_what_is_no_number_is_last(summed):
    choices = summed(Errors((np.inf, 1.0, np.inf, np.nan, np.nan)), Errors((1.0, 1.0, 1.0, 1.0, 1.0)))
    assert [choice.score for choice in choices] == [2.5 + 3, 1 + 3, 2.5 + 3, 4.5 + 3, 4.5 + 3]


def test_a_criterions_tolerance_makes_ties(summed):
    assert [c.score for c in summed(Rough((1.0, 0.95, 0.5)), Scores((1.0, 2.0, 3.0)))] == [1.5 + 3, 1.5 + 2, 3 + 1]


def test_a_criterion_added_to_itself_keeps_its_order(summed):
    scores = Scores((0.3, 0.9, 0.5))
    assert [c.candidate.index for c in ranked(RankSum(), summed(scores, scores))] == [1, 2, 0]


def test_criteria_run_together(make_task, answered, asked):
    task = make_task(list("ab"), params=[{}, {}])
    answered(RankSum(Scores((1, 2), 1), Scores((1, 2), 3)), task, lambda ask: np.zeros(2, int))
    assert len(asked) == 2 * (1 + 3)


def test_what_it_needs_and_assumes_is_what_its_criteria_do():
    both = RankSum(SimilarData(), ADA(), KFold())
    assert both.needs == {"pool"}
    assert RankSum(KFold(), HoldOut()).needs == frozenset()
    assert set(SimilarData.assumes + ADA.assumes + KFold.assumes) < set(both.assumes)
    assert len(both.assumes) == len(set(both.assumes))
    assert RankSum(HoldOut(confidence=0.9), KFold()).holds_out
    assert not RankSum(KFold(), HoldOut(confidence=0.9)).holds_out


def test_names_with_a_plus():
    assert RankSum(SimilarData(), ADA()).name == "similar_data+ada"
    assert resolve("similar-data + ada") == resolve("similar_data+ada") == RankSum(SimilarData(), ADA())
    assert resolve("k_fold+ada+quantification_bound") == RankSum(KFold(), ADA(), QuantificationBound())
    assert RankSum(SimilarData(50), ADA()).name == "similar_data(samples=50)+ada"
    with pytest.raises(BadInput, match="got 'similar'"):
        resolve("similar+ada")


def test_the_sum_alone_is_no_name():
    assert "rank_sum" not in BY_NAME
    with pytest.raises(
        BadInput, match=r"with a plus or a bar between them such as 'similar_data\+ada' or .* got 'rank_sum'"
    ):
        resolve("rank_sum")


def test_what_is_printed_can_be_typed():
    both = RankSum(ADA(clip=0.01), KFold(3))
    assert repr(both) == f"RankSum({both.criteria[0]!r}, {both.criteria[1]!r})"
    assert eval(repr(both), {"RankSum": RankSum, "ADA": ADA, "KFold": KFold}) == both


def test_it_trains_on_the_pool_where_one_of_its_criteria_does():
    assert RankSum(ADA(), SimilarData()).traits.trains_on_pool
    assert not RankSum(ADA(), KFold()).traits.trains_on_pool


def test_it_travels():
    both = RankSum(SimilarData(), ADA())
    assert pickle.loads(pickle.dumps(both)) == both
    assert hash(both) == hash(RankSum(SimilarData(), ADA()))
    assert pickle.loads(pickle.dumps(both)).needs == {"pool"}


def test_what_cannot_be_added(make_task):
    with pytest.raises(BadInput, match=r"rank_sum adds up criteria, .* got 'ada'"):
        RankSum("ada", "k_fold")
    for few in (RankSum(), RankSum(ADA())):
        with pytest.raises(CannotAnswer, match="rank_sum needs at least two criteria"):
            next(few.evaluate(make_task(list("ab"), n_pool=2)))
