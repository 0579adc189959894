"""An average alone: who is trained on what, how votes are weighed, and scikit-learn's contract."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from foldless.errors import BadInput, BadType
from foldless.learners import AveragingClassifier
from foldless.learners.ensembles.averaging_classifier import FULL, votes_of

X, Y = make_classification(120, 6, n_informative=4, n_classes=3, flip_y=0.2, random_state=0)


@parametrize_with_checks(
    [AveragingClassifier([LogisticRegression(), DecisionTreeClassifier()], 2, random_state=0)],
    expected_failed_checks=lambda _: {
        f"check_sample_weight_equivalence_on_{kind}_data": "a row that is there twice is drawn more often"
        for kind in ("dense", "sparse")
    },
)
def test_contract(estimator, check):
    check(estimator)


def test_without_bootstraps_it_is_the_weighted_mean():
    average = AveragingClassifier([LogisticRegression(), GaussianNB()], 0, weights=[1, 3]).fit(X, Y)
    expected = (LogisticRegression().fit(X, Y).predict_proba(X) + 3 * GaussianNB().fit(X, Y).predict_proba(X)) / 4
    np.testing.assert_allclose(average.predict_proba(X), expected)
    assert (average.predict(X) == expected.argmax(axis=1)).all()


def test_votes_add_up_to_one_and_a_full_fit_has_more():
    votes = votes_of([2.0, 1.0], [3, 0])
    assert sum(votes) == pytest.approx(1)
    assert sum(votes[:4]) == pytest.approx(2 / 3)
    assert votes[0] == pytest.approx(FULL * votes[1])


def test_bootstraps_are_drawn_with_replacement_and_shared():
    class Memory(DummyClassifier):
        def fit(self, X, y, sample_weight=None):
            self.rows_ = X[:, 0].astype(int)
            return super().fit(X, y)

    rows = np.arange(60.0).reshape(-1, 1)
    average = AveragingClassifier([Memory(), Memory()], [2, 1], random_state=0).fit(rows, np.arange(60) % 2)
    first, one, two, second, again = (member.rows_ for member in average.estimators_)
    assert (first == np.arange(60)).all()
    assert (second == first).all()
    assert (one == again).all()
    assert len(np.unique(one)) < 50
    assert (one != two).any()


def test_labels_are_counted_where_there_are_no_probabilities():
    with pytest.raises(BadType, match="use voting='hard'"):
        AveragingClassifier([LinearSVC()]).fit(X, Y)
    average = AveragingClassifier([LinearSVC(random_state=0), DecisionTreeClassifier()], 1, voting="hard").fit(X, Y)
    assert set(np.round(average.predict_proba(X).sum(axis=1), 12)) == {1.0}


def test_strings_frames_and_pickles():
    frame, names = pd.DataFrame(X, columns=list("abcdef")), np.array(["x", "y", "z"])[Y]
    average = AveragingClassifier([GaussianNB()], 2, random_state=0).fit(frame, names)
    assert list(average.feature_names_in_) == list("abcdef")
    assert list(average.classes_) == ["x", "y", "z"]
    again = pickle.loads(pickle.dumps(average))
    np.testing.assert_array_equal(again.predict_proba(frame), average.predict_proba(frame))
    np.testing.assert_array_equal(clone(average).fit(frame, names).predict(frame), average.predict(frame))


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"estimators": []}, "at least one classifier"),
        ({"bootstraps": -1}, "bootstraps must be 0 or more"),
        ({"bootstraps": [1, 2]}, "for each of 1"),
        ({"weights": [-1.0]}, "weights must not be negative"),
        ({"weights": [0.0]}, "weights must not be negative"),
        ({"voting": "loud"}, "voting must be"),
    ],
)
def test_parameters_that_cannot_be(parameters, sentence):
    with pytest.raises(BadInput, match=sentence):
        AveragingClassifier(**{"estimators": [GaussianNB()], **parameters}).fit(X, Y)


def test_a_second_fit_forgets_the_votes_of_the_first() -> None:
    """Rows of one class have no bootstraps, so their members are others."""
    average = AveragingClassifier([GaussianNB(), GaussianNB()], bootstraps=2, weights=[3, 1], random_state=0).fit(X, Y)
    assert len(average.weights_) == 6
    average.fit(X, np.zeros(len(Y)))
    assert len(average.estimators_) == 2
    assert (average.predict_proba(X) == 1).all()


def test_a_fitted_average_names_its_members_and_weights():
    pipeline = make_pipeline(StandardScaler(), LogisticRegression(C=0.5))
    average = AveragingClassifier([GaussianNB(), pipeline], 0, weights=[1, 3])
    assert repr(average).startswith("AveragingClassifier(bootstraps=0,")
    assert repr(average.fit(X, Y)) == "AveragingClassifier(2 models: 0.75 LogisticRegression(C=0.5), 0.25 GaussianNB())"
    assert len(average.__repr__(30)) == 30
