"""After ``suggest(keep_valid=True)``: estimates hold, shares are those of the pool, certificates refuse."""

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from foldless import FoldlessSearch, compare, estimate, suggest
from foldless.accuracy._drawn_weights import drawn_weights
from foldless.errors import BadInput, CannotAnswer

GRID = {"var_smoothing": [1e-9, 0.5]}
LEAST, MOST = 0.93, 0.99


def law(rng, n):
    """Two classes that overlap around 0 in one of two columns; the second class has three quarters of the rows."""
    y = (rng.random(n) < 0.75).astype(int)
    return np.c_[rng.normal(size=n) + 2 * y, rng.normal(size=n)], y


@pytest.fixture(scope="module")
def drawn():
    """30 labels at random and 60 drawn by suggest, the rest of the pool, and a model that has seen none of them."""
    rng = np.random.default_rng(3)
    X, y = law(rng, 430)
    search = FoldlessSearch(GaussianNB(), GRID, criterion="k_fold", estimate=False, random_state=0)
    found = suggest(search.fit(X[:30], y[:30], X_unlabeled=X[30:]), 60, keep_valid=True)
    rows = np.concatenate([np.arange(30), 30 + found.rows])
    chances = np.concatenate([np.full(30, np.nan), found.probabilities])
    rest = np.setdiff1d(np.arange(430), rows)
    return X[rows], y[rows], X[rest], chances, GaussianNB().fit(*law(rng, 60))


def test_probabilities_are_known_to_fit_and_to_estimate(drawn):
    X, y, pool, chances, model = drawn
    weighted = estimate(model, X, y, X_unlabeled=pool, label_probabilities=chances, random_state=0)
    plain = estimate(model, X, y, X_unlabeled=pool, random_state=0)
    assert weighted.value != plain.value
    assert "with the stated probabilities" in weighted.assumes[0]
    search = FoldlessSearch(GaussianNB(), GRID, random_state=0)
    search.fit(X, y, X_unlabeled=pool, label_probabilities=chances)
    assert "with the stated probabilities" in search.selection_.estimate.assumes[0]
    weights = drawn_weights(chances, np.zeros(90), len(pool))
    assert search.selection_.label_shares.to_dict() == pytest.approx({0: weights[y == 0].sum(), 1: weights @ y})


def test_without_a_probability_nothing_changes(drawn):
    X, y, pool, _, model = drawn
    nothing = np.full(len(y), np.nan)
    same = estimate(model, X, y, X_unlabeled=pool, label_probabilities=nothing, random_state=0)
    plain = estimate(model, X, y, X_unlabeled=pool, random_state=0)
    assert (same.value, same.lower, same.upper) == (plain.value, plain.lower, plain.upper)


def test_labels_that_someone_chose_do_not_count_in_the_estimate(drawn):
    X, y, pool, _, model = drawn
    chosen = np.concatenate([np.full(30, np.nan), np.zeros(60)])
    found = estimate(model, X, y, X_unlabeled=pool, label_probabilities=chosen, random_state=0)
    assert found.rows == 30
    alone = estimate(model, X[:30], y[:30], random_state=0)
    assert (found.value, found.method) == (pytest.approx(alone.value), "labels")
    search = FoldlessSearch(GaussianNB(), GRID, random_state=0)
    search.fit(X, y, X_unlabeled=pool, label_probabilities=chosen)
    assert search.selection_.estimate.method == "held-out labels"  # with the pool, .85 of 95 % intervals held
    with pytest.raises(BadInput, match="at least 10 labels that were drawn with a known probability, got 0"):
        estimate(model, X, y, label_probabilities=np.zeros(90))
    search = FoldlessSearch(GaussianNB(), GRID, criterion="k_fold", random_state=0)
    search.fit(X, y, X_unlabeled=pool, label_probabilities=np.zeros(90))
    assert search.selection_.estimate is None
    assert "drawn with a known probability, got 0" in " ".join(search.selection_.notes)


def test_criteria_that_certify_refuse(drawn):
    X, y, pool, chances, _ = drawn
    for criterion in ("progressive", "semi_supervised_cv"):
        search = FoldlessSearch(GaussianNB(), GRID, criterion=criterion, random_state=0)
        with pytest.raises(
            CannotAnswer, match="all drawn with equal probability, and some of these were drawn with unequal"
        ):
            search.fit(X, y, X_unlabeled=pool, label_probabilities=chances)
    found = compare(
        GaussianNB(), GRID, X, y, X_unlabeled=pool, criteria=["k_fold", "progressive"], label_probabilities=chances
    )
    assert list(found.selections) == ["k_fold"]


def test_what_is_wrong_is_said(drawn):
    X, y, pool, chances, model = drawn
    search = FoldlessSearch(GaussianNB(), GRID)
    with pytest.raises(BadInput, match="label_probabilities has 3 entries for 90 rows"):
        search.fit(X, y, X_unlabeled=pool, label_probabilities=[0.1, 0.2, 0.3])
    with pytest.raises(BadInput, match=r"between 0 and 1, got 1.5"):
        search.fit(X, y, X_unlabeled=pool, label_probabilities=np.full(90, 1.5))
    with pytest.raises(BadInput, match="pass label_probabilities too"):
        search.fit(X, y, X_unlabeled=pool, label_rounds=np.ones(90))
    with pytest.raises(BadInput, match="label_probabilities must be numbers"):
        search.fit(X, y, X_unlabeled=pool, label_probabilities=["often"] * 90)
    with pytest.raises(BadInput, match="no number for a label that has a probability"):
        search.fit(X, y, X_unlabeled=pool, label_probabilities=chances, label_rounds=np.full(90, np.nan))
    with pytest.raises(BadInput, match="'f1_macro' is not weighted by probabilities"):
        estimate(model, X, y, scoring="f1_macro", label_probabilities=chances)


def one_run(seed, model, new):
    """Whether intervals hold the truth after 150 rows were drawn.

    That of the search, that of a fixed model, and that of a twin of the latter which ignores the probabilities.
    """
    X, y = law(np.random.default_rng(seed), 630)
    search = FoldlessSearch(GaussianNB(), GRID, criterion="k_fold", estimate=False, random_state=seed)
    found = suggest(search.fit(X[:30], y[:30], X_unlabeled=X[30:]), 150, keep_valid=True)
    rows = np.concatenate([np.arange(30), 30 + found.rows])
    known = {"label_probabilities": np.concatenate([np.full(30, np.nan), found.probabilities])}
    search.set_params(estimate=True).fit(X[rows], y[rows], X_unlabeled=np.delete(X, rows, axis=0), **known)
    intervals = [search.selection_.estimate, *(estimate(model, X[rows], y[rows], **own) for own in (known, {}))]
    truths = [search.score(*new), *[model.score(*new)] * 2]
    return [own.lower <= truth <= own.upper for own, truth in zip(intervals, truths, strict=True)]


def of_law(rng):
    """A fixed model, and new rows to measure it on."""
    return GaussianNB().fit(*law(rng, 60)), law(rng, 20_000)


@pytest.mark.nightly
def test_coverage_in_2000_runs_of_the_public_calls():
    model, new = of_law(np.random.default_rng(7))
    chosen, fixed, twin = np.mean([one_run(seed, model, new) for seed in range(2000)], axis=0)
    assert LEAST <= chosen <= MOST
    assert LEAST <= fixed <= MOST
    assert twin < LEAST


MEMBERS = {"nb": (GaussianNB(), GRID), "lr": (LogisticRegression(), {"C": [0.05, 1.0]})}


def run_of_300_labels(seed, new):
    """Whether the interval of an average holds the truth after 20 labels at random and 280 that were suggested.

    With the stated probabilities, and without them.
    """
    X, y = law(np.random.default_rng(seed), 1500)
    rows, chances, rounds = np.arange(20), np.full(20, np.nan), np.zeros(20)
    for at, n in enumerate((80, 200), 1):
        pool = np.setdiff1d(np.arange(len(X)), rows)
        search = FoldlessSearch(MEMBERS, criterion="combination", estimate=False, random_state=seed)
        search.fit(X[rows], y[rows], X_unlabeled=X[pool], label_probabilities=chances, label_rounds=rounds)
        drawn = suggest(search, n, random_state=10 * seed + at)
        rows = np.concatenate([rows, pool[drawn.rows]])
        chances, rounds = np.append(chances, drawn.probabilities), np.append(rounds, np.full(n, at))
    held = []
    for known in ({"label_probabilities": chances, "label_rounds": rounds}, {}):
        search.set_params(estimate=True)
        search.fit(X[rows], y[rows], X_unlabeled=np.delete(X, rows, axis=0), **known)
        interval = search.selection_.estimate
        held.append(interval.lower <= search.score(*new) <= interval.upper)
    return held


@pytest.mark.nightly
def test_coverage_of_an_average_after_300_labels_with_suggestions():
    new, trials = law(np.random.default_rng(7), 20_000), 400
    held, twin = np.sum([run_of_300_labels(seed, new) for seed in range(trials)], axis=0)
    assert binom.cdf(held, trials, LEAST) > 1e-6
    assert binom.sf(held - 1, trials, MOST) > 1e-6
    assert binom.cdf(twin, trials, LEAST) < 1e-6  # the broken twin takes all labels as drawn at random
