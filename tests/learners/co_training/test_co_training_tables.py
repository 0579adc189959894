"""What base classifiers of co-training are given: the columns of their view as they are, of any kind they take."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from helpers.searches import plain_search
from helpers.two_views import VIEWS, blobs
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags
from skops.io import dumps, loads

from foldless.criteria import SimilarData
from foldless.learners import CoTraining
from foldless.saving._trusted import trusted_types

TRUTH = np.arange(60) % 2
KNOWN = np.where(np.arange(60) < 8, TRUTH, -1)
TEXTS = pd.DataFrame({
    "page": [("good fine nice", "bad awful poor")[label] + f" w{row % 7}" for row, label in enumerate(TRUTH)],
    "link": [("yes", "no")[label] + " to" for label in TRUTH],
    "length": np.random.default_rng(0).normal(size=60) + 6 * TRUTH,
})  # fmt: skip


def reader():
    return make_pipeline(TfidfVectorizer(), LogisticRegression())


class Recorder(GaussianNB):
    """Keeps the kinds of what it is given."""

    seen: list[type] = []  # noqa: RUF012  # shared by clones

    def fit(self, X, y):
        self.seen.append(type(X))
        return super().fit(X, y)

    def predict_proba(self, X):
        self.seen.append(type(X))
        return super().predict_proba(X)


@pytest.mark.parametrize("form", [pd.DataFrame, pl.from_pandas, pd.DataFrame.to_numpy])
def test_texts(form):
    """One column without a list around it is a vector, as in scikit-learn's ColumnTransformer."""
    X = form(TEXTS)
    views = [0, 1] if isinstance(X, np.ndarray) else ["page", "link"]
    model = CoTraining(reader(), reader(), views=views, rounds=3, random_state=0).fit(X, KNOWN)
    assert model.score(X, TRUTH) == 1
    assert model.views_ == [0, 1]
    assert model.n_features_in_ == 3
    assert "awful" in model.estimators_[0][0].vocabulary_
    assert "no" in model.estimators_[1][0].vocabulary_
    assert (model.transduction_ == TRUTH).all()
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict_proba(X), model.predict_proba(X))
    assert clone(model).views == views


@pytest.mark.parametrize("form", [pd.DataFrame, pl.from_pandas])
def test_texts_in_a_search(form):
    grid = {"estimator1__logisticregression__C": [1e-6, 1.0]}
    learner = CoTraining(reader(), reader(), views=["page", "link"], rounds=1, random_state=0)
    X, first, rest = form(TEXTS), form(TEXTS[:8]), form(TEXTS[8:])
    marked = plain_search(learner, grid, criterion=SimilarData(2), random_state=0).fit(X, KNOWN)
    apart = plain_search(learner, grid, criterion=SimilarData(2), random_state=0)
    apart.fit(first, np.array(["bad", "good"])[TRUTH[:8]], X_unlabeled=rest)
    assert marked.score(X, TRUTH) == 1
    assert apart.score(X, np.array(["bad", "good"])[TRUTH]) == 1


def test_texts_beside_numbers():
    """The view of our own classifier becomes numbers, a table also where it is one column without a list."""
    for views in (["page", "length"], ["page", ["length"]]):
        model = CoTraining(reader(), views=views, rounds=3, random_state=0).fit(TEXTS, KNOWN)
        assert model.score(TEXTS, TRUTH) > 0.9
        assert model.estimators_[1].n_features_in_ == 1
        assert not hasattr(model.estimators_[1], "feature_names_in_")
    message = "view 2 must hold finite numbers, because estimator2=None is an L1LogisticRegression: choose other"
    for frame, views in ((TEXTS, ["page", "link"]), (TEXTS.assign(length=np.nan), ["page", "length"])):
        with pytest.raises(ValueError, match=message):
            CoTraining(reader(), views=views).fit(frame, KNOWN)


@pytest.mark.slow
def test_missing_values():
    X, y, known = blobs(80, 12)
    X[::9, 0] = X[1::7, 3] = np.nan
    trees = HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=1)
    for form in (np.asarray, np.ndarray.tolist, pd.DataFrame):
        model = CoTraining(trees, trees, rounds=3, random_state=0).fit(form(X), known)
        assert model.score(form(X), y) > 0.8
    learner = CoTraining(trees, trees, random_state=0)
    search = plain_search(learner, {"rounds": [1, 3]}, criterion=SimilarData(2), random_state=0).fit(X, known)
    alone = clone(learner).set_params(**search.best_params_).fit(X, known)
    np.testing.assert_array_equal(search.predict(X), alone.predict(X))
    with pytest.raises(ValueError, match="contains NaN"):
        CoTraining(GaussianNB(), trees).fit(X, known)
    with pytest.raises(ValueError, match="contains NaN"):
        CoTraining().fit(X, known)


def test_what_is_taken_is_what_both_take():
    trees, naive = HistGradientBoostingClassifier(), GaussianNB()
    assert get_tags(CoTraining(trees, trees)).input_tags.allow_nan
    assert not get_tags(CoTraining(trees, naive)).input_tags.allow_nan
    assert not get_tags(CoTraining(trees)).input_tags.allow_nan
    assert not get_tags(CoTraining()).input_tags.allow_nan
    assert get_tags(CoTraining(TfidfVectorizer(), TfidfVectorizer())).input_tags.string
    assert not get_tags(CoTraining(TfidfVectorizer())).input_tags.string
    assert get_tags(CoTraining(LogisticRegression())).input_tags.sparse
    assert not get_tags(CoTraining(LogisticRegression(), naive)).input_tags.sparse


@pytest.mark.parametrize("form", [pd.DataFrame, pl.DataFrame, np.asarray])
def test_a_view_is_of_the_kind_of_x(form):
    X, _, known = blobs(40, 6)
    given = form(X)
    Recorder.seen.clear()
    CoTraining(Recorder(), Recorder(), views=VIEWS, rounds=2, random_state=0).fit(given, known).predict(given)
    assert set(Recorder.seen) == {type(given)}
    Recorder.seen.clear()
    plain_search(CoTraining(Recorder(), Recorder(), views=VIEWS), {"rounds": [1, 2]}, criterion=SimilarData(2)).fit(
        given, known
    )
    assert set(Recorder.seen) == {type(given)}


def test_the_kind_of_x_does_not_matter():
    X, _, known = blobs(60, 6)
    predicted = [
        CoTraining(GaussianNB(), GaussianNB(), views=VIEWS, rounds=3, random_state=0).fit(form(X), known)
        .predict_proba(form(X))
        for form in (np.asarray, np.ndarray.tolist, pd.DataFrame, pl.DataFrame)
    ]  # fmt: skip
    for other in predicted[1:]:
        np.testing.assert_array_equal(other, predicted[0])
    X = np.where(X > 1, X, 0)
    bases = LogisticRegression(), LogisticRegression()
    dense = CoTraining(*bases, views=[[0, 1], [2]], rounds=3, random_state=0).fit(X, known).predict_proba(X)
    for form in (sparse.csr_array, sparse.csc_matrix, sparse.coo_array):
        model = CoTraining(*bases, views=[[0, 1], 2], rounds=3, random_state=0).fit(form(X), known)
        np.testing.assert_allclose(model.predict_proba(form(X)), dense, atol=1e-6)


def test_bases_may_name_columns():
    X, y, known = blobs(60, 8)
    frame = pd.DataFrame(X, columns=list("abcd"))
    bases = [
        make_pipeline(make_column_transformer((StandardScaler(), [name])), LogisticRegression()) for name in ("b", "c")
    ]
    model = CoTraining(*bases, views=[["a", "b"], ["c", "d"]], rounds=3, random_state=0).fit(frame, known)
    assert model.score(frame, y) > 0.9
    assert list(model.estimators_[1].feature_names_in_) == ["c", "d"]
    assert list(model.feature_names_in_) == list("abcd")


@pytest.mark.filterwarnings("ignore:X does not have valid feature names, but GaussianNB:UserWarning")
@pytest.mark.parametrize("base", [None, GaussianNB()])
def test_names_must_be_those_of_fit(base):
    X, _, known = blobs(60, 6)
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = CoTraining(base, base, views=[["a"], slice("b", "d")], rounds=2, random_state=0).fit(frame, known)
    with pytest.raises(ValueError, match="The feature names should match those that were passed during fit"):
        model.predict(frame[list("dcba")])
    with pytest.raises(ValueError, match="X has 3 features, but CoTraining is expecting 4 features as input"):
        CoTraining(base, base, rounds=2).fit(X, known).predict(X[:, :3])
    with pytest.warns(UserWarning, match="X does not have valid feature names, but CoTraining was fitted with"):
        np.testing.assert_array_equal(model.predict(X), model.predict(frame))


@pytest.mark.parametrize("base", [None, GaussianNB()])
def test_functions_choose_columns_once(base):
    X, y, known = blobs(60, 6)
    frame = pd.DataFrame(X, columns=list("abcd")).assign(c=X[:, 2].round().astype(int))
    views = [make_column_selector(dtype_include=float), make_column_selector(dtype_include=int)]
    model = CoTraining(base, base, views=views, rounds=2, random_state=0).fit(frame, known)
    assert [view.tolist() for view in model.views_] == [[0, 1, 3], [2]]
    np.testing.assert_array_equal(model.predict(frame.astype(float)), model.predict(frame))
    search = plain_search(
        CoTraining(base, base, views=views), {"rounds": [1, 2]}, criterion=SimilarData(3), random_state=0
    ).fit(frame, known)
    assert search.score(frame, y) > 0.8
    assert [view.tolist() for view in search.best_estimator_.views_] == [[0, 1, 3], [2]]


def test_tables_that_are_none():
    X, _, known = blobs(60, 6)
    learner = CoTraining(GaussianNB(), GaussianNB())
    with pytest.raises(ValueError, match="Expected a 2-dimensional container"):
        learner.fit(TEXTS["page"], KNOWN)
    with pytest.raises(ValueError, match="X has 0 rows and 3 columns: pass at least one of both"):
        learner.fit(TEXTS[:0], KNOWN[:0])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        learner.fit(pd.DataFrame(X)[:50], known)
    with pytest.raises(ValueError, match="requires y to be passed"):
        learner.fit(X, None)
    with pytest.raises(ValueError, match="Input y contains infinity"):
        learner.fit(X, np.where(known == 1, np.inf, 0))


@pytest.mark.parametrize("base", [None, GaussianNB()])
def test_labels_that_are_missing(base):
    X, _, known = blobs(60, 6)
    words = pd.Series(np.array(["a", "b", None], dtype=object)[known])
    for y in (words, words.astype("string"), words.tolist(), np.where(known == -1, np.nan, known)):
        with pytest.raises(ValueError, match=r"y has no label .* in 54 rows, the first is row 6: mark them with"):
            CoTraining(base, base).fit(X, y)


@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning", "ignore:invalid value:RuntimeWarning")
def test_a_base_that_gives_nan_is_named():
    X, _, known = blobs(60, 6)
    X[:, 1] = 1
    learner = CoTraining(GaussianNB(var_smoothing=0), GaussianNB(), views=VIEWS, rounds=5, random_state=0)
    with pytest.raises(
        ValueError, match=r"estimator1 \(GaussianNB\) gives probabilities that are not finite for 54 of"
    ):
        learner.fit(X, known)
    with pytest.raises(ValueError, match=r"for 54 of 54 rows of view 1: drop constant columns"):
        learner.set_params(rounds=0).fit(X, known)


@pytest.mark.parametrize("base", [None, GaussianNB()])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_what_was_labeled_when(base, n_classes):
    X, _, known = blobs(90, 9, n_classes)
    words = np.where(known == -1, -1, np.array(["ant", "bee", "cat"], dtype=object)[known])
    models = {
        rounds: CoTraining(base, base, views=VIEWS, rounds=rounds, random_state=0).fit(X, words) for rounds in range(4)
    }
    for rounds, model in models.items():
        when, predicted = model.labeled_round_, model.transduction_
        assert predicted.dtype == model.classes_.dtype
        assert ((when == 0) == (known != -1)).all()
        assert (predicted[when == 0] == words[when == 0]).all()
        assert sorted(set(when)) == [-1, *range(rounds + 1)]
        never = when == -1
        np.testing.assert_array_equal(predicted[never], model.predict(X[never]))
        if rounds:
            before = models[rounds - 1].labeled_round_
            np.testing.assert_array_equal(np.where(when == rounds, -1, when), before)
            mine = (when > 0) & (when < rounds)
            np.testing.assert_array_equal(predicted[mine], models[rounds - 1].transduction_[mine])
    # the labels of the rounds are those that the classifiers were trained on
    last = models[3]
    joined = last.labeled_round_ >= 0
    if base is not None:
        for base, view in zip(last.estimators_, VIEWS, strict=True):
            alone = GaussianNB().fit(X[joined][:, view], last.transduction_[joined])
            np.testing.assert_allclose(alone.predict_proba(X[:, view]), base.predict_proba(X[:, view]))


def test_saved_models_know_what_was_labeled_when():
    X, _, known = blobs(60, 6)
    learner = CoTraining(GaussianNB(), GaussianNB(), views=VIEWS, rounds=2, random_state=0)
    model = clone(learner).fit(X, known)
    for copy in (pickle.loads(pickle.dumps(model)), loads(dumps(model), trusted=trusted_types())):
        np.testing.assert_array_equal(copy.transduction_, model.transduction_)
        np.testing.assert_array_equal(copy.labeled_round_, model.labeled_round_)
    assert (learner.set_params(rounds=100).fit(X, known).labeled_round_ >= 0).all()


def test_models_of_a_search_have_no_transduction():
    X, _, known = blobs(60, 6)
    search = plain_search(CoTraining(views=VIEWS), {"rounds": [1, 2]}, criterion=SimilarData(3), random_state=0)
    assert not hasattr(search.fit(X, known).best_estimator_, "transduction_")
