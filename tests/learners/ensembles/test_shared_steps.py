"""Members with the same first steps share them, and answer as they would alone."""

import pickle

import numpy as np
from sklearn.datasets import load_wine
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.feature_selection import RFE
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from foldless import FoldlessSearch
from foldless.learners import PoolFeatures
from foldless.learners.ensembles._shared_steps import FirstSteps, share_steps

X, Y = load_wine(return_X_y=True)


def scaled(last):
    return make_pipeline(StandardScaler(), last).fit(X, Y)


def test_equal_steps_become_one_and_are_saved_once():
    members = [scaled(LogisticRegression(C=C)) for C in (0.1, 1, 10)]
    before, answers = len(pickle.dumps(members)), [member.predict_proba(X) for member in members]
    share_steps(members)
    assert len({id(member.steps[0][1]) for member in members}) == 1
    assert len(pickle.dumps(members)) < before
    first = FirstSteps(members, X)
    for member, answer in zip(members, answers, strict=True):
        rest, rows = first.behind(member)
        assert rest is member.steps[-1][1]
        np.testing.assert_array_equal(rest.predict_proba(rows), answer)


def test_steps_that_learned_from_other_rows_stay_apart():
    members = [
        scaled(KNeighborsClassifier()),
        make_pipeline(StandardScaler(), KNeighborsClassifier()).fit(X[::2], Y[::2]),
    ]
    share_steps(members)
    assert members[0].steps[0][1] is not members[1].steps[0][1]
    assert FirstSteps(members, X).behind(members[0])[0] is members[0]


def test_views_of_one_set_of_words_have_their_directions_in_common():
    rng = np.random.default_rng(0)
    texts = [" ".join(f"w{word}" for word in rng.integers(70, size=12) + 60 * (at % 3)) for at in range(150)]
    known = np.where(np.arange(150) < 60, np.arange(150) % 3, -1)
    pairs = [("logistic", "few"), ("svc", "components"), ("spreading-7", "many"), ("logistic", "clusters")]
    members = [make_pipeline(TfidfVectorizer(), PoolFeatures(*pair)).fit(texts, known) for pair in pairs]
    before, answers = len(pickle.dumps(members)), [member.predict(texts) for member in members]
    share_steps(members)
    assert len({id(member.steps[-1][1].view_.base_) for member in members}) == 1
    assert len(pickle.dumps(members)) < 0.8 * before
    first = FirstSteps(members, texts)
    for member, answer in zip(members, answers, strict=True):
        rest, features = first.behind(member)
        assert features.shape[1] < 300
        np.testing.assert_array_equal(rest.predict(features), answer)
        np.testing.assert_array_equal(member.predict(texts), answer)
        assert hasattr(rest, "predict_proba") == hasattr(member, "predict_proba")


def test_a_step_that_cannot_be_pickled_and_a_wrapper_that_chooses_columns_take_part():
    odd = make_pipeline(FunctionTransformer(lambda rows: rows), StandardScaler(), LogisticRegression())
    chosen = RFE(
        make_pipeline(StandardScaler(), LogisticRegression()),
        n_features_to_select=3,
        importance_getter="named_steps.logisticregression.coef_",
    )
    grid = {"odd": odd, "chosen": (chosen, {"estimator__logisticregression__C": [0.1, 1.0]})}
    search = FoldlessSearch(grid, offer="average", random_state=0, estimate=False)
    search.fit(X[::4], Y[::4], X_unlabeled=X[1::4])
    assert search.score(X[2::4], Y[2::4]) > 0.85
