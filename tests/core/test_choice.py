import numpy as np

from foldless.core import Candidate, Choice, ranked, ranks_of
from foldless.criteria import KFold


def choice(at, score, rank_by=None):
    return Choice(Candidate(at, str(at), {}), score, (), rank_by=rank_by)


def test_what_a_choice_ranks_by_may_be_another_number_than_its_score():
    choices = [choice(0, 0.9, 1.0), choice(1, 0.7, 3.0), choice(2, 0.8, 3.0), choice(3, np.nan, 9.0)]
    ranking = ranked(KFold(), choices)
    assert [c.candidate.index for c in ranking] == [1, 2, 0, 3]
    assert list(ranks_of(KFold(), ranking).values()) == [1, 1, 3, 4]


def test_without_it_the_score_ranks():
    ranking = ranked(KFold(), [choice(0, 0.7), choice(1, 0.9), choice(2, 0.8)])
    assert [c.candidate.index for c in ranking] == [1, 2, 0]
