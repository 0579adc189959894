"""Equal rows are copies only beyond chance: continuous tables with copies are found, discrete ones without are not."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from foldless.checks._coincidence import by_columns, copied_bags, copied_contents
from foldless.data._overlap import hashes


def normal(n, width):
    return lambda rng: rng.normal(size=(n, width))


def several_times(law, times=3):
    return lambda rng: np.repeat(law(rng), times, axis=0)


def some_twice(law, n):
    def made(rng):
        X = law(rng)
        return np.concatenate([X, X[rng.choice(len(X), n, replace=False)]])

    return made


def indicators(n, categories, levels=5):
    return lambda rng: np.hstack([np.eye(levels)[rng.integers(levels, size=n)] for _ in range(categories)])


def cities(n):
    """A country follows from its city."""

    def made(rng):
        city = rng.integers(50, size=n)
        return pd.DataFrame({"city": city.astype(str), "country": (city // 10).astype(str)})

    return made


def zeros(rng):
    """Many zeros, and whether there is one."""
    x = np.where(rng.random(70) < 0.6, 0, rng.exponential(size=70))
    return np.stack([x, x > 0], axis=1)


def person(n):
    return lambda rng: np.stack([rng.normal(40, 15, n).round(), rng.integers(2, size=n)], axis=1)


def standardized(law):
    def made(rng):
        X = law(rng)
        return (X - X.mean(axis=0)) / X.std(axis=0)

    return made


COPIES = {
    "numbers": several_times(normal(70, 5)),
    "one column": several_times(normal(70, 1)),
    "few copies": some_twice(normal(70, 2), 7),
    "one copy": some_twice(normal(300, 20), 1),
    "a number and a class": several_times(
        lambda rng: np.stack([rng.normal(size=70), rng.integers(2, size=70)], axis=1)
    ),
    "many whole numbers": several_times(lambda rng: rng.integers(17, size=(70, 64))),
    "many classes": several_times(indicators(70, 10)),
    "many bits": several_times(lambda rng: rng.integers(2, size=(70, 30))),
}
DRAWS = {
    "distinct": normal(200, 5),
    "bits": lambda rng: rng.integers(2, size=(200, 5)),
    "more bits": lambda rng: rng.integers(2, size=(100, 10)),
    "bits of one kind": lambda rng: (2 * rng.normal(size=(200, 1)) + rng.normal(size=(200, 20)) > 0).astype(int),
    "classes as indicators": indicators(100, 4),
    "ages": lambda rng: rng.normal(40, 15, 200).round()[:, None],
    "age and sex": person(200),
    "age and sex of few": person(30),
    "age and sex, standardized": standardized(person(200)),
    "cities": cities(60),
    "zeros": zeros,
    "amounts": lambda rng: np.exp(rng.normal(3, 1, size=(500, 1))).round(2),
    "answers": lambda rng: np.clip((rng.normal(3, 1, (300, 1)) + rng.normal(size=(300, 10)) / 2).round(), 1, 5),
}


def n_copied(X):
    return len(copied_contents(hashes(X), by_columns(X)))


@pytest.mark.parametrize("name", COPIES)
def test_copies_are_found(name) -> None:
    assert all(n_copied(COPIES[name](np.random.default_rng(seed))) > 0 for seed in range(5))


@pytest.mark.parametrize("name", DRAWS)
def test_rows_that_are_equal_by_chance_are_no_copies(name) -> None:
    """At most one table in 1,000 may be taken for one with copies; ten of ten may not."""
    assert [n_copied(DRAWS[name](np.random.default_rng(seed))) for seed in range(10)] == [0] * 10


def test_only_contents_that_repeat_are_copies() -> None:
    X = np.random.default_rng(0).normal(size=(50, 3))
    X = np.vstack([X, X[[4, 7]]])
    assert sorted(copied_contents(hashes(X), by_columns(X))) == sorted(hashes(X)[[4, 7]])


@pytest.mark.parametrize("dtype", [pd.ArrowDtype(pa.date32()), pd.ArrowDtype(pa.timestamp("us")), "datetime64[us]"])
def test_dates_are_compared_whatever_their_type(dtype) -> None:
    rng = np.random.default_rng(0)
    days = pd.Series(pd.Timestamp("2026-01-01") + pd.to_timedelta(rng.integers(30, size=200), "D"))
    days[3] = pd.NaT
    table = pd.DataFrame({"a": rng.normal(size=200), "day": days.astype(dtype)})
    table = pd.concat([table, table[:20]], ignore_index=True)
    assert len(copied_contents(hashes(table), by_columns(table))) == 20


def test_other_rows_tell_what_chance_explains() -> None:
    """Twelve rows with an equal pair say little; beside 500 others of the same table it is no surprise."""
    rng = np.random.default_rng(2)
    X, pool = rng.integers(3, size=(12, 4)), rng.integers(3, size=(500, 4))
    X[5] = X[2]
    assert len(copied_contents(hashes(X), by_columns(np.vstack([X, pool])))) == 0


def test_bags_of_many_words_are_copies_and_short_ones_are_not() -> None:
    words = np.zeros((40, 240))
    words[np.arange(40)[:, None], 6 * np.arange(40)[:, None] + np.arange(6)] = 1
    words[30:] = 0
    words[30:, 3] = 1
    words[1], words[31] = words[0], words[30]
    contents = np.array([0, 0, *range(2, 30), 30, 30, *range(32, 40)])
    assert copied_bags(contents, words).tolist() == [0]


@pytest.mark.parametrize(
    "table", [np.zeros((6, 0)), np.zeros((6, 2)), np.full((6, 1), np.nan), pd.DataFrame({"a": [[1]] * 6})]
)
def test_tables_that_say_nothing_have_no_copies(table) -> None:
    assert len(copied_contents(np.zeros(6, dtype=int), by_columns(table))) == 0


def test_bags_of_frequent_words_are_copies_where_many_repeat() -> None:
    """Alone each may be equal by chance, at most a few of all of them are."""
    words = (np.random.default_rng(0).random((200, 54)) < 0.3).astype(float)
    repeated = np.concatenate([np.arange(200), np.arange(60), np.arange(60)])
    assert copied_bags(repeated, words[repeated]).tolist() == list(range(60))
    once = np.concatenate([np.arange(200), [7]])
    assert len(copied_bags(once, words[once])) == 0
