"""Criteria choose among learners of streams: step size, radius and cap, by a measure of counting right."""

import numpy as np
import pytest
from helpers.counting_problems import drawn
from sklearn.metrics import make_scorer

from foldless import FoldlessSearch, compare
from foldless.criteria import HoldOut, KFold
from foldless.measures import QMeasure
from foldless.online import NEMSIS, SCAN

COUNTS = make_scorer(QMeasure().score, positive=1)
GRID = {"eta0": [1e-4, 1e-2, 1.0], "radius": [0.01, np.inf], "cap": [0.1, 1.0]}


def worth(model, seed=1):
    X, y = drawn(20_000, 5, share=0.1, seed=seed)
    return QMeasure().score(y, model.predict(X), 1)


@pytest.mark.parametrize("criterion", [KFold(scoring=COUNTS), HoldOut(scoring=COUNTS)], ids=["k_fold", "hold_out"])
def test_the_choice_counts_nearly_as_well_as_the_best_candidate(criterion):
    X, y = drawn(4000, 5, share=0.1)
    model = NEMSIS("q_measure", non_surrogate=True)
    search = FoldlessSearch(model, GRID, criterion=criterion, random_state=0).fit(X, y)
    every = [worth(model.set_params(**params).fit(X, y)) for params in search.cv_results_["params"]]
    assert len(every) == 12
    assert worth(search) > max(every) - 0.01
    assert min(every) < max(every) - 0.1  # there was something to choose


def test_learners_of_two_kinds_and_several_criteria():
    X, y = drawn(4000, 5, share=0.1)
    estimators = {
        "nemsis": (NEMSIS("q_measure"), {"eta0": [1e-4, 1.0]}),
        "scan": (SCAN("cq_reward"), {"eta0": [1e-4, 1.0]}),
    }
    criteria = {"by rows": KFold(), "by counts": KFold(scoring=COUNTS), "by shares": "quantification_bound"}
    pool = drawn(4000, 5, share=0.1, seed=2)[0]
    compared = compare(estimators, None, X, y, X_unlabeled=pool, criteria=criteria, random_state=0)
    assert list(compared.selections) == list(criteria)
    for name in ("by counts", "by shares"):
        assert compared[name].best.candidate.params["eta0"] == 1.0
