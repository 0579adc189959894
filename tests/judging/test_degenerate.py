"""Candidates that have learned nothing: dummies of every strategy, constants, and coins, below whoever has learned."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.utils import shuffle

from foldless import FoldlessSearch, compare
from foldless.criteria import BY_NAME, HoldOut
from foldless.judging import _degenerate as degenerate
from foldless.judging._degenerate import beyond_chance, examine, examine_outputs

STRATEGIES = {
    "most_frequent": DummyClassifier(),
    "prior": DummyClassifier(strategy="prior"),
    "stratified": DummyClassifier(strategy="stratified"),
    "uniform": DummyClassifier(strategy="uniform"),
    "constant": DummyClassifier(strategy="constant", constant=1),
}
FUNCTION = np.array([0, 1, 1, 0])  # two rows, forth and back, answered alike


def test_a_constant_and_a_coin_are_told_apart_from_a_function_of_the_rows():
    truth = np.array([0, 0, 0, 1, 1, 1])
    assert examine(truth, np.ones(6, dtype=int), FUNCTION) == degenerate.CONSTANT
    assert examine(truth, truth, FUNCTION) == ""
    assert examine(truth, np.array([0, 1, 0, 1, 0, 1]), FUNCTION) == degenerate.CHANCE
    coin = np.random.default_rng(0).integers(2, size=200)
    assert examine(truth, truth, coin) == degenerate.RANDOM
    mostly = np.concatenate([coin[:100], coin[:100][::-1]])
    mostly[:5] ^= 1  # such as ties that are broken at random
    assert examine(truth, truth, mostly) == ""


def test_scores_are_examined_by_their_ranking():
    rng = np.random.default_rng(0)
    truth = (np.arange(200) % 20 == 0).astype(int)

    def outputs(rare):
        return np.column_stack([1 - rare, rare])  # the first class is always likelier

    good, pool = outputs(0.2 + 0.1 * truth + 0.05 * rng.random(200)), outputs(0.4 * rng.random(50))
    turned = np.concatenate([pool, pool[::-1]])
    assert examine_outputs(truth, good, turned) == ""
    assert examine(truth, good.argmax(axis=1), turned.argmax(axis=1)) == degenerate.CONSTANT
    assert examine_outputs(truth, outputs(np.full(200, 0.1)), turned) == degenerate.CONSTANT_OUTPUT
    assert examine_outputs(truth, good[::-1], turned) == degenerate.CHANCE_RANKING
    assert examine_outputs(truth, good, outputs(0.4 * rng.random(100))) == degenerate.RANDOM
    assert examine_outputs(truth, good, turned + 1e-9 * rng.random((100, 2))) == ""  # rounding is no coin
    assert examine_outputs(np.zeros(200, dtype=int), outputs(np.full(200, 0.1)), turned) == ""


def test_one_class_in_the_labels_is_no_fault_of_the_fit():
    assert examine(np.zeros(5, dtype=int), np.zeros(5, dtype=int), FUNCTION) == ""


def test_agreement_beyond_chance_is_that_of_dealt_labels():
    rng = np.random.default_rng(1)
    truth, labels = rng.integers(3, size=40), rng.integers(-1, 3, size=40)
    dealt = np.array([np.sum(truth == rng.permutation(labels)) for _ in range(20_000)])
    expected = (np.sum(truth == labels) - dealt.mean()) / dealt.std()
    assert beyond_chance(truth, labels) == pytest.approx(expected, abs=0.05)
    assert beyond_chance(np.zeros(4, dtype=int), np.zeros(4, dtype=int)) == np.inf


def law():
    rng = np.random.default_rng(0)
    codes = rng.integers(3, size=460)
    return rng.normal(size=(460, 4)) + 2.0 * np.eye(4)[codes], codes


@pytest.mark.slow
@pytest.mark.parametrize("source", [law, load_iris, load_wine, load_breast_cancer])
def test_no_dummy_wins_against_a_learner_by_any_criterion(source):
    X, codes = law() if source is law else shuffle(*source(return_X_y=True), random_state=0)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    every = {name: (dummy, {}) for name, dummy in STRATEGIES.items()} | {"learner": (GaussianNB(), {})}
    criteria = [name for name in BY_NAME if name != "evidence"] + ["similar_data+ada", "k_fold|dagging"]
    labeled, pool = slice(0, 30), slice(30, 130)
    found = compare(every, None, X[labeled], codes[labeled], X_unlabeled=X[pool], criteria=criteria, random_state=0)
    assert {name: s.best.candidate.name for name, s in found.selections.items()} == dict.fromkeys(criteria, "learner")


def test_the_broken_twin_lets_a_coin_win(monkeypatch):
    rng = np.random.default_rng(0)
    codes = rng.integers(3, size=460)
    X = rng.normal(size=(460, 4)) + 1.0 * np.eye(4)[codes]
    every = {"coin": (STRATEGIES["stratified"], {}), "learner": (GaussianNB(), {})}
    search = FoldlessSearch(every, criterion="quantification_bound", random_state=0)
    table = search.fit(X[:60], codes[:60], X_unlabeled=X[60:]).selection_.table()
    assert table.candidate.tolist() == ["learner", "coin"]
    assert table.notes[1].endswith(f"{degenerate.RANDOM}: {degenerate.BELOW}")
    assert search.cv_results_["rank_test_score"].tolist() == [2, 1]
    monkeypatch.setattr(degenerate, "examine", lambda *answers: "")
    search.fit(X[:60], codes[:60], X_unlabeled=X[60:])
    assert search.selection_.best.candidate.name == "coin"


def test_luck_on_few_held_out_labels_does_not_win(monkeypatch):
    rng = np.random.default_rng(0)
    codes = rng.integers(4, size=340)
    X = rng.normal(size=(340, 4)) + 0.1 * np.eye(4)[codes]
    coins = {f"coin {at}": (DummyClassifier(strategy="uniform", random_state=at), {}) for at in range(30)}
    every = coins | {"never": (DummyClassifier(strategy="constant", constant=0), {}), "learner": (GaussianNB(), {})}
    search = FoldlessSearch(every, criterion="hold_out", random_state=0)
    table = search.fit(X[:40], codes[:40], X_unlabeled=X[40:]).selection_.table()
    assert table.candidate[0] == "learner"
    assert search.selection_.n_fits.run == 32
    search.set_params(criterion=HoldOut(confidence=0.9)).fit(X[:40], codes[:40], X_unlabeled=X[40:])
    assert set(search.selection_.table().candidate[:2]) == {"learner", "never"}  # a constant may be certified
    monkeypatch.setattr(degenerate, "examine", lambda *answers: "")
    search.set_params(criterion="hold_out").fit(X[:40], codes[:40], X_unlabeled=X[40:])
    assert search.selection_.best.candidate.name in coins


def test_where_all_are_degenerate_the_order_is_that_of_the_scores():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), rng.integers(2, size=60)
    every = {"never": (DummyClassifier(strategy="constant", constant=0), {}), "coin": (STRATEGIES["stratified"], {})}
    search = FoldlessSearch(every, criterion="quantification_bound", random_state=0).fit(X[:30], y[:30], X_unlabeled=X)
    assert search.selection_.best.candidate.name == "coin"
    assert search.selection_.best.notes[-1] == degenerate.RANDOM


def test_no_fit_is_trained_to_examine_a_candidate():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), rng.integers(2, size=60)
    every = {name: (dummy, {}) for name, dummy in STRATEGIES.items()}
    search = FoldlessSearch(every, criterion="quantification_bound", random_state=0).fit(X[:30], y[:30], X_unlabeled=X)
    assert search.selection_.n_fits.run == len(STRATEGIES)
