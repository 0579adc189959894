"""Labels against pool by columns: the level holds for all columns together, and each kind of difference is named."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.special import ndtr
from scipy.stats import binom

from foldless.accuracy._column_shift import _Scores, column_test
from foldless.data._compared_columns import compared_columns
from foldless.data._features import n_rows


def table(rng, n):
    """Columns of every kind: skewed, with ties, with missing values, of levels of which some are rare."""
    frame = pd.DataFrame({
        "size": rng.lognormal(size=n), "rooms": rng.integers(1, 4, n).astype(float), "age": rng.normal(size=n),
        "city": rng.choice([*"abcdefgh"], n, p=[0.4, 0.3, 0.1, 0.1, 0.04, 0.03, 0.02, 0.01]),
        "when": pd.Timestamp("2026-01-01") + pd.to_timedelta(rng.integers(0, 5000, n), "h"),
    })  # fmt: skip
    frame.loc[rng.random(n) < 0.1, "age"] = np.nan
    return frame


def compared_parts(labels, pool, seed=0):
    rng = np.random.default_rng(seed)
    return column_test(compared_columns([labels, pool], rng), n_rows(labels), rng)


@pytest.mark.slow
def test_both_p_values_hold_their_level_and_those_of_single_columns_do_not():
    runs, level = 120, 0.05
    largest = many = uncorrected = 0
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        both = [table(rng, 40), table(rng, 120)]
        test = compared_parts(*both, seed)
        largest += test.largest_p <= level
        many += test.many_p <= level
        z = _Scores.of(compared_columns(both, rng).read, 40).z((np.arange(160) < 40)[:, None])
        uncorrected += 2 * ndtr(-np.abs(z).max()) <= level
    assert binom.sf(largest - 1, runs, level) > 1e-4
    assert binom.sf(many - 1, runs, level) > 1e-4
    assert binom.sf(uncorrected - 1, runs, level) < 1e-6


def moved(change):
    pool = table(np.random.default_rng(1), 600)
    change(pool)
    return compared_parts(table(np.random.default_rng(0), 200), pool).columns


def test_what_differs_is_named():
    def larger(pool):
        pool["size"] *= 2

    def wider(pool):
        pool["age"] *= 3

    def absent(pool):
        pool.loc[:250, "age"] = np.nan

    def elsewhere(pool):
        pool.loc[:150, "city"] = "z"

    def later(pool):
        pool["when"] = pool["when"].dt.floor("D") + pd.to_timedelta(8 + np.arange(len(pool)) % 9, "h")

    differences = [
        (larger, "size", "median"), (wider, "age", "range of the middle 80 %"),
        (absent, "age", "share of missing values"), (elsewhere, "city", "share of 'z'"),
        (later, "when: hour", "range of the middle 80 %"),
    ]  # fmt: skip
    for change, name, what in differences:
        first = moved(change)[0]
        assert (first.name, first.difference) == (name, what)
        assert first.p_value < 0.01
        assert len(first.bins) == len(first.labels) == len(first.pool)
        assert 0.9 < sum(first.labels) < 1 + 1e-9  # of levels, those that differ most


def test_columns_that_belong_together_in_one_part_only():
    rng = np.random.default_rng(0)
    labels, pool = rng.normal(size=(200, 3)), rng.normal(size=(600, 3))
    pool[:, 1] = 0.6 * pool[:, 0] + 0.8 * pool[:, 1]
    (column,) = compared_parts(labels, pool).columns
    assert (column.name, column.difference) == ("0 with 1", "rank correlation")
    assert column.in_pool == pytest.approx(0.6, abs=0.1)


def test_a_share_that_is_named_is_that_of_the_rows():
    column = moved(lambda pool: pool.__setitem__("city", "a"))[0]
    assert column.difference == "share of 'a'"
    assert column.in_pool == 1
    assert 0.3 < column.in_labels < 0.5


def test_words_of_texts_and_features_of_sparse_rows():
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(["pay", "bill", "home", "game"], 3)) for _ in range(300)]
    columns = compared_parts(texts[:100], [f"{text} refund" for text in texts[100:]]).columns
    assert columns[0].name == "text: refund"
    assert (columns[0].in_labels, columns[0].in_pool) == (0, 1)
    matrix = sparse.random_array((300, 50), density=0.3, rng=rng, format="lil")
    matrix[100:, 7] = 1.0
    matrix = matrix.tocsr()
    assert compared_parts(matrix[:100], matrix[100:]).columns[0].name == "feature 7"


def test_wide_rows_are_read_in_part_and_constant_ones_not_at_all():
    rng = np.random.default_rng(0)
    wide = compared_parts(rng.normal(size=(50, 400)), rng.normal(size=(100, 400)))
    assert (wide.read, wide.total) == (200, 400)
    assert compared_parts(np.ones((50, 2)), np.ones((100, 2))) is None


def test_names_of_which_each_row_has_its_own_are_no_difference():
    names = [f"{letter}{number}" for number in range(100) for letter in "abcdefghij"]
    frame = pd.DataFrame({"name": names, "size": np.random.default_rng(0).normal(size=1000)})
    test = compared_parts(frame[:100], frame[100:])
    assert test.largest_p > 0.01
    assert test.many_p > 0.01
    assert compared_parts(frame[["name"]][:100], frame[["name"]][100:]) is None


def test_common_words_do_not_depend_on_which_rows_come_first():
    texts = pd.Series([f"the word{at} of row{at} is here" for at in range(600)])
    rng = np.random.default_rng(0)
    orders = [texts, texts[::-1]]
    levels = [compared_columns([list(order[:50]), list(order[50:])], rng).read[0].levels for order in orders]
    assert levels[0] == levels[1]
