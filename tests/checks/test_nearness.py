"""Near copies are found at any place and scale; dense parts of the data, lines and series are none."""

import numpy as np
import pytest
from scipy import sparse

from foldless.checks._nearness import near_rows


def moved(n, width, times=3, by=1e-6):
    def made(rng):
        X = np.repeat(rng.normal(size=(n, width)), times, axis=0)
        return X + by * rng.normal(size=X.shape)

    return made


NONE = {
    "numbers": lambda rng: rng.normal(size=(1000, 2)),
    "one column": lambda rng: rng.normal(size=(1000, 1)),
    "heavy tails": lambda rng: rng.standard_cauchy(size=(1000, 2)),
    "a dense part": lambda rng: np.vstack([rng.normal(size=(700, 3)), 1e-5 * rng.normal(size=(300, 3))]),
    "a line": lambda rng: rng.normal(size=(1000, 1)) * np.ones(5) + 1e-9 * rng.normal(size=(1000, 5)),
    "a series": lambda rng: np.stack([np.sin(np.arange(1000) / 100), np.cos(np.arange(1000) / 100)], axis=1),
    "whole numbers": lambda rng: np.unique(rng.integers(5, size=(500, 6)), axis=0).astype(float),
    "few rows": lambda rng: rng.normal(size=(4, 2)),
    "one value": lambda rng: np.ones((20, 2)),
    "no columns": lambda rng: np.ones((20, 0)),
}


@pytest.mark.parametrize(("n", "width"), [(70, 5), (70, 2), (100, 20), (60, 300)])
def test_copies_that_moved_a_little_are_found(n, width) -> None:
    sets = near_rows(moved(n, width)(np.random.default_rng(0)))
    np.testing.assert_array_equal(sets, np.repeat(np.arange(n), 3))


def test_few_of_many_are_found() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    sets = near_rows(np.vstack([X, X[:5] + 1e-6 * rng.normal(size=(5, 3))]))
    np.testing.assert_array_equal(sets[300:], np.arange(5))
    assert len(np.unique(sets)) == 300


@pytest.mark.parametrize("name", NONE)
def test_rows_that_are_near_by_nature_are_no_copies(name) -> None:
    for seed in range(3):
        X = NONE[name](np.random.default_rng(seed))
        assert len(np.unique(near_rows(X))) == len(X)


def test_sparse_rows() -> None:
    X = sparse.random(100, 400, 0.05, format="csr", random_state=0)
    near = X[:10].copy()
    near.data = near.data + 1e-7
    sets = near_rows(sparse.vstack([X, near], format="csr"))
    np.testing.assert_array_equal(sets[100:], np.arange(10))
    assert len(np.unique(sets)) == 100


def test_rows_that_differ_in_what_is_no_number_are_no_copies() -> None:
    X = moved(70, 3, times=2)(np.random.default_rng(0))
    assert len(np.unique(near_rows(X, np.tile([0, 1], 70)))) == 140


def test_too_many_candidates_are_not_compared(monkeypatch) -> None:
    monkeypatch.setattr("foldless.checks._nearness.CANDIDATES", 5)
    assert near_rows(moved(70, 3)(np.random.default_rng(0))) is None
