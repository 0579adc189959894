"""Any metric with its interval: it holds the truth about as often as it says."""

import numpy as np
import pytest
from scipy.stats import binom, norm
from sklearn.metrics import f1_score, roc_auc_score

from foldless.accuracy._measured import ModelAnswers, measured
from foldless.errors import CannotAnswer
from foldless.judging.metric import Metric

CLASSES = np.array(["no", "yes"])


def drawn(n: int, seed: int, distance: float = 1.5) -> ModelAnswers:
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < 0.3).astype(int)
    shares = norm.cdf(rng.normal(size=n) + distance * (truth - 0.5))
    return ModelAnswers(CLASSES, truth, (shares > 0.5).astype(int), np.column_stack([1 - shares, shares]))


def test_the_value_is_scikit_learns() -> None:
    answers = drawn(200, 0)
    interval, notes = measured("roc_auc", answers, np.arange(200), 0.95, np.random.default_rng(0))
    assert answers.shares is not None
    assert interval.value == pytest.approx(roc_auc_score(answers.truth, answers.shares[:, 1]))
    f1, _ = measured(Metric("f1", "yes"), answers, np.arange(200), 0.95, np.random.default_rng(0))
    assert f1.value == pytest.approx(f1_score(answers.truth, answers.labels))
    assert interval.lower < interval.value < interval.upper < 1
    assert not notes


def test_the_interval_of_auc_covers() -> None:
    true, hits = float(norm.cdf(1.5 / np.sqrt(2))), 0
    for seed in range(100):
        interval, _ = measured("roc_auc", drawn(80, seed), np.arange(80), 0.95, np.random.default_rng(0))
        hits += interval.lower <= true <= interval.upper
    assert binom.cdf(hits, 100, 0.93) > 1e-3, hits


def test_groups_widen_it_and_folds_too() -> None:
    answers = drawn(120, 3)
    twice = ModelAnswers(*(np.repeat(part, 2, axis=0) if part is not CLASSES else part for part in (
        CLASSES, answers.truth, answers.labels, answers.shares)))  # fmt: skip
    rng = np.random.default_rng
    alone, _ = measured("roc_auc", twice, np.arange(240), 0.95, rng(0))
    grouped, _ = measured("roc_auc", twice, np.repeat(np.arange(120), 2), 0.95, rng(0))
    folded, _ = measured("roc_auc", twice, np.arange(240), 0.95, rng(0), out_of_fold=True)
    assert grouped.upper - grouped.lower > 1.2 * (alone.upper - alone.lower)
    assert folded.upper - folded.lower > 1.1 * (alone.upper - alone.lower)


def test_what_cannot_be_had() -> None:
    answers = drawn(60, 1)
    labels = ModelAnswers(CLASSES, answers.truth, answers.labels)
    with pytest.raises(CannotAnswer, match="needs scores or probabilities, which the model does not give"):
        measured("roc_auc", labels, np.arange(60), 0.95, np.random.default_rng(0))
    with pytest.raises(CannotAnswer, match="'f1' cannot score these answers: it is of a positive class"):
        measured("f1", answers, np.arange(60), 0.95, np.random.default_rng(0))
