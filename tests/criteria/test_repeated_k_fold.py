import numpy as np
import pytest

from foldless.criteria import KFold, RepeatedKFold
from foldless.errors import BadInput

Y = list("aabbabbaabab")


def parity(ask):
    return (ask.rows.indices + len(ask.fit.rows)) % 2


def test_the_mean_over_all_folds_of_all_partitions(make_task, answered, asked):
    task = make_task(Y, params=[{}, {}])
    choices = answered(RepeatedKFold(3, repeats=4), task, parity)
    assert len(asked) == 2 * 12
    assert len({tuple(ask.rows.indices) for ask in asked}) > 6  # other partitions
    for choice in choices:
        assert len(choice.splits) == 12
        assert choice.score == pytest.approx(np.mean(choice.splits))


def test_the_first_partition_is_that_of_k_fold(make_task):
    task = make_task(Y)
    assert {ask.fit for ask in next(KFold(3).evaluate(task))} < {
        ask.fit for ask in next(RepeatedKFold(3).evaluate(task))
    }


@pytest.mark.parametrize("repeats", [0, -1, 1.5, "2"])
def test_bad_repeats(repeats, make_task):
    with pytest.raises(BadInput, match="repeats must be a whole number"):
        next(RepeatedKFold(3, repeats).evaluate(make_task(Y)))
