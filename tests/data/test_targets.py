"""What y may be: labels of any type, and label sets in every form."""

import datetime
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

from foldless import FoldlessSearch, compare
from foldless.criteria import HoldOut, KFold, LeaveOneOut
from foldless.data._targets import label_sets, one_per_row, present_labels
from foldless.errors import BadInput

INDICATOR = np.array([[1, 0, 1], [0, 0, 0], [0, 1, 0]])
NAMED = pd.DataFrame(INDICATOR, columns=["x", "y", "z"])


def pairs(y):
    sets = label_sets(y)
    return None if sets is None else list(zip(sets.rows.tolist(), sets.labels.tolist(), strict=True))


@pytest.mark.parametrize(
    "y",
    [
        INDICATOR, INDICATOR.astype(float), INDICATOR.astype(bool), INDICATOR.tolist(), INDICATOR.astype(object),
        sparse.csr_array(INDICATOR), sparse.coo_matrix(INDICATOR), sparse.csc_array(INDICATOR.astype(bool)),
        [[0, 2], [], [1]], [{2, 0}, set(), {1}], ((2, 0), (), (1,)), [np.array([0, 2]), np.array([]), np.array([1])],
        pd.Series([[0, 2, 2], None, [1]]), pl.Series([[0, 2], [], [1]]), [[0, 2], None, [1]], [[0, 2], np.nan, [1]],
    ],
    ids=lambda y: type(y).__name__,
)  # fmt: skip
def test_the_same_sets_in_every_form(y):
    assert pairs(y) == [(0, 0), (0, 2), (2, 1)]
    assert label_sets(y).n == 3
    assert label_sets(y).ceiling == pytest.approx(2 / 3)  # two rows with labels, three copies


@pytest.mark.parametrize("frame", [NAMED, NAMED.astype(bool), pl.from_pandas(NAMED)], ids=["int", "bool", "polars"])
def test_columns_of_a_frame_are_the_classes(frame):
    assert pairs(frame) == [(0, "x"), (0, "z"), (2, "y")]


def test_the_order_inside_a_set_does_not_matter():
    words = [f"w{at}" for at in range(30)]
    assert pairs([set(words), words[::-1]]) == [(row, word) for row in (0, 1) for word in sorted(words)]


def test_a_sparse_zero_that_is_stored_is_no_label():
    y = sparse.csr_array((np.array([1, 0, 1]), np.array([0, 1, 1]), np.array([0, 2, 3])), shape=(2, 2))
    assert pairs(y) == [(0, 0), (1, 1)]


@pytest.mark.parametrize(
    "y",
    [
        [0, 1, 0], ["a", "b"], np.array([0, 1]), np.array([["a"], ["b"]]), pd.Series(["a", "b"]), pl.Series([1, 2]),
        pd.DataFrame({"y": [0, 1]}), np.array(["a", None], dtype=object), "abc", 3, None, pd.Categorical(["a", "b"]),
        pd.Series([1, None], dtype="Int64"),
    ],
    ids=repr,
)  # fmt: skip
def test_single_labels_are_no_sets(y):
    assert label_sets(y) is None


@pytest.mark.parametrize(
    ("y", "says"),
    [
        (
            np.array([[1, 2], [0, 1]]),
            "y has 2 columns and holds 2, so it is not an indicator matrix.*list of labels for",
        ),
        (np.array([["a", "b"], ["c", "d"]]), "holds 'a'"),
        (np.array([[0.0, np.nan], [0, 1]]), "holds nan"),
        (sparse.csr_array([[0, 3], [1, 0]]), "holds 3"),
        (pd.DataFrame({"a": [0, 1], "b": ["x", "y"]}), "holds 'x'"),
        ([["a"], "b"], "single label 'b' in row 1 among lists"),
        ([["a"], [["b"]]], r"holds \['b'\] inside the labels of row 1"),
        ([["a"], ["b", None]], "holds None inside the labels of row 1"),
        ([["a"], [1]], "mixes labels of the types int and str"),
        ([[], []], "no label in any row"),
    ],
)
def test_what_is_neither(y, says):
    with pytest.raises(BadInput, match=says):
        label_sets(y)


def test_a_column_is_one_label_per_row_with_a_warning():
    with pytest.warns(UserWarning, match="column-vector"):
        assert one_per_row(np.array([[1], [2]])).tolist() == [1, 2]


DAYS = [datetime.date(2024, 2, 29), datetime.date(2023, 1, 1)]


@pytest.mark.parametrize(
    "y",
    [
        DAYS, pd.Series(DAYS), pd.Series(pd.to_datetime(DAYS)), np.array(DAYS, dtype="datetime64[D]"),
        np.array(DAYS, dtype="datetime64[ns]"), pl.Series(DAYS), [pd.Timestamp(day) for day in DAYS],
    ],
    ids=["dates", "series", "timestamps", "numpy days", "numpy ns", "polars", "list of timestamps"],
)  # fmt: skip
def test_dates_are_their_iso_text(y):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert one_per_row(y).tolist() == ["2024-02-29", "2023-01-01"]
    assert pairs([[day] for day in DAYS]) == [(0, "2024-02-29"), (1, "2023-01-01")]


def test_a_time_that_is_missing_is_told():
    with pytest.raises(BadInput, match=r"no label .NaN or None. in 1 rows, the first is row 1"):
        one_per_row(pd.Series([pd.Timestamp("2020-01-01"), pd.NaT]))


# in a search


def documents(n=60, seed=0):
    """Rows of three classes, every third of them with two labels, and a pool."""
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % 3
    X = rng.normal(size=(n, 4)) + 2 * np.eye(4)[codes]
    return X, [[c] if at % 3 else [c, (c + 1) % 3] for at, c in enumerate(codes.tolist())], rng.normal(size=(50, 4))


class Leaks(BaseEstimator, ClassifierMixin):
    """Remembers its training rows, and fails when asked about one of them."""

    def fit(self, X, y):
        self.classes_, self.rows_ = np.unique(y), {row.tobytes() for row in X}
        return self

    def predict(self, X):
        assert not any(row.tobytes() in self.rows_ for row in X), "a copy of a tested row was trained on"
        return np.resize(self.classes_, len(X))


SPLITTING = [KFold(5), LeaveOneOut(), HoldOut(0.3, repeats=3)]


@pytest.mark.parametrize("criterion", SPLITTING, ids=lambda criterion: criterion.name)
def test_no_copy_of_a_tested_row_is_trained_on(criterion, monkeypatch):
    X, y, pool = documents()
    if isinstance(criterion, HoldOut):  # with a pool it also asks what a fit says of its own training rows
        pool = None
    search = FoldlessSearch(Leaks(), {}, criterion=criterion, refit=False, error_score="raise", random_state=0)
    search.fit(X, y, X_unlabeled=pool)
    assert search.selection_.n_fits["run"] == {"k_fold": 5, "leave_one_out": 60}.get(criterion.name, 3)
    rows = label_sets(y).rows
    search.fit(X[rows], label_sets(y).labels, X_unlabeled=pool)  # copies are found without their documents too
    monkeypatch.setattr("foldless.selection._road.checked", lambda sample: sample)
    with pytest.raises(AssertionError, match="copy of a tested row"):  # the same copies, and nobody looks for them
        search.fit(X[rows], label_sets(y).labels, X_unlabeled=pool)


@pytest.mark.slow
def test_a_search_on_sets_is_the_search_on_their_copies():
    X, y, pool = documents()
    sets = label_sets(y)
    model, grid = LogisticRegression(), {"C": [0.01, 1]}
    for criterion in ("quantification_bound", "k_fold", "bootstrap_632"):
        search = FoldlessSearch(model, grid, criterion=criterion, random_state=0).fit(X, y, X_unlabeled=pool)
        copies = FoldlessSearch(model, grid, criterion=criterion, random_state=0)
        copies.fit(X[sets.rows], sets.labels, X_unlabeled=pool, groups=sets.rows)
        np.testing.assert_array_equal(search.cv_results_["mean_test_score"], copies.cv_results_["mean_test_score"])
        np.testing.assert_array_equal(search.predict(pool), copies.predict(pool))
    assert search.selection_.notes[0] == (
        "y holds 80 labels for 60 rows, and a row is copied for each of its labels: accuracy on the copies cannot "
        "exceed 0.7500"
    )


def test_no_classifier_beats_the_ceiling_and_one_reaches_it():
    y = documents()[1]
    X = np.arange(len(y), dtype=float)[:, None]  # every row can be learned by heart
    comparison = compare(
        KNeighborsClassifier(1), {}, X, y, X_unlabeled=X, criteria=["quantification_bound"], X_test=X, y_test=y
    )
    assert list(comparison.test_accuracy.values()) == [0.75]
    assert sum("cannot exceed 0.7500" in note for note in comparison.notes) == 2  # labels and test rows


def test_weights_follow_the_copies():
    X, y, pool = documents()
    sets, weights = label_sets(y), np.random.default_rng(1).random(60)
    search = FoldlessSearch(LogisticRegression(), {"C": [1.0]}, random_state=0)
    search.fit(X, y, X_unlabeled=pool, sample_weight=weights)
    alone = LogisticRegression().fit(X[sets.rows], sets.labels, sample_weight=weights[sets.rows])
    np.testing.assert_array_equal(search.predict_proba(pool), alone.predict_proba(pool))


@pytest.mark.skipif(not hasattr(np.dtypes, "StringDType"), reason="NumPy 1")
@pytest.mark.parametrize("missing", [None, np.nan])
def test_strings_of_any_length(missing):
    y = np.array(["no", "yes", missing, "a longer one"], dtype=np.dtypes.StringDType(na_object=missing))
    labels, gone = present_labels(y)
    assert labels.tolist() == ["no", "yes", "a longer one"]
    assert gone.tolist() == [False, False, True, False]
