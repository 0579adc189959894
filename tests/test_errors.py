"""A warning names the line of the user, whatever lies between: our own floors, scikit-learn, joblib."""

import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import foldless
from foldless import FoldlessSearch, certify, compare, quantify
from foldless.errors import warn_user
from foldless.learners import KernelSVC, LinearSVC

SOURCES = Path(foldless.__file__).parent
X, Y = load_iris(return_X_y=True)
FEW = np.arange(0, 150, 5)
POOL = np.delete(X, FEW, axis=0)
GRID = {"C": [-1.0, 1.0]}  # the first one fails


def search(**arguments: Any) -> FoldlessSearch:
    return FoldlessSearch(LogisticRegression(max_iter=500), GRID, random_state=0, **arguments)


CALLS: dict[str, Callable[[], Any]] = {
    "a search with a candidate that fails": lambda: search().fit(X[FEW], Y[FEW], X_unlabeled=POOL),
    "k_fold": lambda: search(criterion="k_fold", estimate=False).fit(X[FEW], Y[FEW]),
    "in a Pipeline": lambda: make_pipeline(StandardScaler(), search()).fit(X[FEW], Y[FEW]),
    "in a search of scikit-learn": lambda: GridSearchCV(
        search(criterion="k_fold", estimate=False), {"error_score": [np.nan]}, cv=2
    ).fit(X[FEW], Y[FEW]),
    "compare": lambda: compare(
        LogisticRegression(max_iter=500), GRID, X[FEW], Y[FEW], X_unlabeled=POOL, criteria=["k_fold"], random_state=0
    ),
    "certify": lambda: certify(LinearSVC(C=1e5, max_iter=1), X[FEW], Y[FEW], X_unlabeled=POOL, random_state=0),
    "quantify": lambda: quantify(LinearSVC(C=1e5, max_iter=1), X[FEW], Y[FEW], X_unlabeled=POOL, random_state=0),
    "a learner": lambda: LinearSVC(C=1e5, max_iter=1).fit(X, Y),
    "a learner in a Pipeline": lambda: make_pipeline(StandardScaler(), KernelSVC(C=1e5, max_iter=1)).fit(X, Y),
    "a marked pool": lambda: search(criterion="k_fold", estimate=False).fit(
        X, np.where(np.isin(np.arange(150), FEW), Y, -1)
    ),
}


@pytest.mark.parametrize("call", CALLS)
def test_warnings_name_the_line_of_the_user(call: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        CALLS[call]()
    assert caught
    assert {each.filename for each in caught} == {__file__}, [str(each) for each in caught]


def test_the_category_and_the_line_are_those_of_the_call() -> None:
    with pytest.warns(RuntimeWarning, match="^a sentence$") as caught:
        warn_user("a sentence", RuntimeWarning)
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    assert 'warn_user("a sentence", RuntimeWarning)' in lines[caught[0].lineno - 1]
    assert caught[0].filename == __file__


def warn_here() -> None:
    warn_user("once")


def test_a_line_warns_once_under_the_default_filter() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            warn_here()
    assert [str(each.message) for each in caught] == ["once"]


def test_nothing_counts_frames() -> None:
    counted = [
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*.py")
        if re.search(r"stacklevel=|warnings\.warn\(|\bwarn\(", path.read_text(encoding="utf-8"))
    ]
    assert not counted, f"warn with foldless.errors.warn_user in {counted}: it finds the line of the user"
