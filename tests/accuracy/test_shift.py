"""Labels against pool: the level holds, a move of the priors rings, and copies and groups do not."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.stats import binom
from sklearn.naive_bayes import GaussianNB

from foldless import FoldlessSearch, certify, compare, estimate
from foldless.accuracy._shift import (
    FOLDS,
    RIDGE,
    WEIGHTS,
    ModelOutputs,
    class_scores,
    classifier_test,
    out_of_fold,
    outputs_test,
)
from foldless.core import Candidate, PoolRows, Task
from foldless.data._opening import open_sample
from foldless.results.shift import LEVEL
from foldless.selection._compared_rows import kernel, shift_of
from foldless.tables import read_problem

NB = Candidate(0, "nb", {})


def drawn(rng, n, prior=0.5, apart=2.5):
    y = (rng.random(n) < prior).astype(int)
    X = rng.normal(size=(n, 3))
    X[:, 0] += apart * y
    return X, y


def shift_in(X, y, pool, seed=0, groups=None):
    data = open_sample(X, y, pool, groups=groups)
    labeled, unlabeled, _ = data.rows()
    return shift_of(data, Task(data.target, labeled, PoolRows(unlabeled), (NB,), 1, seed, data.groups))


def alarms(draw, runs):
    return sum(shift_in(*draw(np.random.default_rng(seed)), seed=seed).alarm for seed in range(runs))


def held(hits, runs, level=LEVEL):
    """Whether so many alarms are no evidence of a rate above the level."""
    return binom.sf(hits - 1, runs, level) > 1e-4


@pytest.mark.slow
def test_labels_and_pool_of_one_law_ring_no_more_often_than_the_level():
    assert held(alarms(lambda rng: (*drawn(rng, 40), drawn(rng, 200)[0]), 150), 150)


@pytest.mark.slow
def test_a_move_of_the_class_shares_rings():
    hits = alarms(lambda rng: (*drawn(rng, 100), drawn(rng, 1000, 0.9)[0]), 40)
    assert binom.cdf(hits, 40, 0.9) > 1e-3


def test_the_p_value_is_that_of_all_tests_by_their_shares_of_the_level():
    found = shift_in(*drawn(np.random.default_rng(0), 40), drawn(np.random.default_rng(1), 200)[0])
    assert sum(WEIGHTS.values()) == pytest.approx(1)
    assert found.p_value == min(1, *(p / WEIGHTS[name] for name, p in found.p_values.items()))
    assert found.alarm == (found.p_value <= LEVEL)


@pytest.mark.slow
def test_a_moved_feature_rings():
    assert alarms(lambda rng: (*drawn(rng, 100), drawn(rng, 400)[0] + [0, 1, 0]), 10) == 10


@pytest.mark.slow
def test_copies_do_not_ring():
    def in_labels(rng):
        X, y = drawn(rng, 30)
        return np.repeat(X, 5, axis=0), np.repeat(y, 5), drawn(rng, 300)[0]

    def in_pool(rng):
        return (*drawn(rng, 60), np.repeat(drawn(rng, 12)[0], 100, axis=0))

    def by_nature(rng):
        X, y = drawn(rng, 100)
        return X.round(), y, drawn(rng, 500)[0].round()

    for draw in (in_labels, in_pool, by_nature):
        assert held(alarms(draw, 80), 80)


@pytest.mark.slow
def test_groups_do_not_ring_and_without_them_they_would():
    def grouped(rng):
        X, y = drawn(rng, 15)
        near = np.repeat(X, 10, axis=0) + 0.01 * rng.normal(size=(150, 3))
        return near, np.repeat(y, 10), drawn(rng, 300)[0]

    groups = np.repeat(np.arange(15), 10)
    found = [shift_in(*grouped(np.random.default_rng(s)), seed=s, groups=groups) for s in range(40)]
    assert held(sum(shift.alarm for shift in found), 40)
    assert not held(alarms(grouped, 40), 40)


@pytest.mark.slow
def test_the_p_value_of_the_classifier_is_uniform_and_that_of_a_broken_twin_is_not():
    rng = np.random.default_rng(0)
    p_values = [classifier_test(kernel(rng.normal(size=(60, 2)), 60), 20, rng)[1] for _ in range(300)]
    assert held(sum(p <= 0.05 for p in p_values), 300, 0.05)
    moved = [
        classifier_test(kernel(rng.normal(size=(60, 2)) + (np.arange(60) < 20)[:, None], 60), 20, rng)[1]
        for _ in range(50)
    ]
    assert not held(sum(p <= 0.05 for p in moved), 50, 0.05)


@pytest.mark.parametrize("kind", ["sparse", "frame", "texts", "list", "float32"])
def test_features_of_any_kind_are_compared(kind):
    rng = np.random.default_rng(3)
    (X, y), (U, _) = drawn(rng, 80), drawn(rng, 300, 0.95, 4)
    X[:, 0] += 1.5 * y
    words = {
        "sparse": sparse.csr_array,
        "frame": lambda A: pd.DataFrame({"a": A[:, 0], "b": np.where(A[:, 1] > 0, "x", "y"), "c": A[:, 2]}),
        "texts": lambda A: pd.Series(
            [f"{'high' if a > 1.5 else 'low'} word{i % 7} w{a:.6f}" for i, a in enumerate(A[:, 0])]
        ),
        "list": lambda A: A.tolist(),
        "float32": lambda A: A.astype(np.float32),
    }
    assert shift_in(words[kind](X), y, words[kind](U)).alarm


def test_the_search_the_certificate_and_the_comparison_say_so():
    rng = np.random.default_rng(0)
    (X, y), (U, _) = drawn(rng, 100), drawn(rng, 1000, 0.95)
    search = FoldlessSearch(GaussianNB(), {}, criterion="quantification_bound", random_state=0).fit(X, y, X_unlabeled=U)
    shift = search.selection_.shift
    assert shift.alarm
    assert shift.in_labels == pytest.approx(0.5, abs=0.15)
    assert shift.note in search.selection_.notes
    assert "label rows drawn at random from the pool" in shift.note
    assert search.selection_.to_dict()["shift"]["p_value"] == shift.p_value
    assert any(
        note.startswith("labels and pool differ")
        for note in certify(GaussianNB(), X, y, X_unlabeled=U, random_state=0).notes
    )
    found = compare(GaussianNB(), {}, X, y, X_unlabeled=U, criteria=["k_fold", "ada"], random_state=0)
    assert found.shift.alarm
    assert found["ada"].shift == found.shift
    assert found.shift.note in found.notes
    same = FoldlessSearch(GaussianNB(), {}, criterion="k_fold", random_state=0).fit(
        X, y, X_unlabeled=drawn(rng, 400)[0]
    )
    assert not same.selection_.shift.alarm
    assert same.selection_.notes == ()
    assert FoldlessSearch(GaussianNB(), {}, criterion="k_fold").fit(X, y).selection_.shift is None


def test_contents_that_repeat_by_nature_ring_where_shares_move():
    rng = np.random.default_rng(0)
    X, y = drawn(rng, 100)
    assert shift_in(X.round(), y, drawn(rng, 500, 0.95)[0].round()).alarm


def test_few_rows_are_not_compared():
    rng = np.random.default_rng(0)
    assert shift_in(*drawn(rng, 8), drawn(rng, 100)[0]) is None


def test_after_an_alarm_the_estimate_is_of_rows_like_the_labels_and_there_is_none_for_the_pool(tmp_path):
    rng = np.random.default_rng(0)
    X, y = drawn(rng, 150)
    pool = drawn(rng, 400)[0] + [0, 2, 0]
    search = FoldlessSearch(GaussianNB(), {}, criterion="k_fold", random_state=0).fit(X, y, X_unlabeled=pool)
    alone = FoldlessSearch(GaussianNB(), {}, criterion="k_fold", random_state=0).fit(X, y)
    selection = search.selection_
    assert selection.estimate.population == "rows like the labeled ones"
    assert (selection.estimate.pool, selection.estimate.weight) == (0, 0)
    assert selection.estimate.value == alone.selection_.estimate.value
    assert "no number for the pool" in str(selection.estimate)
    assert selection.to_dict()["estimate"]["population"] == "rows like the labeled ones"
    (finding,) = [finding for finding in selection.findings if finding.code == "FL020"]
    assert finding.columns == (1,)
    assert "columns" in selection.shift.found_by
    page = search.report(tmp_path / "r.html").read_text(encoding="utf-8")
    assert "estimated accuracy on new rows" not in page
    assert "estimated accuracy on rows like the labeled ones" in page
    assert "Columns that differ between labels and pool" in page
    model = GaussianNB().fit(X[:50], y[:50])
    found = estimate(model, X[50:], y[50:], X_unlabeled=pool, random_state=0)
    assert not found.about_pool
    assert "rows like the labeled ones" in str(found)


def dated(rng, n, zone):
    hours = rng.integers(24, size=n)
    times = pd.Timestamp("2026-01-01") + pd.to_timedelta(24 * rng.integers(200, size=n) + hours, "h")
    y = np.where((hours >= 8) & (hours < 16), "open", "closed")
    return pd.DataFrame({"when": times.strftime("%Y-%m-%dT%H:%M:%S") + zone, "x": rng.normal(size=n), "y": y})


def test_a_time_zone_in_one_file_and_none_in_the_other_rings_although_all_hours_are_as_frequent(tmp_path):
    rng = np.random.default_rng(0)
    dated(rng, 100, "-08:00").to_csv(tmp_path / "train.csv", index=False)
    for zone, rings in (("", True), ("-08:00", False)):
        dated(rng, 300, zone).drop(columns="y").to_csv(tmp_path / "pool.csv", index=False)
        problem = read_problem(str(tmp_path / "train.csv"), "y", unlabeled=str(tmp_path / "pool.csv"))
        shift = shift_in(problem.X, problem.y, problem.X_unlabeled)
        assert shift.alarm == rings
        assert ("time zones" in shift.found_by) == rings
        assert ("when" in [column.name for column in shift.columns]) == rings


def test_outputs_of_a_model_that_move_ring():
    rng = np.random.default_rng(0)
    confident, unsure = rng.uniform(0.8, 1, 200), rng.uniform(0.5, 0.9, 400)
    alike = ModelOutputs(rng.integers(2, size=200), rng.integers(2, size=400), confident, rng.uniform(0.8, 1, 400))
    assert outputs_test(alike, 2) > 0.01
    assert outputs_test(alike._replace(pool_confidence=unsure), 2) < 1e-6
    assert outputs_test(alike._replace(pool_labels=np.ones(400, dtype=int)), 2) < 1e-6


def test_probabilities_of_two_classes_that_move_ring_though_predictions_and_confidence_do_not():
    rng = np.random.default_rng(0)
    labels, pool_labels = np.arange(200) % 2, np.arange(400) % 2
    noise, pool_noise = 0.05 * rng.normal(size=200), 0.05 * rng.normal(size=400)
    sure = np.where(labels == 1, 0.9, 0.6) + noise
    turned = np.where(pool_labels == 1, 0.6, 0.9) + pool_noise
    assert outputs_test(ModelOutputs(labels, pool_labels, sure, turned), 2) < 1e-6
    same = np.where(pool_labels == 1, 0.9, 0.6) + pool_noise
    assert outputs_test(ModelOutputs(labels, pool_labels, sure, same), 2) > 0.01


def ridge_fit(gram, train, targets):
    """Kernel ridge regression on some rows, as it is written down: the mean of its targets, and a weight of each."""
    mean = targets[train].mean(axis=0)
    return mean, np.linalg.solve(gram[np.ix_(train, train)] + RIDGE * np.eye(len(train)), targets[train] - mean)


def a_kernel(rows, columns, seed=0):
    x = np.random.default_rng(seed).normal(size=(rows, 3))
    return kernel(x, columns)


def test_out_of_fold_predictions_are_those_of_a_fit_for_each_fold():
    gram, targets = a_kernel(53, 53), (np.random.default_rng(1).random((53, 4)) < 0.4).astype(float)
    predicted = out_of_fold(gram, np.random.default_rng(2))(targets)
    fold = np.random.default_rng(2).permutation(53) % FOLDS
    for at in range(FOLDS):
        train, test = np.flatnonzero(fold != at), np.flatnonzero(fold == at)
        _, weights = ridge_fit(gram, train, targets)
        np.testing.assert_allclose(predicted[test], gram[np.ix_(test, train)] @ weights, atol=1e-12)


def test_class_scores_are_those_of_a_fit_for_each_fold():
    n, gram, y = 41, a_kernel(120, 60), np.random.default_rng(1).integers(3, size=41)
    scores, rng = class_scores(gram, y, 3, np.random.default_rng(2)), np.random.default_rng(2)
    fold = np.concatenate([rng.permutation(n) % FOLDS, rng.permutation(120 - n) % FOLDS])
    for at in range(FOLDS):
        train, test = np.flatnonzero(fold[:n] != at), np.flatnonzero(fold == at)
        mean, weights = ridge_fit(gram, train, np.eye(3)[y])
        np.testing.assert_allclose(scores[test], mean + gram[np.ix_(test, train)] @ weights, atol=1e-12)
