"""Models that decide by costs and thresholds: what is estimated is of what they decide."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from foldless import AtLeast, Costs, FoldlessSearch, decided
from foldless.accuracy._measured import ModelAnswers, measured
from foldless.errors import BadInput, CannotAnswer
from foldless.learners import DecidedClassifier
from foldless.results import OutOfFoldAnswers
from foldless.saving import load, save

CLASSES = np.array(["no", "yes"])


@pytest.fixture(scope="module")
def rows():
    X, y = make_classification(600, weights=[0.75], flip_y=0.1, random_state=2)
    return X, CLASSES[y]


def calibrated(n, seed):
    """Probabilities that are right, and true classes drawn by them."""
    rng = np.random.default_rng(seed)
    shares = rng.beta(0.6, 1.4, n)
    return np.column_stack([1 - shares, shares]), (rng.random(n) < shares).astype(int)


@pytest.mark.parametrize("estimator", [LogisticRegression(), LinearSVC()])
def test_costs_choose_decide_and_are_saved(rows, estimator, tmp_path):
    X, y = rows
    costs = Costs({"yes": 6})
    search = FoldlessSearch(estimator, {"C": [0.1, 1.0]}, scoring=costs, random_state=0)
    search.fit(X[:200], y[:200], X_unlabeled=X[200:], X_test=X[400:], y_test=y[400:])
    model, (score,) = search.best_estimator_, search.selection_.measures
    assert isinstance(model, DecidedClassifier)
    expected = CLASSES[costs.decide(model.predict_proba(X[400:]), CLASSES)]
    np.testing.assert_array_equal(model.predict(X[400:]), expected)
    assert (score.estimate.quantity, score.better) == ("expected cost", "lower")
    assert score.estimate.lower < -costs(model, X[200:], y[200:]) < score.estimate.upper
    shares = np.bincount(y[:200] == "yes") / 200
    assert score.baseline.share == pytest.approx(min(shares @ costs.matrix(CLASSES)))
    assert search.selection_.best_test_accuracy == pytest.approx(np.mean(expected == y[400:]))
    assert search.selection_.shares["yes"] == pytest.approx(np.mean(model.predict(X[200:]) == "yes"))
    right = np.mean(model.predict(X[200:]) == y[200:])
    assert search.selection_.estimate.lower < right < search.selection_.estimate.upper
    save(search.selection_, tmp_path / "model.skops")
    np.testing.assert_array_equal(load(tmp_path / "model.skops").model.predict(X), model.predict(X))


def test_an_average_decides_by_costs_too(rows):
    X, y = rows
    search = FoldlessSearch(
        LogisticRegression(), {"C": [0.01, 1.0]}, offer="average", scoring=Costs({"yes": 6}), random_state=0
    ).fit(X[:200], y[:200], X_unlabeled=X[200:])
    plain = (search.predict_proba(X)[:, 1] > 0.5).mean()
    assert np.mean(search.predict(X) == "yes") > plain


def test_notes_on_predicted_shares_are_of_what_is_decided(rows):
    X, y = rows
    dull = FoldlessSearch(LogisticRegression(C=1e-9), scoring="roc_auc", random_state=0)
    selection = dull.fit(X[:200], y[:200], X_unlabeled=X[200:]).selection_
    assert any("predicts 'no' for every row of the pool" in note for note in selection.notes)
    chosen = decided(replace(selection, notes=(*selection.notes, "another")), Costs({"yes": 9}))
    assert "another" in chosen.notes
    assert set(chosen.model.predict(X)) == {"yes"}
    assert not any("for every row of the pool" in note for note in chosen.notes)


def test_the_interval_of_a_cost_covers():
    costs, hits = Costs({"yes": 5}), 0
    shares, truth = calibrated(200_000, 99)
    true = -float(-costs.paid(truth, costs.decide(shares, CLASSES), CLASSES).mean())
    for seed in range(100):
        shares, truth = calibrated(150, seed)
        answers = ModelAnswers(CLASSES, truth, shares.argmax(axis=1), shares)
        interval, _ = measured(costs, answers, np.arange(150), 0.95, np.random.default_rng(0))
        hits += interval.lower <= true <= interval.upper
    assert binom.cdf(hits, 100, 0.93) > 1e-3, hits


@pytest.mark.parametrize("goal", ["precision", "recall"])
def test_a_threshold_reaches_its_goal_on_new_rows(goal):
    shares, truth = calibrated(100_000, 99)
    reached, others = [], []
    for seed in range(60):
        mine, y = calibrated(200, seed)
        known = OutOfFoldAnswers(CLASSES, y, mine.argmax(axis=1), mine, np.arange(200), np.arange(200))
        positive, threshold, _ = AtLeast("yes", **{goal: 0.7}).threshold_for(known)
        taken = shares[:, 1] >= threshold
        assert positive == "yes"
        precision, recall = truth[taken].mean(), truth[taken].sum() / truth.sum()
        reached.append(precision if goal == "precision" else recall)
        others.append(recall if goal == "precision" else precision)
    assert np.mean(reached) == pytest.approx(0.7, abs=0.04)
    assert np.mean(others) > 0.3


def test_rows_below_the_threshold_have_no_label(rows, tmp_path):
    X, y = rows
    search = FoldlessSearch(LogisticRegression(), {"C": [0.1, 1.0]}, scoring="roc_auc", random_state=0)
    search.fit(X[:200], y[:200], X_unlabeled=X[200:])
    chosen = decided(search.selection_, AtLeast("yes", precision=0.8))
    labels = chosen.model.predict(X)
    assert set(labels.tolist()) == {None, "yes"}
    above = chosen.model.predict_proba(X)[:, 1] >= chosen.model.threshold
    np.testing.assert_array_equal(labels == "yes", above)
    assert [each.estimate.quantity for each in chosen.measures] == ["precision of 'yes'", "recall of 'yes'"]
    assert chosen.measures[0].estimate.value >= 0.8
    assert chosen.estimate is None
    assert any("other rows are left empty" in note for note in chosen.notes)
    save(chosen, tmp_path / "model.skops")
    assert load(tmp_path / "model.skops").model.predict(X).tolist() == labels.tolist()


def test_a_goal_that_cannot_be_had(rows):
    shares, y = calibrated(60, 0)
    known = OutOfFoldAnswers(CLASSES, y, shares.argmax(axis=1), shares, np.arange(60), np.arange(60))
    with pytest.raises(CannotAnswer, match=r"no threshold has precision 0.999 for 'yes' .* the most is 0\.\d+;"):
        AtLeast("yes", precision=0.999).threshold_for(known)
    X, labels = rows
    search = FoldlessSearch(LogisticRegression(), random_state=0).fit(X[:100], labels[:100])
    with pytest.raises(CannotAnswer, match="a threshold needs out-of-fold probabilities"):
        decided(search.selection_, AtLeast("yes", precision=0.8))
    for wrong in ({}, {"precision": 0.5, "recall": 0.5}, {"precision": 1.5}):
        with pytest.raises(BadInput):
            AtLeast("yes", **wrong)
