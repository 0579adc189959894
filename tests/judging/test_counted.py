import numpy as np

from foldless.core import Candidate, Classes, Contents, PoolRows, Rows, Task
from foldless.judging._counted import CountedLabels

TRAIN, TEST = Rows(range(4)), Rows(range(4, 8))


def task():
    """Eight labeled rows, of which row 5 stands in the pool too, and row 6 has the content of row 1."""
    shared = np.arange(8) == 5
    contents = Contents(labeled=np.array([0, 1, 2, 3, 4, 5, 1, 7]), in_pool=shared)
    pool = PoolRows(Rows(range(8, 12)), contents=lambda: contents)
    candidate = Candidate(0, "0", {})
    return Task(Classes(np.arange(8) % 2, np.array([0, 1])), Rows(range(8)), pool, (candidate,), 1, 0)


def test_candidates_that_share_folds_are_told_apart_by_whether_the_pool_trains_them():
    """A test row in the pool is a training row of the one, and of the other it is not, whichever asks first."""
    of_labels, of_pool = [False, False, True, False], [False, True, True, False]
    for order in ([False, True, False], [True, False, True]):
        labels = CountedLabels(task(), "either")
        for pool_trains in order:
            every, copies = labels.readings(TRAIN, TEST, pool_trains=pool_trains)
            assert every.wrong.tolist() == [False] * 4
            assert copies.wrong.tolist() == (of_pool if pool_trains else of_labels)


def test_folds_have_readings_of_their_own():
    labels = CountedLabels(task(), "either")
    assert labels.readings(TRAIN, TEST, pool_trains=False)[1].wrong.tolist() == [False, False, True, False]
    assert labels.readings(TEST, TRAIN, pool_trains=False)[1].wrong.tolist() == [False, True, False, False]
