from collections import Counter
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import binom, chi2
from sklearn.metrics import log_loss, matthews_corrcoef

from foldless.core import Classes, Rows, ranked
from foldless.criteria import SimilarData
from foldless.criteria import similar_data as module
from foldless.criteria.similar_data import updated
from foldless.errors import BadInput, CannotAnswer

SOFT = ("labels", "probabilities")
Y = list("abab")


def world(task, real, learned=None):
    """Answers: ``real[m]`` (rows × classes, or labels) on the real data, ``learned(ask)`` on sampled data sets."""

    def answer(ask):
        if ask.fit.labels is None:
            return real[ask.fit.candidate.index][ask.rows.indices]
        return np.zeros(len(ask.rows), int) if learned is None else learned(ask)

    return answer


def drawn(asked):
    """The questions about sampled data sets."""
    return [ask for ask in asked if ask.fit.labels is not None]


def truths_of(monkeypatch):
    """The sampled data sets, as they are drawn."""
    seen, draw = [], module._Drawing.draw
    monkeypatch.setattr(module._Drawing, "draw", lambda self: seen.append(draw(self)) or seen[-1])
    return seen


# what is asked


@pytest.mark.parametrize("semi", [True, False])
def test_real_data_first_then_data_sets_that_partition_all_rows(make_task, answered, asked, semi):
    task = make_task(Y, n_pool=8, params=[{}, {}], semi_supervised=semi)
    choices = answered(SimilarData(3), task, world(task, [np.arange(12) % 2] * 2))
    assert [(ask.fit, ask.rows) for ask in asked[:4]] == [
        (task.full(c), rows) for c in task.candidates for rows in (task.labeled, task.unlabeled)
    ]
    sets = drawn(asked)
    assert len(sets) == 6
    for ask in sets:
        assert sorted([*ask.fit.rows.indices, *ask.rows.indices]) == list(range(12))
        assert len(ask.fit.rows) == len(ask.fit.labels) == 4
        assert ask.fit.unlabeled == (ask.rows if semi else None)
    for first, second in zip(sets[:3], sets[3:], strict=True):  # all candidates learn the same data sets
        assert first.fit.key[1:] == second.fit.key[1:]
    assert [choice.fits for choice in choices] == [(task.full(c),) for c in task.candidates]
    assert len(choices[0].splits) == 3


def test_the_real_fits_are_those_of_other_criteria(make_task):
    task = make_task(Y, n_pool=8)
    assert {ask.fit for ask in next(SimilarData().evaluate(task))} == {task.full(task.candidates[0])}


def test_one_hundred_data_sets_by_default(make_task, answered, asked):
    task = make_task(Y, n_pool=8)
    answered(SimilarData(), task, world(task, [np.arange(12) % 2]))
    assert len(drawn(asked)) == 100


# oracles


def test_of_one_candidate_the_labels_are_its_own(make_task, answered, asked, monkeypatch):
    task, sets = make_task(Y, n_pool=20), truths_of(monkeypatch)
    predicted = np.arange(24) % 2
    (choice,) = answered(SimilarData(10), task, world(task, [predicted], lambda ask: predicted[ask.rows.indices]))
    assert choice.score == 1
    for data in sets:
        assert (data.y == predicted[data.train.indices]).all()
        assert (data.truth == predicted[data.rest.indices]).all()


def test_labels_are_drawn_with_the_probabilities_of_one_candidate(make_task, answered, monkeypatch):
    task, sets = make_task(list("abcabc"), n_pool=14, responses=SOFT), truths_of(monkeypatch)
    p = np.random.default_rng(0).dirichlet(np.ones(3), 20)
    answered(SimilarData(4000, "probabilities"), task, world(task, [p]))
    counts = np.zeros((20, 3))
    for data in sets:
        np.add.at(counts, (np.r_[data.train.indices, data.rest.indices], np.r_[data.y, data.truth]), 1)
    statistic = ((counts - 4000 * p) ** 2 / (4000 * p)).sum()
    assert chi2.sf(statistic, 20 * 2) > 1e-6
    flat = ((counts - 4000 / 3) ** 2 / (4000 / 3)).sum()  # labels drawn without looking at p
    assert chi2.sf(flat, 20 * 2) < 1e-6


def test_every_row_is_labeled_as_often_as_any_other(make_task, answered, monkeypatch):
    task, sets = make_task(Y, n_pool=16), truths_of(monkeypatch)
    answered(SimilarData(3000), task, world(task, [np.arange(20) % 2]))
    times = np.bincount(np.concatenate([data.train.indices for data in sets]), minlength=20)
    assert times.sum() == 4 * 3000
    assert all(1e-7 < binom.cdf(n, 3000, 4 / 20) < 1 - 1e-7 for n in times)


def test_a_constant_candidate_errs_where_its_class_is_not_drawn(make_task, answered):
    task = make_task(Y, n_pool=36, params=[{}, {}], responses=SOFT)
    p = np.random.default_rng(1).dirichlet(np.ones(2), (2, 40))
    choices = answered(
        SimilarData(2000, "probabilities"),
        task,
        world(task, p, lambda ask: np.full(len(ask.rows), ask.fit.candidate.index)),
    )
    for c, choice in enumerate(choices):
        assert choice.score == pytest.approx(p.mean(axis=(0, 1))[c], abs=5 * 0.5 / np.sqrt(2000 * 36))
    assert choices[0].score + choices[1].score == pytest.approx(1)


def test_identical_candidates_have_identical_scores(make_task, answered):
    task = make_task(Y, n_pool=16, params=[{}] * 3, responses=SOFT)
    rng = np.random.default_rng(2)
    p = [rng.dirichlet(np.ones(2), 20)] * 3
    guess = lambda ask: (ask.rows.indices // 3) % 2  # noqa: E731
    for answers in SOFT:
        real = p if answers == "probabilities" else [table.argmax(axis=1) for table in p]
        for updates in (0, 2):
            criterion = SimilarData(20, answers, updates)
            choices = answered(criterion, task, world(task, real, guess))
            assert len({choice.score for choice in choices}) == 1
            assert [choice.candidate.index for choice in ranked(criterion, choices)] == [0, 1, 2]


def test_the_same_seed_draws_the_same(make_task, answered):
    real = [np.arange(20) % 2, np.arange(20) // 10]
    learned = lambda ask: ask.rows.indices % 2  # noqa: E731
    runs = [
        [c.score for c in answered(SimilarData(20), task, world(task, real, learned))]
        for task in (make_task(Y, n_pool=16, params=[{}, {}], seed=seed) for seed in (0, 0, 1))
    ]
    assert runs[0] == runs[1] != runs[2]


def test_candidates_whose_answers_the_others_share_score_higher(make_task, answered):
    """Three agree and one does not: sampled labels are mostly theirs, and a candidate that learns them is best."""
    task = make_task(Y, n_pool=36, params=[{}] * 4)
    real = [np.arange(40) % 2] * 3 + [np.arange(40) // 20]
    choices = answered(
        SimilarData(50), task, world(task, real, lambda ask: real[ask.fit.candidate.index][ask.rows.indices])
    )
    assert [c.candidate.index for c in ranked(SimilarData(), choices)] == [0, 1, 2, 3]
    # rows where all agree are certain; elsewhere three of four say the same
    agree = np.mean(real[0] == real[3])
    assert choices[0].score == pytest.approx(agree + (1 - agree) * 3 / 4, abs=0.05)
    assert choices[3].score == pytest.approx(agree + (1 - agree) / 4, abs=0.05)


# one row of every class


def test_drawn_labels_hold_every_class(make_task, answered, monkeypatch):
    task, sets = make_task(list("abc"), n_pool=97), truths_of(monkeypatch)
    rare = np.where(np.arange(100) < 90, 0, np.where(np.arange(100) < 95, 1, 2))
    (choice,) = answered(SimilarData(50), task, world(task, [rare]))
    assert all(sorted(data.y) == [0, 1, 2] for data in sets)
    assert choice.notes == ()


def test_probabilities_do_not_ask_for_every_class(make_task, answered, monkeypatch):
    task, sets = make_task(Y, n_pool=96, responses=SOFT), truths_of(monkeypatch)
    answered(SimilarData(50, "probabilities"), task, world(task, [np.tile([0.95, 0.05], (100, 1))]))
    assert sum(len(set(data.y)) == 1 for data in sets) > 25


def test_a_class_that_no_candidate_names_is_not_asked_for(make_task, answered, monkeypatch):
    task, sets = make_task(list("abc"), n_pool=17), truths_of(monkeypatch)
    (choice,) = answered(SimilarData(20), task, world(task, [np.arange(20) % 2]))
    assert choice.notes == ("no candidate predicts c, so no data set has this class", "predicts 2 of 3 classes")
    assert all(set(data.y) == {0, 1} for data in sets)
    assert not any((data.truth == 2).any() for data in sets)
    assert np.isfinite(choice.score)


def test_more_classes_than_labels_ask_for_none(make_task, answered):
    task = make_task(list("abcd"), n_pool=16)
    task = replace(task, target=Classes(task.y[:3], task.classes), labeled=Rows(range(3)))
    (choice,) = answered(SimilarData(5), task, world(task, [np.arange(20) % 4]))
    assert choice.notes == ("3 labels are fewer than 4 classes: data sets may lack a class",)
    assert np.isfinite(choice.score)


def test_the_rule_is_given_up_for_all_data_sets_where_one_cannot_keep_it(make_task, answered, monkeypatch):
    task, sets = make_task(list("abc"), n_pool=47, params=[{}, {}]), truths_of(monkeypatch)
    predicted = np.zeros((2, 50), int)
    predicted[:, 7] = [1, 2]  # no sample has both, and both are required
    choices = answered(SimilarData(5), task, world(task, predicted))
    assert choices[0].notes == (
        "10,000 samples of a data set did not contain every class: data sets may lack a class",
        "predicts 2 of 3 classes",
    )
    assert [data is None for data in sets] == [True, *[False] * 5]


def test_a_class_that_one_row_has_is_in_every_data_set(make_task, answered, monkeypatch):
    task, sets = make_task(list("ab"), n_pool=49_998), truths_of(monkeypatch)
    predicted = np.zeros(50_000, int)
    predicted[0] = 1
    (choice,) = answered(SimilarData(5), task, world(task, [predicted]))
    assert choice.notes == ("predicts 1 of 2 classes",)
    assert all(data.train.indices[0] == 0 and data.y.tolist() == [1, 0] for data in sets)


@pytest.mark.parametrize(("classes", "n", "first"), [(26, 40, 0), (50, 100, 0), (10, 10, 10), (12, 40, 2)])
def test_rows_are_drawn_for_classes_where_that_is_quicker(make_task, classes, n, first):
    mixture = np.full((1000, classes), 1 / classes)
    if first == 2:  # two of them are rare
        mixture[:, :2] = 1e-4
        mixture /= mixture.sum(axis=1, keepdims=True)
    task = make_task([str(at % classes) for at in range(n)], n_pool=1000 - n)
    drawing = module._Drawing(task, mixture, True, np.random.default_rng(0))
    assert len(drawing._rare()) == first
    if first:  # draws until all classes are there would take thousands
        assert len(drawing.sets(20)) == 20
        assert not drawing.notes


def exact(mixture, n):
    """The probability of every draw of n rows with their labels, given that all classes are among them."""
    rows, classes = mixture.shape
    weights = {
        (at, y): np.prod([mixture[i, c] for i, c in zip(at, y, strict=True)])
        for at in combinations(range(rows), n)
        for y in product(range(classes), repeat=n)
        if len(set(y)) == classes
    }
    total = sum(weights.values())
    return {key: weight / total for key, weight in weights.items()}


@pytest.mark.slow
@pytest.mark.parametrize("way", ["plain", "a row for every class", "a row for the rare class", "all are kept"])
def test_rows_for_classes_first_or_draws_until_they_have_them_are_the_same(make_task, monkeypatch, way):
    mixture = np.random.default_rng(0).dirichlet([2, 1, 0.2], size=6)
    task, rng = make_task(list("abcab"), n_pool=1), np.random.default_rng(1)
    monkeypatch.setattr(module, "PLAIN", module.PATIENCE if way == "plain" else 0)
    first = [2] if way == "a row for the rare class" else [0, 1, 2]
    monkeypatch.setattr(module._Drawing, "_rare", lambda self: np.array(first))
    if way == "all are kept":
        monkeypatch.setattr(module._Drawing, "_kept", lambda self, counts: True)
    drawing, counts = module._Drawing(task, mixture, True, rng), Counter()
    for _ in range(8_000):
        data = drawing.draw()
        counts[tuple(data.train.indices.tolist()), tuple(data.y.tolist())] += 1
    assert len(drawing._first) == {"plain": 0, "a row for the rare class": 1}.get(way, 3)
    expected = exact(mixture, 5)
    common = [key for key, p in expected.items() if p * 8_000 >= 5]
    gap = sum((counts[key] - 8_000 * expected[key]) ** 2 / (8_000 * expected[key]) for key in common)
    tail = chi2.sf(gap, len(common))  # about that: the others are one more cell
    assert tail < 1e-6 if way == "all are kept" else tail > 1e-4


def test_a_row_about_which_nobody_names_a_class_has_the_shares_of_the_labels(make_task, answered, monkeypatch):
    task, sets = make_task(list("abbb"), n_pool=1996), truths_of(monkeypatch)
    predicted = np.full(2000, -1)
    predicted[:4] = [0, 1, 1, 1]
    answered(SimilarData(2), task, world(task, [predicted]))
    for data in sets:
        strange = data.rest.indices >= 4
        assert 1e-7 < binom.cdf((data.truth[strange] == 0).sum(), strange.sum(), 0.25) < 1 - 1e-7


def test_labeled_rows_can_keep_their_labels(make_task, answered, monkeypatch):
    task = make_task(Y, n_pool=16)
    wrong = 1 - np.arange(20) % 2
    for clamp in (False, True):
        sets = truths_of(monkeypatch)
        answered(SimilarData(10, clamp_labeled=clamp), task, world(task, [wrong]))
        labels = {row: y for data in sets for row, y in zip(data.train.indices, data.y, strict=True) if row < 4}
        assert len(labels) == 4
        assert all((task.y[row] == y) == clamp for row, y in labels.items())


# scores


def test_the_score_is_the_mean_over_the_data_sets(make_task, answered, monkeypatch):
    task, sets = make_task(Y, n_pool=36), truths_of(monkeypatch)
    every_third = lambda ask: (ask.rows.indices % 3 == 0).astype(int)  # noqa: E731
    real = np.arange(40) % 2
    for scoring, metric in (("accuracy", lambda t, a: np.mean(t == a)), ("matthews_corrcoef", matthews_corrcoef)):
        sets.clear()
        (choice,) = answered(SimilarData(7, scoring=scoring), task, world(task, [real], every_third))
        each = [metric(data.truth, (data.rest.indices % 3 == 0).astype(int)) for data in sets]
        assert choice.splits == pytest.approx(each)
        assert choice.score == pytest.approx(np.mean(each))


def test_metrics_of_probabilities_are_computed_on_all_data_sets_together(make_task, answered, asked, monkeypatch):
    task, sets = make_task(Y, n_pool=36, responses=SOFT), truths_of(monkeypatch)
    p = np.random.default_rng(3).dirichlet(np.ones(2), 40)
    criterion = SimilarData(5, "probabilities", scoring="neg_log_loss")
    (choice,) = answered(criterion, task, world(task, [p], lambda ask: p[ask.rows.indices]))
    truth = np.concatenate([data.truth for data in sets])
    assert choice.score == pytest.approx(-log_loss(truth, np.concatenate([p[data.rest.indices] for data in sets])))
    with pytest.raises(BadInput, match="updates need a score on every data set"):
        next(SimilarData(5, updates=1, scoring="neg_log_loss").evaluate(task))


# weights


def test_weights_by_hand():
    log_weights = np.log([0.5, 0.3, 0.2])
    scores = np.array([[0.1, 0.9], [0.5, 0.5], [0.9, 0.2]])
    unscaled = np.array([0.5, 0.3, 0.2])[:, None] * np.exp(scores)
    assert np.exp(updated(log_weights, scores)) == pytest.approx((unscaled / unscaled.sum(axis=0)).mean(axis=1))


def test_weights_of_errors_are_those_of_accuracies_and_sum_to_one():
    rng = np.random.default_rng(4)
    weights, accuracy = np.log(rng.dirichlet(np.ones(6))), rng.random((6, 9))
    new = updated(weights, accuracy)
    assert updated(weights, -(1 - accuracy)) == pytest.approx(new)
    assert np.exp(new).sum() == pytest.approx(1)
    assert np.isfinite(updated(np.array([-2000.0, 0.0]), np.array([[1e4], [-1e4]]))).all()


def test_updates_draw_new_data_sets_from_new_weights_without_new_real_fits(make_task, answered, asked, monkeypatch):
    task, sets = make_task(Y, n_pool=196, params=[{}, {}], responses=SOFT), truths_of(monkeypatch)
    real = [np.tile([0.9, 0.1], (200, 1)), np.tile([0.1, 0.9], (200, 1))]
    # the first candidate is right about all drawn labels, the second about none
    truth = {}

    def learned(ask):
        truth.update({data.rest: data.truth for data in sets})
        return truth[ask.rows] ^ ask.fit.candidate.index

    choices = answered(SimilarData(50, "probabilities", updates=2), task, world(task, real, learned))
    assert len([ask for ask in asked if ask.fit.labels is None]) == 4
    assert len(drawn(asked)) == 2 * 50 * 3
    assert len({data.train for data in sets}) == len(sets)
    assert [choice.score for choice in choices] == [1, 0]
    share = 0.5
    for at in range(3):
        zeros = np.concatenate([data.truth for data in sets[50 * at : 50 * (at + 1)]]) == 0
        expected = share * 0.9 + (1 - share) * 0.1
        assert 1e-7 < binom.cdf(zeros.sum(), len(zeros), expected) < 1 - 1e-7
        share = share * np.e / (share * np.e + 1 - share)


def test_notes_of_all_rounds_are_told(make_task, answered, monkeypatch):
    rounds, init = [], module._Drawing.__init__

    def noted(self, *given):
        init(self, *given)
        rounds.append(None)
        self.notes += ["of every round", f"of round {len(rounds)}"]

    monkeypatch.setattr(module._Drawing, "__init__", noted)
    task = make_task(Y, n_pool=8)
    (choice,) = answered(SimilarData(3, updates=2), task, world(task, [np.arange(12) % 2]))
    assert choice.notes == ("of every round", "of round 1", "of round 2", "of round 3")


@pytest.mark.parametrize("answers", SOFT)
def test_a_candidate_that_gives_no_pool_row_to_a_class_is_told(make_task, answered, answers):
    task = make_task(Y, n_pool=8, params=[{}, {}], responses=SOFT)
    real = [np.r_[np.arange(4) % 2, np.zeros(8, int)], np.arange(12) % 2]
    predicted = real if answers == "labels" else [np.eye(2)[labels] * 0.8 + 0.1 for labels in real]
    constant, other = answered(SimilarData(3, answers), task, world(task, predicted))
    assert constant.notes == ("predicts 1 of 2 classes",)
    assert other.notes == ()


# what cannot be


def test_metrics_that_need_every_class_name_the_one_that_was_not_drawn(make_task, answered):
    task = make_task(list("abc") * 2, n_pool=14, responses=SOFT)
    predicted = np.tile([0.5, 0.3, 0.2], (20, 1))
    names_two = world(task, [np.arange(20) % 2], lambda ask: predicted[ask.rows.indices])
    with pytest.raises(CannotAnswer, match=r"no data set has the class c, and .*'roc_auc_ovr'.* 'matthews_corrcoef'"):
        answered(SimilarData(5, scoring="roc_auc_ovr"), task, names_two)
    names_all = world(task, [np.arange(20) % 3], lambda ask: predicted[ask.rows.indices])
    (choice,) = answered(SimilarData(5, scoring="roc_auc_ovr"), task, names_all)
    assert choice.score == 0.5
    (choice,) = answered(SimilarData(5, scoring="neg_log_loss"), task, names_two)  # which needs none
    assert np.isfinite(choice.score)


def test_probabilities_need_candidates_that_give_them(make_task):
    with pytest.raises(CannotAnswer, match="candidate 'candidate 0' does not give: use answers='labels'"):
        next(SimilarData(answers="probabilities").evaluate(make_task(Y, n_pool=4)))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"answers": "scores"}, "answers must be 'labels' or 'probabilities', got 'scores'"),
        ({"samples": 0}, "samples must be a whole number, 1 or more, got 0"),
        ({"samples": 2.5}, "samples must be a whole number, 1 or more, got 2.5"),
        ({"updates": -1}, "updates must be a whole number, 0 or more, got -1"),
        ({"updates": True}, "updates must be"),
    ],
)
def test_options_that_cannot_be_used(options, says, make_task):
    with pytest.raises(BadInput, match=says):
        next(SimilarData(**options).evaluate(make_task(Y, n_pool=4)))
