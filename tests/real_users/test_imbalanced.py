"""imbalanced-learn's Pipelines as candidates: resampling happens inside of each fit, never on rows that are asked."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.preprocessing import StandardScaler

from foldless import FoldlessSearch
from foldless.criteria import KFold

pytestmark = pytest.mark.slow  # another package

imblearn = pytest.importorskip("imblearn")
from imblearn.over_sampling import SMOTE, RandomOverSampler  # noqa: E402
from imblearn.pipeline import make_pipeline  # noqa: E402
from imblearn.under_sampling import RandomUnderSampler  # noqa: E402


@pytest.fixture(scope="module")
def rare():
    X, y = make_classification(900, 6, n_informative=4, weights=[0.9], class_sep=1.5, random_state=0)
    return X[:300], y[:300], X[300:], y[300:]


@pytest.mark.parametrize(
    "sampler",
    [SMOTE(random_state=0, k_neighbors=3), RandomOverSampler(random_state=0), RandomUnderSampler(random_state=0)],
)
@pytest.mark.parametrize("scoring", ["balanced_accuracy", "roc_auc"])
def test_scores_are_those_of_grid_search(rare, sampler, scoring):
    X, y, *_ = rare
    model = make_pipeline(StandardScaler(), sampler, LogisticRegression())
    grid = {"logisticregression__C": [0.001, 1.0]}
    cv = StratifiedKFold(3, shuffle=True, random_state=0)
    ours = FoldlessSearch(model, grid, criterion=KFold(cv), scoring=scoring, estimate=False, random_state=0).fit(X, y)
    theirs = GridSearchCV(model, grid, cv=cv, scoring=scoring).fit(X, y)
    close = {"rtol": 1e-12} if scoring == "balanced_accuracy" else {"atol": 0.03}  # ours may pool the folds
    np.testing.assert_allclose(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"], **close)
    assert ours.best_params_ == theirs.best_params_


def test_the_race_reads_the_pool(rare):
    X, y, pool, truth = rare
    model = make_pipeline(SMOTE(random_state=0, k_neighbors=2), LogisticRegression())
    search = FoldlessSearch(model, {"logisticregression__C": [0.001, 1.0]}, scoring="balanced_accuracy", random_state=0)
    search.fit(X, y, X_unlabeled=pool)
    assert search.score(pool, truth) > 0.65
    plain = LogisticRegression().fit(X, y)
    found = search.predict(pool)
    assert found[truth == 1].mean() > plain.predict(pool)[truth == 1].mean()
