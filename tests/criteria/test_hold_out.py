import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, log_loss

from foldless.core import Ask
from foldless.criteria import HoldOut
from foldless.errors import BadInput

Y = np.array(list("aabbabbaab"))


def test_one_split_of_seventy_to_thirty_by_default(make_task, answered, asked):
    task = make_task(Y, params=[{}, {}])
    answers = {0: task.y, 1: 1 - task.y}
    choices = answered(HoldOut(), task, lambda ask: answers[ask.fit.candidate.index][ask.rows.indices])
    ((train, test),) = task.hold_outs(0.3, 1)
    assert asked == [Ask(task.fit(c, train), test) for c in task.candidates]
    assert (len(train), len(test)) == (7, 3)
    assert [choice.score for choice in choices] == [1, 0]
    assert [choice.splits for choice in choices] == [(1,), (0,)]
    assert [choice.fits for choice in choices] == [(task.full(c),) for c in task.candidates]


def test_repeats_are_averaged(make_task, answered, asked):
    task = make_task(Y)
    said = np.array([0, 1] * 5)
    (choice,) = answered(HoldOut(0.4, 10), task, lambda ask: said[ask.rows.indices])
    each = [np.mean((said == task.y)[test.indices]) for _, test in task.hold_outs(0.4, 10)]
    assert len(set(each)) > 1
    assert choice.splits == pytest.approx(each)
    assert choice.score == pytest.approx(np.mean(each))
    assert len(asked) == 10


def test_metrics_of_labels(make_task, answered):
    task = make_task(Y, seed=1)
    said = np.array([0, 1] * 5)
    (choice,) = answered(HoldOut(0.5, 2, "balanced_accuracy"), task, lambda ask: said[ask.rows.indices])
    each = [balanced_accuracy_score(task.y[t.indices], said[t.indices]) for _, t in task.hold_outs(0.5, 2)]
    assert choice.score == pytest.approx(np.mean(each))


def test_log_loss_of_few_rows_needs_no_row_of_every_class(make_task, answered):
    task = make_task(list("abcdefghij"), responses=["labels", "probabilities"])
    p = np.random.default_rng(0).dirichlet(np.ones(10), 10)
    (choice,) = answered(HoldOut(0.3, 2, "neg_log_loss"), task, lambda ask: p[ask.rows.indices])
    rows = np.concatenate([test.indices for _, test in task.hold_outs(0.3, 2)])
    assert choice.score == pytest.approx(-log_loss(task.y[rows], p[rows], labels=range(10)))
    assert choice.splits == ()


def test_groups_are_held_out_whole(make_task, answered, asked):
    groups = np.repeat(np.arange(5), 2)
    task = make_task(Y, groups=groups)
    answered(HoldOut(0.4, 5), task, lambda ask: task.codes(ask.rows))
    assert all(not set(groups[ask.fit.rows.indices]) & set(groups[ask.rows.indices]) for ask in asked)
    assert {len(ask.rows) for ask in asked} == {4}


@pytest.mark.parametrize("options", [{"test_size": 0}, {"test_size": 1}, {"repeats": 0}])
def test_splits_that_cannot_be_made(options, make_task):
    with pytest.raises(BadInput, match=r"test_size|repeats"):
        next(HoldOut(**options).evaluate(make_task(Y)))
