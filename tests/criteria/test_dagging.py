"""The two stages by hand: who labels what, who is trained on it, and how the votes are judged."""

import numpy as np
import pytest

from foldless.core import Ask
from foldless.core._vote import Vote
from foldless.criteria import Dagging
from foldless.errors import BadInput, CannotAnswer

Y = np.array(list("aabbabbaab"))  # codes 0 0 1 1 0 1 1 0 0 1


def teacher(task, members):
    """The first stage predicts b for every third pool row; members predict the given labels for the labeled rows."""

    def answer(ask: Ask):
        if ask.fit.labels is None:
            return (ask.rows.indices % 3 == 0).astype(int)
        at = sorted(members_of(ask)).index(ask.fit.rows.indices[0])
        return members[at]

    asked = {}

    def members_of(ask):
        return asked.setdefault(ask.fit.candidate.index, [fit.rows.indices[0] for fit in fits(task, ask.fit.candidate)])

    return answer


def fits(task, candidate, criterion=None):
    labels = (task.unlabeled.indices % 3 == 0).astype(int)
    return (criterion or Dagging())._copies(task, candidate, labels)


def test_first_all_label_the_pool_then_the_copies_learn_it(make_task):
    task = make_task(Y, n_pool=40, params=[{}, {}])
    evaluation = Dagging().evaluate(task)
    first = next(evaluation)
    assert first == [Ask(task.full(c), task.unlabeled) for c in task.candidates]
    labels = [np.arange(40) % 2, np.arange(40) // 20]
    second = evaluation.send(labels)
    assert len(second) == 2 * 4  # as many batches as make ten rows each
    assert all(ask.rows == task.labeled and ask.may_win for ask in second)
    for ask in second:
        predicted = labels[ask.fit.candidate.index][ask.fit.rows.indices - 10]
        np.testing.assert_array_equal(ask.fit.labels, predicted)
        assert len(ask.fit.rows) == 10


@pytest.mark.parametrize("stratify", [True, False])
@pytest.mark.parametrize(("n_pool", "n_batches"), [(40, 4), (44, 4), (46, 5), (190, 19), (12, 1), (3, 1)])
def test_batches_are_disjoint_and_cover_the_pool(make_task, stratify, n_pool, n_batches):
    task = make_task(Y, n_pool=n_pool)
    copies = fits(task, task.candidates[0], Dagging(stratify=stratify))
    assert len(copies) == n_batches
    rows = np.concatenate([fit.rows.indices for fit in copies])
    assert sorted(rows) == task.unlabeled.indices.tolist()  # every row influences exactly one member
    sizes = [len(fit.rows) for fit in copies]
    assert max(sizes) - min(sizes) <= 1
    ones = [int(fit.labels.sum()) for fit in copies]
    if stratify:
        assert max(ones) - min(ones) <= 1


def test_a_label_of_the_first_stage_reaches_one_member(make_task):
    task = make_task(Y, n_pool=40)
    predicted = np.arange(40) % 2
    for row in range(40):
        other = np.where(np.arange(40) == row, 1 - predicted, predicted)
        pairs = zip(
            *(Dagging(stratify=False)._copies(task, task.candidates[0], c) for c in (predicted, other)), strict=True
        )
        assert sum(before != after for before, after in pairs) == 1


def test_the_score_is_the_accuracy_of_the_vote(make_task, answered):
    task = make_task(Y, n_pool=30)
    right = task.y
    members = [right, 1 - right, np.where(np.arange(10) < 7, right, 1 - right)]  # two votes of three for seven rows
    (choice,) = answered(Dagging(), task, teacher(task, members))
    assert choice.score == pytest.approx(0.7)
    assert len(choice.fits) == 3
    assert choice.vote == Vote()
    assert "vote of 3 copies" in choice.notes[0]


def test_ties_of_votes_go_to_the_first_class(make_task, answered):
    task = make_task(Y, n_pool=20)
    (choice,) = answered(Dagging(), task, teacher(task, [task.y, 1 - task.y]))
    assert choice.score == pytest.approx(np.mean(task.y == 0))


def test_the_candidate_may_be_offered(make_task, answered, asked):
    task = make_task(Y, n_pool=30)
    (choice,) = answered(Dagging(offer="candidate"), task, teacher(task, [task.y] * 3))
    assert choice.fits == (task.full(task.candidates[0]),)
    assert not any(ask.may_win for ask in asked)
    assert choice.score == 1
    assert not choice.notes


def test_undagged_is_one_fit_on_the_whole_pool(make_task, answered, asked):
    task = make_task(Y, n_pool=30)
    (choice,) = answered(Dagging(dagged=False), task, teacher(task, [1 - task.y]))
    assert [len(ask.fit.rows) for ask in asked] == [10, 30]
    assert asked[1].fit.rows == task.unlabeled
    assert (choice.score, len(choice.fits)) == (0, 1)
    single = answered(Dagging(n_batches=1), task, teacher(task, [1 - task.y]))[0]
    assert single.fits == choice.fits


def test_soft_votes_and_areas(make_task, answered, asked):
    task = make_task(Y, n_pool=20, responses=["labels", "probabilities"])
    sure, weak = (np.column_stack([1 - p, p]) for p in (np.where(task.y, 0.9, 0.2), np.where(task.y, 0.4, 0.45)))
    (soft,) = answered(Dagging(voting="soft"), task, teacher(task, [sure, weak]))
    assert soft.score == 1  # means .65 and .325
    assert {ask.response for ask in asked} == {"labels", "probabilities"}
    wrong = np.where(np.arange(10) == 2, 1 - task.y, task.y)
    (area,) = answered(Dagging(scoring="roc_auc"), task, teacher(task, [wrong, task.y]))
    # shares of votes: four b have 1, one has ½, all a have 0
    assert area.score == 1
    (area,) = answered(Dagging(scoring="roc_auc"), task, teacher(task, [wrong, np.zeros(10, dtype=int)]))
    assert area.score == pytest.approx(0.8 + 0.2 * 0.5)


def test_one_copy_is_judged_by_its_own_scores(make_task, answered, asked):
    task = make_task(Y, n_pool=20, responses=["labels", "scores"])
    scores = np.column_stack([-1.0 * task.y, 1.0 * task.y])
    (choice,) = answered(Dagging(dagged=False, scoring="roc_auc"), task, teacher(task, [scores]))
    assert asked[-1].response == "scores"
    assert choice.score == 1


def test_a_class_that_the_first_stage_never_names(make_task, answered):
    task = make_task(["a", "b", "c", "a"], n_pool=8)
    (choice,) = answered(Dagging(), task, lambda ask: np.arange(len(ask.rows)) % 2)
    assert choice.notes[1] == "the candidate predicts c for no pool row"


def test_rows_that_are_none_of_the_classes_teach_nobody(make_task):
    task = make_task(Y, n_pool=20)
    evaluation = Dagging().evaluate(task)
    next(evaluation)
    asks = evaluation.send([np.where(np.arange(20) < 5, -1, np.arange(20) % 2)])
    assert sorted(np.concatenate([ask.fit.rows.indices for ask in asks])) == list(range(15, 30))


def test_a_candidate_that_names_other_classes_only_is_last(make_task, answered):
    task = make_task(Y, n_pool=20, params=[{}, {}])
    none, some = answered(Dagging(), task, lambda ask: np.full(len(ask.rows), ask.fit.candidate.index - 1))
    assert np.isnan(none.score)
    assert none.fits == (task.full(task.candidates[0]),)
    assert none.notes == ("the candidate predicts a, b for no pool row",)
    assert some.score == 0.5


def test_fewer_rows_that_teach_than_batches(make_task):
    task = make_task(Y, n_pool=30)
    evaluation = Dagging().evaluate(task)
    next(evaluation)
    assert len(evaluation.send([np.where(np.arange(30) < 2, 0, -1)])) == 2


def test_to_semi_supervised_copies_the_labeled_rows_are_the_pool(make_task, answered, asked):
    task = make_task(Y, n_pool=30, semi_supervised=True)
    answered(Dagging(), task, lambda ask: np.zeros(len(ask.rows), dtype=int))
    assert all(ask.fit.unlabeled == task.labeled for ask in asked[1:])


def test_draws_do_not_depend_on_the_other_candidates(make_task):
    single, double = make_task(Y, n_pool=30), make_task(Y, n_pool=30, params=[{}, {}])
    assert [f.rows for f in fits(single, single.candidates[0])] == [f.rows for f in fits(double, double.candidates[0])]
    other = make_task(Y, n_pool=30, seed=1)
    assert [f.rows for f in fits(single, single.candidates[0])] != [f.rows for f in fits(other, other.candidates[0])]


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"offer": "both"}, BadInput, "'both'"),
        ({"voting": "loud"}, BadInput, "'loud'"),
        ({"dagged": False, "n_batches": 3}, BadInput, "n_batches=3"),
        ({"n_batches": 31}, CannotAnswer, "n_batches=31 needs .* n_samples=30"),
        ({"n_batches": 0}, BadInput, "got 0"),
        ({"voting": "soft"}, CannotAnswer, "candidate 0"),
        ({"scoring": "neg_log_loss", "dagged": False}, CannotAnswer, "neg_log_loss"),
    ],
)
def test_what_cannot_be_done_is_an_error_before_anything_is_trained(make_task, wrong, error, message):
    with pytest.raises(error, match=message):
        next(Dagging(**wrong).evaluate(make_task(Y, n_pool=30)))
