"""Scorers and cv objects of foldless inside scikit-learn's own searches."""

import pickle

import numpy as np
import pytest
from helpers.slow import slow_beyond
from sklearn.datasets import load_diabetes, make_classification
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression, Perceptron, Ridge
from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV, KFold, RandomizedSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.svm import LinearSVC

from foldless import FoldlessSearch, Pool
from foldless.accuracy import prediction_powered
from foldless.criteria import BY_NAME, PredictionPowered
from foldless.errors import BadInput
from foldless.sklearn import CriterionScorer, EveryLabel, PoolScorer, RaceResamples

GRID = {"C": [0.001, 0.1, 10.0]}
ALONE = [name for name, kind in BY_NAME.items() if not kind.traits.compares]


@pytest.fixture(scope="module")
def blobs():
    X, y = make_classification(600, 8, n_informative=5, n_classes=3, random_state=1)
    return X[:60], y[:60], X[60:], y[60:]


@pytest.mark.slow
@pytest.mark.parametrize(
    "method", ["prediction_powered", "calibrated_confidence", "confidence_difference", "confidence_threshold"]
)
def test_a_pool_scorer_chooses_in_grid_search_and_in_halving(blobs, method):
    X, y, pool, truth = blobs
    scorer = PoolScorer(Pool(pool), method)
    search = GridSearchCV(LogisticRegression(), GRID, scoring=scorer, cv=4, error_score="raise").fit(X, y)
    assert abs(search.best_score_ - search.best_estimator_.score(pool, truth)) < 0.15
    halving = HalvingGridSearchCV(LogisticRegression(), GRID, scoring=scorer, cv=3, min_resources=20, random_state=0)
    assert halving.fit(X, y).best_params_["C"] in GRID["C"]


def test_the_score_of_a_split_by_hand(blobs):
    X, y, pool, _ = blobs
    model = GaussianNB().fit(X[:40], y[:40])
    sure, theirs = model.predict_proba(X[40:]).max(axis=1), model.predict_proba(pool).max(axis=1)
    expected = prediction_powered(model.predict(X[40:]) == y[40:], sure, theirs).value
    assert PoolScorer(pool)(model, X[40:], y[40:]) == pytest.approx(expected)
    assert PoolScorer(pool)(model, X[40:41], y[40:41]) in (0.0, 1.0)
    assert 0 < PoolScorer(pool)(LinearSVC().fit(X, y), X, y) <= 1


def test_the_pool_makes_scores_vary_less():
    """Over 60 draws the prediction-powered score has less error as an estimate of the accuracy than the plain one."""
    rng = np.random.default_rng(0)
    X, y = make_classification(6000, 6, n_informative=4, flip_y=0.1, class_sep=0.8, random_state=0)
    model = LogisticRegression().fit(X[:300], y[:300])
    truth = model.score(X[300:], y[300:])
    errors = {"plain": [], "pool": []}
    for _ in range(60):
        rows = 300 + rng.permutation(len(y) - 300)
        test, pool = rows[:60], rows[60:2000]
        errors["plain"].append(model.score(X[test], y[test]) - truth)
        errors["pool"].append(PoolScorer(X[pool])(model, X[test], y[test]) - truth)
    assert np.mean(np.square(errors["pool"])) < np.mean(np.square(errors["plain"]))


@pytest.mark.parametrize("criterion", slow_beyond(2, [name for name in ALONE if name != "evidence"]))
def test_a_criterion_as_a_scorer_ranks_as_the_search_does(blobs, criterion):
    X, y, pool = blobs[0][:30], blobs[1][:30], blobs[2]
    few = {"bootstrap_632": {"resamples": 4}, "dagging": {"n_batches": 2}}.get(criterion, {})
    how = BY_NAME[criterion](**few)
    theirs = GridSearchCV(
        LogisticRegression(),
        {"C": [0.001, 1.0]},
        scoring=CriterionScorer(how, pool),
        cv=EveryLabel(),
        error_score="raise",
    ).fit(X, y)
    ours = FoldlessSearch(LogisticRegression(), {"C": [0.001, 1.0]}, criterion=how, estimate=False, random_state=0)
    ours.fit(X, y, X_unlabeled=pool)
    if criterion not in ("auto", "semi_supervised_cv", "progressive"):  # whose numbers depend on how many there are
        np.testing.assert_allclose(
            theirs.cv_results_["mean_test_score"], ours.cv_results_["mean_test_score"], atol=1e-6
        )
    np.testing.assert_array_equal(
        theirs.best_estimator_.coef_, LogisticRegression(**theirs.best_params_).fit(X, y).coef_
    )


@pytest.mark.parametrize("criterion", ["similar_data", "adj", "tri", "ada+k_fold"])
def test_criteria_that_compare_candidates_are_no_scorers(criterion):
    with pytest.raises(BadInput, match=r"compares candidates with each other.*use FoldlessSearch"):
        CriterionScorer(criterion)


def test_scorers_travel_to_workers(blobs):
    X, y, pool, _ = blobs
    scorer = PoolScorer(pool)
    again = pickle.loads(pickle.dumps(scorer))
    model = GaussianNB().fit(X, y)
    assert again(model, X, y) == scorer(model, X, y)
    assert repr(scorer) == "PoolScorer(Pool(540 rows), method='prediction_powered')"
    assert repr(CriterionScorer("k_fold", pool)) == "CriterionScorer('k_fold')"
    search = RandomizedSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5, 9]}, n_iter=2, scoring=scorer, cv=3)
    assert search.fit(X, y).best_score_ > 0.3


def test_resamples_of_a_race_as_cv(blobs):
    X, y, *_ = blobs
    splits = list(RaceResamples(12, random_state=0).split(X, y))
    assert len(splits) == RaceResamples(12).get_n_splits() == 12
    for start in (0, 3, 6):  # three folds, three times, that keep the class shares
        tests = [test for _, test in splits[start : start + 3]]
        assert sorted(np.concatenate(tests)) == list(range(60))
        counts = np.array([np.bincount(y[test], minlength=3) for test in tests])
        assert np.ptp(counts, axis=0).max() <= 1
    for train, test in splits[9:]:
        assert len(train) == 60
        assert not set(train) & set(test)
    again = list(RaceResamples(12, random_state=0).split(X, y))
    assert all(
        np.array_equal(a, b) for one, two in zip(splits, again, strict=True) for a, b in zip(one, two, strict=True)
    )
    scores = cross_val_score(LogisticRegression(), X, y, cv=RaceResamples(4, random_state=0))
    assert len(scores) == 4
    groups = np.arange(60) // 2
    for train, test in RaceResamples(6, random_state=0).split(X, y, groups):
        assert not set(groups[train]) & set(groups[test])


def test_resamples_of_values():
    X, y = load_diabetes(return_X_y=True)
    splits = list(RaceResamples(5, random_state=0).split(X, y))  # 442 rows have folds of a fifth
    assert sorted(np.concatenate([test for _, test in splits])) == list(range(len(y)))
    search = GridSearchCV(Ridge(), {"alpha": [0.1, 10]}, cv=RaceResamples(3, random_state=0)).fit(X, y)
    assert search.best_params_ == {"alpha": 0.1}
    values = CriterionScorer("bootstrap_632")
    assert (
        GridSearchCV(Ridge(), {"alpha": [0.1, 1e4]}, scoring=values, cv=EveryLabel()).fit(X[:80], y[:80]).best_index_
        == 0
    )


def test_what_cannot_be_used_is_one_sentence(blobs):
    X, y, pool, _ = blobs
    with pytest.raises(BadInput, match="method must be one of 'prediction_powered'"):
        PoolScorer(pool, "guess")
    with pytest.raises(BadInput, match="the estimator is a regressor: use scoring='r2'"):
        PoolScorer(pool)(Ridge().fit(X, y), X, y)
    with pytest.raises(BadInput, match="neither probabilities nor scores"):
        PoolScorer(pool)(KNeighborsLabels().fit(X, y), X, y)
    with pytest.raises(BadInput, match="need y"):
        list(RaceResamples().split(X))
    with pytest.raises(BadInput, match="a race has 12 resamples"):
        RaceResamples(13)
    assert PredictionPowered().traits.compares is False
    assert PoolScorer(pool)(Perceptron().fit(X, y), X, y) > 0
    assert isinstance(cross_val_score(NearestCentroid(), X, y, cv=KFold(2)), np.ndarray)


class KNeighborsLabels(KNeighborsClassifier):
    """A classifier of labels alone."""

    @property
    def predict_proba(self):
        raise AttributeError("predict_proba")
