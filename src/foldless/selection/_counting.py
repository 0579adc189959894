"""The run behind `quantify`: choose a candidate by how well it counts, and keep what its fold fits say."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from foldless.core import Evaluation, Task
from foldless.criteria.prevalence_error import PrevalenceError
from foldless.judging._cross_fit import counted_answers


@dataclass(frozen=True)
class Counting(PrevalenceError):
    """As its base; ``found`` holds the best candidate, its answers on labels and pool, and how it counts best.

    One candidate is asked about labels and pool at once. Of several, the best is asked about the pool in the end.
    """

    found: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def evaluate(self, task: Task) -> Evaluation:
        folds, alone = self.folds(task), len(task.candidates) == 1
        every = yield from counted_answers(task, folds, task.candidates, pool=alone)
        if alone and self.method != "auto":
            judged = [(0.0, self.ways(every[0])[0])]
        else:
            judged = [self.judge(task, own) for own in every]
        best = int(np.argmin([score for score, _ in judged]))
        if not alone:
            (every[best],) = yield from counted_answers(task, folds, [task.candidates[best]], pool=True)
        self.found.update(candidate=task.candidates[best], counted=every[best], way=judged[best][1])
        return self.choices(task, judged)
