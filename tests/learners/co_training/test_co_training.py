"""Co-training as a scikit-learn classifier and as a batch learner."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from helpers.searches import plain_search
from helpers.slow import checks_of
from helpers.two_views import VIEWS, blobs
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from skops.io import dumps, loads

from foldless.core.batch import Member, Part, Question
from foldless.learners import CoTraining, L1LogisticRegression
from foldless.learners.co_training import co_training
from foldless.learners.co_training.co_training import product
from foldless.saving._trusted import trusted_types


@checks_of(
    [CoTraining(), CoTraining(GaussianNB(), GaussianNB())],
    expected_failed_checks=lambda _: {
        "check_classifiers_classes": "the labels are -1 and 1, and -1 means that there is no label"
    },
)
def test_contract(estimator, check):
    check(estimator)


def test_two_views_teach_each_other():
    """Where each view alone errs in one case of sixteen, the product of two with 800 labels errs in one of fifty."""
    rng = np.random.default_rng(0)
    y = np.arange(800) % 2
    X = rng.normal(size=(800, 2)) + 3 * y[:, None]
    known = np.where(np.arange(800) < 4, y, -1)
    taught = CoTraining(views=[[0], [1]], rounds=100, random_state=0).fit(X, known)
    alone = CoTraining(views=[[0], [1]], rounds=0, random_state=0).fit(X, known)
    assert taught.n_rounds_ == 100
    assert alone.n_rounds_ == 0
    assert taught.score(X, y) > 0.97
    assert taught.score(X, y) > alone.score(X, y)


def test_products_of_posteriors_by_hand():
    first = np.array([[0.5, 0.5], [0.8, 0.2], [1.0, 0.0], [1.0, 0.0]])
    second = np.array([[0.3, 0.7], [0.6, 0.4], [0.2, 0.8], [0.0, 1.0]])
    wanted = [[0.3, 0.7], [0.48 / 0.56, 0.08 / 0.56], [1.0, 0.0], [0.5, 0.5]]
    np.testing.assert_allclose(product(first, second), wanted)


def test_a_prediction_is_the_product_of_the_views():
    X, _, known = blobs(60, 6, 3)
    model = CoTraining(views=VIEWS, random_state=0).fit(X, known)
    posteriors = [base.predict_proba(X[:, view]) for base, view in zip(model.estimators_, VIEWS, strict=True)]
    np.testing.assert_array_equal(model.predict_proba(X), product(*posteriors))
    np.testing.assert_array_equal(model.predict(X), model.predict_proba(X).argmax(axis=1))


def test_without_weights_the_prior():
    X, _, known = blobs(60, 9)
    model = CoTraining(views=VIEWS, l1=1e3, l2=1e3, rounds=0).fit(X, known)
    odds = np.sum(known == 1) / np.sum(known == 0)
    posteriors = model.predict_proba(X)
    np.testing.assert_allclose(posteriors[:, 1] / posteriors[:, 0], odds**2, rtol=1e-3)  # each view says the prior


@pytest.mark.parametrize("base", [None, GaussianNB()])
def test_same_seed_same_model(base):
    X, _, known = blobs(100, 6)
    posteriors = [
        CoTraining(base, base, views=VIEWS, rounds=3, random_state=seed).fit(X, known).predict_proba(X)
        for seed in (0, 0, 1)
    ]
    np.testing.assert_array_equal(posteriors[0], posteriors[1])
    assert (posteriors[0] != posteriors[2]).any()


def test_base_classifiers_are_seeded_too():
    X, _, known = blobs(60, 8)
    forest = make_pipeline(StandardScaler(), RandomForestClassifier(5))
    models = [CoTraining(forest, GaussianNB(), views=VIEWS, rounds=3, random_state=7).fit(X, known) for _ in range(2)]
    np.testing.assert_array_equal(models[0].predict_proba(X), models[1].predict_proba(X))
    assert forest.steps[-1][1].random_state is None
    fixed = CoTraining(RandomForestClassifier(5, random_state=3), views=VIEWS, random_state=7).fit(X, known)
    assert fixed.estimators_[0].random_state == 3


def test_sparse_is_dense():
    X, _, known = blobs(60, 6)
    X[np.abs(X) < 1] = 0
    dense = CoTraining(views=VIEWS, random_state=0).fit(X, known)
    for form in (sparse.csr_matrix, sparse.csc_array):
        other = CoTraining(views=VIEWS, random_state=0).fit(form(X), known)
        np.testing.assert_allclose(other.predict_proba(form(X)), dense.predict_proba(X), atol=1e-8)


def test_views_by_name():
    X, _, known = blobs(60, 6)
    frame = pd.DataFrame(X, columns=list("abcd"))
    named = CoTraining(views=[["b", "a"], ["d", "c"]], random_state=0).fit(frame, known)
    numbered = CoTraining(views=[[1, 0], [3, 2]], random_state=0).fit(X, known)
    np.testing.assert_array_equal(named.predict_proba(frame), numbered.predict_proba(X))
    with pytest.raises(ValueError, match="CoTraining needs two views, got 3"):
        CoTraining(views=[[0], [1], [2]]).fit(X, known)


def test_a_view_of_zeros_says_the_prior():
    """What it labels comes in the order of the pool; without rounds, the other view decides alone."""
    X, _, known = blobs(60, 6)
    X[:, 2:] = 0
    X, known = np.vstack([X, X]), np.append(known, known)
    for rounds in (0, 30):
        model = CoTraining(views=VIEWS, rounds=rounds, random_state=0).fit(X, known)
        assert not model.estimators_[1].coef_.any()
        posteriors = [base.predict_proba(X[:, view]) for base, view in zip(model.estimators_, VIEWS, strict=True)]
        assert np.ptp(posteriors[1], axis=0).max() == 0
        assert np.isfinite(model.predict_proba(X)).all()
        if rounds == 0:
            alone = L1LogisticRegression().fit(X[known != -1, :2], known[known != -1])
            np.testing.assert_allclose(model.predict_proba(X), alone.predict_proba(X[:, :2]), atol=1e-4)


def test_identical_rows_get_the_shares_of_the_classes():
    rows = np.ones((9, 4))
    model = CoTraining(views=VIEWS, rounds=0).fit(rows, [0, 1, 0, 1, 1, -1, -1, -1, -1])
    np.testing.assert_allclose(model.predict_proba(rows), [[4 / 13, 9 / 13]] * 9, rtol=1e-3)
    taught = CoTraining(views=VIEWS, random_state=0).fit(rows, [0, 1, 0, 1, 1, -1, -1, -1, -1])
    assert np.isfinite(taught.predict_proba(rows)).all()


def test_labels_of_any_kind():
    X, _, known = blobs(60, 6, 3)
    words = np.where(known == -1, -1, np.array(["ant", "bee", "cat"], dtype=object)[known])
    model = CoTraining(views=VIEWS, random_state=0).fit(X, words)
    assert model.classes_.tolist() == ["ant", "bee", "cat"]
    same = CoTraining(views=VIEWS, random_state=0).fit(X, known)
    np.testing.assert_array_equal(model.predict_proba(X), same.predict_proba(X))


@pytest.mark.parametrize(("params", "labels", "counts"), [
    ({"p": 1, "n": 3}, [0, 1], [3, 1]),
    ({"p": 2, "n": 2}, [4, 5, 6], [2, 2, 2]),
    ({"per_round": [1, 2, 3]}, [4, 5, 6], [1, 2, 3]),
    ({"per_round": [1, 2, 3]}, [0, 2], [1, 3]),  # the engine's codes: class 1 was not drawn
    ({"per_round": [5, 7]}, [1, 2], [5, 7]),
    ({"per_round": np.array([0, 7])}, ["a", "b"], [0, 7]),
])  # fmt: skip
def test_how_many_are_chosen_in_a_round(params, labels, counts):
    assert CoTraining(**params)._counts(np.array(labels)).tolist() == counts


def test_what_it_refuses():
    X, _, known = blobs(60, 6, 3)
    for params, message in (
        ({"p": 1, "n": 2}, "p=1 and n=2 are for two classes, the labels hold 3: set per_round"),
        ({"per_round": [1, 2]}, "per_round has 2 numbers for 3 classes"),
        ({"per_round": [1, 2, -3]}, r"a whole number for every class, got \[1, 2, -3\]"),
        ({"p": 0, "n": 0}, "no class may be labeled in a round"),
        ({"l1": -1.0}, "l1"),
        ({"l2": np.inf}, "l2 must be a finite number, got inf"),
        ({"pool_size": 0}, "pool_size"),
        ({"rounds": -1}, "rounds"),
        ({"scale": "product"}, "scale must be 'mean' or 'sum', got 'product'"),
    ):
        with pytest.raises(ValueError, match=message):
            CoTraining(**params).fit(X, known)
    with pytest.raises(ValueError, match="one class: 1"):
        CoTraining().fit(X, np.where(known == 1, 1, -1))


def test_it_says_when_it_did_not_converge(monkeypatch):
    X, _, known = blobs(60, 6)
    monkeypatch.setattr(co_training, "MAX_STEPS", 1)
    with pytest.warns(ConvergenceWarning, match="CoTraining did not converge in"):
        CoTraining(views=VIEWS, l1=1e-6, rounds=2).fit(X, known)


def batch(n_classes=2):
    """Members with different rows and drawn labels; what each should say is that of a fit by itself."""
    X, _, _ = blobs(90, 6, n_classes)
    members = []
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(90)
        y = np.arange(8) % n_classes if seed else np.arange(8) % 2 * (n_classes - 1)
        train, rest = Part(0, order[:8]), Part(0, order[8:])
        questions = (Question(rest, "labels"), Question(train, "probabilities"))
        members.append(Member({}, train, y, questions, seed == 2, rest if seed < 4 else None))
    return X, members


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_a_batch_says_what_fits_say(n_classes, form):
    X, members = batch(n_classes)
    learner = CoTraining(views=VIEWS, rounds=4, random_state=5)
    for member, answered in zip(members, learner.answer_batch([form(X)], members), strict=True):
        unlabeled = np.arange(0) if member.unlabeled is None else member.unlabeled.rows
        rows = np.append(member.train.rows, unlabeled)
        model = CoTraining(views=VIEWS, rounds=4, random_state=5)
        model.fit(form(X[rows]), np.append(member.y, np.full(len(unlabeled), -1)))
        labels, probabilities = answered.answers
        np.testing.assert_array_equal(labels, model.predict(form(X[member.questions[0].part.rows])))
        np.testing.assert_array_equal(probabilities, model.predict_proba(form(X[member.train.rows])))
        np.testing.assert_array_equal(answered.classes, model.classes_)
        assert (answered.model is not None) == member.keep
        if member.keep:
            np.testing.assert_array_equal(answered.model.predict_proba(form(X)), model.predict_proba(form(X)))
            assert answered.model.n_features_in_ == 4


def test_batch_mates_do_not_matter():
    X, members = batch()
    learner = CoTraining(views=VIEWS, random_state=5)
    together = [answered.answers[1] for answered in learner.answer_batch([X], members)]
    for member, answers in zip(members[::-1], together[::-1], strict=True):
        (alone,) = learner.answer_batch([X], [member])
        np.testing.assert_array_equal(alone.answers[1], answers)


def test_rows_may_be_in_several_blocks():
    X, members = batch()
    learner = CoTraining(views=VIEWS, random_state=5)
    (whole,) = learner.answer_batch([X], members[:1])
    blocks = [X[members[0].train.rows], X[members[0].unlabeled.rows]]
    questions = (Question(Part(1), "labels"), Question(Part(0), "probabilities"))
    (cut,) = learner.answer_batch(blocks, [replace(members[0], train=Part(0), unlabeled=Part(1), questions=questions)])
    for mine, other in zip(whole.answers, cut.answers, strict=True):
        np.testing.assert_array_equal(mine, other)


@pytest.mark.parametrize("base", [None, GaussianNB()])
def test_a_search_over_penalties(base):
    X, y, known = blobs(60, 9)
    labeled, rest = known != -1, known == -1
    grid = {"l1": [1e-3, 10.0], "l2": [1e-3, 10.0]} if base is None else {"rounds": [2, 5]}
    words = np.array(["no", "yes"])[y]
    search = plain_search(
        CoTraining(base, base, views=VIEWS, rounds=5), grid, criterion="leave_one_out", random_state=0
    )
    search.fit(X[labeled], words[labeled], X_unlabeled=X[rest])
    assert search.score(X[rest], words[rest]) > 0.9
    if base is None:
        assert search.best_params_ == {"l1": 1e-3, "l2": 1e-3}
    for copy in (
        pickle.loads(pickle.dumps(search.best_estimator_)),
        loads(dumps(search.best_estimator_), trusted=trusted_types()),
    ):
        np.testing.assert_array_equal(copy.predict(X), search.predict(X))
