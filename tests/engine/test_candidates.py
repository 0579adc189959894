"""Candidates are named by what differs between them, without the steps that they all share."""

import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import SelfTrainingClassifier

from foldless import FoldlessSearch, certify, compare
from foldless.engine._candidates import build
from foldless.errors import BadInput

SELF = SelfTrainingClassifier(LogisticRegression())


@pytest.mark.parametrize(
    ("point", "name"),
    [
        ({"model__threshold": 0.9}, "threshold=0.9"),
        ({"model__max_iter": 3, "model__estimator__C": 2.0}, "C=2, max_iter=3"),
        ({"model__max_iter": 3, "model__estimator__max_iter": 50}, "estimator__max_iter=50, max_iter=3"),
        ({"scale__copy": True, "model__verbose": False}, "verbose=False, copy=True"),
    ],
)
def test_grid_keys_are_short_as_long_as_they_differ(point, name):
    estimator = Pipeline([("scale", StandardScaler()), ("model", SELF)])
    (candidate,), _ = build(estimator, {key: [value] for key, value in point.items()}, None, 0)
    assert candidate.name == name
    assert candidate.params == point
    (several,), _ = build({"self": (estimator, {key: [value] for key, value in point.items()})}, None, None, 0)
    assert several.name == f"self({name})"


def test_equal_names_in_different_steps_keep_their_steps():
    estimator = Pipeline([("first", StandardScaler()), ("second", StandardScaler()), ("model", LogisticRegression())])
    (candidate,), _ = build(estimator, {"first__copy": [True], "second__copy": [False]}, None, 0)
    assert candidate.name == "first__copy=True, second__copy=False"


def test_a_key_that_no_step_has_is_refused_with_those_that_are_near():
    with pytest.raises(BadInput, match="unknown grid key 'modle__C': Pipeline has no such parameter; try model__C"):
        build(Pipeline([("model", LogisticRegression())]), {"modle__C": [1]}, None, 0)
    with pytest.raises(BadInput, match=r"unknown grid key 'C': Pipeline has no such parameter; try model__C$"):
        build(Pipeline([("model", LogisticRegression())]), {"C": [1]}, None, 0)


@pytest.mark.parametrize("estimator", ["linear-svc", 3, LogisticRegression, {"a": "linear-svc"}])
@pytest.mark.parametrize(
    "call",
    [
        lambda estimator, X, y: FoldlessSearch(estimator).fit(X, y),
        lambda estimator, X, y: FoldlessSearch(estimator, criterion="k_fold").fit(X, y),
        lambda estimator, X, y: FoldlessSearch(estimator, cv=3).fit(X, y, X_unlabeled=X),
        lambda estimator, X, y: certify(estimator, X, y),
        lambda estimator, X, y: compare(estimator, None, X, y),
    ],
)
def test_what_is_no_estimator_is_refused_in_one_sentence_by_every_call(estimator, call):
    with pytest.raises(BadInput, match="a candidate must be a scikit-learn classifier or regressor object, got "):
        call(estimator, *load_iris(return_X_y=True))
