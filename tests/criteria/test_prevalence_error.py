"""prevalence_error: the candidate whose answers count best, by hand: one is right, one guesses."""

import numpy as np
import pytest

from foldless.core import Candidate
from foldless.criteria import PrevalenceError
from foldless.criteria.prevalence_error import well_known
from foldless.errors import BadInput
from foldless.quantifiers import Held


@pytest.fixture
def task(make_task):
    y = np.arange(60) % 2
    made = make_task(y.tolist(), n_pool=10, params=[{"C": 1}, {"C": 100}])
    from dataclasses import replace

    candidates = tuple(
        Candidate(c.index, c.name, c.params, frozenset({"labels", "probabilities"})) for c in made.candidates
    )
    return replace(made, candidates=candidates)


def predict(task):
    def answer(ask):
        y = np.append(task.y, np.zeros(10, dtype=int))[ask.rows.indices]
        noise = np.random.default_rng(len(y)).random(len(y))
        right = np.where(y == 1, 0.9, 0.1) if ask.fit.candidate.index == 1 else 0.3 + 0.4 * noise
        return np.stack([1 - right, right], axis=1)

    return answer


@pytest.mark.parametrize("method", ["auto", "pacc", "cc"])
def test_the_one_that_tells_classes_apart_is_best(task, answered, method):
    guessing, right = answered(PrevalenceError(method), task, predict(task))
    assert right.score < 0.02 < guessing.score
    assert right.notes == (f"quantified by {'acc' if method == 'auto' else method}",)


def test_each_candidate_has_five_fits_and_no_more(task, answered, asked):
    answered(PrevalenceError(), task, predict(task))
    assert len({ask.fit for ask in asked}) == 10
    shares = [task.y[ask.rows.indices].mean() for ask in asked]
    assert shares == [0.5] * 10  # every fold has its part of both classes


def test_an_unknown_method(task, answered):
    with pytest.raises(BadInput, match="method must be one of"):
        answered(PrevalenceError("magic"), task, predict(task))


def test_adjusted_counts_need_ten_labels_of_each_class_and_classes_that_are_told_apart():
    y = np.repeat([0, 1, 2], [30, 30, 9])
    assert not well_known(Held(y, y, 3))
    y = np.repeat([0, 1], 30)
    assert well_known(Held(y, y, 2))
    assert not well_known(Held(np.arange(60) % 2, y, 2))
