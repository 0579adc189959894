"""Measures in words, for people."""

import pytest
from sklearn.metrics import get_scorer_names

from foldless import Costs, Metric
from foldless.criteria import Combination, KFold
from foldless.results._measure_words import criterion_in_words, in_words

OF_CLUSTERS = ("rand_score", "info_score", "completeness", "fowlkes", "homogeneity", "v_measure")


@pytest.mark.parametrize("name", [name for name in get_scorer_names() if not any(s in name for s in OF_CLUSTERS)])
def test_every_measure_of_predictions_has_words(name):
    assert "_" not in in_words(name)
    assert not in_words(name).startswith("neg")


@pytest.mark.parametrize(
    ("scoring", "words"),
    [
        ("f1_macro", "macro F1"),
        (Metric("f1", "it's"), 'F1 of "it\'s"'),
        (Costs({"yes": 5, ("no", "yes"): 2}), "expected cost"),
    ],
)
def test_criteria_are_named_with_their_measure_in_words(scoring, words):
    assert criterion_in_words(Combination(scoring=scoring).name) == f"combination by {words}"
    assert criterion_in_words(KFold(10, scoring=scoring).name) == f"k_fold(k=10) by {words}"
