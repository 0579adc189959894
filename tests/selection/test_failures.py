"""What the fits of a run warned of, once for each fact."""

import warnings
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC as ScikitLearnLinearSVC
from sklearn.utils.multiclass import check_classification_targets

from foldless import FoldlessSearch
from foldless.errors import CandidatesFailed
from foldless.learners import LinearSVC


def test_a_solver_that_stops_early_at_several_costs_warns_once():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 30)), rng.integers(0, 2, size=40)
    search = FoldlessSearch(LinearSVC(max_iter=3), {"C": [0.01, 10, 1000]}, criterion="k_fold", random_state=0)
    with pytest.warns(ConvergenceWarning) as caught:
        search.fit(X, y)
    assert len([warning for warning in caught if "did not converge" in str(warning.message)]) == 1
    assert str(caught[0].message).count("(in ") == 1


def test_test_rows_of_classes_without_labels_are_one_note():
    X, y = np.arange(12.0)[:, None], np.repeat(["a", "b"], 6)
    test = np.array(["a", "c", "d", "c"])
    fitted = FoldlessSearch(LinearSVC(), {"C": [1]}, criterion="k_fold", random_state=0)
    fitted.fit(X, y, X_test=X[:4], y_test=test)
    strange = [note for note in fitted.selection_.notes if "no labeled row has" in note]
    assert strange == [
        "3 test rows are of class 'c' and 1 other, which no labeled row has: every candidate is wrong about them"
    ]


def failing(X, y, X_unlabeled=None, criterion="auto") -> str:
    """What is said of candidates that all fail."""
    search = FoldlessSearch(ScikitLearnLinearSVC(), {"C": [0.1, 1]}, criterion=criterion, random_state=0)
    with pytest.raises(CandidatesFailed) as error:
        search.fit(X, y, X_unlabeled=X_unlabeled)
    assert "\n" not in str(error.value)
    assert "http" not in str(error.value)
    return str(error.value)


def numbers(seed: int, *places: tuple[int, int], value: float = np.nan) -> np.ndarray:
    X = np.random.default_rng(seed).normal(size=(60, 3))
    for place in places:
        X[place] = value
    return X


Y = np.arange(60) % 2


@pytest.mark.parametrize("criterion", ["auto", "k_fold"])
def test_where_numbers_are_missing_comes_before_what_failed(criterion: str):
    message = failing(numbers(0, (7, 2), (50, 1)), Y, criterion=criterion)
    where = "X holds 2 values that are NaN or infinite, the first (nan) in row 7 of column 2, and all 2 candidates"
    assert message.startswith(where)
    assert "ValueError: Input X contains NaN: impute inside the candidate, for example make_pipeline(Simple" in message
    assert message.endswith("or drop the rows")


def test_the_pool_is_told_from_the_labeled_rows():
    message = failing(numbers(0), Y, numbers(1, (3, 0), value=np.inf))
    assert message.startswith("X_unlabeled holds 1 value that is NaN or infinite, the first (inf) in row 3 of column 0")
    frames = [pd.DataFrame(part, columns=["a", "b", "c"]) for part in (numbers(0, (5, 1)), numbers(1, (3, 0)))]
    message = failing(frames[0], Y, frames[1])
    assert "in row 5 of column 'b'; X_unlabeled holds 1 value" in message
    assert "in row 3 of column 'a'" in message


def test_rows_without_a_label_keep_their_number_in_x():
    y = np.where(np.isin(np.arange(60), [0, 20, 40]), -1, Y)
    with pytest.warns(UserWarning, match="−1"):
        assert failing(numbers(0, (40, 2)), y).startswith(
            "X holds 1 value that is NaN or infinite, the first (nan) in row 40"
        )
    labels = pd.Series(Y).astype(object).mask(np.isin(np.arange(60), [0, 20]))
    assert "in row 30 of" in failing(numbers(0, (30, 2)), labels)
    assert failing(numbers(0), labels, numbers(1, (9, 1))).startswith("X_unlabeled holds 1 value that is NaN")
    assert "in row 9 of" in failing(numbers(0), labels, numbers(1, (9, 1)))


@pytest.mark.parametrize("criterion", ["auto", "k_fold"])
def test_one_value_per_row_is_said_by_its_shape(criterion: str):
    message = failing(numbers(0)[:, 0], Y, criterion=criterion)
    assert message.startswith("X has the shape (60,), and all 2 candidates failed to fit")
    assert message.endswith("Expected 2D array, got 1D array instead: pass X.reshape(-1, 1) if it is one column")


def test_many_classes_are_warned_of_once_where_scikit_learn_warns():
    X, y = np.random.default_rng(0).normal(size=(40, 5)), np.arange(40)
    search = FoldlessSearch(ScikitLearnLinearSVC(), {"C": [0.1, 1]}, random_state=0)
    assert _warned_of_many_classes(lambda: search.fit(X, y)) == _warned_of_many_classes(
        lambda: check_classification_targets(y)
    )


def _warned_of_many_classes(call: Callable[[], object]) -> int:
    """How often; scikit-learn says it since its release 1.7."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return sum("number of unique classes" in str(warning.message) for warning in caught)


def test_candidates_that_impute_take_missing_numbers_and_other_failures_are_their_own():
    model = make_pipeline(SimpleImputer(), ScikitLearnLinearSVC())
    FoldlessSearch(model, {"linearsvc__C": [0.1, 1]}, random_state=0).fit(numbers(0, (7, 2)), Y)
    search = FoldlessSearch(model, {"linearsvc__C": [-1.0]}, random_state=0)
    with pytest.raises(CandidatesFailed, match=r"the only candidate, C=-1, failed to fit.*must be a float"):
        search.fit(numbers(0, (7, 2)), Y)


def test_texts_of_single_letters_are_named():
    search = FoldlessSearch(make_pipeline(TfidfVectorizer(), LinearSVC()), {}, criterion="k_fold")
    with pytest.raises(CandidatesFailed, match=r"^the texts have no word of two letters or more, .*analyzer='char'"):
        search.fit(list("abcd") * 5, Y[:20])
