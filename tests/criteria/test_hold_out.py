import re
from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, log_loss

from foldless.bounds import _binomial as binomial
from foldless.core import Ask, Contents, Fit, Overlap, without
from foldless.core.certificate import APART
from foldless.criteria import HoldOut
from foldless.errors import BadInput, CannotAnswer
from foldless.judging._copies import GROUPED

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
    predicted = np.array([0, 1] * 5)
    (choice,) = answered(HoldOut(0.4, 10), task, lambda ask: predicted[ask.rows.indices])
    each = [np.mean((predicted == task.y)[test.indices]) for _, test in task.hold_outs(0.4, 10)]
    assert len(set(each)) > 1
    assert choice.splits == pytest.approx(each)
    assert choice.score == pytest.approx(np.mean(each))
    assert len(asked) == 10


def test_metrics_of_labels(make_task, answered):
    task = make_task(Y, seed=1)
    predicted = np.array([0, 1] * 5)
    (choice,) = answered(HoldOut(0.5, 2, "balanced_accuracy"), task, lambda ask: predicted[ask.rows.indices])
    each = [balanced_accuracy_score(task.y[t.indices], predicted[t.indices]) for _, t in task.hold_outs(0.5, 2)]
    assert choice.score == pytest.approx(np.mean(each))


def test_log_loss_of_few_rows_needs_no_row_of_every_class(make_task, answered):
    task = make_task(list("abcdefghij"), responses=["labels", "probabilities"])
    p = np.random.default_rng(0).dirichlet(np.ones(10), 10)
    (choice,) = answered(HoldOut(0.3, 2, "neg_log_loss"), task, lambda ask: p[ask.rows.indices])
    rows = np.concatenate([test.indices for _, test in task.hold_outs(0.3, 2)])
    assert choice.score == pytest.approx(-log_loss(task.y[rows], p[rows], labels=range(10)))
    assert len(choice.splits) == 2


def test_groups_are_held_out_whole(make_task, answered, asked):
    groups = np.repeat(np.arange(5), 2)
    task = make_task(Y, groups=groups)
    answered(HoldOut(0.4, 5), task, lambda ask: task.codes(ask.rows))
    assert all(not set(groups[ask.fit.rows.indices]) & set(groups[ask.rows.indices]) for ask in asked)
    assert {len(ask.rows) for ask in asked} == {4}


@pytest.mark.parametrize("options", [{"test_size": 0}, {"test_size": 1}, {"repeats": 0}, {"repeats": "2"}])
def test_splits_that_cannot_be_made(options, make_task):
    with pytest.raises(BadInput, match=r"test_size|repeats"):
        next(HoldOut(**options).evaluate(make_task(Y)))


def test_with_a_confidence_the_model_is_the_one_that_was_tested(make_task, answered, asked):
    task = make_task(Y, n_pool=4, params=[{}, {}])
    answers = {0: task.y, 1: 1 - task.y}
    choices = answered(
        HoldOut(0.4, confidence=0.9), task, lambda ask: answers[ask.fit.candidate.index][ask.rows.indices]
    )
    ((train, test),) = task.hold_outs(0.4, 1)
    assert asked == [Ask(task.fit(c, train), test) for c in task.candidates]
    assert [choice.fits for choice in choices] == [(Fit(c, train),) for c in task.candidates]
    assert [choice.score for choice in choices] == [1, 0]
    good, bad = (choice.certificate for choice in choices)
    assert good.upper == pytest.approx(1 - 0.05 ** (1 / 4))  # δ/N = .1/2 on four rows
    assert bad.upper == 1
    assert (good.confidence, good.candidates, good.method) == (0.9, 2, "hold_out(test_size=0.4)")
    assert "the model is the fit on 6 labels, without the 4 that certify it" in good.assumes
    assert HoldOut(confidence=0.9).holds_out
    assert not HoldOut().holds_out


def test_without_a_confidence_there_is_no_certificate(make_task, answered):
    task = make_task(Y)
    (choice,) = answered(HoldOut(), task, lambda ask: task.codes(ask.rows))
    assert choice.certificate is None


def test_delta_is_divided_by_the_candidates_that_were_asked_for(make_task, answered):
    task = make_task(Y, params=[{}] * 5)
    less = without(task, set(task.candidates[2:]))
    choices = answered(HoldOut(0.3, confidence=0.95), less, lambda ask: 1 - task.codes(ask.rows) * 0)
    wrong = int((task.codes(task.hold_outs(0.3, 1)[0].test) != 1).sum())
    assert choices[0].certificate.upper == binomial.upper(wrong, 3, 0.05 / 5)


def test_rows_that_certify_are_not_even_unlabeled_rows_of_the_training(make_task, answered, asked):
    task = make_task(Y, n_pool=4, semi_supervised=True)
    answered(HoldOut(0.4, confidence=0.9), task, lambda ask: task.codes(ask.rows))
    (ask,) = asked
    assert ask.fit.unlabeled == task.unlabeled
    alone = make_task(Y, semi_supervised=True)
    answered(HoldOut(0.4, confidence=0.9), alone, lambda ask: alone.codes(ask.rows))
    assert asked[-1].fit.unlabeled is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"repeats": 2}, "leave repeats=2 and scoring='accuracy' out"),
        ({"scoring": "f1_macro"}, "scoring='f1_macro' out"),
        ({"confidence": 1.0}, r"confidence must be a number in \(0, 1\), got 1.0"),
        ({"confidence": "0.95"}, r"confidence must be a number in \(0, 1\), got '0.95'"),
        ({"test_size": "0.2"}, r"test_size must be a number in \(0, 1\), got '0.2'"),
    ],
)
def test_certificates_that_cannot_be_made(options, message, make_task):
    with pytest.raises(BadInput, match=message):
        next(HoldOut(**{"confidence": 0.9, **options}).evaluate(make_task(Y)))


def test_of_each_group_one_row_counts(make_task, answered, asked):
    groups = np.arange(10) // 2
    task = make_task(Y, groups=groups)
    (choice,) = answered(HoldOut(0.4, confidence=0.9), task, lambda ask: task.codes(ask.rows))
    (ask,) = asked
    assert len(ask.fit.rows) == 6
    assert len(set(groups[ask.rows.indices])) == len(ask.rows) == choice.certificate.terms[0].rows == 2
    assert choice.certificate.assumes[0] == GROUPED


def test_semi_supervised_candidates_need_the_groups_of_the_pool(make_task, answered, asked):
    task = make_task(Y, n_pool=6, groups=np.arange(10) // 2, semi_supervised=True)
    with pytest.raises(CannotAnswer, match=r"the groups of the pool are not known: pass X_unlabeled=Pool"):
        next(HoldOut(confidence=0.9).evaluate(task))
    task = replace(task, pool=replace(task.pool, groups=np.array([4, 4, 5, 5, 6, 0])))
    answered(HoldOut(confidence=0.9), task, lambda ask: task.codes(ask.rows))
    assert asked[0].fit.unlabeled.indices.tolist() == [12, 13, 14]  # of groups without a labeled row


def test_the_labeled_rows_as_the_pool_of_semi_supervised_candidates_are_refused(make_task, answered):
    same = {"overlap": lambda: Overlap(10, same=True)}
    with pytest.raises(CannotAnswer, match="the pool holds the labeled rows themselves"):
        next(HoldOut(confidence=0.9).evaluate(make_task(Y, n_pool=10, semi_supervised=True, of_pool=same)))
    unused = make_task(Y, n_pool=10, of_pool=same)  # others do not train with the pool
    (choice,) = answered(HoldOut(confidence=0.9), unused, lambda ask: unused.codes(ask.rows))
    assert (choice.certificate.notes, APART in choice.certificate.assumes) == ((), False)


def copies_task(make_task):
    """Ten labels, the first two pairs of equal content; the first label and one pool row have equal content too."""
    task = make_task(Y, n_pool=9, params=[{}, {}])
    mixed = (task.candidates[0], replace(task.candidates[1], semi_supervised=True))
    labeled = np.array([0, 0, 1, 1, *range(2, 8)])
    shared, in_pool = np.arange(9) == 8, np.arange(10) < 2
    contents = Contents(labeled, None, shared, in_pool)
    return replace(task, candidates=mixed, pool=replace(task.pool, contents=lambda: contents))


def test_rows_of_equal_content_become_assumptions_with_a_note(make_task, answered):
    task = copies_task(make_task)
    alone, semi = (c.certificate for c in answered(HoldOut(confidence=0.9), task, lambda ask: task.codes(ask.rows)))
    labels = "the 4 labeled rows with the content of another one are all separate draws, or all copies"
    pool = "the pool row with the content of a labeled row is a separate draw, or a copy"
    assert [sentence in alone.assumes for sentence in (APART, pool, labels)] == [False, False, True]
    assert [sentence in semi.assumes for sentence in (APART, pool, labels)] == [True, True, True]
    assert [re.split(" has| have", note)[0] for note in semi.notes] == ["1 of 9 pool rows", "4 of 10 labeled rows"]
    assert alone.notes == semi.notes[1:]
    assert "if they are copies, keep one of each, or if they are separate draws, say so with equal_rows='draws'" in str(
        alone
    )


def test_a_row_with_a_copy_that_trained_the_fit_counts_as_an_error(make_task, answered, asked):
    task, contents = copies_task(make_task), np.array([0, 0, 1, 1, *range(2, 8)])
    expected = []
    for seed in range(20):
        one = replace(task, seed=seed)
        asked.clear()
        chosen = answered(HoldOut(confidence=0.9), one, lambda ask: task.codes(ask.rows))
        test = asked[0].rows.indices
        firsts = [row for row in test if row not in (1, 3)]
        seen = [row for row in firsts if contents[row] in contents[asked[0].fit.rows.indices]]
        bounds = [float(binomial.upper(k, n, 0.05)) for k, n in ((0, 3), (len(seen), len(firsts)))]
        assert chosen[0].certificate.upper == pytest.approx(max(bounds))
        draws = answered(HoldOut(confidence=0.9, equal_rows="draws"), one, lambda ask: task.codes(ask.rows))
        assert draws[0].certificate.upper == pytest.approx(bounds[0])
        expected.append(len(seen))
    assert max(expected) == 1


def test_an_unknown_reading_of_equal_rows(make_task):
    with pytest.raises(BadInput, match="equal_rows must be one of 'either', 'draws', got 'copies'"):
        next(HoldOut(confidence=0.9, equal_rows="copies").evaluate(make_task(Y)))
