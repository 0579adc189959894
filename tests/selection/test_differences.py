"""Candidates are compared with the chosen one on the labels as the race weighs them."""

from dataclasses import replace

import numpy as np
import pytest

from foldless.core import Candidate, Choice, Classes, LabelWeights, PoolRows, Rows, Task
from foldless.judging._left_out import LeftOut
from foldless.judging._scoring import judge_of
from foldless.selection._differences import differences


def test_labels_weigh_as_in_the_score_beside_the_difference():
    draw = np.random.default_rng(0)
    weights, candidates = draw.dirichlet(np.full(60, 0.3)), (Candidate(0, "first", {}), Candidate(1, "second", {}))
    task = Task(
        Classes(np.arange(60) % 2, np.array(["a", "b"])), Rows(range(60)), PoolRows(Rows(range(60, 100))), candidates,
        2, 0, draws=LabelWeights(weights, weights),
    )  # fmt: skip
    labels = [np.where(draw.random(60) < share, task.y, 1 - task.y) for share in (0.9, 0.6)]
    left_out = LeftOut(task, judge_of("accuracy", task))
    for at, codes in enumerate(labels):
        left_out.add(at, "labels", task.labeled, codes, codes)
    right = {c: (codes == task.y).astype(float) for c, codes in zip(task.candidates, labels, strict=True)}
    ranking = [Choice(c, 0.0, (task.full(c),)) for c in task.candidates]
    (difference,) = differences(ranking, right, task).values()
    assert difference.value == pytest.approx(left_out.score(0) - left_out.score(1))
    (unweighted,) = differences(ranking, right, replace(task, draws=LabelWeights())).values()
    assert difference.value != pytest.approx(unweighted.value, abs=1e-3)
