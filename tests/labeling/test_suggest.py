"""suggest: which rows, from whom, and what it refuses."""

import pickle
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor

from foldless import FoldlessSearch, suggest
from foldless.errors import BadInput, CannotAnswer
from foldless.labeling import STRATEGIES
from foldless.labeling._drawing_rules import draw_for_average


@pytest.fixture(scope="module")
def search():
    X, y = make_blobs(260, centers=3, cluster_std=3.0, random_state=0)
    names = np.array(["ant", "bee", "cat"])[y]
    models = {"lr": (LogisticRegression(), {"C": [0.01, 1]}), "nb": (GaussianNB(), {"var_smoothing": [1e-9, 0.5]})}
    return FoldlessSearch(models, random_state=0).fit(X[:24], names[:24], X_unlabeled=X[24:])


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_suggests_distinct_rows_of_the_pool_the_same_with_the_same_seed(search, strategy):
    found, again = (suggest(search, 12, strategy=strategy) for _ in range(2))
    assert len(set(found.rows.tolist())) == len(found) == len(found.reasons) == 12
    assert found.rows.min() >= 0
    assert found.rows.max() < 236
    assert found.rows.tolist() == again.rows.tolist()
    assert (found.probabilities is None) == (strategy == "diverse")
    assert set(found.table()["likely"]) <= {"ant", "bee", "cat"}


def test_a_selection_does_as_well_and_a_pool_smaller_than_n_is_suggested_whole(search):
    assert suggest(search.selection_, 4).rows.tolist() == suggest(search, 4).rows.tolist()
    assert sorted(suggest(search, 1000).rows.tolist()) == list(range(236))


def test_rows_that_are_drawn_by_default_are_less_sure_than_the_pool(search):
    assert suggest(search, 10).scores.mean() > suggest(search, 236, strategy="random").scores.mean()


@pytest.mark.slow
def test_drawn_rows_are_in_random_order_and_as_likely_as_said(search):
    drawn = [suggest(search, 20, random_state=seed) for seed in range(60)]
    first, last = (np.mean([found.scores[part].mean() for found in drawn]) for part in (slice(10), slice(10, 20)))
    assert abs(first - last) < 0.05  # 5 standard errors; by score it would be .3
    plain = suggest(search, 20, strategy="random", random_state=0)
    assert plain.probabilities == pytest.approx(np.full(20, 20 / 236))
    every = suggest(search, 236, strategy="random")
    total = np.mean([(found.scores / found.probabilities).sum() for found in drawn])
    assert total == pytest.approx(every.scores.sum(), rel=0.05)  # Horvitz and Thompson: the sum over the pool
    turned = np.mean([(found.scores / found.probabilities[::-1]).sum() for found in drawn])
    assert abs(turned - every.scores.sum()) > 0.05 * every.scores.sum()


def test_constant_features_leave_the_leaders_to_tell_rows_apart():
    X, y = np.ones((60, 2)), np.arange(60) % 2
    search = FoldlessSearch(LogisticRegression(), {"C": [0.1, 1]}, random_state=0)
    search.fit(X[:20], y[:20], X_unlabeled=X[20:])
    for strategy in STRATEGIES:
        assert len(set(suggest(search, 6, strategy=strategy).rows.tolist())) == 6


def test_reprs_escape_what_the_labels_say():
    X, y = make_blobs(80, centers=2, cluster_std=4.0, random_state=0)
    names = np.array(["<script>alert(1)</script>", "b"])[y]
    search = FoldlessSearch(GaussianNB(), {"var_smoothing": [1e-9, 0.1]}, random_state=0)
    found = suggest(search.fit(X[:30], names[:30], X_unlabeled=X[30:]), 12)
    assert "<script>" not in found._repr_html_()
    assert "Suggestion of 12 rows by 'auto'" in repr(found)
    assert "and 2 more" in repr(found)


def test_values_are_suggested_where_the_leaders_spread():
    rng = np.random.default_rng(0)
    X = rng.uniform(-3, 3, size=(150, 1))
    y = np.where(X[:, 0] > 1.5, 4 * X[:, 0], 0.0) + rng.normal(size=150)
    models = {
        "line": (LinearRegression(), {"fit_intercept": [True]}),
        "knn": (KNeighborsRegressor(), {"n_neighbors": [3]}),
    }
    search = FoldlessSearch(models, random_state=0).fit(X[:30], y[:30], X_unlabeled=X[30:])
    found = suggest(search, 5)
    assert len(found) == 5
    assert "predictions from" in found.reasons[0]


def test_what_cannot_be_suggested_is_said(search):
    X, y = make_blobs(40, random_state=0)
    with pytest.raises(CannotAnswer, match="no pool to suggest rows from"):
        suggest(FoldlessSearch(GaussianNB(), {"var_smoothing": [1e-9, 0.1]}).fit(X, y))
    with pytest.raises(BadInput, match="strategy must be one of auto, random, diverse, got 'best'"):
        suggest(search, strategy="best")
    with pytest.raises(BadInput, match="n must be"):
        suggest(search, 0)
    with pytest.raises(BadInput, match="strategy must be one of auto, random, diverse, got 'committee'"):
        suggest(search, strategy="committee")
    with pytest.raises(BadInput, match="takes a fitted FoldlessSearch"):
        suggest(GaussianNB().fit(X, y))
    with pytest.raises(BadInput, match=r"the pool of this search is not available.*fit it again"):
        suggest(pickle.loads(pickle.dumps(search)))


def test_leaders_are_those_still_in_the_race(search):
    found = suggest(search, 3)
    assert next(iter(found.leaders)) == search.selection_.best.candidate.name
    assert sum(found.leaders.values()) == pytest.approx(1)
    assert found.n_fits == 4 * len(found.leaders)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_pool_rows_that_are_labeled_rows_are_not_suggested_again(strategy):
    X, y = make_blobs(120, centers=3, cluster_std=3.0, random_state=0)
    search = FoldlessSearch(GaussianNB(), random_state=0).fit(X[:30], y[:30], X_unlabeled=X)
    assert suggest(search, 1000, strategy=strategy).rows.min() == 30
    assert len(suggest(search, 1000, strategy=strategy)) == 90
    drawn = suggest(search, 9, strategy="random").probabilities
    assert drawn == pytest.approx(np.full(9, 9 / 90))


@pytest.fixture(scope="module")
def average():
    X, y = make_blobs(260, centers=3, cluster_std=3.0, random_state=0)
    models = {"lr": (LogisticRegression(), {"C": [0.01, 1]}), "nb": (GaussianNB(), {"var_smoothing": [1e-9, 0.5]})}
    search = FoldlessSearch(models, criterion="combination", estimate=False, random_state=0)
    return search.fit(X[:24], y[:24], X_unlabeled=X[24:])


def test_an_average_is_asked_for_its_own_margin_with_one_fit_a_member(average):
    members = average.selection_.members
    assert len(members) > 1
    every = suggest(average, 1000)
    assert every.n_fits == len(members)
    probabilities = np.sort(average.best_estimator_.predict_proba(average.selection_.ground.data.pool), axis=1)
    margin = 1 - (probabilities[:, -1] - probabilities[:, -2])
    ranks = margin.argsort().argsort()
    assert np.corrcoef(ranks[every.rows], every.scores)[0, 1] > 0.95  # the model has temperatures besides


@pytest.mark.slow
def test_rows_for_an_average_are_drawn_as_likely_as_said(average):
    drawn = suggest(average, 20, random_state=0)
    assert drawn.scores.mean() > 0.55
    assert drawn.probabilities.min() >= 0.25 * 20 / 236 - 1e-12  # no label stands for more than four drawn at random
    size = np.mean([(1 / suggest(average, 20, random_state=seed).probabilities).sum() for seed in range(60)])
    assert size == pytest.approx(236, rel=0.05)  # Horvitz and Thompson: the rows of the pool


def test_classes_with_few_labels_come_first_for_an_average():
    view = SimpleNamespace(
        unsure=np.full(400, 0.5), features=(np.tile([[9.0, 9.0]], (12, 1)), np.repeat(np.eye(2), 200, axis=0)),
        shares=np.repeat([[0.6, 0.4], [0.4, 0.6]], 200, axis=0),
        ground=SimpleNamespace(task=SimpleNamespace(y=np.array([0] * 11 + [1]))),
    )  # fmt: skip
    scores, _, uniform = draw_for_average(view, 20, np.random.default_rng(0))
    assert scores[200:].mean() > 1.1 * scores[:200].mean()
    assert uniform == 0.25
