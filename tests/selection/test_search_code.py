"""The code in a report runs, and makes the same search."""

import numpy as np
import pytest
from helpers.slow import slow_beyond
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from foldless import FoldlessSearch
from foldless.criteria import KFold
from foldless.selection._search_code import code_of

SEARCHES = {
    "grid": FoldlessSearch(LogisticRegression(max_iter=300), {"C": np.logspace(-2, 2, 5)}, random_state=0),
    "pipeline": FoldlessSearch(
        make_pipeline(StandardScaler(), LogisticRegression()),
        {"logisticregression__C": [0.1, 1.0]},
        criterion=KFold(StratifiedKFold(3)),
    ),
    "several": FoldlessSearch({"a": (LogisticRegression(), {"C": [1, 2]}), "b": GaussianNB()}, random_state=1),
}


@pytest.mark.parametrize("name", slow_beyond(1, SEARCHES))
def test_it_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    X, y = make_classification(120, random_state=0)
    names = {"X": X[:60], "y": y[:60], "pool": X[60:]}
    code = code_of(SEARCHES[name], pool=True, path="again.html")
    exec(code, names)
    assert repr(names["search"]) == repr(SEARCHES[name])
    assert (tmp_path / "again.html").stat().st_size > 10_000


def test_long_reprs_are_whole():
    search = FoldlessSearch(
        LogisticRegression(), {"C": [float(f"1.{n:06}") for n in range(25)], "tol": list(range(25))}
    )
    assert "1.000024" in code_of(search, pool=False, path="x")
    assert "..." not in code_of(search, pool=False, path="x")


def test_without_a_pool():
    code = code_of(SEARCHES["grid"], pool=False, path="it's.html")
    assert "search.fit(X, y)\n" in code
    assert 'search.report("it\'s.html")' in code
