"""An evaluation by hand: counts, classes that one side lacks, rows without a label; accuracy as estimate has it."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import f1_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.semi_supervised import LabelSpreading

from foldless import estimate, evaluate
from foldless.errors import BadInput


class Fixed:
    """A model that predicts what it was given."""

    def __init__(self, labels, classes):
        self.labels, self.classes_ = np.array(labels, dtype=object), np.array(classes)

    def predict(self, X):
        return self.labels[: len(X)]


def drawn(n, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=n)
    return rng.normal(size=(n, 2)) + 1.5 * np.eye(3, 2)[y], np.array(["a", "b", "c"])[y]


def test_counts_by_hand():
    found = evaluate(Fixed(list("aaabbbbbcz"), ["a", "b", "z"]), np.zeros((10, 1)), list("aaaabbbbcc"), random_state=0)
    assert found.classes == ("a", "b", "c", "z")
    assert found.confusion.tolist() == [[3, 1, 0, 0], [0, 4, 0, 0], [0, 0, 1, 1], [0, 0, 0, 0]]
    table = found.table().set_index("class")
    assert table["recall"].tolist()[:3] == [0.75, 1, 0.5]
    assert table.loc["b", "precision"] == pytest.approx(0.8)
    assert table.loc["b", "recall_lower"] < 1 == table.loc["b", "recall_upper"]
    assert np.isnan(table.loc["z", "recall"])
    assert found.rows == 10
    assert any("2 rows have a class that the model was not trained on, 'c'" in note for note in found.notes)


def test_the_accuracy_is_that_of_estimate_and_macro_f1_that_of_scikit_learn():
    X, y = drawn(120)
    model = GaussianNB().fit(*drawn(60, 1))
    found, alone = evaluate(model, X, y, random_state=0), estimate(model, X, y, random_state=0)
    assert (found.accuracy.value, found.accuracy.lower, found.accuracy.upper) == (alone.value, alone.lower, alone.upper)
    assert found.macro_f1.value == pytest.approx(f1_score(y, model.predict(X), average="macro"))
    assert found.macro_f1.lower < found.macro_f1.value < found.macro_f1.upper
    assert found.to_dict()["classes"][0]["rows"] == int((y == "a").sum())


def test_a_rare_class_leaves_macro_f1_without_an_interval_and_copies_count_once():
    y = np.array(["a"] * 58 + ["b"] * 2)
    found = evaluate(Fixed(y, ["a", "b"]), np.arange(60.0)[:, None], y, random_state=0)
    assert (found.macro_f1.value, found.macro_f1.has_interval) == (1.0, False)
    assert "no interval" in str(found.macro_f1)
    assert found.to_dict()["macro_f1"]["lower"] is None
    assert "there is no interval of macro F1: it needs 3 rows of each class, and class 'b' has 2" in found.notes
    y, guess = np.repeat(["a", "b"], [40, 20]), np.repeat(["a", "b", "b"], [38, 2, 20])
    once = evaluate(Fixed(guess, ["a", "b"]), np.arange(60.0)[:, None], y, random_state=0)
    X, three = np.repeat(np.arange(60.0), 3)[:, None], np.repeat(np.arange(60), 3)
    thrice = evaluate(Fixed(guess[three], ["a", "b"]), X, y[three], groups=three, random_state=0)
    np.testing.assert_allclose(thrice.recall_intervals, once.recall_intervals)
    assert thrice.macro_f1.upper - thrice.macro_f1.lower > 0.9 * (once.macro_f1.upper - once.macro_f1.lower)


def test_doubts_and_rows_without_a_label():
    X, y = drawn(90)
    lazy = evaluate(DummyClassifier().fit(X, y), X, y, random_state=0)
    assert "no better than always predicting" in lazy.notes[0]
    spread = LabelSpreading(gamma=10).fit(X, [0, 1, 2] + [-1] * 87)
    far = np.r_[X[:20], [[1e6, 1e6]]]
    found = evaluate(spread, far, [0, 1, 2] * 7, random_state=0)
    assert found.unlabeled.sum() == 1
    assert found.rows == 21
    with pytest.raises(BadInput, match="at least 10 labeled rows, got 3"):
        evaluate(spread, X[:3], [0, 1, 2])


def test_rows_that_the_model_was_trained_on_are_counted():
    rng = np.random.default_rng(0)
    X, y, new = rng.normal(size=(60, 3)), rng.integers(2, size=60), rng.normal(size=(30, 3))
    model = KNeighborsClassifier(1).fit(X, y)
    both, truth = np.vstack([new, X[:20]]), np.r_[rng.integers(2, size=30), y[:20]]
    evaluation = evaluate(model, both, truth, X_train=tuple(map(tuple, X)), random_state=0)
    (finding,) = [note for note in evaluation.notes if getattr(note, "code", "") == "FL007"]
    right = (model.predict(new) == truth[:30]).mean()
    assert finding.problem.startswith(
        f"20 of 50 test rows are rows of the training data; accuracy without them {right:.3f}"
    )
    assert finding.rows == tuple(range(30, 50))
    assert not any("training data" in note for note in evaluate(model, new, truth[:30], X_train=X).notes)


def test_rows_of_one_class_have_an_accuracy():
    y = ["a"] * 20
    found = evaluate(Fixed(["a"] * 15 + ["b"] * 5, ["a", "b"]), np.arange(20.0)[:, None], y, random_state=0)
    assert found.accuracy.value == 0.75
    assert found.accuracy.lower < 0.75 < found.accuracy.upper
    assert found.confusion.tolist() == [[15, 5], [0, 0]]
    assert (
        "all rows are of class 'a': the accuracy is the recall of this class, and says nothing of others" in found.notes
    )
    # a curve of two classes has no value for one
    X, all_y = drawn(90)
    model = GaussianNB().fit(X, all_y != "c")
    with pytest.warns(UndefinedMetricWarning):
        area = evaluate(model, X[all_y != "c"], np.ones(sum(all_y != "c"), bool), scoring="roc_auc")
    assert np.isnan(area.measures[0].estimate.value)


def test_metrics_of_rows_that_lack_a_class_which_is_predicted():
    model = Fixed(["a"] * 15 + ["c"] * 5, ["a", "b", "c"])
    found = evaluate(model, np.arange(20.0)[:, None], ["a"] * 10 + ["b"] * 10, scoring="accuracy", random_state=0)
    assert found.measures[0].estimate.value == found.accuracy.value == 0.5
