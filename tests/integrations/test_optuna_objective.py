"""FoldlessObjective with the real Optuna: scores, pruning by the paired comparison, twins by the pool."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import get_scorer
from sklearn.neighbors import KNeighborsClassifier

from foldless.errors import BadInput
from foldless.sklearn import RaceResamples

optuna = pytest.importorskip("optuna")
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution  # noqa: E402

from foldless.optuna import FoldlessObjective  # noqa: E402

optuna.logging.set_verbosity(optuna.logging.WARNING)
SPACE = {"C": FloatDistribution(1e-4, 1e3, log=True)}


@pytest.fixture(scope="module")
def blobs():
    X, y = make_classification(500, 10, n_informative=6, n_classes=3, random_state=0)
    return X[:90], y[:90], X[90:], y[90:]


def optimized(objective, trials, seed=0, **settings):
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed))
    study.optimize(objective, n_trials=trials, **settings)
    return study


def enqueued(objective, *params):
    study = optuna.create_study(direction="maximize")
    for point in params:
        study.enqueue_trial(point)
    study.optimize(objective, n_trials=len(params))
    return study.trials


class Joined(DummyClassifier):
    """The out-of-fold answers of several fits, as one classifier."""

    def __init__(self, models=(), tests=()):
        self.models, self.tests = models, tests

    @property
    def classes_(self):
        return self.models[0].classes_

    def predict(self, X):
        return self._answered("predict", X)

    def predict_proba(self, X):
        return self._answered("predict_proba", X)

    def _answered(self, method, X):
        parts = [getattr(model, method)(X[test]) for model, test in zip(self.models, self.tests, strict=True)]
        return np.concatenate(parts)[np.argsort(np.concatenate(self.tests))]


@pytest.mark.parametrize("scoring", ["accuracy", "f1_macro", "neg_log_loss"])
def test_a_complete_trial_has_the_score_of_the_rows_left_out(blobs, scoring):
    X, y, *_ = blobs
    objective = FoldlessObjective(LogisticRegression(), SPACE, X, y, scoring=scoring, resamples=3, random_state=0)
    (trial,) = enqueued(objective, {"C": 1.0})
    splits = list(RaceResamples(3, random_state=0).split(X, y))
    models = [LogisticRegression().fit(X[train], y[train]) for train, _ in splits]
    joined = Joined(models, [test for _, test in splits])
    assert trial.value == pytest.approx(get_scorer(scoring)(joined, X, y))
    assert objective.n_fits == 3


def test_a_bad_trial_is_pruned_after_one_fit_and_says_why(blobs):
    X, y, pool, _ = blobs
    objective = FoldlessObjective(
        LogisticRegression(max_iter=500), {"C": FloatDistribution(1e-9, 1e3)}, X, y, X_unlabeled=pool, random_state=0
    )
    good, bad = enqueued(objective, {"C": 1.0}, {"C": 1e-9})
    assert good.state == optuna.trial.TrialState.COMPLETE
    assert bad.state == optuna.trial.TrialState.PRUNED
    assert "behind trial 0, standard error" in bad.user_attrs["pruned"]
    assert objective.n_fits == 6 + 1
    assert list(bad.intermediate_values) == [1]


def test_what_chance_explains_is_not_pruned(blobs):
    X, y, *_ = blobs
    objective = FoldlessObjective(
        KNeighborsClassifier(), {"n_neighbors": IntDistribution(3, 9)}, X, y, z=4, random_state=0
    )
    trials = enqueued(objective, {"n_neighbors": 5}, {"n_neighbors": 6}, {"n_neighbors": 7})
    assert {trial.state for trial in trials} == {optuna.trial.TrialState.COMPLETE}


def test_a_trial_that_labels_the_pool_like_another_takes_one_fit(blobs):
    X, y, pool, _ = blobs
    objective = FoldlessObjective(LogisticRegression(max_iter=500), SPACE, X, y, X_unlabeled=pool, random_state=0)
    first, second = enqueued(objective, {"C": 1.0}, {"C": 1.0001})
    assert second.user_attrs["like"] == 0
    assert second.value == pytest.approx(first.value, abs=0.02)
    assert objective.n_fits == 6 + 1


@pytest.mark.slow
def test_the_best_trial_is_trained_on_every_label(blobs):
    X, y, pool, truth = blobs
    objective = FoldlessObjective(LogisticRegression(max_iter=500), SPACE, X, y, X_unlabeled=pool, random_state=0)
    study = optimized(objective, 15)
    model = objective.refit(study.best_trial)
    by_hand = LogisticRegression(max_iter=500, random_state=model.random_state, **study.best_params).fit(X, y)
    np.testing.assert_array_equal(model.predict(pool), by_hand.predict(pool))
    assert objective.n_fits < 15 * 5


def test_the_same_seed_gives_the_same_study_and_threads_may_share_it(blobs):
    X, y, pool, _ = blobs

    def values():
        objective = FoldlessObjective(LogisticRegression(), SPACE, X, y, X_unlabeled=pool, random_state=1)
        return [trial.value for trial in optimized(objective, 5).trials]

    assert values() == values()
    objective = FoldlessObjective(LogisticRegression(), SPACE, X, y, random_state=1)
    assert len(optimized(objective, 4, n_jobs=2).trials) == 4


def test_a_space_may_be_a_function_of_parameters_or_of_estimators(blobs):
    X, y, pool, _ = blobs

    def space(trial):
        if trial.suggest_categorical("family", ["linear", "neighbors"]) == "linear":
            return LogisticRegression(C=trial.suggest_float("C", 0.01, 10, log=True))
        return KNeighborsClassifier(trial.suggest_int("k", 1, 9))

    objective = FoldlessObjective(LogisticRegression(), space, X, y, X_unlabeled=pool, random_state=0)
    study = optimized(objective, 6)
    assert type(objective.refit(study.best_trial)).__name__ in ("LogisticRegression", "KNeighborsClassifier")
    named = {"criterion": CategoricalDistribution(["gini", "entropy"]), "max_depth": IntDistribution(1, 4)}
    forest = RandomForestClassifier(5, random_state=0)
    assert optimized(FoldlessObjective(forest, named, X, y, resamples=2), 2).best_value > 0.4


def test_regressors():
    X, y = load_diabetes(return_X_y=True)
    space = {"alpha": FloatDistribution(1e-3, 1e5, log=True)}
    objective = FoldlessObjective(Ridge(), space, X[:100], y[:100], X_unlabeled=X[100:], random_state=0)
    good, bad = enqueued(objective, {"alpha": 0.1}, {"alpha": 1e5})
    assert bad.state == optuna.trial.TrialState.PRUNED
    assert 0.2 < good.value < 0.6
    assert clone(objective.refit(good)).get_params()["alpha"] == 0.1


def test_resamples_are_those_of_the_cv_object(blobs):
    X, y, *_ = blobs
    objective = FoldlessObjective(LogisticRegression(), SPACE, X, y, random_state=0)
    splits = list(RaceResamples(6, random_state=0).split(X, y))
    for draw, (train, test) in zip(objective._draws, splits, strict=True):
        np.testing.assert_array_equal(draw.train.indices, train)
        np.testing.assert_array_equal(draw.test.indices, test)


@pytest.mark.slow
def test_pruning_loses_little(blobs):
    """Over five studies the mean test score of the chosen models is that of studies without pruning, for fewer fits."""
    X, y, pool, truth = blobs
    scores, fits = {}, {}
    for z in (None, 1e9):
        models = [
            FoldlessObjective(
                KNeighborsClassifier(), {"n_neighbors": IntDistribution(1, 40)}, X, y, z=z, random_state=s
            )
            for s in range(5)
        ]
        studies = [optimized(objective, 8, seed=at) for at, objective in enumerate(models)]
        scores[z] = [m.refit(s.best_trial).score(pool, truth) for m, s in zip(models, studies, strict=True)]
        fits[z] = sum(objective.n_fits for objective in models)
    difference = np.subtract(scores[1e9], scores[None])
    error = difference.std(ddof=1) / np.sqrt(len(difference)) + 1e-9
    assert difference.mean() < 4.75 * error + 0.01
    assert fits[None] < 0.75 * fits[1e9]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"resamples": 13}, "a race has 12 resamples"),
        ({"z": -1}, "z must be a number above 0"),
        ({"space": lambda trial: 3}, "must return a dict of parameters or an estimator"),
        ({"space": {"C": 3}}, "one of Optuna's distributions"),
        ({"space": lambda trial: Ridge()}, "must both be classifiers"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(blobs, settings, message):
    X, y, *_ = blobs
    with pytest.raises(BadInput, match=message):
        optimized(FoldlessObjective(LogisticRegression(), settings.pop("space", SPACE), X, y, **settings), 1)


def test_a_study_must_maximize(blobs):
    X, y, *_ = blobs
    objective = FoldlessObjective(LogisticRegression(), SPACE, X, y)
    with pytest.raises(BadInput, match="direction='maximize'"):
        optuna.create_study().optimize(objective, n_trials=1)


def test_a_trial_that_fails_raises_its_own_error(blobs):
    X, y, *_ = blobs
    objective = FoldlessObjective(LogisticRegression(), {"C": FloatDistribution(-1, -0.5)}, X, y)
    with pytest.raises(ValueError, match="'C' parameter"):
        optimized(objective, 1)
