import numpy as np
import pytest
from sklearn.metrics import f1_score, roc_auc_score

from foldless.core import Ask, ranked
from foldless.criteria import LeaveOneOut
from foldless.errors import BadInput

Y = np.array(list("aabbb"))


def test_every_row_is_asked_of_the_fit_on_all_others(make_task, answered, asked):
    task = make_task(Y, params=[{}, {}])
    answers = {0: task.y, 1: np.zeros(5, int)}
    choices = answered(LeaveOneOut(), task, lambda ask: answers[ask.fit.candidate.index][ask.rows.indices])
    assert asked == [Ask(task.fit(c, train), test) for c in task.candidates for train, test in task.leave_one_out()]
    assert len(asked) == 10
    assert [choice.score for choice in choices] == pytest.approx([1, 2 / 5])
    assert [choice.fits for choice in choices] == [(task.full(c),) for c in task.candidates]


def test_metrics_of_labels_are_computed_once_on_all_rows(make_task, answered):
    task = make_task(Y)
    predicted = np.array([0, 1, 1, 0, 1])
    (choice,) = answered(LeaveOneOut("f1_macro"), task, lambda ask: predicted[ask.rows.indices])
    assert choice.score == pytest.approx(f1_score(task.y, predicted, average="macro"))
    assert choice.splits == ()


def test_metrics_of_scores_are_computed_once_on_all_rows(make_task, answered, asked):
    task = make_task(Y, responses=["labels", "scores"])
    s = np.array([0.1, 0.5, 0.4, 0.9, 0.3])
    (choice,) = answered(LeaveOneOut("roc_auc"), task, lambda ask: np.column_stack([-s, s])[ask.rows.indices])
    assert choice.score == pytest.approx(roc_auc_score(task.y, s))
    assert {ask.response for ask in asked} == {"scores"}


def test_a_class_of_one_row_leaves_a_fit_that_saw_one_class(make_task, answered):
    # What the engine answers for a constant classifier: 0 for the class it saw, −inf for the other.
    task = make_task(list("abbb"), responses=["labels", "scores"])
    s = np.array([[-np.inf, 0.0], [0.2, -0.2], [-0.3, 0.3], [-0.4, 0.4]])
    (choice,) = answered(LeaveOneOut("roc_auc"), task, lambda ask: s[ask.rows.indices])
    assert choice.score == 0


def test_with_groups_one_group_is_left_out(make_task, answered, asked):
    task = make_task(Y, groups=list("xyxzz"))
    (choice,) = answered(LeaveOneOut(), task, lambda ask: np.zeros(len(ask.rows), int))
    assert [ask.rows.indices.tolist() for ask in asked] == [[0, 2], [1], [3, 4]]
    assert choice.score == pytest.approx(2 / 5)


def test_ties_go_to_the_first_candidate(make_task, answered):
    task = make_task(Y, params=[{"C": 10}, {"C": 1}, {"C": 0.1}])
    predicted = {0: np.zeros(5, int), 1: task.y, 2: task.y}
    choices = answered(LeaveOneOut(), task, lambda ask: predicted[ask.fit.candidate.index][ask.rows.indices])
    assert [choice.candidate.index for choice in ranked(LeaveOneOut(), choices)] == [1, 2, 0]


def test_the_left_out_row_is_unlabeled_to_a_semi_supervised_candidate(make_task, answered, asked):
    task = make_task(Y, n_pool=1, semi_supervised=True)
    answered(LeaveOneOut(), task, lambda ask: task.codes(ask.rows))
    assert [ask.fit.unlabeled.indices.tolist() for ask in asked] == [[at, 5] for at in range(5)]


def test_one_group_cannot_be_left_out(make_task):
    with pytest.raises(BadInput, match="LeaveOneGroupOut cannot split"):
        next(LeaveOneOut().evaluate(make_task(Y, groups=list("xxxxx"))))
