"""The estimate after a search and of a fitted model: what it counts, where there is none, and that it is near."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from foldless import FoldlessSearch, estimate
from foldless.criteria import Auto, KFold
from foldless.engine._stopping import Stop
from foldless.errors import BadInput, StoppedEarly
from foldless.learners import LinearSVC
from foldless.learners.linear import _path_classifier
from foldless.selection import _estimating

GRID = {"n_neighbors": [1, 3, 9]}


def drawn(seed, n, apart=1.2):
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=n)
    return rng.normal(size=(n, 4)) + apart * np.eye(4)[y], np.array(["a", "b", "c"])[y]


@pytest.fixture(scope="module")
def data():
    (X, y), (pool, _) = drawn(0, 90), drawn(1, 600)
    return X, y, pool


def chosen(data, criterion, estimator=None, grid=None, **settings):
    X, y, pool = data
    search = FoldlessSearch(estimator or KNeighborsClassifier(), grid or GRID, criterion=criterion, random_state=0)
    return search.set_params(**settings).fit(X, y, X_unlabeled=pool).selection_


@pytest.mark.slow
@pytest.mark.parametrize(
    ("criterion", "fits"),
    [("quantification_bound", 5), ("k_fold", 5), ("leave_one_out", 5), ("hold_out", 5), ("auto", 5), (KFold(3), 5)],
)
def test_five_fits_of_the_chosen_candidate(data, criterion, fits):
    selection = chosen(data, criterion)
    found, (X, y) = selection.estimate, drawn(2, 4000)
    assert found.fits == selection.n_fits.estimate == fits
    assert (found.rows, found.pool) == (90, 600)
    assert found.lower < found.value < found.upper
    assert found.lower - 0.03 < selection.model.score(X, y) < found.upper + 0.03
    assert str(found) == (
        f"accuracy on new rows about {found.value:.3f}, {found.lower:.3f} to {found.upper:.3f} with confidence 0.95 "
        f"({'from 90 held-out labels and the pool' if found.weight else 'from 90 held-out labels'})"
    )
    assert found.weight > 0


def test_without_a_pool_what_cross_validation_has_answered_is_enough(data):
    X, y, _ = data
    selection = FoldlessSearch(KNeighborsClassifier(), GRID, criterion="k_fold", random_state=0).fit(X, y).selection_
    assert selection.estimate.fits == 0
    assert "estimate" not in dict(selection.n_fits)
    assert selection.estimate.value == pytest.approx(selection.best.score - selection.estimate.optimism)
    assert selection.estimate.optimism > 0


@pytest.mark.parametrize("with_pool", [True, False])
def test_its_upper_end_knows_the_share_of_labels_that_folds_have(data, with_pool, monkeypatch):
    X, y, pool = data
    seen, plain = [], _estimating.held_out_accuracy
    monkeypatch.setattr(_estimating, "held_out_accuracy", lambda held, *rest: seen.append(held) or plain(held, *rest))
    chosen((X, y, pool if with_pool else None), "k_fold")
    assert [held.trained_on for held in seen] == [0.8]


def test_an_average_is_judged_by_the_fits_that_left_a_row_out(data):
    selection = chosen(data, Auto(offer="average"))
    assert len(selection.best.fits) > 1
    found, (X, y) = selection.estimate, drawn(2, 4000)
    assert found.fits == 5 * len(selection.best.fits)  # copies of its members on folds
    assert found.lower < selection.model.score(X, y) < found.upper


def test_an_average_of_probabilities_is_judged_by_probabilities(data, monkeypatch):
    """Rows that a vote of labels gets wrong: a sure member outweighs two that are not."""

    class Steady(ClassifierMixin, BaseEstimator):
        """Says "a" with .9 or "b" with .6; two of the three candidates say "b"."""

        def __init__(self, name="a"):
            self.name = name

        def fit(self, X, y):
            self.classes_ = np.unique(y)
            return self

        def predict_proba(self, X):
            sure = {"a": [0.9, 0.1], "b": [0.4, 0.6], "B": [0.4, 0.6]}[self.name]
            return np.tile(sure, (len(X), 1))

        def predict(self, X):
            return self.classes_[self.predict_proba(X).argmax(axis=1)]

    X, y = data[0], np.where(np.arange(90) % 10 < 5, "a", "b")
    seen, plain = [], _estimating.held_out_accuracy
    monkeypatch.setattr(_estimating, "held_out_accuracy", lambda held, *rest: seen.append(held) or plain(held, *rest))
    criterion = Auto(offer="average")
    search = FoldlessSearch(Steady(), {"name": ["a", "b", "B"]}, criterion=criterion, random_state=0).fit(X, y)
    assert len({fit.candidate for fit in search.selection_.best.fits}) == 3
    assert set(search.predict(X)) == {"a"}
    assert seen[0].right.tolist() == (y == "a").tolist()
    assert seen[0].trained_on == 0.8


def test_the_model_is_trained_once_and_labels_the_pool(data):
    selection = chosen(data, "k_fold")
    assert (selection.n_fits.final, selection.estimate.fits) == (1, 5)
    X, y, pool = data
    search = FoldlessSearch(KNeighborsClassifier(), GRID, criterion="k_fold", random_state=0, refit=False)
    apart = search.fit(X, y, X_unlabeled=pool).selection_
    assert (apart.n_fits.final, apart.estimate.fits) == (0, 6)
    assert apart.estimate.value == selection.estimate.value


def test_pool_rows_that_are_labeled_rows_are_not_read(data):
    X, y, pool = data
    search = FoldlessSearch(KNeighborsClassifier(), GRID, criterion="k_fold", random_state=0)
    apart = search.fit(X, y, X_unlabeled=pool).selection_.estimate
    within = search.fit(X, y, X_unlabeled=np.vstack([pool, X])).selection_.estimate
    assert within.pool == apart.pool == 600
    assert within.value == pytest.approx(apart.value)
    search.fit(np.vstack([X, X[:1]]), np.r_[y, y[:1]], X_unlabeled=np.vstack([pool, X]))
    assert search.selection_.estimate.pool == 600  # one labeled row that is a copy changes nothing
    X, pool = X.round(), pool.round()
    search.fit(X[:, :1], y, X_unlabeled=np.vstack([pool, X])[:, :1])
    assert search.selection_.estimate.pool == 690  # labels repeat by themselves


def test_it_can_be_turned_off(data):
    selection = chosen(data, "quantification_bound", estimate=False)
    assert selection.estimate is None
    assert selection.n_fits.estimate == 0
    with pytest.raises(BadInput, match="estimate must be True or False, got 'yes'"):
        chosen(data, "k_fold", estimate="yes")


def test_where_there_is_none_a_note_says_why(data):
    X, y, pool = data
    voting = chosen(data, "dagging")
    assert voting.estimate is None
    assert "its members were trained on predicted labels" in voting.notes[-1]
    few = FoldlessSearch(GaussianNB(), {}, criterion="ada", random_state=0).fit(X[:9], y[:9], X_unlabeled=pool)
    assert few.selection_.estimate is None
    assert "at least 10 labeled rows, got 9" in few.selection_.notes[-1]


def test_labels_alone_where_a_candidate_has_no_confidence(data):
    from sklearn.neighbors import NearestCentroid

    found = chosen(data, "quantification_bound", NearestCentroid(), {"shrink_threshold": [None]}).estimate
    assert found.method == "held-out labels" or found.weight > 0
    scored = chosen(data, "quantification_bound", Perceptron(), {"alpha": [1e-4, 1e-2]}).estimate
    assert 0 < scored.lower < scored.upper < 1


def test_groups_widen_the_interval(data):
    X, y, pool = data
    groups = np.repeat(np.arange(18), 5)
    search = FoldlessSearch(KNeighborsClassifier(), GRID, criterion="k_fold", random_state=0)
    alone = search.fit(X, y, X_unlabeled=pool).selection_.estimate
    near, labels = np.repeat(X[:18], 5, axis=0) + 1e-3 * np.arange(90)[:, None], np.repeat(y[:18], 5)
    grouped = search.fit(near, labels, X_unlabeled=pool, groups=groups).selection_.estimate
    assert grouped.upper - grouped.lower > 1.5 * (alone.upper - alone.lower)


def test_differences_tell_a_bad_candidate_apart_and_not_a_twin(data):
    every = {
        "knn": (KNeighborsClassifier(5), {}), "twin": (KNeighborsClassifier(5, algorithm="brute"), {}),
        "bad": (DummyClassifier(), {}),
    }  # fmt: skip
    X, y, _ = data
    search = FoldlessSearch(every, criterion="k_fold", random_state=0).fit(X, y)
    table = search.selection_.table().set_index("candidate")
    assert table.behind["twin"] == 0
    assert table.behind_lower["bad"] > 0
    assert [c.name for c in search.selection_.not_told_apart] == ["twin"]
    assert search.selection_.to_dict()["ranking"][2]["difference"]["value"] == table.behind["bad"]
    assert "behind" not in chosen(data, "quantification_bound").table()


def test_a_fitted_model_on_labels_it_has_not_seen():
    (X, y), (L, labels), (pool, _), (T, truth) = (drawn(s, n) for s, n in ((0, 200), (1, 100), (2, 2000), (3, 5000)))
    model = LogisticRegression().fit(X, y)
    found, alone = (estimate(model, L, labels, X_unlabeled=p, random_state=0) for p in (pool, None))
    assert found.lower < model.score(T, truth) < found.upper
    assert found.upper - found.lower < alone.upper - alone.lower
    assert not found.shift.alarm
    assert alone.shift is None
    macro = estimate(model, L, labels, scoring="f1_macro")
    assert macro.quantity == "f1_macro"
    assert macro.lower < macro.value < macro.upper
    moved = estimate(model, L, labels, X_unlabeled=pool + 3, random_state=0)
    assert moved.shift.note in moved.notes


def test_a_class_that_has_no_labels_leaves_no_interval():
    """What the model does with rows of it is not known; where a class counts as its rows do, little is."""
    X, y = drawn(0, 200)
    model = LogisticRegression().fit(np.r_[X, X[:9] + 20], np.r_[y, ["rare"] * 9])
    found = estimate(model, X, y, scoring="f1_macro", random_state=0)
    assert np.isnan(found.lower)
    assert "'rare' has 0" in " ".join(found.notes)
    assert estimate(model, X, y, scoring="f1_weighted", random_state=0).has_interval


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scoring": "roc_auc"}, "'roc_auc' cannot score these answers: it is of one class, and there are 3"),
        ({"scoring": lambda model, X, y: 1.0}, "has no interval here: use a name such as 'f1_macro'"),
        ({"confidence": 95}, "confidence must be a number in"),
    ],
)
def test_what_has_no_theory_is_refused(arguments, message):
    X, y = drawn(0, 50)
    with pytest.raises(BadInput, match=message):
        estimate(GaussianNB().fit(X, y), X, y, **arguments)


def test_few_labels_are_refused():
    X, y = drawn(0, 50)
    with pytest.raises(BadInput, match="at least 10 labeled rows, got 9"):
        estimate(GaussianNB().fit(X, y), X[:9], y[:9])


def test_an_average_of_a_run_that_was_stopped_has_an_estimate_without_further_fits(monkeypatch):
    asked = []

    def reason(stop):
        asked.append(stop)
        return "the time budget of 9 s ran out" if len(asked) > 11 else None

    monkeypatch.setattr(Stop, "reason", property(reason))
    X, y = make_classification(120, 6, random_state=0)
    models = {"bayes": GaussianNB(), "near": KNeighborsClassifier(), "tree": DecisionTreeClassifier(random_state=0)}
    with pytest.warns(StoppedEarly):
        search = FoldlessSearch(models, criterion="combination", random_state=0, time_budget=9).fit(X, y)
    selection = search.selection_
    assert 1 < len(selection.ranking) < 3
    assert selection.estimate is not None
    assert selection.estimate.fits == 0
    assert selection.n_fits["estimate"] == 0


def test_fits_on_folds_may_be_rough(monkeypatch):
    """They start from the chosen model and are solved to a larger tolerance: the estimate stays where it was."""
    rng = np.random.default_rng(0)
    y = np.arange(1300) % 40
    words = np.where(rng.random((1300, 8)) < 0.3, 100 * y[:, None], 0) + rng.integers(100, size=(1300, 8))
    X = sparse.csr_matrix((np.ones(8 * 1300), (np.repeat(np.arange(1300), 8), words.ravel())), shape=(1300, 4000))

    def estimated():
        search = FoldlessSearch(LinearSVC(), {"C": [0.1, 1.0]}, criterion="quantification_bound", random_state=0)
        return search.fit(X[:500], y[:500], X_unlabeled=X[500:]).selection_.estimate

    roughly = estimated()
    monkeypatch.setattr(_path_classifier, "ROUGHLY", 0.03)
    exactly = estimated()
    hundredth = 0.01 * (exactly.upper - exactly.lower)
    for end in ("value", "lower", "upper"):
        assert getattr(roughly, end) == pytest.approx(getattr(exactly, end), abs=hundredth)
