"""A metric of one class is scikit-learn's of "is it this class?"."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score
from sklearn.svm import LinearSVC

from foldless.errors import BadInput, CannotAnswer
from foldless.judging._scoring import ClassJudge
from foldless.judging.metric import OF_ONE_CLASS, Metric, why_not


def rows(n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    X, y = make_classification(150, n_informative=4, n_classes=n_classes, random_state=0)
    return X, np.array(["no", "yes", "maybe"])[y]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("positive", ["no", "yes"])
def test_it_is_scikit_learns_of_one_against_the_rest(n_classes: int, positive: str) -> None:
    X, y = rows(n_classes)
    model = LogisticRegression(max_iter=1000).fit(X[:80], y[:80])
    actual = y[80:] == positive
    share = model.predict_proba(X[80:])[:, list(model.classes_).index(positive)]
    theirs = {
        "f1": f1_score(actual, model.predict(X[80:]) == positive),
        "roc_auc": roc_auc_score(actual, share),
        "average_precision": average_precision_score(actual, share),
    }
    codes = np.searchsorted(model.classes_, y[80:])
    for name, value in theirs.items():
        if n_classes == 2 or name == "f1":  # of three classes, scores have another order than probabilities
            assert Metric(name, positive)(model, X[80:], y[80:]) == pytest.approx(value)
        judge = ClassJudge(Metric(name, positive), model.classes_)
        assert judge.of_probabilities(codes, model.predict_proba(X[80:])) == pytest.approx(value)


def test_scores_of_the_other_class_are_turned_around() -> None:
    X, y = rows(2)
    model = LinearSVC().fit(X[:80], y[:80])
    both = [Metric("roc_auc", label)(model, X[80:], y[80:]) for label in ("no", "yes")]
    assert both[0] == pytest.approx(both[1])
    assert both[0] > 0.6


def test_a_name_that_does_not_say_which_class_is_refused_with_the_classes() -> None:
    for name in set(OF_ONE_CLASS) - {"roc_auc"}:
        why = why_not(name, ["no", "yes"])
        assert isinstance(why, CannotAnswer)
        assert f"Metric({name!r}, positive='no') or positive='yes'" in str(why)
    assert "choose f1_macro" in str(why_not("f1", ["a", "b", "c"]))
    assert "choose roc_auc_ovr" in str(why_not("roc_auc", ["a", "b", "c"]))
    assert why_not("f1", [0, 1]) is why_not("roc_auc", ["a", "b"]) is why_not("accuracy", ["a", "b"]) is None


def test_a_class_that_is_not_there() -> None:
    with pytest.raises(BadInput, match="there is no class 'yess' to score: the classes are 'no', 'yes'"):
        ClassJudge(Metric("f1", "yess"), np.array(["no", "yes"]))
    with pytest.raises(BadInput, match="a Metric is of one class"):
        Metric("accuracy", "yes")
