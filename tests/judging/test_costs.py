"""Costs of errors: the table, the decision of least expected cost, and the score."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from foldless.errors import BadInput
from foldless.judging._scoring import ClassJudge
from foldless.judging.costs import Costs

CLASSES = np.array(["a", "b", "c"])


def test_the_table_by_class_by_pair_and_from_a_frame() -> None:
    by_class = Costs({"b": 5, ("b", "c"): 7, ("a", "c"): 2}, otherwise=0.5)
    np.testing.assert_array_equal(by_class.matrix(CLASSES), [[0, 0.5, 2], [5, 0, 7], [0.5, 0.5, 0]])
    frame = pd.DataFrame(np.arange(9).reshape(3, 3), index=CLASSES[::-1], columns=CLASSES)
    np.testing.assert_array_equal(Costs(frame).matrix(CLASSES), [[6, 7, 8], [3, 4, 5], [0, 1, 2]])
    assert Costs({"b": 5}) == Costs({"b": 5})


def test_the_decision_is_the_least_expected_cost() -> None:
    costs, rng = Costs({"b": 4, ("c", "a"): 9}), np.random.default_rng(0)
    shares = rng.dirichlet(np.ones(3), 50)
    table = costs.matrix(CLASSES)
    by_hand = [min(range(3), key=lambda j: sum(row[i] * table[i, j] for i in range(3))) for row in shares]
    np.testing.assert_array_equal(costs.decide(shares, CLASSES), by_hand)
    even = Costs({"a": 1})  # all errors cost the same
    np.testing.assert_array_equal(even.decide(shares, CLASSES), shares.argmax(axis=1))


def test_a_judge_scores_as_the_scorer_does() -> None:
    X, y = make_classification(200, n_informative=4, n_classes=3, random_state=0)
    y, costs = CLASSES[y], Costs({"b": 6})
    codes = np.searchsorted(CLASSES, y[100:])
    model = LogisticRegression(max_iter=500).fit(X[:100], y[:100])
    judge = ClassJudge(costs, CLASSES)
    shares = model.predict_proba(X[100:])
    assert judge.wanted == ("probabilities", "labels")
    assert judge.score("probabilities", codes, shares) == pytest.approx(costs(model, X[100:], y[100:]))
    assert costs(model, X[100:], y[100:]) > judge.score("labels", codes, shares.argmax(axis=1))
    svm = LinearSVC().fit(X[:100], y[:100])
    labels = np.searchsorted(CLASSES, svm.predict(X[100:]))
    assert costs(svm, X[100:], y[100:]) == pytest.approx(-costs.matrix(CLASSES)[codes, labels].mean())


def test_a_row_without_a_label_costs_as_the_worst() -> None:
    paid = Costs({("a", "b"): 3}).paid(np.array([0, 1]), np.array([-1, -1]), CLASSES)
    np.testing.assert_array_equal(paid, [3, 1])


@pytest.mark.parametrize("costs", [{}, [1], {"a": np.nan}])
def test_what_is_no_cost(costs: object) -> None:
    with pytest.raises(BadInput):
        Costs(costs)


def test_a_class_that_is_not_there() -> None:
    with pytest.raises(BadInput, match="there is no class 'd' to have a cost: the classes are 'a', 'b', 'c'"):
        ClassJudge(Costs({"d": 2}), CLASSES)
