"""A search by a metric shows it with an interval, and other metrics on request."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, roc_auc_score
from sklearn.model_selection import cross_val_predict

from foldless import Costs, FoldlessSearch, Metric, evaluate, measured
from foldless.criteria import Combination


@pytest.fixture(scope="module")
def rows():
    X, y = make_classification(400, weights=[0.75], flip_y=0.1, random_state=0)
    return X, np.where(y == 1, "yes", "no")


def test_the_metric_of_a_choice_is_that_of_rows_left_out(rows):
    X, y = rows
    search = FoldlessSearch(LogisticRegression(), {"C": [0.1, 1.0]}, scoring="roc_auc", random_state=0)
    search.fit(X[:150], y[:150], X_unlabeled=X[150:])
    (score,) = search.selection_.measures
    shares = cross_val_predict(search.best_estimator_, X[:150], y[:150], method="predict_proba")[:, 1]
    assert score.estimate.quantity == "roc_auc"
    assert score.estimate.value == pytest.approx(roc_auc_score(y[:150], shares), abs=0.03)
    assert score.estimate.lower < score.estimate.value < score.estimate.upper
    assert score.baseline.share == 0.5
    assert search.selection_.to_dict()["measures"][0]["estimate"]["quantity"] == "roc_auc"
    assert search.selection_.estimate.quantity == "accuracy"
    more = measured(search.selection_, [Metric("f1", "yes"), "f1_macro"])
    assert [each.estimate.quantity for each in more.measures] == ["roc_auc", "f1 of 'yes'", "f1_macro"]
    assert "ROC AUC on new rows about" in more.accuracy_line


@pytest.mark.slow
def test_an_average_is_weighted_and_judged_by_the_metric(rows):
    X, y = rows
    search = FoldlessSearch(
        LogisticRegression(), {"C": [1e-4, 0.1, 10.0]}, offer="average", scoring=Metric("average_precision", "yes"),
        random_state=0,
    ).fit(X[:150], y[:150], X_unlabeled=X[150:])  # fmt: skip
    assert search.selection_.criterion == Combination(scoring=Metric("average_precision", "yes"))
    (score,) = search.selection_.measures
    assert score.estimate.value == pytest.approx(search.best_score_, abs=0.05)
    assert score.baseline.share == pytest.approx(np.mean(y[:150] == "yes"))


def test_nothing_is_kept_where_no_metric_is_named(rows):
    X, y = rows
    search = FoldlessSearch(LogisticRegression(), {"C": [0.1, 1.0]}, random_state=0).fit(X[:100], y[:100])
    assert search.selection_.measures == ()
    assert "measures" not in search.selection_.to_dict()
    assert any("no estimate of macro F1" in note for note in measured(search.selection_, "f1_macro").notes)


def test_an_evaluation_by_any_metric(rows):
    X, y = rows
    model = LogisticRegression().fit(X[:200], y[:200])
    evaluation = evaluate(model, X[200:], y[200:], scoring=["roc_auc", Metric("recall", "yes")], random_state=0)
    auc, recall = evaluation.measures
    assert auc.estimate.value == pytest.approx(roc_auc_score(y[200:], model.predict_proba(X[200:])[:, 1]))
    assert recall.estimate.value == pytest.approx(evaluation.table().set_index("class").recall["yes"])
    assert len(evaluation.to_dict()["measures"]) == 2


def test_test_rows_are_measured_by_the_metrics_too(rows):
    X, y = rows
    search = FoldlessSearch(LogisticRegression(), {"C": [0.1, 1.0]}, scoring=Metric("f1", "yes"), random_state=0)
    search.fit(X[:150], y[:150], X_test=X[150:], y_test=y[150:])
    more = measured(search.selection_, ["roc_auc", Costs({"yes": 5})])
    of_yes, auc, cost = more.measures
    assert of_yes.on_test == f1_score(y[150:], search.predict(X[150:]), pos_label="yes")
    assert auc.on_test == roc_auc_score(y[150:] == "yes", search.predict_proba(X[150:])[:, 1])
    assert cost.on_test == -Costs({"yes": 5})(search.best_estimator_, X[150:], y[150:]) > 0
    assert auc.baseline.on_test == 0.5
    assert cost.baseline.on_test == pytest.approx(np.mean(y[150:] == "no"))  # always yes pays 1 for each no
    assert f"on the test rows F1 of 'yes' {of_yes.on_test:.4f}; always saying 'yes' has" in str(of_yes)
    assert more.to_dict()["measures"][0]["on_test"] == of_yes.on_test


def test_test_rows_of_other_classes_have_a_note(rows):
    X, y = rows
    search = FoldlessSearch(LogisticRegression(), {"C": [0.1, 1.0]}, scoring="f1_macro", random_state=0)
    search.fit(X[:150], y[:150], X_test=X[150:], y_test=np.where(np.arange(len(y) - 150) == 3, "new", y[150:]))
    (score,) = search.selection_.measures
    assert score.on_test is None
    assert "macro F1 of the test rows is not known: some are of classes without labels" in search.selection_.notes
