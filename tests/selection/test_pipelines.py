"""A search at the end of a Pipeline takes a pool that went through the steps before it, and no other."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from foldless import FoldlessSearch, Pool
from foldless.errors import BadInput

RNG = np.random.default_rng(0)
X = RNG.normal([1000.0, 0.0], [300.0, 1.0], size=(80, 2))
Y = (X[:, 0] > 1000).astype(int)
POOL = RNG.normal([1000.0, 0.0], [300.0, 1.0], size=(200, 2))


def search() -> FoldlessSearch:
    return FoldlessSearch(LogisticRegression(), {"C": [0.01, 1, 100]}, criterion="k_fold", random_state=0)


@pytest.mark.parametrize("pool", [POOL, Pool(POOL)])
def test_a_pool_that_the_steps_have_not_seen_is_refused(pool: object) -> None:
    whole = Pipeline([("scale", StandardScaler()), ("search", search())])
    with pytest.raises(
        BadInput, match=r"transforms X by 'scale' and hands X_unlabeled over as passed.*inside the search"
    ):
        whole.fit(X, Y, search__X_unlabeled=pool)
    nested = Pipeline([("scale", StandardScaler()), ("inner", Pipeline([("search", search())]))])
    with pytest.raises(BadInput, match="by 'scale'"):
        nested.fit(X, Y, inner__search__X_unlabeled=pool)
    with pytest.raises(BadInput, match="hands X_test over"):
        whole.fit(X, Y, search__X_test=X, search__y_test=Y)


def test_steps_that_change_nothing_and_runs_without_a_pool_are_taken() -> None:
    Pipeline([("none", "passthrough"), ("search", search())]).fit(X, Y, search__X_unlabeled=POOL)
    make_pipeline(StandardScaler(), search()).fit(X, Y)
    FoldlessSearch(make_pipeline(StandardScaler(), LogisticRegression()), {}, random_state=0).fit(
        X, Y, X_unlabeled=POOL
    )


def test_an_outer_search_meets_the_same_refusal() -> None:
    outer = GridSearchCV(
        Pipeline([("scale", StandardScaler()), ("search", search())]), {"search__criterion": ["k_fold"]}, cv=2,
        error_score="raise",
    )  # fmt: skip
    with pytest.raises(BadInput, match="by 'scale'"):
        outer.fit(X, Y, search__X_unlabeled=Pool(POOL))


def test_transform_input_transforms_the_pool() -> None:
    with config_context(enable_metadata_routing=True):
        inner = search().set_fit_request(X_unlabeled=True)
        whole = Pipeline([("scale", StandardScaler()), ("search", inner)], transform_input=["X_unlabeled"])
        whole.fit(X, Y, X_unlabeled=POOL)
    by_hand = search().fit(StandardScaler().fit_transform(X), Y, X_unlabeled=StandardScaler().fit(X).transform(POOL))
    assert whole["search"].selection_.shares is not None
    np.testing.assert_array_equal(whole["search"].selection_.shares, by_hand.selection_.shares)
