"""Dagging alone: batches, votes, classes that a batch does not have, and scikit-learn's contract."""

import pickle

import numpy as np
import pandas as pd
import pytest
from helpers.slow import checks_of
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.decomposition import PCA
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from foldless.learners import DaggingClassifier, LinearSVC
from foldless.saving._trusted import fault_of

X, Y = make_classification(240, 6, n_informative=4, n_classes=3, flip_y=0.2, random_state=0)


@checks_of(
    [
        DaggingClassifier(LinearSVC(random_state=0), 3, random_state=0),
        DaggingClassifier(LogisticRegression(), 3, voting="soft", stratify=False, random_state=0),
    ],
    expected_failed_checks=lambda _: {
        f"check_sample_weight_equivalence_on_{kind}_data": "a row that is there twice may be in two batches"
        for kind in ("dense", "sparse")
    },
)
def test_contract(estimator, check):
    check(estimator)


class Parrot(DummyClassifier):
    """Says the class of its only row, and remembers what it was trained on."""

    def fit(self, X, y):
        self.seen_ = sorted(X[:, 0].tolist())
        return super().fit(X, y)


@pytest.mark.parametrize("stratify", [True, False])
def test_every_row_is_seen_by_exactly_one_member(stratify):
    rows = np.arange(100.0).reshape(-1, 1)
    y = np.where(np.arange(100) % 10 < 3, "rare", "common")
    ensemble = DaggingClassifier(Parrot(), 7, stratify=stratify, random_state=0).fit(rows, y)
    seen = [member.seen_ for member in ensemble.estimators_]
    assert sorted(row for own in seen for row in own) == list(range(100))
    assert [batch.tolist() for batch in ensemble.batches_] == seen
    assert {len(own) for own in seen} == {14, 15}
    counts = [(y[batch] == "rare").sum() for batch in ensemble.batches_]
    assert (max(counts) - min(counts) <= 1) == stratify
    other = DaggingClassifier(Parrot(), 7, stratify=stratify, random_state=1).fit(rows, y)
    assert any(a.tolist() != b.tolist() for a, b in zip(ensemble.batches_, other.batches_, strict=True))


@pytest.mark.parametrize("voting", ["hard", "soft"])
def test_the_vote_is_that_of_scikit_learn(voting):
    ensemble = DaggingClassifier(GaussianNB(), 4, voting=voting, random_state=0).fit(X, Y)
    theirs = VotingClassifier([(str(at), first) for at, first in enumerate(ensemble.estimators_)], voting=voting)
    theirs.estimators_, theirs.le_, theirs.classes_ = ensemble.estimators_, _Same(ensemble.classes_), ensemble.classes_
    np.testing.assert_array_equal(ensemble.predict(X), theirs.predict(X))
    if voting == "soft":
        np.testing.assert_allclose(ensemble.predict_proba(X), theirs.predict_proba(X))


class _Same:
    """A label encoder that has nothing to do."""

    def __init__(self, classes):
        self.classes_ = classes

    def transform(self, y):
        return y

    def inverse_transform(self, y):
        return y


def test_a_class_that_one_batch_has():
    y = np.array(["a", "b"] * 20 + ["c"])
    rows = np.arange(41.0).reshape(-1, 1)
    ensemble = DaggingClassifier(GaussianNB(), 5, voting="soft", random_state=0).fit(rows, y)
    assert ensemble.classes_.tolist() == ["a", "b", "c"]
    assert sum("c" in member.classes_ for member in ensemble.estimators_) == 1
    p = ensemble.predict_proba(rows)
    assert p.shape == (41, 3)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    assert p[:, 2].max() <= 1 / 5


def test_a_batch_of_one_class_is_a_constant():
    y = np.array([0] * 9 + [1])
    ensemble = DaggingClassifier(LinearSVC(), 5, random_state=0).fit(np.arange(10.0).reshape(-1, 1), y)
    assert sum(isinstance(member, DummyClassifier) for member in ensemble.estimators_) == 4
    assert ensemble.predict([[3.0]]) == [0]


@pytest.mark.parametrize("voting", ["hard", "soft"])
def test_labels_that_are_none_of_the_classes_are_no_votes(voting):
    """As models that were trained elsewhere may give them."""
    members = [GaussianNB().fit([[0.0], [1.0]], own) for own in (["a", "b"], ["aa", "b"], ["z", "b"])]
    ensemble = DaggingClassifier(GaussianNB(), 3, voting=voting).around(members, np.array(["a", "b"]))
    np.testing.assert_allclose(ensemble.predict_proba([[0.0], [1.0]]), [[1 / 3, 0], [0, 1]], atol=1e-6)
    assert ensemble.predict([[0.0], [1.0]]).tolist() == ["a", "b"]


def test_ties_go_to_the_first_class():
    members = [DummyClassifier(strategy="constant", constant=c).fit([[0], [0]], ["a", "b"]) for c in "ba"]
    ensemble = DaggingClassifier(GaussianNB(), 2).around(members, np.array(["a", "b"]))
    assert set(ensemble.predict(np.zeros((50, 1)))) == {"a"}


def test_the_number_of_threads_changes_nothing():
    first, second = (
        DaggingClassifier(DecisionTreeClassifier(max_features=1), 6, n_jobs=n, random_state=3).fit(X, Y) for n in (1, 2)
    )
    np.testing.assert_array_equal(first.predict_proba(X), second.predict_proba(X))
    seeds = [member.random_state for member in first.estimators_]
    assert len(set(seeds)) == 6  # else trees of equal batches would be equal


def test_frames_sparse_matrices_texts_and_pickles():
    frame = pd.DataFrame(X, columns=list("abcdef"))
    ensemble = DaggingClassifier(LinearSVC(), 3, random_state=0).fit(frame, Y)
    assert ensemble.feature_names_in_.tolist() == list("abcdef")
    plain = DaggingClassifier(LinearSVC(), 3, random_state=0).fit(sparse.csr_array(X), Y)
    np.testing.assert_array_equal(ensemble.predict(frame), plain.predict(sparse.csr_array(X)))
    again = pickle.loads(pickle.dumps(ensemble))
    np.testing.assert_array_equal(again.predict_proba(frame), ensemble.predict_proba(frame))
    assert clone(ensemble).n_batches == 3


def test_a_saved_ensemble_of_pipelines_is_sound():
    ensemble = DaggingClassifier(make_pipeline(PCA(2), DecisionTreeClassifier()), 3, random_state=0).fit(X, Y)
    assert fault_of(ensemble) is None


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"n_batches": 0}, "got 0"), ({"n_batches": 300}, "n_batches=300"), ({"voting": "loud"}, "'loud'")],
)
def test_settings_that_make_no_sense(settings, message):
    with pytest.raises(ValueError, match=message):
        DaggingClassifier(GaussianNB(), **settings).fit(X, Y)


def test_weights_reach_the_members():
    weights = np.where(np.arange(len(Y)) % 2, 1.0, 1e-12)
    weighted = DaggingClassifier(GaussianNB(), 3, random_state=0).fit(X, Y, sample_weight=weights)
    for member, rows in zip(weighted.estimators_, weighted.batches_, strict=True):
        odd = rows[rows % 2 == 1]
        np.testing.assert_allclose(member.theta_, GaussianNB().fit(X[odd], Y[odd]).theta_, rtol=1e-6)


def test_logarithms_of_shares():
    model = DaggingClassifier(GaussianNB(), 3, random_state=0).fit(X, Y)
    np.testing.assert_array_equal(np.exp(model.predict_log_proba(X)), model.predict_proba(X))


def test_kernel_values_are_refused():
    with pytest.raises(TypeError, match=r"SVC\(kernel='precomputed'\) takes kernel values"):
        DaggingClassifier(SVC(kernel="precomputed"), 3).fit(X @ X.T, Y)


def test_probabilities_are_wanted_before_training():
    with pytest.raises(TypeError, match=r"voting='soft' averages probabilities, which LinearSVC\(\) does not have"):
        DaggingClassifier(LinearSVC(), 3, voting="soft").fit(X, Y)
