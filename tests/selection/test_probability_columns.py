"""Probabilities beside predicted labels: of the label, of the classes, and how far the members of an average agree."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.semi_supervised import LabelSpreading
from sklearn.svm import LinearSVC

from foldless import FoldlessSearch
from foldless.errors import BadInput
from foldless.learners import AveragingClassifier
from foldless.selection import _probability_columns as columns
from foldless.selection._probability_columns import Answering, free_columns

rng = np.random.default_rng(0)
Y = np.arange(60) % 3
X = rng.normal(size=(60, 2)) + 1.5 * np.c_[Y == 1, Y == 2]
NAMES = np.array(["ant", "bee", "cat"])[Y]


def test_the_probability_of_the_label_and_of_each_class():
    model = LogisticRegression().fit(X, NAMES)
    asked = Answering(model, None, "auto")
    answers, table = asked.about(X), model.predict_proba(X)
    assert answers.labels.tolist() == model.predict(X).tolist()
    np.testing.assert_array_equal(answers.probability, table.max(axis=1))
    assert answers.agreement is None
    beside = answers.beside("predicted_kind")
    assert list(beside) == asked.columns("predicted_kind")
    assert list(beside) == ["predicted_kind_probability", "P(ant)", "P(bee)", "P(cat)"]
    np.testing.assert_array_equal(beside["P(bee)"], table[:, 1])


def test_members_of_an_average_agree_by_their_weight():
    model = AveragingClassifier([GaussianNB(), LogisticRegression()], 0, weights=[3, 1]).fit(X, NAMES)
    answers = Answering(model, None, "auto").about(X)
    votes = np.array([member.predict(X) for member in model.estimators_])
    np.testing.assert_allclose(answers.agreement, np.array([0.75, 0.25]) @ (votes == model.predict(X)))
    assert 0.25 <= answers.agreement.min() < answers.agreement.max() == 1
    np.testing.assert_array_equal(answers.probability, model.predict_proba(X).max(axis=1))
    assert list(answers.beside("p"))[:2] == ["p_probability", "p_agreement"]


def test_many_classes_have_one_column_unless_all_are_asked_for(monkeypatch):
    monkeypatch.setattr(columns, "MAX_CLASSES", 2)
    monkeypatch.setattr(columns, "BLOCK", 21)  # seven rows at a time
    model = LogisticRegression().fit(X, NAMES)
    asked = Answering(model, None, "auto")
    assert asked.columns("p") == ["p_probability"]
    answers = asked.about(X)
    assert answers.classes == {}
    np.testing.assert_allclose(answers.probability, model.predict_proba(X).max(axis=1))
    assert answers.labels.tolist() == model.predict(X).tolist()
    assert len(Answering(model, None, True).columns("p")) == 4


def test_scores_become_probabilities_by_a_temperature():
    model = LinearSVC().fit(X, NAMES)
    assert not Answering(model, None, "auto").known
    assert Answering(model, None, "auto").about(X).beside("p") == {}
    answers = Answering(model, 0.5, "auto").about(X)
    np.testing.assert_allclose(sum(answers.classes.values()), 1)
    np.testing.assert_array_equal(answers.probability, np.max([*answers.classes.values()], axis=0))


def test_values_have_no_probabilities():
    answers = Answering(Ridge().fit(X, Y), None, True).about(X)
    assert answers.beside("p") == {}
    assert answers.labels.dtype == float


@pytest.mark.filterwarnings("error")
def test_a_row_without_a_label_has_no_probability():
    model = LabelSpreading(gamma=10).fit([[0.0], [1.0], [1.1]], [0, 1, -1])
    answers = Answering(model, None, "auto").about(np.array([[0.1], [1e6]]))
    assert answers.labels.tolist() == [0, None]
    assert answers.probability[0] > 0.5
    assert np.isnan(answers.probability[1])


def test_a_name_that_is_taken_leaves_labels_alone_unless_probabilities_were_asked_for():
    def check_free(names):
        if "P(bee)" in names:
            raise BadInput("t.csv has a column 'P(bee)' already: rename it")

    model, notes = LogisticRegression().fit(X, NAMES), []
    asked = free_columns(Answering(model, None, "auto"), "p", "auto", check_free, notes)
    assert asked.columns("p") == []
    assert notes == ["t.csv has a column 'P(bee)' already: probabilities are left out"]
    with pytest.raises(BadInput, match="rename it"):
        free_columns(Answering(model, None, True), "p", True, check_free, [])


def test_a_search_has_the_same_columns():
    search = FoldlessSearch(
        {"lr": LogisticRegression(), "nb": GaussianNB()}, criterion="k_fold", random_state=0, estimate=False
    )
    with pytest.raises(NotFittedError):
        search.predict_frame(X)
    frame = search.fit(pd.DataFrame(X[:40], columns=["a", "b"]), NAMES[:40]).predict_frame(
        pd.DataFrame(X[40:], columns=["a", "b"], index=np.arange(100, 120))
    )
    assert list(frame) == ["predicted", "predicted_probability", "P(ant)", "P(bee)", "P(cat)"]
    assert frame.index.tolist() == list(range(100, 120))
    np.testing.assert_array_equal(frame["predicted_probability"], frame[["P(ant)", "P(bee)", "P(cat)"]].max(axis=1))
