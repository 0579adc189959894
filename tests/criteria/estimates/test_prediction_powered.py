import numpy as np
import pytest

from foldless.criteria import KFold, PredictionPowered

Y = list("aabbabbaabab")


def test_confidence_that_says_nothing_leaves_cross_validation(make_task, answered):
    task = make_task(Y, n_pool=20, responses=["labels", "probabilities"])
    even = lambda ask: np.full((len(ask.rows), 2), 0.5)  # noqa: E731
    (choice,) = answered(PredictionPowered(k=4), task, even)
    (folds,) = answered(KFold(4), task, lambda ask: np.zeros(len(ask.rows), dtype=int))
    assert choice.score == pytest.approx(folds.score)
    assert "weight of the pool 0.00" in choice.notes[0]


def test_a_less_confident_pool_lowers_the_score(make_task, answered):
    task = make_task(Y, n_pool=200, responses=["labels", "probabilities"])
    truth, rng = task.y, np.random.default_rng(0)
    sure = np.where(np.arange(12) % 4 == 0, 0.55, rng.uniform(0.9, 1, 12))
    labels = np.where(np.arange(12) % 4 == 0, 1 - truth, truth)  # wrong exactly where it is not sure

    def answer(ask, pool):
        rows = ask.rows.indices
        if rows[0] >= 12:
            return np.column_stack([np.full(len(rows), pool), np.full(len(rows), 1 - pool)])
        return np.where(labels[rows][:, None] == np.arange(2), sure[rows][:, None], 1 - sure[rows][:, None])

    high, low = (answered(PredictionPowered(k=3), task, lambda ask, p=p: answer(ask, p))[0].score for p in (0.95, 0.6))
    assert low < 0.75 < high
