"""The resamples of a race, and heats before it where candidates are many."""

from collections import Counter

import numpy as np
import pytest
from tests.helpers.races import fits_of, noisy

from foldless.core import OutOfTime, ranked
from foldless.criteria import Auto
from foldless.criteria.racing._meaning import LabelMeaning
from foldless.criteria.racing._race import FOLDS, MANY, ROUNDS, Runner, margin, merge, resamples


def best(criterion, choices):
    return ranked(criterion, choices)[0]


class TestResamples:
    """Folds that keep the class shares come first, unless labels are few."""

    def test_three_times_three_folds_then_bootstraps(self, make_task):
        y = np.array(list("aab") * 20)
        task = make_task(y, n_pool=10, params=[{}])
        drawn = resamples(task)
        assert len(drawn) == ROUNDS[-1]
        for repeat in range(3):
            folds = drawn[3 * repeat : 3 * repeat + 3]
            assert sorted(np.concatenate([fold.test.indices for fold in folds])) == list(range(60))
            for fold in folds:
                assert (y[fold.test.indices] == "b").sum() in (6, 7)
                assert not set(fold.train.indices) & set(fold.test.indices)
        assert all(len(draw.train) == 60 for draw in drawn[9:])

    def test_many_labels_have_larger_training_sets(self, make_task):
        n = FOLDS[0][0]
        drawn = resamples(make_task(np.array(list("ab") * (n // 2)), n_pool=10, params=[{}]))
        assert [len(fold.train) for fold in drawn[:10]] == [n * 4 // 5] * 10
        assert sorted(np.concatenate([fold.test.indices for fold in drawn[:5]])) == list(range(n))

    def test_few_labels_have_bootstraps_only(self, make_task):
        task = make_task(np.array(list("ab") * (FOLDS[-1][0] // 2 - 1)), n_pool=10, params=[{}])
        assert [d.train for d in resamples(task)] == [d.train for d in task.bootstraps(ROUNDS[-1])]

    def test_a_class_with_one_label_is_in_every_training_set_that_needs_it(self, make_task):
        task = make_task(np.array(["a"] * 59 + ["b"]), n_pool=10, params=[{}])
        assert len(resamples(task)) == ROUNDS[-1]
        assert all(len(np.unique(task.codes(draw.train))) == 2 for draw in resamples(task))

    def test_groups_stay_whole(self, make_task):
        groups = np.repeat(np.arange(50), 2)
        task = make_task(np.repeat(list("ab") * 25, 2), n_pool=10, params=[{}], groups=groups)
        for draw in resamples(task):
            assert not set(groups[draw.train.indices]) & set(groups[draw.test.indices])


class TestHeats:
    """Hundreds of candidates are first trained on a ninth and a third of the labels."""

    Y = np.array(list("ab") * 200)

    def run(self, make_task, answered, n=MANY, y=None):
        task = make_task(self.Y if y is None else y, n_pool=50, params=[{}] * n)
        accuracies = [0.9] + [0.5] * (n - 1)
        return task, answered(Auto(), task, noisy(task, accuracies))

    def test_the_better_third_goes_on(self, make_task, answered, asked):
        task, choices = self.run(make_task, answered)
        assert best(Auto(), choices).candidate.index == 0
        sizes = Counter(len(fit.rows) for fit in fits_of(asked))
        assert sizes[round(400 / 9)] == MANY
        assert sizes[round(400 / 3)] == MANY / 3
        early = [choice for choice in choices if "1/9" in " ".join(choice.notes)]
        assert len(early) == MANY - MANY / 3
        assert all(np.isfinite(choice.score) for choice in choices)

    def test_they_cost_less_than_5_fold(self, make_task, answered, asked):
        self.run(make_task, answered)
        rows = sum(len(fit.rows) for fit in fits_of(asked))
        assert rows < 0.3 * 5 * MANY * 0.8 * 400

    def test_few_candidates_or_few_labels_have_none(self, make_task, answered, asked):
        self.run(make_task, answered, n=MANY - 1)
        assert min(len(fit.rows) for fit in fits_of(asked)) > 400 / 3
        asked.clear()
        self.run(make_task, answered, y=np.array(list("ab") * 20))
        assert min(len(fit.rows) for fit in fits_of(asked)) > 40 / 3

    def test_a_run_that_ends_in_a_heat_has_a_winner(self, make_task):
        task = make_task(self.Y, n_pool=50, params=[{}] * MANY)
        answer, evaluation = noisy(task, [0.9] + [0.5] * (MANY - 1)), Auto().evaluate(task)
        asks = evaluation.send([answer(ask) for ask in next(evaluation)])
        assert len(asks) == MANY / 3
        with pytest.raises(StopIteration) as end:
            evaluation.throw(OutOfTime())
        assert best(Auto(), end.value.value).candidate.index == 0


@pytest.mark.parametrize(("differ", "heads"), [(0, [0]), (2, [0]), (3, [0, 1])])
def test_up_to_two_in_a_hundred_labels_may_differ(make_task, differ, heads):
    task = make_task(np.array(list("ab")), n_pool=100, params=[{}] * 2)
    runners = [Runner(candidate, gap=gap) for candidate, gap in zip(task.candidates, (0.0, -0.1), strict=True)]
    runners[0].pool, runners[1].pool = [np.zeros(100)], [(np.arange(100) < differ).astype(float)]
    assert merge(runners, [0, 1], LabelMeaning(task)) == heads


@pytest.mark.parametrize(
    ("labels", "pool", "z"), [(2, 10, 1.5), (399, 10, 1.5), (400, 10, 2.0), (399, 0, 1), (400, 0, 4 / 3)]
)
def test_the_margin_is_wider_with_many_labels(make_task, labels, pool, z):
    assert margin(make_task(np.arange(labels) % 2, n_pool=pool, params=[{}])) == z


@pytest.mark.parametrize("offer", ["best", "average"])
def test_one_label_of_each_class_leaves_the_rank_to_the_pool(make_task, answered, asked, offer):
    task = make_task(list("abcd"), n_pool=100, params=[{}] * 5)
    codes = np.random.default_rng(0).integers(4, size=104)
    codes[:4] = task.y
    odd = np.where(np.arange(104) < 4, codes, 0)  # one candidate gives the whole pool one label

    def predict(ask):
        return (odd if ask.fit.candidate.index == 2 else codes)[ask.rows.indices]

    choices = answered(Auto(offer=offer), task, predict)
    assert fits_of(asked) == {task.full(candidate) for candidate in task.candidates}
    first = ranked(Auto(), choices)[0]
    assert first.candidate.index != 2
    assert set(first.fits) <= fits_of(asked)
    assert "every class has one label" in first.notes[0]
