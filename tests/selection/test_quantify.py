"""quantify: shares under prior shift, groups, poor input line by line, and what its result can do."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from foldless import Pool, quantify
from foldless.errors import BadInput, CandidatesFailed, CannotAnswer
from foldless.quantifiers.quantifier import PRIOR_SHIFT
from foldless.selection.quantify import _assumed

NAMES = np.array(["ham", "spam", "other"])


def mail(n, shares, seed=0, moved=0.0):
    rng = np.random.default_rng(seed)
    y = rng.choice(len(shares), n, p=shares)
    centers = 1.6 * np.array([[0, 0, 0], [1, 1, 0.5], [-1, 1, 1]])
    return rng.normal(size=(n, 3)) + centers[y] + moved, NAMES[y]


class OnlyLabels(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.inside_ = LogisticRegression().fit(X, y)
        self.classes_ = self.inside_.classes_
        return self

    def predict(self, X):
        return self.inside_.predict(X)


class Failing(OnlyLabels):
    def fit(self, X, y):
        raise ValueError("no")


@pytest.fixture(autouse=True)
def few_draws(monkeypatch):
    monkeypatch.setattr("foldless.quantifiers._intervals.DRAWS", 60)
    monkeypatch.setattr("foldless.quantifiers._intervals.DRAWS_OF_LIKELIHOOD", 30)


def counted(pool, method="pacc", estimator=None, labels=(240, [0.7, 0.3]), **extra):
    X, y = mail(*labels)
    return quantify(
        estimator or LogisticRegression(), X, y, X_unlabeled=pool, method=method, random_state=0, **extra
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("method", ["auto", "acc", "pacc", "em", "dys"])
def test_shares_of_a_pool_that_differs(method):
    found = counted(mail(1500, [0.2, 0.8], seed=1)[0], method)
    assert list(found.shares.index) == ["ham", "spam"]
    assert abs(found.shares["spam"] - 0.8) < 0.08
    assert found.lower["spam"] <= 0.8 <= found.upper["spam"]
    assert found.prior_shift.alarm is False
    assert found.rows == 1500


@pytest.mark.slow
def test_counting_alone_misses_it_and_says_so():
    found = counted(mail(1500, [0.2, 0.8], seed=1)[0], "cc")
    assert found.upper["spam"] < 0.8
    assert any("cc does not correct for shift" in note for note in found.notes)


@pytest.mark.slow
def test_more_than_class_shares_has_changed():
    found = counted(mail(1500, [0.2, 0.8], seed=1, moved=1.5)[0])
    assert found.prior_shift.alarm
    assert any("more than the class shares has changed" in note for note in found.notes)


def test_groups_are_counted_by_themselves():
    parts = [mail(400, [1 - p, p], seed=at)[0] for at, p in enumerate((0.1, 0.5, 0.9))]
    days = pd.Series(np.repeat(["2026-01-03", "2026-01-01", "2026-01-02"], 400), name="day")
    found = counted(np.vstack(parts), by=days)
    assert found.groups == ("2026-01-01", "2026-01-02", "2026-01-03")
    assert np.allclose(found.shares["spam"], [0.5, 0.9, 0.1], atol=0.1)
    frame = found.to_frame()
    assert list(frame) == ["day", "class", "share", "lower", "upper", "count", "in_labels", "rows", "holds_under"]
    assert frame.groupby("day")["count"].sum().tolist() == [400, 400, 400]
    assert found.rows.tolist() == [400, 400, 400]


@pytest.mark.slow
def test_three_classes_sparse_and_a_pool_object():
    from scipy import sparse

    X, y = mail(300, [0.5, 0.3, 0.2])
    pool = sparse.csr_array(mail(800, [0.1, 0.3, 0.6], seed=2)[0])
    found = quantify(
        LogisticRegression(), sparse.csr_array(X), y, X_unlabeled=Pool(pool), method="pacc", random_state=0
    )
    assert np.allclose(found.shares, [0.1, 0.6, 0.3], atol=0.1)  # ham, other, spam
    assert found.values.sum() == pytest.approx(1)


def test_candidates_are_chosen_by_how_they_count():
    found = counted(mail(300, [0.5, 0.5], seed=1)[0], param_grid={"C": [1e-8, 1.0]})
    assert "C=1" in found.candidate


@pytest.mark.slow
def test_scores_and_labels_instead_of_probabilities():
    pool = mail(800, [0.2, 0.8], seed=1)[0]
    assert abs(counted(pool, "em", LinearSVC()).shares["spam"] - 0.8) < 0.1
    X, y = mail(200, [0.7, 0.3])

    found = quantify(OnlyLabels(), X, y, X_unlabeled=pool, random_state=0)
    assert found.method in ("map", "acc")
    assert abs(found.shares["spam"] - 0.8) < 0.1
    with pytest.raises(BadInput, match="em reads probabilities, and the estimator gives labels only"):
        quantify(OnlyLabels(), X, y, X_unlabeled=pool, method="em", random_state=0)


def test_a_fitted_model_with_labels_it_has_not_seen():
    model = LogisticRegression().fit(*mail(200, [0.7, 0.3], seed=9))
    found = counted(mail(800, [0.2, 0.8], seed=1)[0], estimator=FrozenEstimator(model))
    assert abs(found.shares["spam"] - 0.8) < 0.1


def test_a_constant_classifier():
    found = counted(mail(100, [0.2, 0.8], seed=1)[0], estimator=DummyClassifier(strategy="prior"))
    assert found.shares.tolist() == pytest.approx(found.label_shares.tolist())
    assert (found.lower.tolist(), found.upper.tolist()) == ([0, 0], [1, 1])
    assert any("say nothing about shares" in note for note in found.notes)


@pytest.mark.parametrize("method", ["auto", "acc", "hdy", "kdey"])
def test_a_pool_of_one_row_and_groups_of_two(method):
    pool, _ = mail(5, [0.5, 0.5], seed=1)
    alone = counted(pool[:1], method)
    by_two = counted(pool, method, by=["a", "a", "b", "b", None])
    for found in (alone, by_two):
        assert np.isfinite(found.to_frame()[["share", "lower", "upper"]].to_numpy()).all()
        assert any("fewer than 30 rows" in note for note in found.notes)
    assert by_two.groups == ("a", "b", "(missing)")
    assert np.allclose(by_two.shares.sum(axis=1), 1)


def test_a_class_absent_from_the_pool_and_from_a_fold():
    X, y = mail(150, [0.6, 0.4])
    X, y = np.vstack([X, [[-2, 2, 2]]]), np.append(y, "other")  # one label: some fold fits never see it
    found = quantify(LogisticRegression(), X, y, X_unlabeled=mail(500, [0.5, 0.5], seed=1)[0], random_state=0)
    assert found.shares["other"] < 0.1
    assert np.isfinite(found.values).all()
    assert any("'other' has fewer than 10 labels" in note for note in found.notes)


def test_classes_that_are_not_told_apart():
    rng = np.random.default_rng(0)
    found = quantify(
        LogisticRegression(), rng.normal(size=(100, 3)), rng.integers(2, size=100),
        X_unlabeled=rng.normal(size=(300, 3)), method="acc", random_state=0,
    )  # fmt: skip
    assert any("hardly separate some classes" in note for note in found.notes)
    assert (found.upper - found.lower).min() > 0.5


@pytest.mark.slow
def test_auto_is_steady_where_labels_are_few_and_classes_alike():
    shares, wrong = np.array([0.4, 0.4, 0.06, 0.05, 0.04, 0.03, 0.02]), []
    for seed in range(1, 6):  # adjusted counts are better by luck in one of them
        rng = np.random.default_rng(seed)
        y = np.r_[np.repeat(np.arange(7), 2), rng.choice(7, 106, p=shares)]
        truth, centers = rng.choice(7, 1000, p=shares), rng.normal(size=(7, 5))
        X, pool = (rng.normal(size=(len(codes), 5)) + 0.7 * centers[codes] for codes in (y, truth))
        found, adjusted = (
            quantify(LogisticRegression(), X, y, X_unlabeled=pool, method=how, random_state=0)
            for how in ("auto", "acc")
        )
        assert found.method == "map"
        assert any("auto uses map" in note for note in found.notes)
        there = np.bincount(truth, minlength=7) / 1000
        wrong.append([np.abs(one.values[0] - there).sum() / 2 for one in (found, adjusted)])
    auto, acc = np.mean(wrong, axis=0)
    assert auto < 0.75 * acc


def test_what_is_refused():
    X, y = mail(40, [0.5, 0.5])
    with pytest.raises(CannotAnswer, match="there are none"):
        quantify(LogisticRegression(), X, y)
    with pytest.raises(BadInput, match="by has 3 values for 40 pool rows"):
        quantify(LogisticRegression(), X, y, X_unlabeled=X, by=[1, 2, 3])
    with pytest.raises(BadInput, match="by must be one value for each pool row, got 2 dimensions"):
        quantify(LogisticRegression(), X, y, X_unlabeled=X, by=np.ones((40, 2)))
    with pytest.raises(BadInput, match="method must be one of"):
        quantify(LogisticRegression(), X, y, X_unlabeled=X, method="magic")
    with pytest.raises(CandidatesFailed, match="no"):
        quantify(Failing(), X, y, X_unlabeled=X, method="acc")
    with pytest.raises(BadInput, match="confidence"):
        quantify(LogisticRegression(), X, y, X_unlabeled=X, confidence=95)


def test_the_result_as_text_json_html_and_files(tmp_path):
    found = counted(mail(100, [0.5, 0.5], seed=1)[0], by=np.repeat([1, 2], 50))
    assert json.loads(json.dumps(found.to_dict()))["groups"][1]["group"] == 2
    assert str(found).startswith("class shares by pacc")
    assert "<svg" in found._repr_html_()
    html = found.report(tmp_path / "r.html").read_text(encoding="utf-8")
    assert "How many of each class" in html
    assert found.picture(tmp_path / "p.svg").read_text(encoding="utf-8").startswith("<?xml")
    one = counted(mail(100, [0.5, 0.5], seed=1)[0])
    assert one.plot().lines_.keys() == {"ham", "spam"}
    import matplotlib.pyplot as plt

    plt.close("all")


def test_what_intervals_assume_is_said_in_the_words_of_holds_under():
    sentences = (PRIOR_SHIFT, "another")
    assert _assumed(sentences, ("prior shift",)) == list(sentences)
    assert _assumed(sentences, ("no interval",)) == list(sentences)
    (either, other) = _assumed(sentences, ("prior or covariate shift",))
    assert "(prior shift), or rows that look alike have the same classes in both (covariate shift)" in either
    assert other == "another"
    assert "in groups marked so" in _assumed(sentences, ("prior shift", "prior or covariate shift"))[0]
