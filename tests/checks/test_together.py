"""Copies among labeled rows become groups, with a finding; groups that share a copy are joined."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_iris

from foldless.checks import checked
from foldless.core import Opaque, Values
from foldless.data._opening import open_sample
from foldless.data.pool import Pool

WORDS = np.random.default_rng(0).integers(300, size=(12, 15))
TEXTS = [" ".join(f"w{word}" for word in words) for words in WORDS]


def rows(n=40, width=4, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, width)), rng.integers(2, size=n)


def twice(X, y, which):
    which = np.concatenate([np.arange(len(y)), which])
    return X.iloc[which].reset_index(drop=True) if hasattr(X, "iloc") else X[which], y[which]


def codes(sample):
    return [note.code for note in sample.notes if hasattr(note, "code")]


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, pd.DataFrame, lambda X: X.astype(np.float32)])
def test_equal_rows_are_one_group(form) -> None:
    X, y = rows()
    X, y = twice(X, y, [3, 8])
    sample = checked(open_sample(form(X), y))
    assert sample.groups is not None
    assert len(np.unique(sample.groups)) == 40
    assert sample.groups[3] == sample.groups[40]
    assert sample.copies is not None
    assert sample.copies.passed is None
    (finding,) = sample.notes
    assert str(finding).startswith("4 of 42 labeled rows appear more than once, and copies are kept together")
    assert finding.code == "FL004"
    assert finding.rows == (3, 8, 40, 41)


def test_nearly_equal_rows_are_one_group() -> None:
    X, y = rows()
    X, y = twice(X, y, [3, 8])
    X[40:] += 1e-6
    sample = checked(open_sample(X, y))
    assert sample.groups[8] == sample.groups[41]
    assert codes(sample) == ["FL005"]
    assert sample.notes[0].rows == (3, 8, 40, 41)


def test_equal_and_nearly_equal_rows_together() -> None:
    X, y = rows()
    X, y = twice(X, y, [3, 3])
    X[41] += 1e-6
    sample = checked(open_sample(X, y))
    assert len({*sample.groups[[3, 40, 41]]}) == 1
    assert codes(sample) == ["FL004", "FL005"]


def test_texts_and_frames_with_texts() -> None:
    y = np.arange(14) % 2
    texts = [*TEXTS, TEXTS[2], TEXTS[5].upper()]
    for X in (texts, np.array(texts, dtype=object), pd.DataFrame({"text": texts})):
        sample = checked(open_sample(X, y))
        assert sample.groups[2] == sample.groups[12]
        assert sample.groups[5] == sample.groups[13]
        assert codes(sample) == ["FL004", "FL005"]
    assert checked(open_sample([*["yes", "no", "maybe"] * 4, "yes", "YES"], y)).groups is None


def test_numbers_of_rows_are_those_of_the_table() -> None:
    """Rows without a label leave, and the others keep their numbers."""
    X, y = rows()
    X, y = twice(X, y.astype(float), [3, 8])
    y[[0, 1]] = np.nan
    (finding,) = [note for note in checked(open_sample(X, y)).notes if hasattr(note, "code")]
    assert finding.rows == (3, 8, 40, 41)


def test_groups_that_share_a_copy_are_joined() -> None:
    X, y = rows()
    X, y = twice(X, y, [3])
    names = np.array(["a", "b", "c", "d"])[np.arange(41) % 4]
    names[40] = "a"
    sample = checked(open_sample(X, y, groups=names))
    assert sorted(set(sample.groups)) in (["a", "b", "c"], ["b", "c", "d"])
    assert len(set(sample.groups[[0, 3, 40]])) == 1
    assert sample.copies.passed is not None
    np.testing.assert_array_equal(sample.copies.passed, names)


def test_copies_within_a_group_change_nothing() -> None:
    X, y = rows()
    X, y = twice(X, y, [3, 8])
    names = np.concatenate([np.arange(40), [3, 8]])
    sample = checked(open_sample(X, y, groups=names))
    np.testing.assert_array_equal(sample.groups, names)
    assert sample.copies is None
    assert not sample.notes


def test_rows_with_sets_of_labels_are_no_copies_of_each_other() -> None:
    X, y = rows()
    sets = [[label, 2] if at % 3 == 0 else [label] for at, label in enumerate(y.tolist())]
    sample = checked(open_sample(X, sets))
    assert sample.copies is None
    X[7] = X[5]
    sample = checked(open_sample(X, sets, Pool(rows(30, seed=1)[0])))
    assert codes(sample) == ["FL004"]
    assert next(note for note in sample.notes if hasattr(note, "code")).rows == (5, 7)


@pytest.mark.parametrize("kind", [Values, Opaque])
def test_values_and_opaque_targets(kind) -> None:
    X, _ = rows()
    X, y = twice(X, np.random.default_rng(1).normal(size=40), [3, 8])
    assert codes(checked(open_sample(X, y, kind=kind))) == ["FL004"]


@pytest.mark.parametrize(
    "X",
    [
        rows()[0],
        load_iris().data,
        np.random.default_rng(0).integers(3, size=(60, 3)),
        pd.DataFrame({"a": list("xyz") * 20, "b": [True, False] * 30}),
        [{"a": 1}, {"a": 1}] * 10,
        np.zeros((12, 2)),
    ],
)
def test_clean_and_discrete_rows_stay_as_they_are(X) -> None:
    sample = open_sample(X, np.arange(len(X)) % 2)
    assert checked(sample) is sample


def test_rows_that_were_not_searched_are_said(monkeypatch) -> None:
    monkeypatch.setattr("foldless.checks._near_copies.MAX_ROWS", 10)
    (note,) = checked(open_sample(*rows())).notes
    assert note == "nearly equal rows were not looked for among the 40 labeled rows: there are too many"
