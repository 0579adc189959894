"""Pool rows and test rows that are labeled rows are counted, where chance does not explain it."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier

from foldless import FoldlessSearch, compare
from foldless.checks import checked
from foldless.checks._shared_rows import shared
from foldless.data._opening import open_sample
from foldless.data._overlap import RowHashes


def rows(n=60, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 4)), rng.integers(2, size=n)


def test_rows_that_are_labeled_rows_are_marked() -> None:
    X, _ = rows()
    other = rows(seed=1)[0]
    assert not shared(X, other, RowHashes()).any()
    other[[2, 5]] = X[[7, 9]]
    assert np.flatnonzero(shared(X, other, RowHashes())).tolist() == [2, 5]
    assert shared(X, X.copy(), RowHashes()).all()
    assert shared(pd.DataFrame(X), pd.DataFrame(X[:5]), RowHashes()).all()


def test_rows_that_are_equal_by_chance_are_not() -> None:
    bits = np.random.default_rng(0).integers(2, size=(200, 4))
    assert not shared(bits[:100], bits[100:], RowHashes()).any()
    assert shared(bits[:100], bits[:100].copy(), RowHashes()).all()  # all of them, in the same order


def test_pool_rows_are_a_finding() -> None:
    X, y = rows()
    pool = np.vstack([rows(100, seed=1)[0], X[:3]])
    (finding,) = checked(open_sample(X, y, pool)).notes
    assert finding.code == "FL006"
    assert finding.problem == "3 of 103 pool rows have the content of a labeled row"
    assert finding.rows == (100, 101, 102)


def test_a_search_counts_test_rows_that_it_was_trained_on() -> None:
    """A model that remembers is right on what it has seen; without that it is a coin."""
    X, y = rows(80)
    test, y_test = np.vstack([X[:31], rows(60, seed=1)[0]]), np.concatenate([y[:31], rows(60, seed=1)[1]])
    search = FoldlessSearch(KNeighborsClassifier(1), {}, criterion="k_fold", random_state=0)
    search.fit(X, y, X_test=test, y_test=y_test)
    (finding,) = search.selection_.findings
    right = search.predict(test) == y_test
    assert finding.code == "FL007"
    assert finding.rows == tuple(range(31))
    assert finding.problem == (
        f"31 of 91 test rows are rows of the training data; accuracy without them {right[31:].mean():.3f}, "
        f"with them {right.mean():.3f}"
    )


def test_the_training_rows_as_test_rows() -> None:
    X, y = rows(80)
    search = FoldlessSearch(KNeighborsClassifier(1), {}, criterion="k_fold", random_state=0)
    search.fit(X, y, X_test=X.copy(), y_test=y)
    (finding,) = search.selection_.findings
    assert finding.problem == "80 of 80 test rows are rows of the training data"


@pytest.mark.parametrize("seen", [0, 20])
def test_values_and_a_comparison(seen) -> None:
    rng = np.random.default_rng(0)
    X, test = rng.normal(size=(60, 3)), rng.normal(size=(40, 3))
    test[:seen] = X[:seen]
    comparison = compare(
        {"a": (LinearRegression(), {}), "b": (Ridge(), {})}, None, X, X[:, 0] + rng.normal(size=60),
        X_test=test, y_test=test[:, 0], criteria=["k_fold"], random_state=0,
    )  # fmt: skip
    sentence = "20 of 40 test rows are rows of the training data; R² without them"
    assert any(sentence in note for note in comparison.notes) == (seen > 0)
