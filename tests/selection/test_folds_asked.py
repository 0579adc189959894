"""Folds that a criterion has anyway are the folds of the estimate: no further fit, the same numbers."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier

from foldless import FoldlessSearch
from foldless.criteria import Auto, KFold
from foldless.learners import LinearSVC, LogisticRegression
from foldless.selection import _folds_asked, _session

COSTS = {"C": [0.01, 0.1, 1.0]}


def drawn(seed, n, apart=1.0):
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=n)
    return rng.normal(size=(n, 4)) + apart * np.eye(4)[y], np.array(["a", "b", "c"])[y]


def chosen(criterion, n=420, model=None, grid=None, pool=True, **settings):
    (X, y), (rows, _) = drawn(0, n), drawn(1, 700)
    search = FoldlessSearch(
        LinearSVC() if model is None else model, grid or COSTS, criterion=criterion, random_state=0, **settings
    )
    return search.fit(X, y, X_unlabeled=rows if pool else None).selection_


@pytest.fixture
def without(monkeypatch):
    """As if no fit was asked anything beside."""

    def run(*args, **settings):
        with monkeypatch.context() as patched:
            patched.setattr(_folds_asked, "ROOM", 0)
            return chosen(*args, **settings)

    return run


@pytest.mark.parametrize("model", [LinearSVC(), LogisticRegression()], ids=lambda model: type(model).__name__)
@pytest.mark.parametrize("pool", [True, False])
def test_folds_of_cross_validation_tell_what_fits_of_the_same_folds_would(without, model, pool):
    ours, plain = (run("k_fold", model=model, pool=pool) for run in (chosen, without))
    assert ours.best.candidate == plain.best.candidate
    assert (ours.estimate.fits, plain.estimate.fits) == (0, 5 if pool else 0)
    assert (ours.n_fits.run, ours.n_fits.estimate) == (15, 0)
    hundredth = 0.01 * (plain.estimate.upper - plain.estimate.lower)
    for end in ("value", "lower", "upper"):
        assert getattr(ours.estimate, end) == pytest.approx(getattr(plain.estimate, end), abs=hundredth)
    assert (ours.estimate.rows, ours.estimate.pool) == (plain.estimate.rows, plain.estimate.pool)
    assert [c.score for c in ours.ranking] == [c.score for c in plain.ranking]
    if pool:
        assert ours.shift.p_value == pytest.approx(plain.shift.p_value, abs=0.02)


@pytest.mark.parametrize("model", [LinearSVC(), LogisticRegression()], ids=lambda model: type(model).__name__)
def test_what_is_kept_of_the_folds_is_the_same(without, model):
    ours, others = (run("k_fold", model=model, scoring="accuracy").held_out for run in (chosen, without))
    assert ours.temperature == (pytest.approx(others.temperature, rel=0.01) if others.temperature else None)
    assert (ours.out_of_fold.labels == others.out_of_fold.labels).mean() > 0.995
    np.testing.assert_allclose(ours.out_of_fold.probabilities, others.out_of_fold.probabilities, atol=0.01)


def test_the_folds_of_a_race_are_read_from_400_labels_on():
    of_race = chosen("auto")
    assert (of_race.estimate.fits, of_race.n_fits.estimate) == (0, 0)
    X, y = drawn(2, 4000)
    assert of_race.estimate.lower < of_race.model.score(X, y) < of_race.estimate.upper
    assert chosen("auto", n=300).estimate.fits == 5  # its folds are three, of two thirds of the labels


@pytest.mark.parametrize(
    ("criterion", "settings", "fits"),
    [
        (KFold(10), {}, 0),
        (KFold(3), {}, 5),
        ("leave_one_out", {"n": 60}, 5),  # sixty folds would be asked about the pool
        ("bootstrap_632", {"n": 60}, 5),
        ("repeated_k_fold", {"n": 100}, 0),
        ("quantification_bound", {}, 5),
        ("k_fold", {"model": RandomForestClassifier(20, random_state=0), "grid": {"max_depth": [2, 4]}}, 0),
        ("k_fold", {"model": KNeighborsClassifier(), "grid": {"n_neighbors": [1, 3]}}, 5),  # its answers cost
        (Auto(offer="average"), {"n": 420}, None),
    ],
    ids=str,
)
def test_other_fits_are_made_where_there_are_no_such_folds(criterion, settings, fits):
    estimate = chosen(criterion, **settings).estimate
    assert estimate.fits == fits if fits is not None else estimate.fits > 0


def test_a_journal_has_the_questions_of_the_criterion_only(tmp_path):
    first = chosen("k_fold", journal=tmp_path / "journal")
    assert first.estimate.fits == 5
    again = chosen("k_fold", journal=tmp_path / "journal")
    assert (again.n_fits.run, again.n_fits.resumed) == (0, 15)


def test_how_often_candidates_were_right_does_not_count_an_answer_twice(without, monkeypatch):
    seen, plain = [], _session.right_of_candidates
    monkeypatch.setattr(_session, "right_of_candidates", lambda *rest: seen.append(plain(*rest)) or seen[-1])
    for run in (chosen, without):
        run("auto")
    ours, others = seen
    assert ours.keys() == others.keys()
    for candidate, right in ours.items():
        np.testing.assert_array_equal(right, others[candidate])


def test_groups_stay_together_in_the_folds_that_are_read(monkeypatch):
    X, y = drawn(0, 450)
    groups, read = np.arange(450) // 3, []
    plain = _folds_asked.FoldsAsked.folds
    monkeypatch.setattr(
        _folds_asked.FoldsAsked, "folds", lambda self, candidate: read.append(plain(self, candidate)) or read[-1]
    )
    pool, _ = drawn(1, 700)
    search = FoldlessSearch(LinearSVC(), COSTS, criterion="k_fold", random_state=0)
    search.fit(X, y, X_unlabeled=pool, groups=groups)
    assert len(read[0]) == 5
    for train, test in read[0]:
        assert not set(groups[train.indices]) & set(groups[test.indices])
    assert search.selection_.estimate.fits == 0
