"""scikit-learn's configuration holds in workers: frames between steps, and metadata that is routed through a Pipeline.

It belongs to a thread, so that threads lose it as processes do unless each piece of work carries it.
"""

import joblib
import numpy as np
import pytest
from joblib import parallel_config
from sklearn import config_context
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from foldless import FoldlessSearch
from foldless.engine import _executing as run

X, Y = make_classification(80, 4, random_state=0)
WEIGHTS = np.where(Y == 1, 5.0, 0.2)
GRID = {"logisticregression__C": [0.01, 1.0]}
BACKENDS = ["threading", pytest.param("loky", marks=pytest.mark.nightly)]


class TakesFrames(TransformerMixin, BaseEstimator):
    """A step that reads columns by name, as the step before it calls them."""

    def fit(self, X, y=None):
        self.columns_ = list(X.columns)
        return self

    def transform(self, X):
        return X[self.columns_[:3]]

    def get_feature_names_out(self, names=None):
        return np.asarray(self.columns_[:3], dtype=object)


def both(pipeline, backend, fit=(), **arguments):
    ours = FoldlessSearch(pipeline, GRID, cv=3, n_jobs=2, estimate=False, error_score="raise", **arguments)
    with parallel_config(backend):
        ours.fit(X, Y, **dict(fit))
    return ours, GridSearchCV(pipeline, GRID, cv=3, error_score="raise", **arguments).fit(X, Y, **dict(fit))


def same(ours, theirs):
    np.testing.assert_array_equal(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"])
    assert ours.best_params_ == theirs.best_params_


@pytest.mark.parametrize("backend", BACKENDS)
def test_steps_are_given_frames(backend):
    pipeline = make_pipeline(StandardScaler(), TakesFrames(), LogisticRegression())
    with config_context(transform_output="pandas"):
        same(*both(pipeline, backend))


@pytest.mark.parametrize("backend", BACKENDS)
def test_weights_are_routed_through_a_pipeline(backend):
    with config_context(enable_metadata_routing=True):
        model = LogisticRegression().set_fit_request(sample_weight=True)
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        scorer = make_scorer(accuracy_score).set_score_request(sample_weight=True)
        pipeline, weights = make_pipeline(scaler, model), {"sample_weight": WEIGHTS}
        weighted, theirs = both(pipeline, backend, weights.items(), scoring=scorer)
        same(weighted, theirs)
        plain, _ = both(make_pipeline(StandardScaler(), LogisticRegression()), backend)
    assert (weighted.predict(X) != plain.predict(X)).any()


def test_work_that_does_not_carry_the_configuration_fails(monkeypatch):
    monkeypatch.setattr(run, "Parallel", joblib.Parallel)
    monkeypatch.setattr(run, "delayed", joblib.delayed)
    pipeline = make_pipeline(StandardScaler(), TakesFrames(), LogisticRegression())
    with config_context(transform_output="pandas"), pytest.raises(AttributeError, match="columns"):
        both(pipeline, "threading")
