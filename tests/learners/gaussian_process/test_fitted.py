"""Rows that come later: many at a time or few, the answer is the same."""

import numpy as np
import pytest
from helpers.two_views import VIEWS, blobs

from foldless.learners import GPCoTraining, MultiViewGP, ViewGP
from foldless.learners.gaussian_process import _fitted as gp_fitted
from foldless.solvers._laplace import mode_of

X, Y, KNOWN = blobs(30, 6, 3)
NEW = blobs(30, 6, 3, seed=1)[0]


@pytest.mark.parametrize("learner", [GPCoTraining(VIEWS), MultiViewGP(VIEWS), ViewGP(VIEWS)], ids=repr)
def test_rows_join_a_few_at_a_time(learner, monkeypatch):
    model = learner.fit(X, KNOWN) if learner.semi_supervised else learner.fit(X[:6], Y[:6])
    rows = np.vstack([NEW[:3], X[:2], NEW[3:]])
    whole = model.fitted_.scores_of(rows)
    assert whole.shape == (3, 32)
    monkeypatch.setattr(gp_fitted, "AT_ONCE", 70)  # two rows
    np.testing.assert_allclose(model.fitted_.scores_of(rows), whole, rtol=1e-9)
    np.testing.assert_array_equal(whole[:, 3:5], model.fitted_.scores_of(X[:2]))


@pytest.mark.parametrize("learner", [GPCoTraining(VIEWS), MultiViewGP(VIEWS), ViewGP(VIEWS)], ids=repr)
@pytest.mark.parametrize(("room", "again"), [(2**20, 0), (0, 1)])
def test_modes_are_kept_for_the_next_rows_while_there_is_room(learner, monkeypatch, room, again):
    model = learner.fit(X, KNOWN) if learner.semi_supervised else learner.fit(X[:6], Y[:6])
    monkeypatch.setattr(gp_fitted, "KEPT_VALUES", room)
    solved = []
    monkeypatch.setattr(gp_fitted, "mode_of", lambda *given: (solved.append(1), mode_of(*given))[1])
    first = model.fitted_.scores_of(NEW)
    n_modes = len(model.fitted_.latent) * 3
    assert len(solved) == n_modes
    np.testing.assert_array_equal(model.fitted_.scores_of(NEW), first)
    assert len(solved) == n_modes * (1 + again)
    assert "_kept" not in model.fitted_.__getstate__()
