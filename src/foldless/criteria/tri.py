"""TRI: the most complex candidate whose training error is consistent with all simpler ones, by the triangle inequality.

If h_j and h_k are both near the truth, they are near each other. Training errors estimate how near, the pool measures
how far apart they are: if d_U(h_j, h_k) > error(h_j) + error(h_k), one of the errors is too low, and the more complex
candidate is rejected. The last h_k that satisfies the inequality with every h_j before it is chosen.

Candidates must be ordered from the simplest to the most complex. The score is the position of a candidate that
satisfies the inequalities; for others it is minus the largest excess, so that they rank behind. The distance is the
share of rows on which labels differ, the total variation of probabilities, or of regressors, for which the method was
made, the root of the mean squared difference of values; all are metrics. With few labels
training errors are 0, and then only candidates that agree with the first of these on the whole pool are accepted.

References
----------
Schuurmans & Southey (2002). Metric-based methods for adaptive model selection and regularization. Machine Learning 48.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from foldless.core import Choice, Criterion, Evaluation, Task, Traits
from foldless.criteria import register
from foldless.judging import _distances as distances
from foldless.judging._pool_distances import on_labels_and_pool


@register("tri", place=11)
@dataclass(frozen=True)
class TRI(Criterion):
    """Rank by complexity among the candidates that the triangle inequality allows.

    Parameters
    ----------
    answers : "labels" or "probabilities"
        The predictions that distances compare; of regressors they are values.
    """

    answers: Literal["labels", "probabilities"] = "labels"

    needs: ClassVar[frozenset[str]] = frozenset({"pool"})
    traits: ClassVar[Traits] = Traits(regression=True, compares=True)
    assumes: ClassVar[tuple[str, ...]] = (
        "labeled and pool rows are drawn from the same population",
        "candidates are ordered from the simplest to the most complex",
        "the score is a position in this order and does not estimate an error",
    )

    def evaluate(self, task: Task) -> Evaluation:
        on_labels, on_pool = yield from on_labels_and_pool(task, self.answers)
        errors = [distances.from_truth(answer, task.y) for answer in on_labels]
        choices = []
        for k, c in enumerate(task.candidates):
            excess = [on_pool.between(j, k) - errors[j] - errors[k] for j in range(k)]
            worst = int(np.argmax(excess)) if excess else 0
            broken = bool(excess) and excess[worst] > self.traits.tolerance
            note = f"too far from {task.candidates[worst].name}" if broken else f"error {errors[k]:.4g}"
            choices.append(Choice(c, -excess[worst] if broken else float(k), (task.full(c),), notes=(note,)))
        return choices
