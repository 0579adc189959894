"""Heats before the race, where candidates are many."""

from collections import Counter

import numpy as np
import pytest
from tests.helpers.races import fits_of, noisy

from foldless.core import OutOfTime, ranked
from foldless.criteria import Auto
from foldless.criteria.racing._race import MANY


def best(criterion, choices):
    return ranked(criterion, choices)[0]


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
        assert {len(fit.rows) for fit in fits_of(asked)} == {400}
        asked.clear()
        self.run(make_task, answered, y=np.array(list("ab") * 20))
        assert {len(fit.rows) for fit in fits_of(asked)} == {40}

    def test_a_run_that_ends_in_a_heat_has_a_winner(self, make_task):
        task = make_task(self.Y, n_pool=50, params=[{}] * MANY)
        answer, evaluation = noisy(task, [0.9] + [0.5] * (MANY - 1)), Auto().evaluate(task)
        asks = evaluation.send([answer(ask) for ask in next(evaluation)])
        assert len(asks) == MANY / 3
        with pytest.raises(StopIteration) as end:
            evaluation.throw(OutOfTime())
        assert best(Auto(), end.value.value).candidate.index == 0
