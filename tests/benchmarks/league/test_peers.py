"""The rows of the league that stand for scikit-learn choose what scikit-learn chooses."""

import numpy as np
import pytest
from benchmarks.league.peers import HalvingSearch, OptunaSearch
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from foldless import compare
from foldless.core import Task
from foldless.criteria import KFold

pytestmark = pytest.mark.slow  # searches of other packages

GRIDS = [
    (DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3, None], "min_samples_leaf": [1, 2, 4, 8, 16]}),
    (KNeighborsClassifier(), {"n_neighbors": [1, 3, 5, 7], "weights": ["uniform", "distance"]}),
]


@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
@pytest.mark.parametrize("n", [60, 130])
@pytest.mark.parametrize("grid", GRIDS, ids=["tree", "knn"])
def test_they_choose_as_scikit_learn_does(load, n, grid, monkeypatch):
    X, y = load(return_X_y=True)
    rows = np.random.default_rng(n).permutation(len(y))[:n]
    X, y = X[rows], y[rows]
    seeds = []
    own = Task.rng
    monkeypatch.setattr(
        Task,
        "rng",
        lambda task, name: (name == "halving" and seeds.append(own(task, name).integers(2**31))) or own(task, name),
    )
    criteria = {"grid": KFold(StratifiedKFold(5)), "halving": HalvingSearch()}
    ours = compare(*grid, X, y, criteria=criteria, random_state=0)
    theirs = GridSearchCV(*grid, cv=5).fit(X, y)
    halving = HalvingGridSearchCV(*grid, random_state=int(seeds[0])).fit(X, y)
    assert len(set(seeds)) == 1
    assert ours["grid"].best.candidate.params == theirs.best_params_
    assert ours["grid"].best.score == pytest.approx(theirs.best_score_)
    assert ours["halving"].best.candidate.params == halving.best_params_
    assert ours["halving"].best.score == pytest.approx(halving.best_score_)
    assert ours.table().set_index("criterion").fits["halving"] == 5 * sum(halving.n_candidates_)


@pytest.mark.parametrize("share", [0.4, 1.0])
def test_optuna_keeps_to_its_fits_and_finds_a_good_candidate(share):
    pytest.importorskip("optuna")
    X, y = load_breast_cancer(return_X_y=True)
    grid = {"tree": GRIDS[0], "knn": GRIDS[1]}
    criteria = {"grid": KFold(StratifiedKFold(5)), "optuna": OptunaSearch(share)}
    found = compare(grid, None, X[:100], y[:100], criteria=criteria, random_state=0)
    assert found.table().set_index("criterion").fits["optuna"] <= share * 5 * 28
    scores = {choice.candidate: choice.score for choice in found["grid"].ranking}
    for choice in found["optuna"].ranking:
        assert np.isnan(choice.score) or choice.score == pytest.approx(scores[choice.candidate])
    assert found["optuna"].best.score >= np.quantile(list(scores.values()), 0.75)
