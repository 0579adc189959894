"""Points whose kernels do not fit are refused before anything is made."""

import tracemalloc

import numpy as np
import pytest
from helpers.two_views import VIEWS, blobs

from foldless.core.batch import Member, Part, Question
from foldless.learners import GPCoTraining, ManifoldGP, MultiViewGP, ViewGP
from foldless.learners.gaussian_process import _kernel_memory as kernel_room
from foldless.learners.gaussian_process._kernel_memory import check_room

LEARNERS = [GPCoTraining(VIEWS), MultiViewGP(VIEWS), ManifoldGP(), ViewGP(VIEWS)]


def test_the_most_points_that_are_taken():
    check_room(11_180, "ManifoldGP")
    with pytest.raises(ValueError, match="11,181 distinct rows, about 8 GB"):
        check_room(11_181, "ManifoldGP")
    with pytest.raises(
        ValueError, match=r"ManifoldGP .* all 100,000 distinct rows, about 640 GB.* at most 11,180 rows"
    ):
        check_room(100_000, "ManifoldGP")


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
def test_alone_and_in_a_batch_distinct_rows_count(learner, monkeypatch):
    X, y, known = blobs(20, 6, 2)
    X[19] = X[18]
    monkeypatch.setattr(kernel_room, "MAX_BYTES", 8 * 8 * 19**2)
    labels = known if learner.semi_supervised else y
    learner.fit(X, labels)
    monkeypatch.setattr(kernel_room, "MAX_BYTES", 8 * 8 * 18**2)
    with pytest.raises(ValueError, match="19 distinct rows"):
        learner.fit(X, labels)
    train, rest = Part(0, np.arange(18)), Part(0, np.arange(18, 20))
    member = Member({}, train, y[:18], (Question(rest, "labels"),), False, rest if learner.semi_supervised else None)
    if learner.semi_supervised:
        with pytest.raises(ValueError, match="19 distinct rows"):
            learner.answer_batch([X], [member])
    else:
        learner.answer_batch([X], [member])  # rows that are asked about are no points


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
def test_the_estimate_is_above_what_is_taken_and_not_twice_that(learner):
    X, y, known = blobs(500, 20, 2)
    labels = known if learner.semi_supervised else y
    learner.fit(X[:50], labels[:50])  # compiles
    tracemalloc.start()
    learner.fit(X, labels)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    needed = kernel_room.MATRICES * 8 * 500**2
    assert needed / 2 < peak < needed
