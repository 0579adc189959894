"""Every accuracy stands beside what a constant prediction has."""

import numpy as np
import pandas as pd
import pytest
from helpers.selections import grid, selection
from sklearn.linear_model import LogisticRegression, Ridge

from foldless import FoldlessSearch, compare
from foldless.criteria import Auto, KFold
from foldless.results import Baseline, Estimate
from foldless.results._selection_parts import LabelsAndPool
from foldless.results.baseline import accuracy_line

ESTIMATE = Estimate("accuracy", 0.86, 0.8, 0.91, 0.95, "labels", (), 100)


def test_it_names_the_label_and_its_share():
    assert str(Baseline("no", 0.84)) == "always saying 'no' has 0.840"
    assert str(Baseline(np.int64(1), 0.5)) == "always saying 1 has 0.500"
    assert str(Baseline(None, 0.0)) == "always saying the mean has 0.000"
    assert len(Baseline("x" * 1000, 0.5).name) < 60


def test_the_accuracies_of_a_model_are_one_line_with_the_estimate_first():
    line = accuracy_line(ESTIMATE, Baseline("no", 0.84, 0.82), quantity="accuracy", on_test=0.85, best_on_test=0.87)
    assert line == (
        "accuracy on new rows about 0.860, 0.800 to 0.910 with confidence 0.95 (from 100 labels), where always saying "
        "'no' has 0.840; test accuracy 0.8500 (the best candidate's is 0.8700), where always saying 'no' has 0.820"
    )
    assert accuracy_line(None, Baseline("no", 0.84), quantity="accuracy") == ""
    of_f1 = Estimate("macro F1", 0.6, 0.5, 0.7, 0.95, "labels", (), 100)
    assert "always" not in accuracy_line(of_f1, Baseline("no", 0.84), quantity="accuracy")


def test_a_selection_has_the_most_frequent_class_where_an_accuracy_is_known():
    shares = pd.Series([0.2, 0.7, 0.1], index=pd.Index(["a", "b", "c"], name="class"))
    data = LabelsAndPool(shares)
    chosen = selection(*grid(3), criterion=KFold(scoring="accuracy"))
    chosen = type(chosen)(chosen.criterion, chosen.ranking, data=data)
    assert chosen.baseline == Baseline("b", 0.7)
    assert chosen.to_dict()["baseline"] == {"label": "b", "share": 0.7, "on_test": None}
    assert type(chosen)(Auto(scoring="roc_auc"), chosen.ranking, data=data).baseline is None


def test_it_is_weighted_as_drawn_labels_are_and_measured_on_test_rows():
    rng = np.random.default_rng(0)
    y = np.repeat(["no", "yes"], [40, 20])
    X = rng.normal(size=(60, 2)) + (y == "yes")[:, None]
    comparison = compare(
        LogisticRegression(), {"C": [1.0]}, X, y, X_unlabeled=rng.normal(size=(50, 2)), criteria=["k_fold"],
        X_test=X[30:], y_test=y[30:], random_state=0,
    )  # fmt: skip
    baseline = comparison.baseline
    assert baseline.label == "no"
    assert (baseline.share, baseline.on_test) == pytest.approx((2 / 3, 1 / 3))
    assert comparison.to_dict()["baseline"]["on_test"] == pytest.approx(1 / 3)


def test_regressors_stand_beside_the_mean():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    search = FoldlessSearch(Ridge(), {"alpha": [0.1, 1.0]}, random_state=0).fit(X, X[:, 0] + rng.normal(size=60))
    assert search.selection_.baseline == Baseline(None, 0.0)
    assert search.selection_.accuracy_line.endswith("where always saying the mean has 0.000")
