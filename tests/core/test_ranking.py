import numpy as np

from foldless.core import Candidate, Choice, Rank, ranked, ranks_of
from foldless.criteria import KFold


def choice(at, score, rank_by=None):
    return Choice(Candidate(at, str(at), {}), score, (), rank=Rank(rank_by))


def test_what_a_choice_ranks_by_may_be_another_number_than_its_score():
    choices = [choice(0, 0.9, 1.0), choice(1, 0.7, 3.0), choice(2, 0.8, 3.0), choice(3, np.nan, 9.0)]
    ranking = ranked(KFold(), choices)
    assert [c.candidate.index for c in ranking] == [1, 2, 0, 3]
    assert list(ranks_of(KFold(), ranking).values()) == [1, 1, 3, 4]


def test_without_it_the_score_ranks():
    ranking = ranked(KFold(), [choice(0, 0.7), choice(1, 0.9), choice(2, 0.8)])
    assert [c.candidate.index for c in ranking] == [1, 2, 0]


def test_rounding_does_not_rank():
    fifths = [0.7, 0.8, 0.6, 0.9, 0.75]
    noisy = [choice(0, sum(fifths) / 5), choice(1, sum(reversed(fifths)) / 5), choice(2, np.mean(fifths) + 2e-16)]
    assert len({c.score for c in noisy}) > 1
    assert [c.candidate.index for c in ranked(KFold(), noisy)] == [0, 1, 2]
    assert set(ranks_of(KFold(), noisy).values()) == {1}
    large = [choice(0, -1e6), choice(1, -1e6 + 1e-9)]  # evidence is no mean of rates
    assert [c.candidate.index for c in ranked(KFold(), large)] == [0, 1]
    assert [c.candidate.index for c in ranked(KFold(), [choice(0, 0.75), choice(1, 0.75 + 1e-9)])] == [1, 0]
