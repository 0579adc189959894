"""Candidates are measured on test rows with the time that is left, after the choice, its estimate and its model."""

import time

import numpy as np
import pytest
from helpers.clock import patched
from sklearn.neighbors import KNeighborsClassifier

from foldless import FoldlessSearch
from foldless.selection._session import NOT_MEASURED

rng = np.random.default_rng(0)
X, Y = rng.normal(size=(60, 2)), np.repeat(["a", "b"], 30)
X[30:] += 2
FITS: list[int] = []
GRID = {"n_neighbors": [1, 3, 5]}


class Recorded(KNeighborsClassifier):
    seconds = 0.0

    def fit(self, X, y):
        FITS.append(len(y))
        if len(FITS) > 15:  # all folds are answered
            time.sleep(self.seconds)
        return super().fit(X, y)


@pytest.fixture(autouse=True)
def _nothing_fitted(monkeypatch):
    FITS.clear()
    return monkeypatch


def searched(**settings):
    search = FoldlessSearch(Recorded(), GRID, criterion="k_fold", random_state=0, estimate=False, **settings)
    return search.fit(X[::2], Y[::2], X_test=X[1::2], y_test=Y[1::2]).selection_


def test_all_folds_come_before_the_fits_that_are_only_measured():
    selection = searched()
    assert FITS[:15] == [24] * 15
    assert set(FITS[15:]) == {30}
    assert len(selection.test_accuracy) == 3


def test_time_that_ends_while_candidates_are_measured_leaves_the_choice_complete(monkeypatch):
    patched(monkeypatch)
    plain = searched()
    FITS.clear()
    monkeypatch.setattr(Recorded, "seconds", 2.0)
    selection = searched(time_budget=3)
    assert selection.stopped is None
    assert NOT_MEASURED in selection.notes
    assert selection.best.candidate == plain.best.candidate
    assert selection.best_test_accuracy == plain.best_test_accuracy
    assert selection.to_dict()["choice"]["test_accuracy"] == plain.best_test_accuracy
    assert len(selection.test_accuracy) < 3


def test_fits_that_a_criterion_needs_anyway_are_measured_with_them():
    search = FoldlessSearch(Recorded(), GRID, criterion="quantification_bound", random_state=0, estimate=False)
    search.fit(X[::2], Y[::2], X_unlabeled=X[1::2], X_test=X[1::2], y_test=Y[1::2])
    assert FITS.count(30) == 3
