"""TRI: the most complex candidate that no simpler one contradicts, by the triangle inequality.

If h_j and h_k are both near the truth they are near each other. Training errors tell how near they seem to be, the
pool how far apart they are: if d_U(h_j, h_k) > error(h_j) + error(h_k), one of the errors is too good to be true, and
that is the more complex one's. Chosen is the last h_k that holds with every h_j before it.

Candidates must be given from the simplest to the most complex. The score is the position of a candidate that holds; of
one that does not it is minus its largest excess, so that it goes behind all that do. The distance is the share of rows
on which labels differ, or the total variation of probabilities, both metrics. With few labels training errors are 0 and
only candidates that agree with the first of these hold.

References
----------
Schuurmans & Southey (2002). Metric-based methods for adaptive model selection and regularization. Machine Learning 48.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from foldless.core import Choice, Criterion, Evaluation, Task, distances


@dataclass(frozen=True)
class TRI(Criterion):
    """Rank by complexity among the candidates that the triangle inequality allows.

    Parameters
    ----------
    answers : "labels" or "probabilities"
        What distances are measured by.
    """

    answers: Literal["labels", "probabilities"] = "labels"

    needs: ClassVar[frozenset[str]] = frozenset({"pool"})
    tolerance: ClassVar[float] = 1e-12
    assumes: ClassVar[tuple[str, ...]] = (
        "labeled and pool rows are drawn from the same population",
        "candidates are ordered from the simplest to the most complex",
        "the score is a place in this order and estimates no error",
    )

    def evaluate(self, task: Task) -> Evaluation:
        on_labels, on_pool = yield from distances.on_labels_and_pool(task, self.answers)
        errors = [distances.from_truth(answer, task.y) for answer in on_labels]
        choices = []
        for k, c in enumerate(task.candidates):
            excess = [distances.between(on_pool[j], on_pool[k]) - errors[j] - errors[k] for j in range(k)]
            worst = int(np.argmax(excess)) if excess else 0
            broken = bool(excess) and excess[worst] > self.tolerance
            note = f"too far from {task.candidates[worst].name}" if broken else f"error {errors[k]:.4g}"
            choices.append(Choice(c, -excess[worst] if broken else float(k), (task.full(c),), notes=(note,)))
        return choices
