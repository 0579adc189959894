"""Models of other packages by name: chosen, saved, loaded and predicted with the real package."""

import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.blob_files import write
from helpers.command import run
from helpers.slow import slow_beyond
from sklearn.datasets import make_classification

from foldless import FoldlessSearch
from foldless.saving import load, save

FILE = """
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

def make_model():
    return make_pipeline(StandardScaler(), LogisticRegression())
"""
MODELS = [
    ("lightgbm", "lightgbm:LGBMClassifier(n_estimators=8, min_child_samples=3, n_jobs=1)", "learning_rate=0.05,0.3"),
    ("xgboost", "xgboost:XGBClassifier(n_estimators=8, n_jobs=1)", "max_depth=2,4"),
    ("catboost", "catboost:CatBoostClassifier(iterations=8, thread_count=1)", "depth=2,4"),
    ("sklearn", "own.py:make_model", "logisticregression__C=0.1,1"),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write(tmp_path)
    (tmp_path / "own.py").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("package", "model", "grid"), slow_beyond(1, MODELS))
def test_chosen_saved_loaded_and_predicted(package: str, model: str, grid: str) -> None:
    pytest.importorskip(package)
    result = run("select", "train.csv", "--label", "topic", "--unlabeled", "pool.csv", "--model", model, "--grid", grid,
                 "--no-estimate", "--save", "model.skops", "--predict", "labeled.csv", "--json")  # fmt: skip
    assert json.loads(result.stdout)["choice"]["model"] == model
    assert f"the code of {model.partition('(')[0]} is run" in result.stderr
    run("predict", "model.skops", "pool.csv", "--output", "again.csv")
    first, again = pd.read_csv("labeled.csv"), pd.read_csv("again.csv")
    assert first.predicted_topic.tolist() == again.predicted_topic.tolist()
    assert first.predicted_topic.nunique() > 1
    np.testing.assert_allclose(first.predicted_topic_probability, again.predicted_topic_probability)


@pytest.mark.parametrize("classes", [["a", "b", "c"], [3, 5, 9], [0, 1, 2]])
def test_xgboost_has_its_classes_encoded_and_decoded(classes: list, tmp_path: Path) -> None:
    xgboost = pytest.importorskip("xgboost")
    X, codes = make_classification(160, n_informative=4, n_classes=3, random_state=0)
    y = np.array(classes)[codes]
    search = FoldlessSearch(
        xgboost.XGBClassifier(n_estimators=8, n_jobs=1), {"max_depth": [2, 4]}, criterion="k_fold", random_state=0
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        search.fit(X[:100], y[:100], X_unlabeled=X[100:])
    assert search.classes_.tolist() == classes
    assert set(search.predict(X[100:])) <= set(classes)
    assert search.score(X[100:], y[100:]) > 0.5
    save(search.selection_, tmp_path / "model.skops")
    again = load(tmp_path / "model.skops").model
    np.testing.assert_array_equal(again.predict_proba(X), search.predict_proba(X))
    np.testing.assert_array_equal(again.predict(X), search.predict(X))


def test_xgboost_where_a_fold_lacks_a_class() -> None:
    xgboost = pytest.importorskip("xgboost")
    X, y = make_classification(60, n_informative=4, n_classes=3, random_state=0)
    y[y == 1] = 2
    y[:2] = 1
    search = FoldlessSearch(xgboost.XGBClassifier(n_estimators=4, n_jobs=1), criterion="k_fold", random_state=0)
    assert not search.fit(X, y).selection_.failed
