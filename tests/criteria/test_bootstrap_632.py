import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score, log_loss

from foldless.core import Ask
from foldless.criteria import Bootstrap632
from foldless.criteria.bootstrap_632 import SHUFFLES, combined, left_out_error
from foldless.errors import BadInput

VARIANTS = ["truncated", "esl", "et97"]
RATES = st.floats(0, 1).map(lambda x: round(x, 3))
Y = np.array(list("aabbabba"))


# the formula


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_information_is_what_it_is(variant):
    assert combined(0, 0.5, 0.5, variant) == pytest.approx(0.5)


@pytest.mark.parametrize("variant", VARIANTS)
@given(RATES, RATES)
def test_a_candidate_that_does_not_overfit_keeps_its_error(variant, err, gamma):
    if err <= gamma:
        assert combined(err, err, gamma, variant) == pytest.approx(err)


@given(RATES, RATES, RATES)
def test_the_three_agree_up_to_no_information(err, err1, gamma):
    if err1 <= gamma:
        first = combined(err, err1, gamma, "truncated")
        assert combined(err, err1, gamma, "esl") == pytest.approx(first)
        assert combined(err, err1, gamma, "et97") == pytest.approx(first)


@pytest.mark.parametrize("variant", VARIANTS)
def test_by_hand(variant):
    rate = (0.3 - 0.1) / (0.5 - 0.1)
    weight = 0.632 / (1 - 0.368 * rate)
    assert combined(0.1, 0.3, 0.5, variant) == pytest.approx((1 - weight) * 0.1 + weight * 0.3)


def test_by_hand_above_no_information():
    # err .1, Err1 .6, gamma .5: R is cut at 1, so w is 1.
    assert combined(0.1, 0.6, 0.5, "truncated") == pytest.approx(0.5)
    assert combined(0.1, 0.6, 0.5, "esl") == pytest.approx(0.6)
    # .632 estimate .416, and (.5 − .1) times .368 · .632 / .632
    assert combined(0.1, 0.6, 0.5, "et97") == pytest.approx(0.368 * 0.1 + 0.632 * 0.6 + 0.4 * 0.368)


@pytest.mark.parametrize("variant", VARIANTS)
def test_without_overfitting_the_weight_is_632(variant):
    assert combined(0.3, 0.2, 0.5, variant) == pytest.approx(0.368 * 0.3 + 0.632 * 0.2)


def test_a_fit_worse_than_no_information():
    assert combined(0.6, 0.7, 0.5, "truncated") == pytest.approx(0.368 * 0.6 + 0.632 * 0.5)
    assert combined(0.6, 0.7, 0.5, "esl") == pytest.approx(0.368 * 0.6 + 0.632 * 0.7)
    assert combined(0.6, 0.7, 0.5, "et97") == pytest.approx(0.368 * 0.6 + 0.632 * 0.7)


@pytest.mark.parametrize("variant", VARIANTS)
@given(RATES, RATES, RATES)
def test_the_formula_is_the_same_in_errors_and_negated_scores(variant, err, err1, gamma):
    shifted = combined(err - 1, err1 - 1, gamma - 1, variant)
    assert shifted + 1 == pytest.approx(combined(err, err1, gamma, variant), abs=1e-9)


def test_the_left_out_error_is_a_mean_over_rows():
    rows = [np.array([0, 1]), np.array([1]), np.array([1, 2])]
    wrong = [np.array([True, False]), np.array([True]), np.array([True, False])]
    # Row 0 is wrong in 1 of 1, row 1 in 2 of 3, row 2 in 0 of 1; row 3 is never left out.
    assert left_out_error(4, rows, wrong) == pytest.approx((1 + 2 / 3 + 0) / 3)


# the criterion


def test_the_full_fit_answers_its_own_rows_and_each_draw_the_rows_it_left_out(make_task, answered, asked):
    task = make_task(Y, n_pool=2, params=[{}, {}])
    choices = answered(Bootstrap632(3), task, lambda ask: task.codes(ask.rows))
    expected = []
    for c in task.candidates:
        expected.append(Ask(task.full(c), task.labeled))
        expected += [Ask(task.fit(c, train), test) for train, test in task.bootstraps(3)]
    assert asked == expected
    assert [choice.score for choice in choices] == [1, 1]
    assert [choice.fits for choice in choices] == [(task.full(c),) for c in task.candidates]


def test_fifty_resamples_by_default(make_task, answered, asked):
    task = make_task(Y)
    answered(Bootstrap632(), task, lambda ask: task.codes(ask.rows))
    assert len(asked) == 51


@pytest.mark.parametrize("variant", VARIANTS)
def test_accuracy_by_hand(variant, make_task, answered):
    task = make_task(list("aabbbbbb"), params=[{}, {}])
    y = task.y
    apparent = np.array([0, 0, 0, 1, 1, 1, 1, 1])  # one mistake
    rng = np.random.default_rng(0)
    flips = dict(zip(task.candidates, (0.2, 0.6), strict=True))
    predicted = {c: [y ^ (rng.random(8) < flips[c]) for _ in range(4)] for c in task.candidates}
    draws = task.bootstraps(4)

    def answer(ask):
        if ask.fit.rows == task.labeled:
            return apparent
        at = [train for train, _ in draws].index(ask.fit.rows)
        return predicted[ask.fit.candidate][at][ask.rows.indices]

    choices = answered(Bootstrap632(4, variant), task, answer)
    for choice in choices:
        per_row = []
        for row in range(8):
            wrong = [
                predicted[choice.candidate][at][row] != y[row]
                for at, (_, test) in enumerate(draws)
                if row in test.indices
            ]
            per_row += [np.mean(wrong)] if wrong else []
        err, err1 = 1 / 8, np.mean(per_row)
        gamma = 2 / 8 * (1 - 3 / 8) + 6 / 8 * (1 - 5 / 8)
        assert choice.score == pytest.approx(1 - combined(err, err1, gamma, variant))
    assert choices[0].score > choices[1].score


def test_answers_outside_the_classes_are_mistakes_and_have_no_share(make_task, answered):
    task = make_task(Y)
    none_of_them = np.array([-1, -1, -1, -1, 0, 1, 1, 0])  # right where it says a class

    def answer(ask):
        return none_of_them if ask.fit.rows == task.labeled else np.full(len(ask.rows), -1)

    (choice,) = answered(Bootstrap632(3), task, answer)
    gamma = 0.5 * (1 - 2 / 8) + 0.5 * (1 - 2 / 8)
    assert choice.score == pytest.approx(1 - combined(0.5, 1.0, gamma, "truncated")) == pytest.approx(1 - gamma)


def test_metrics_of_labels(make_task, answered):
    task = make_task(Y)
    predicted = np.array([0, 0, 1, 1, 1, 1, 1, 0])
    left_out = np.array([0, 1, 1, 0, 1, 1, 0, 0])

    def answer(ask):
        return predicted if ask.fit.rows == task.labeled else left_out[ask.rows.indices]

    (choice,) = answered(Bootstrap632(5, scoring="f1_micro"), task, answer)
    score1 = np.mean([np.mean(left_out[t.indices] == task.y[t.indices]) for _, t in task.bootstraps(5)])
    rng = task.rng("no information")
    unrelated = np.mean([np.mean(rng.permutation(task.y) == predicted) for _ in range(SHUFFLES)])
    assert choice.score == pytest.approx(-combined(-7 / 8, -score1, -unrelated, "truncated"))
    assert f1_score(task.y, predicted, average="micro") == pytest.approx(7 / 8)


def test_log_loss_is_pooled_and_needs_no_row_of_every_class(make_task, answered, asked):
    task = make_task(list("abcabcab"), responses=["labels", "probabilities"])
    p = np.random.default_rng(1).dirichlet(np.ones(3), 8)
    (choice,) = answered(Bootstrap632(4, scoring="neg_log_loss"), task, lambda ask: p[ask.rows.indices])
    rows = np.concatenate([test.indices for _, test in task.bootstraps(4)])
    rng = task.rng("no information")
    unrelated = np.mean([log_loss(rng.permutation(task.y), p) for _ in range(SHUFFLES)])
    expected = combined(log_loss(task.y, p), log_loss(task.y[rows], p[rows], labels=range(3)), unrelated, "truncated")
    assert choice.score == pytest.approx(-expected)
    assert {ask.response for ask in asked} == {"probabilities"}


def test_no_information_is_the_same_for_all_candidates(make_task, answered):
    task = make_task(Y, params=[{}, {}, {}])
    predicted = np.array([0, 0, 1, 1, 1, 1, 1, 0])
    choices = answered(Bootstrap632(4, scoring="f1_micro"), task, lambda ask: predicted[ask.rows.indices])
    assert len({choice.score for choice in choices}) == 1


def test_groups_are_drawn_whole(make_task, answered, asked):
    groups = np.repeat(np.arange(4), 2)
    task = make_task(np.tile(["a", "b"], 4), groups=groups)
    answered(Bootstrap632(6), task, lambda ask: task.codes(ask.rows))
    for ask in asked[1:]:
        assert not set(groups[ask.fit.rows.indices]) & set(groups[ask.rows.indices])


def test_left_out_rows_are_unlabeled_to_a_semi_supervised_candidate(make_task, answered, asked):
    task = make_task(Y, n_pool=1, semi_supervised=True)
    answered(Bootstrap632(3), task, lambda ask: task.codes(ask.rows))
    assert asked[0].fit.unlabeled.indices.tolist() == [8]
    for ask in asked[1:]:
        assert ask.fit.unlabeled.indices.tolist() == [*ask.rows.indices, 8]


@pytest.mark.parametrize(
    ("options", "says"),
    [({"variant": "632"}, "variant must be 'truncated', 'esl' or 'et97', got '632'"), ({"resamples": 0}, "resamples")],
)
def test_options_that_cannot_be_used(options, says, make_task):
    with pytest.raises(BadInput, match=says):
        next(Bootstrap632(**options).evaluate(make_task(Y)))
