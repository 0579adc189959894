import numpy as np
import pytest
from sklearn.metrics import f1_score

from foldless.core import Candidate, Classes, PoolRows, Rows, Task
from foldless.judging._left_out import BLOCKS, GRAIN, LEAST, LeftOut
from foldless.judging._scoring import ClassJudge


def task(y, groups=None):
    classes, codes = np.unique(np.asarray(y), return_inverse=True)
    candidates = tuple(Candidate(at, str(at), {}) for at in range(3))
    groups = None if groups is None else np.asarray(groups)
    return Task(Classes(codes, classes), Rows(range(len(y))), PoolRows(Rows(range(0))), candidates, 3, 0, groups)


def heard(task, answers, scoring="accuracy"):
    """Answers by candidate: a list of rows left out and of labels for them."""
    left_out = LeftOut(task, ClassJudge(scoring, task.classes))
    for at, resamples in enumerate(answers):
        for rows, labels in resamples:
            left_out.add(at, "labels", Rows(np.array(rows)), np.array(labels), np.array(labels))
    return left_out


def test_accuracy_by_hand():
    left_out = heard(task([0, 0, 1, 1]), [[([0, 1], [0, 1]), ([1, 3], [0, 1])], [([0, 1], [1, 1]), ([1, 3], [1, 1])]])
    standing = left_out.standing([0, 1])
    assert standing.scores == pytest.approx([3 / 4, 1 / 4])
    assert standing.error == pytest.approx(np.sqrt(3 / 16 / 4))
    # rows 0, 1 and 3 were asked once, twice and once; the first is ahead by one answer on rows 0 and 1
    apart = np.array([1, 1, 0]) * 3 / 4
    assert standing.chance(0)[1] == pytest.approx(apart.std(ddof=1) / np.sqrt(3) + GRAIN / 3)
    assert standing.chance(0)[0] == pytest.approx(GRAIN / 3)


def test_few_rows_are_never_certain():
    standing = heard(task([0, 1, 0, 1]), [[([0, 1, 2], [0, 1, 0])]]).standing([0])
    assert standing.scores == pytest.approx([1])
    assert standing.error == pytest.approx(np.sqrt(LEAST / 4))


def test_rows_of_a_group_count_as_one():
    y, rows = [0, 1] * 4, np.arange(8)
    right, wrong = np.array([0, 1] * 4), np.array([1, 0] * 4)
    mixed = np.where(rows < 4, right, wrong)
    alone = heard(task(y), [[(rows, right)], [(rows, mixed)]]).standing([0, 1])
    grouped = heard(task(y, groups=[0, 0, 0, 0, 1, 1, 1, 1]), [[(rows, right)], [(rows, mixed)]]).standing([0, 1])
    assert grouped.scores == pytest.approx(alone.scores)
    assert grouped.chance(0)[1] > alone.chance(0)[1]


def test_another_metric_is_scored_on_all_rows_left_out():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    good, bad = np.where(rng.random(60) < 0.9, y, 1 - y), rng.integers(0, 2, 60)
    left_out = heard(task(y), [[(np.arange(60), good)], [(np.arange(60), bad)]], "f1_macro")
    standing = left_out.standing([0, 1])
    assert standing.measured
    assert standing.scores == pytest.approx([f1_score(y, good, average="macro"), f1_score(y, bad, average="macro")])
    assert standing.values.shape == (2, BLOCKS)
    assert standing.values.mean(axis=1) == pytest.approx(standing.scores, abs=0.02)  # a jackknife has little bias here
    assert 0 < standing.chance(0)[1] < 0.2


def test_the_jackknife_of_a_mean_is_its_standard_error():
    # balanced accuracy of equal classes in equal blocks is a mean of rows, up to how classes fall into blocks
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], 400)
    labels = np.where(rng.random(800) < 0.7, y, 1 - y)
    standing = heard(task(y), [[(np.arange(800), labels)]], "balanced_accuracy").standing([0])
    assert standing.error == pytest.approx(np.sqrt(0.7 * 0.3 / 800), rel=0.6)


def test_accuracy_stands_in_where_a_metric_is_not_defined():
    one = task([0, 0, 1, 1])
    left_out = LeftOut(one, ClassJudge("roc_auc", one.classes))
    scores = np.array([[0.9, 0.1], [0.8, 0.2]])
    left_out.add(0, "probabilities", Rows(np.array([0, 1])), np.array([0, 0]), scores)
    standing = left_out.standing([0])
    assert not standing.measured
    assert standing.scores == pytest.approx([1])
    assert np.isnan(left_out.score(0))
