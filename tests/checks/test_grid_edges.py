"""FL026: the best value of a grid at its edge, where the next one inside is worse."""

import pytest
from helpers.checked_data import diagnoses, numbers
from helpers.selections import selection

from foldless.checks._check import DoesNotApply


def found(scores):
    points = [{"estimator": "svm", "C": value} for value in (0.1, 1.0, 10.0)]
    return [each.finding.problem for each in diagnoses("FL026", numbers(20), selection=selection(points, scores))]


def test_an_edge_is_named():
    assert found([0.7, 0.8, 0.9]) == ["the best C is 10, the largest of its grid"]
    assert found([0.9, 0.8, 0.7]) == ["the best C is 0.1, the smallest of its grid"]
    assert found([0.7, 0.9, 0.8]) == []


def test_it_needs_a_search():
    with pytest.raises(DoesNotApply, match="no search"):
        diagnoses("FL026", numbers(20))
