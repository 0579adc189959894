"""Copies among labeled rows become groups, with a finding; groups that share a copy are joined."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, ShuffleSplit
from sklearn.neighbors import KNeighborsClassifier

from foldless import FoldlessSearch, certify, quantify
from foldless.checks import checked
from foldless.core import Opaque, Values
from foldless.criteria import KFold, LeaveOneOut, QuantificationBound, SemiSupervisedCV
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
    monkeypatch.setattr("foldless.checks._together.MAX_ROWS", 10)
    (note,) = checked(open_sample(*rows())).notes
    assert note == "nearly equal rows were not looked for among the 40 labeled rows: there are too many"


# in calls


def coins(n=30, times=3):
    rng = np.random.default_rng(0)
    return np.repeat(rng.normal(size=(n, 3)), times, axis=0), np.repeat(rng.integers(2, size=n), times)


def test_splits_of_a_splitter_stay_as_they_are(recwarn) -> None:
    """As in scikit-learn, rows and scores; only a finding says that copies are on both sides."""
    X, y = coins()
    ours = FoldlessSearch(KNeighborsClassifier(), {"n_neighbors": [1, 9]}, cv=3, random_state=0).fit(X, y)
    theirs = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 9]}, cv=3).fit(X, y)
    np.testing.assert_allclose(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"])
    assert [finding.code for finding in ours.selection_.findings] == ["FL004"]
    assert not [warning for warning in recwarn if "group" in str(warning.message)]


@pytest.mark.parametrize(
    "criterion", [KFold(ShuffleSplit(4, random_state=0)), QuantificationBound(form="valid"), LeaveOneOut()]
)
def test_copies_refuse_nothing(criterion) -> None:
    X, y = coins()
    pool = np.random.default_rng(1).normal(size=(50, 3))
    search = FoldlessSearch(KNeighborsClassifier(3), {}, criterion=criterion, random_state=0).fit(
        X, y, X_unlabeled=pool
    )
    assert [finding.code for finding in search.selection_.findings] == ["FL004"]


def test_fewer_contents_than_folds() -> None:
    X, y = np.repeat(np.random.default_rng(0).normal(size=(4, 3)), 8, axis=0), np.repeat([0, 1, 0, 1], 8)
    search = FoldlessSearch(KNeighborsClassifier(1), {}, criterion=KFold(5), random_state=0).fit(X, y)
    assert len(search.selection_.best.splits) in (4, 5)


@pytest.mark.parametrize(
    "method", ["progressive", "semi_supervised_cv", "hold_out", SemiSupervisedCV(ShuffleSplit(2, random_state=0))]
)
def test_a_certificate_counts_copies_once(method) -> None:
    X, y = coins(100)
    pool = np.random.default_rng(1).normal(size=(300, 3))
    certificate = certify(KNeighborsClassifier(1), X, y, X_unlabeled=pool, method=method, random_state=0)
    assert certificate.upper >= 0.5
    assert "300 labeled rows that are copies of each other, or nearly, count as 100" in certificate.assumes[0]
    assert certificate.terms[0].rows <= 100
    assert any("equal_rows='draws'" in note for note in certificate.notes)
    drawn = certify(KNeighborsClassifier(1), X, y, X_unlabeled=pool, method=method, equal_rows="draws", random_state=0)
    assert drawn.upper < certificate.upper
    assert "count as" not in drawn.assumes[0]


def test_class_shares_count_copies_once() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 60)
    X, pool = rng.normal(size=(120, 2)) + y[:, None], rng.normal(size=(400, 2)) + (np.arange(400) < 100)[:, None]
    once = quantify(LogisticRegression(), X, y, X_unlabeled=pool, random_state=0)
    thrice = quantify(LogisticRegression(), np.repeat(X, 3, axis=0), np.repeat(y, 3), X_unlabeled=pool, random_state=0)
    assert (thrice.upper - thrice.lower).max() > 0.8 * (once.upper - once.lower).max()
