from dataclasses import replace

import numpy as np
import pytest

from foldless.bounds._quantification import printed, valid
from foldless.core import Ask, Candidate, Choice, Contents, Rows, ranked
from foldless.criteria import QuantificationBound
from foldless.errors import BadInput, CannotAnswer
from foldless.quantifiers import MeanProbabilities, SigmoidShares

MEASURES = ["accuracy", "macro_precision", "macro_recall", "macro_f1"]
Y = ["a"] * 5 + ["b"] * 3 + ["c"] * 2
SHARES = np.array([0.5, 0.3, 0.2])


def spread(counts) -> np.ndarray:
    """Labels that hold these counts."""
    return np.repeat(np.arange(len(counts)), counts)


def logit(p):
    return np.log(p / (1 - p))


# what is asked


def test_each_candidate_is_trained_once_on_all_labels_and_predicts_the_pool(make_task, answered, asked):
    task = make_task(Y, n_pool=4, params=[{"C": 1}, {"C": 2}])
    choices = answered(QuantificationBound(), task, lambda ask: spread([2, 1, 1]))
    assert asked == [Ask(task.full(c), Rows(range(10, 14))) for c in task.candidates]
    assert [choice.candidate for choice in choices] == list(task.candidates)
    assert [choice.fits for choice in choices] == [(task.full(c),) for c in task.candidates]


def test_without_a_pool_the_labeled_rows_are_counted(make_task, answered, asked):
    task = make_task(Y)
    answered(QuantificationBound(), task, lambda ask: spread([5, 3, 2]))
    assert asked == [Ask(task.full(task.candidates[0]), task.labeled)]


def test_nothing_needs_a_pool():
    assert QuantificationBound.needs == frozenset()


# counting


@pytest.mark.parametrize("measure", MEASURES)
def test_the_score_is_the_bound_of_the_counted_shares(measure, make_task, answered):
    task = make_task(Y, n_pool=20, params=[{}, {}])
    answers = [spread([10, 6, 4]), spread([17, 3, 0])]
    right, skewed = answered(QuantificationBound(measure), task, lambda ask: answers[ask.fit.candidate.index])
    assert right.score == pytest.approx(1)
    assert skewed.score == pytest.approx(printed(measure, SHARES, np.array([17, 3, 0]) / 20))
    assert skewed.score < right.score
    assert right.notes == ()
    assert skewed.notes == ("predicts 2 of 3 classes",)


def test_accuracy_by_hand(make_task, answered):
    (choice,) = answered(QuantificationBound(), make_task(Y, n_pool=4), lambda ask: np.array([0, 0, 0, 2]))
    assert choice.score == pytest.approx(0.5 + 0 + 0.2)


def test_rows_outside_the_classes_count_for_none(make_task, answered):
    (choice,) = answered(QuantificationBound(), make_task(Y, n_pool=4), lambda ask: np.array([-1, -1, 0, 1]))
    assert choice.score == pytest.approx(0.25 + 0.25)


# the valid form


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("quantifier", ["cc", "pcc"])
def test_the_valid_form_always_counts(measure, quantifier, make_task, answered, asked):
    task = make_task(Y, n_pool=20, responses=["labels", "probabilities"])
    criterion = QuantificationBound(measure, quantifier, form="valid", delta=0.2)
    (choice,) = answered(criterion, task, lambda ask: spread([17, 3, 0]))
    expected = valid(measure, SHARES, np.array([17, 3, 0]) / 20, 10, 20, 0.2)
    assert (choice.rank.by, choice.score) == (pytest.approx(expected), pytest.approx(min(1, expected)))
    assert [ask.response for ask in asked] == ["labels"]
    assert not any("PCC" in note for note in choice.notes)


@pytest.mark.parametrize("measure", MEASURES)
def test_the_labeled_rows_themselves_leave_nothing_to_chance(measure, make_task, answered):
    (choice,) = answered(QuantificationBound(measure, form="valid"), make_task(Y), lambda ask: spread([6, 4, 0]))
    assert choice.score == pytest.approx(printed(measure, SHARES, np.array([0.6, 0.4, 0])))


def test_valid_scores_above_one_still_rank(make_task, answered):
    task = make_task(Y, n_pool=20, params=[{}, {}])
    answers = [spread([11, 6, 3]), spread([10, 6, 4])]
    choices = answered(QuantificationBound(form="valid"), task, lambda ask: answers[ask.fit.candidate.index])
    assert [choice.score for choice in choices] == [1, 1]
    assert all("the bound is not below 1, so it is vacuous" in choice.notes for choice in choices)
    assert ranked(QuantificationBound(), choices)[0].candidate.index == 1


def test_the_valid_form_counts_copies_as_the_draws_they_are_worth(make_task, answered):
    task = make_task(Y, n_pool=20)
    contents = Contents(np.arange(10) // 5, np.arange(20) // 2)
    task = replace(task, pool=replace(task.pool, contents=lambda: contents))
    (choice,) = answered(QuantificationBound(form="valid"), task, lambda ask: spread([17, 3, 0]))
    assert choice.rank.by == pytest.approx(valid("accuracy", SHARES, np.array([17, 3, 0]) / 20, 2, 10, 0.05))
    assert "with their copies, 10 labels and 20 pool rows count as 2.0 and 10.0 draws" in choice.notes


def test_the_valid_form_refuses_groups_and_names_what_it_assumes(make_task):
    task = make_task(Y, n_pool=20, groups=np.arange(10) // 2)
    with pytest.raises(CannotAnswer, match="the valid form counts independent rows, and rows of one group"):
        next(QuantificationBound(form="valid").evaluate(task))
    next(QuantificationBound().evaluate(task))
    assert "every class of the population occurs in the labels" in QuantificationBound(form="valid").assumes
    assert "every class of the population occurs in the labels" not in QuantificationBound().assumes


# adding up probabilities


def soft_answers(counts, probabilities):
    return lambda ask: spread(counts) if ask.response == "labels" else np.tile(probabilities, (sum(counts), 1))


@pytest.mark.parametrize("measure", MEASURES)
def test_pcc_scores_by_mean_probabilities_and_their_error(measure, make_task, answered, asked):
    task = make_task(Y, n_pool=20, responses=["labels", "probabilities", "scores"])
    soft = np.array([0.55, 0.27, 0.18])
    (choice,) = answered(QuantificationBound(measure, "pcc"), task, soft_answers([12, 5, 3], soft))
    eps = 0.05  # the largest deviation, of class a: .55 against 12 / 20
    assert choice.score == pytest.approx(printed(measure, SHARES, soft, eps))
    assert choice.notes == ("PCC, eps 0.05",)
    assert [(ask.response, ask.reduce) for ask in asked] == [("labels", None), ("probabilities", MeanProbabilities())]
    assert len({ask.fit for ask in asked}) == 1


def test_pcc_scores_of_several_candidates_do_not_mix(make_task, answered):
    task = make_task(Y, n_pool=20, params=[{}, {}, {}], responses=["labels", "probabilities"])
    counts = [[12, 5, 3], [10, 6, 4], [8, 7, 5]]
    soft = np.array([[0.55, 0.27, 0.18], [0.5, 0.3, 0.2], [0.4, 0.33, 0.27]])
    choices = answered(
        QuantificationBound(quantifier="pcc"),
        task,
        lambda ask: soft_answers(counts[ask.fit.candidate.index], soft[ask.fit.candidate.index])(ask),
    )
    deviations = np.abs(soft - np.array(counts) / 20).max(axis=1)
    expected = [printed("accuracy", SHARES, q, eps) for q, eps in zip(soft, deviations, strict=True)]
    assert [choice.score for choice in choices] == pytest.approx(expected)


def test_pcc_falls_back_where_its_error_reaches_the_least_share(make_task, answered):
    task = make_task(["a", "a", "b", "c"], n_pool=16, responses=["labels", "probabilities"])
    answer = soft_answers([12, 3, 1], [0.5, 0.25, 0.25])  # eps .25, and the least share is .25
    (choice,) = answered(QuantificationBound(quantifier="pcc"), task, answer)
    assert choice.score == pytest.approx(0.5 + 3 / 16 + 1 / 16)
    assert choice.notes == ("PCC fell back to CC, eps 0.25",)
    (stays,) = answered(QuantificationBound(quantifier="pcc", fallback="never"), task, answer)
    assert stays.score == pytest.approx(1 + 3 * 0.25)
    assert stays.notes == ("PCC, eps 0.25",)


def test_the_least_share_may_be_one_of_the_pool_or_of_the_labels(make_task, answered):
    task = make_task(Y, n_pool=20, responses=["labels", "probabilities"])
    pool_low = soft_answers([11, 8, 1], [0.55, 0.35, 0.1])  # eps .05 < .1
    assert answered(QuantificationBound(quantifier="pcc"), task, pool_low)[0].notes[0] == "PCC, eps 0.05"
    pool_lower = soft_answers([12, 8, 0], [0.57, 0.4, 0.03])  # eps .03, not below .03
    assert answered(QuantificationBound(quantifier="pcc"), task, pool_lower)[0].notes[0].startswith("PCC fell back")
    rare = make_task(["a"] * 19 + ["b"], n_pool=20, responses=["labels", "probabilities"])
    labels_low = soft_answers([10, 10], [0.56, 0.44])  # eps .06, not below .05
    assert answered(QuantificationBound(quantifier="pcc"), rare, labels_low)[0].notes[0].startswith("PCC fell back")


def test_the_printed_rule_for_eps(make_task, answered):
    # SPEC 1.5: the printed rule gives .30 where deviations reach .20.
    task = make_task(["a"] * 5 + ["b"] * 5, n_pool=10, responses=["labels", "probabilities"])
    answer = soft_answers([7, 3], [0.5, 0.5])
    (choice,) = answered(QuantificationBound(quantifier="pcc", eps_rule="printed"), task, answer)
    assert choice.notes == ("PCC, eps 0.3",)
    assert choice.score == pytest.approx(1 + 2 * 0.3)
    (default,) = answered(QuantificationBound(quantifier="pcc"), task, answer)
    assert default.notes == ("PCC, eps 0.2",)


def test_the_printed_rule_keeps_pcc_for_one_good_class(make_task, answered):
    task = make_task(Y, n_pool=20, responses=["labels", "probabilities"])
    answer = soft_answers([10, 10, 0], [0.5, 0.3, 0.2])  # class a deviates by 0: eps .5
    (choice,) = answered(QuantificationBound(quantifier="pcc", eps_rule="printed"), task, answer)
    assert choice.notes == ("PCC, eps 0.5", "predicts 2 of 3 classes")
    assert choice.score == pytest.approx(1 + 3 * 0.5)


def test_the_printed_rule_falls_back_where_eps_is_negative(make_task, answered):
    task = make_task(["a"] * 5 + ["b"] * 5, n_pool=10, responses=["labels", "probabilities"])
    answer = soft_answers([10, 0], [0.3, 0.7])  # .3 − .7 and .5 − .7
    (choice,) = answered(QuantificationBound(quantifier="pcc", eps_rule="printed"), task, answer)
    assert choice.score == pytest.approx(0.5)
    assert choice.notes[0] == "PCC fell back to CC, eps -0.2"
    (stays,) = answered(QuantificationBound(quantifier="pcc", eps_rule="printed", fallback="never"), task, answer)
    assert stays.score == pytest.approx(0.3 + 0.5)


# scores through a sigmoid


def test_the_pool_picks_the_slope_that_is_nearest_to_the_count(make_task, answered, asked):
    task = make_task(["a", "b"] * 5, n_pool=10, responses=["labels", "scores"])
    t = logit(0.7) / 3  # sigma 3 gives shares (.3, .7), as counted

    def answer(ask):
        return spread([3, 7]) if ask.response == "labels" else np.tile([-t, t], (10, 1))

    (choice,) = answered(QuantificationBound(quantifier="pcc"), task, answer)
    assert choice.notes[0].startswith("PCC, sigma 3, eps ")
    assert choice.score == pytest.approx(0.8)
    assert asked[1].reduce == SigmoidShares(tuple(range(1, 11)))


@pytest.mark.parametrize("sigmas", [(1, 2, 4), (4, 2, 1), (2, 4, 1)])
def test_equal_slopes_go_to_the_smallest(sigmas, make_task, answered):
    task = make_task(["a", "b"] * 5, n_pool=10, responses=["labels", "scores"])
    zeros = soft_answers([5, 5], [0.0, 0.0])
    (choice,) = answered(QuantificationBound(quantifier="pcc", sigmas=sigmas), task, zeros)
    assert choice.notes == ("PCC, sigma 1, eps 0",)


def test_a_slope_is_judged_by_its_largest_deviation(make_task):
    task = make_task(["a", "b", "c", "d"] * 5, n_pool=20, responses=["labels", "scores"])
    evaluation = QuantificationBound(quantifier="pcc", sigmas=(1, 2)).evaluate(task)
    next(evaluation)
    shares = np.full(4, 0.25)
    soft = shares + np.array([[0.15, -0.15, 0, 0], [0.1, 0.1, -0.1, -0.1]])  # the second deviates more in total
    with pytest.raises(StopIteration) as end:
        evaluation.send([spread([5, 5, 5, 5]), soft])
    assert end.value.value[0].notes == ("PCC, sigma 2, eps 0.1",)


def test_rows_that_do_not_sum_to_one_on_request(make_task, answered):
    task = make_task(Y, n_pool=10, responses=["labels", "scores"])
    answer = soft_answers([5, 3, 2], logit(np.array([0.6, 0.36, 0.24])))  # 1.2 times the shares
    criterion = QuantificationBound(quantifier="pcc", sigmas=(1,), fallback="never")
    (normal,) = answered(criterion, task, answer)
    assert normal.score == pytest.approx(1)
    raw = QuantificationBound(quantifier="pcc", sigmas=(1,), fallback="never", normalize=False)
    (more,) = answered(raw, task, answer)
    assert more.score == pytest.approx(1 + 3 * 0.1)


def test_slopes_may_be_a_list(make_task):
    task = make_task(Y, n_pool=4, responses=["labels", "scores"])
    asks = next(QuantificationBound(quantifier="pcc", sigmas=[1, 2]).evaluate(task))
    assert len(set(asks)) == 2


def test_pcc_of_labels_alone(make_task):
    with pytest.raises(
        CannotAnswer, match="'pcc' needs probabilities or scores, which candidate 'candidate 0' does not"
    ):
        next(QuantificationBound(quantifier="pcc").evaluate(make_task(Y, n_pool=4)))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"measure": "f1"}, "measure must be one of 'accuracy', 'macro_precision', .* got 'f1'"),
        ({"quantifier": "acc"}, "quantifier must be one of 'cc', 'pcc', got 'acc'"),
        ({"form": "loose"}, "form must be one of 'printed', 'valid', got 'loose'"),
        ({"eps_rule": "max"}, "eps_rule must be one of 'max_dev', 'printed', got 'max'"),
        ({"fallback": None}, "fallback must be one of 'cc', 'never', got None"),
        ({"delta": 0}, r"delta must be a number in \(0, 1\), got 0"),
        ({"delta": 1.0}, r"delta must be a number in \(0, 1\), got 1.0"),
        ({"sigmas": ()}, r"sigmas must be positive numbers, got \(\)"),
        ({"sigmas": (1, 0)}, r"sigmas must be positive numbers, got \(1, 0\)"),
    ],
)
def test_options_that_cannot_be_used(options, says, make_task):
    with pytest.raises(BadInput, match=says):
        next(QuantificationBound(**options).evaluate(make_task(Y)))


# ties


def winners(*params, scores=None) -> list[int]:
    scores = scores or [0.5] * len(params)
    choices = [Choice(Candidate(at, str(at), p), s, ()) for at, (p, s) in enumerate(zip(params, scores, strict=True))]
    return [choice.candidate.index for choice in ranked(QuantificationBound(), choices)]


@pytest.mark.parametrize("name", ["C", "svc__C", "calibrated__estimator__C"])
def test_equal_scores_go_to_the_smallest_c(name):
    assert winners({name: 10}, {name: 0.1}, {name: 1.0}) == [1, 2, 0]


def test_scores_that_differ_by_rounding_are_equal():
    assert winners({"C": 10}, {"C": 1}, scores=[0.5 + 1e-13, 0.5]) == [1, 0]
    assert winners({"C": 10}, {"C": 1}, scores=[0.5 + 1e-11, 0.5]) == [0, 1]


def test_the_smallest_c_wins_only_where_nothing_else_differs():
    grid = [
        {"C": 10, "loss": "hinge"},
        {"C": 1, "loss": "squared"},
        {"C": 5, "loss": "hinge"},
        {"C": 9, "loss": "squared"},
    ]
    assert winners(*grid) == [2, 0, 1, 3]


def test_other_parameters_leave_the_first_in_front():
    assert winners({"alpha": 10}, {"alpha": 1}) == [0, 1]
    assert winners({"ccp__C_": 10}, {"ccp__C_": 1}) == [0, 1]
    assert winners({"estimator": "svm", "C": 10}, {"estimator": "lr", "C": 1}) == [0, 1]


def test_against_the_estimated_shares_of_the_pool(make_task, answered, asked):
    """A pool of other class shares: the candidate that predicts them is best by its own shares, not by the labels'."""
    task = make_task([0] * 16 + [1] * 4, n_pool=40, params=[{"C": 1}, {"C": 100}])
    truth = np.append(task.y, [0] * 10 + [1] * 30)

    def predict(ask):  # the second follows the pool, the first the labels
        labels = truth[ask.rows.indices].copy()
        if ask.fit.candidate.index == 0:
            pool = np.flatnonzero(ask.rows.indices >= 20)
            labels[pool] = np.arange(len(pool)) % 5 == 0
        return labels

    for against, best in (("labels", 0), ("pool", 1)):
        choices = answered(QuantificationBound(against=against), task, predict)
        assert max(choices, key=lambda choice: choice.score).candidate.index == best
    with pytest.raises(BadInput, match="the valid form compares with the labels"):
        answered(QuantificationBound(form="valid", against="pool"), task, predict)
