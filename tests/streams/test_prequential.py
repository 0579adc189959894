"""Prequential evaluation: by hand, and against scikit-learn and the measures."""

import json

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, balanced_accuracy_score, confusion_matrix

from foldless.measures import BAKLD, KLD
from foldless.streams import ConfusionMatrix, PrequentialEvaluation

rng = np.random.default_rng(0)
true, predicted = rng.integers(0, 3, 500), rng.integers(0, 3, 500)


def test_against_scikit_learn():
    scores = ConfusionMatrix.of(true, predicted, 3).scores()
    assert scores["accuracy"] == pytest.approx(accuracy_score(true, predicted))
    assert scores["balanced_accuracy"] == pytest.approx(balanced_accuracy_score(true, predicted))


def test_kld_by_hand():
    scores = ConfusionMatrix(np.array([[6, 2], [1, 1]])).scores()
    p, q = np.array([8.5, 2.5]) / 11, np.array([7.5, 3.5]) / 11
    assert scores["kld"] == pytest.approx(np.sum(p * np.log(p / q)))


def test_the_learners_measure_of_two_classes():
    two, guess = true > 0, predicted > 1
    counts = ConfusionMatrix.of(two.astype(int), guess.astype(int), 2)
    assert counts.value("bakld") == pytest.approx(BAKLD().score(two, guess, True))
    assert counts.value("kld") == pytest.approx(-counts.scores()["kld"])


def test_of_more_classes_it_is_the_mean_of_each_against_the_rest():
    each = [KLD().score(true == k, predicted == k, True) for k in range(3)]
    assert ConfusionMatrix.of(true, predicted, 3).value("kld") == pytest.approx(np.mean(each))


def test_a_batch_counts_for_all_and_fades_in_the_recent_ones():
    evaluation = PrequentialEvaluation(3)
    assert evaluation.whole.value("kld") is None
    assert evaluation.whole.scores()["accuracy"] is None
    evaluation.add(true[:100], predicted[:100])
    evaluation.add(true[100:], predicted[100:])
    assert np.array_equal(evaluation.whole.table, ConfusionMatrix.of(true, predicted, 3).table)
    assert evaluation.recent.n_rows == pytest.approx(0.9 * 100 + 400)


def test_many_classes_count_the_same_and_keep_only_cells_with_rows():
    k = 500
    y = rng.integers(0, k, 2000)
    guess = np.where(rng.random(2000) < 0.7, y, rng.integers(0, k, 2000))
    many, few = ConfusionMatrix.of(y, guess, k), ConfusionMatrix(confusion_matrix(y, guess, labels=range(k)))
    assert many.table.nnz == np.count_nonzero(few.table)
    assert np.array_equal(many.table.toarray(), few.table)
    assert many.scores() == pytest.approx(few.scores())
    assert many.value("kld") == pytest.approx(few.value("kld"))


@pytest.mark.parametrize("k", [3, 500])
def test_what_is_written_is_read_to_the_same_bits(k):
    evaluation = PrequentialEvaluation(k)
    for seed in range(3):
        draw = np.random.default_rng(seed)
        evaluation.add(draw.integers(0, k, 200), draw.integers(0, k, 200))
    for counts in (evaluation.whole, evaluation.recent, ConfusionMatrix.empty(k)):
        again = ConfusionMatrix.from_plain(json.loads(json.dumps(counts.plain())), k)
        assert again.table.dtype == counts.table.dtype
        assert again.plain() == counts.plain()
        assert again.n_rows == counts.n_rows


@pytest.mark.parametrize(
    "plain",
    [
        None, [], [[1, 2]], [[1, 2], [3]], [[1, -1], [0, 0]], [[1, float("nan")], [0, 0]], [[2**64, 0], [0, 1]],
        [[2**62, 2**62], [2**62, 0]], {}, {"true": [0], "predicted": [2], "rows": [1]},
        {"true": [0], "predicted": [-1], "rows": [1]}, {"true": [0], "predicted": [1, 1], "rows": [1]},
        {"true": [0], "predicted": [1], "rows": [-1]}, {"true": [0], "predicted": [1], "rows": ["1"]},
        {"true": [2**70], "predicted": [1], "rows": [1]},
    ],
)  # fmt: skip
def test_what_no_run_wrote_is_refused(plain):
    with pytest.raises((ValueError, OverflowError)):
        ConfusionMatrix.from_plain(plain, 2)
