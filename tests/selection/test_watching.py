"""A run that is watched: who is asked, who has left, and that watching changes nothing."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from foldless import FoldlessSearch, compare
from foldless.selection import watched, watching

X, Y = load_digits(return_X_y=True)
CANDIDATES = {
    "nb": (GaussianNB(), {"var_smoothing": [1e-9, 1e-2]}),
    "constant": (DummyClassifier(strategy="constant", constant=3), {"constant": [3]}),
}


@pytest.fixture
def seen(monkeypatch):
    monkeypatch.setattr(watching, "PACE", 0.0)
    monkeypatch.setattr(watching, "SHARE", 0)
    return []


def fitted(**params):
    return FoldlessSearch(CANDIDATES, random_state=0, **params).fit(X[:80], Y[:80], X_unlabeled=X[100:400])


def test_candidates_are_asked_until_they_leave(seen):
    with watched(seen.append):
        search = fitted()
    first, last = seen[0], seen[-1]
    assert (first.done, {each.state for each in first.candidates}) == (0, {"asked"})
    assert last.done == last.asked == search.selection_.n_fits.run + search.selection_.n_fits.estimate
    assert [one.done for one in seen] == sorted(one.done for one in seen)
    states = {each.name: each.state for each in last.candidates}
    assert states[search.selection_.best.candidate.name] == "asked"
    assert states["constant(constant=3)"] == "left"
    for earlier, later in pairwise(seen):
        left = {each.name for each in earlier.candidates if each.state == "left"}
        assert left <= {each.name for each in later.candidates if each.state == "left"}
    assert [each.state for each in last.candidates] == sorted(each.state for each in last.candidates)


def test_the_share_of_right_labels_is_that_of_rows_left_out(seen):
    with watched(seen.append):
        search = FoldlessSearch(GaussianNB(), {"var_smoothing": [1e-2]}, criterion="k_fold", random_state=0)
        search.fit(X[:80], Y[:80])
    (only,) = seen[-1].candidates
    assert only.right == pytest.approx(np.average(search.selection_.best.splits))
    assert (only.fits, only.params) == (5, {"var_smoothing": 1e-2})
    assert only.seconds > 0


def test_a_candidate_that_fails_is_said_to(seen):
    broken = {**CANDIDATES, "lr": (LogisticRegression(), {"C": [-1.0]})}
    with watched(seen.append), pytest.warns(Warning, match="C"):
        FoldlessSearch(broken, criterion="k_fold", random_state=0).fit(X[:80], Y[:80])
    assert [each.state for each in seen[-1].candidates if each.name.startswith("lr")] == ["failed"]


def test_watching_changes_no_answer_and_ends_with_its_block(seen):
    with watched(seen.append):
        a = fitted()
    n = len(seen)
    b = fitted()
    assert len(seen) == n
    assert [choice.score for choice in a.selection_.ranking] == [choice.score for choice in b.selection_.ranking]


def test_a_comparison_can_be_watched_too(seen):
    with watched(seen.append):
        compare(GaussianNB(), {"var_smoothing": [1e-9, 1e-2]}, X[:80], Y[:80], criteria=["k_fold"], random_state=0)
    assert len(seen[-1].candidates) == 2


def test_looks_are_seldom(monkeypatch):
    seen = []
    monkeypatch.setattr(watching, "PACE", 1000.0)
    with watched(seen.append):
        fitted()
    assert len(seen) == 2  # at the beginning and at the end


def test_fits_for_test_rows_leave_the_standing_of_the_race_as_it_was(seen):
    with watched(seen.append):
        compare(CANDIDATES, None, X[:80], Y[:80], X_unlabeled=X[100:400], X_test=X[400:500], y_test=Y[400:500],
                criteria=["auto"], random_state=0)  # fmt: skip
    last = seen[-1].candidates
    assert {each.name: each.state for each in last}["constant(constant=3)"] == "left"
    assert max(each.fits for each in last) > 3
