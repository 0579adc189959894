import numpy as np
import pytest
from sklearn.metrics import f1_score, log_loss, make_scorer
from sklearn.model_selection import KFold as SKFold
from sklearn.model_selection import LeaveOneGroupOut, StratifiedKFold

from foldless.core import Ask
from foldless.criteria import KFold
from foldless.errors import BadInput

Y = np.array(list("aabbabbaabab"))


def truth(task):
    return lambda ask: task.codes(ask.rows)


def test_each_fold_is_asked_of_the_fit_that_did_not_see_it(make_task, answered, asked):
    task = make_task(Y, n_pool=3, params=[{}, {}])
    choices = answered(KFold(4), task, truth(task))
    folds = task.folds(4)
    assert asked == [Ask(task.fit(c, train), test) for c in task.candidates for train, test in folds]
    assert sorted(np.concatenate([ask.rows.indices for ask in asked[:4]])) == list(range(12))
    assert [choice.fits for choice in choices] == [(task.full(c),) for c in task.candidates]


def test_the_score_is_the_mean_over_the_folds(make_task, answered):
    task = make_task(Y[:7], params=[{}, {}])
    codes = {0: 0, 1: 1}  # each candidate predicts a single class
    choices = answered(KFold(3), task, lambda ask: np.full(len(ask.rows), codes[ask.fit.candidate.index]))
    for code, choice in enumerate(choices):
        each = [np.mean(task.codes(test) == code) for _, test in task.folds(3)]
        assert choice.splits == pytest.approx(each)
        assert choice.score == pytest.approx(np.mean(each))
        assert choice.candidate.index == code


def test_five_folds_by_default(make_task, answered, asked):
    task = make_task(Y)
    (choice,) = answered(KFold(), task, truth(task))
    assert len(asked) == 5
    assert choice.score == 1


def test_metrics_of_labels(make_task, answered):
    task = make_task(Y, seed=3)
    wrong_first = lambda ask: np.where(ask.rows.indices < 5, 1 - task.codes(ask.rows), task.codes(ask.rows))  # noqa: E731
    for scoring in ("f1_macro", make_scorer(f1_score, average="macro", pos_label=None)):
        (choice,) = answered(KFold(StratifiedKFold(3), scoring), task, wrong_first)
        each = [
            f1_score(task.codes(test), wrong_first(Ask(task.full(task.candidates[0]), test)), average="macro")
            for _, test in task.folds(StratifiedKFold(3))
        ]
        assert choice.splits == pytest.approx(each)
        assert choice.score == pytest.approx(np.mean(each))


def test_log_loss_is_computed_on_the_answers_of_all_folds(make_task, answered, asked):
    # Sorted and unshuffled, so every test fold lacks a class.
    task = make_task(["a"] * 4 + ["b"] * 4 + ["c"] * 4, responses=["labels", "probabilities"])
    p = np.random.default_rng(0).dirichlet(np.ones(3), 12)
    (choice,) = answered(KFold(SKFold(5), "neg_log_loss"), task, lambda ask: p[ask.rows.indices])
    assert choice.score == pytest.approx(-log_loss(task.y, p))
    assert len(choice.splits) == 5
    assert {ask.response for ask in asked} == {"probabilities"}


def test_metrics_share_the_fits_of_the_same_folds(make_task):
    task = make_task(Y, responses=["labels", "probabilities"])
    accuracy, loss = (next(KFold(4, scoring).evaluate(task)) for scoring in ("accuracy", "neg_log_loss"))
    assert {ask.fit for ask in accuracy} == {ask.fit for ask in loss}
    assert not set(accuracy) & set(loss)


def test_groups_stay_in_one_fold(make_task, answered, asked):
    groups = np.repeat(np.arange(6), 2)
    task = make_task(Y, groups=groups)
    answered(KFold(3), task, truth(task))
    answered(KFold(LeaveOneGroupOut()), task, truth(task))
    assert len(asked) == 3 + 6
    assert all(not set(groups[ask.fit.rows.indices]) & set(groups[ask.rows.indices]) for ask in asked)


def test_left_out_rows_are_unlabeled_to_a_semi_supervised_candidate(make_task, answered, asked):
    task = make_task(Y, n_pool=2, semi_supervised=True)
    answered(KFold(3), task, truth(task))
    for ask in asked:
        assert sorted(ask.fit.unlabeled.indices) == sorted([*ask.rows.indices, 12, 13])


@pytest.mark.parametrize("k", [1, 13, "5", 2.5])
def test_folds_that_cannot_be_made(k, make_task):
    with pytest.raises(BadInput, match="folds"):
        next(KFold(k).evaluate(make_task(Y)))
