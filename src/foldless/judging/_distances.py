"""Average distances between candidates, and to the truth, from what they answer: total variation ½ Σ_y |p(y) − q(y)|.

Of labels that is the share of rows on which they differ; of probabilities and a true label it is 1 − p(truth). It is a
metric, so it obeys the triangle inequality; on an unseen class, −1, two answers are taken to differ. Of values it is
the root of the mean squared difference, in the unit of y.
"""

import numpy as np

from foldless.core import Array, Classes, Response, Task
from foldless.errors import BadInput, CannotAnswer


def check_answers(task: Task, answers: Response) -> Response:
    """What candidates are compared by, which all of them must give: labels, probabilities, or values."""
    if answers not in ("labels", "probabilities"):
        raise BadInput(f"answers must be 'labels' or 'probabilities', got {answers!r}")
    answers = answers if isinstance(task.target, Classes) else task.response
    for c in task.candidates:
        if answers not in c.responses:
            raise CannotAnswer(f"candidate {c.name!r} gives no {answers}, which distances need: use answers='labels'")
    return answers


def between(a: Array, b: Array) -> float:
    """The mean distance of two answers about the same rows: labels both, probabilities both, or values both."""
    if a.dtype.kind == "f" and a.ndim == 1:
        return float(np.sqrt(np.mean(np.square(a - b))))
    if a.ndim == 1:
        return float(np.mean((a != b) | (a < 0)))
    return float(np.abs(a - b).sum(axis=1).mean() / 2)


def from_truth(answer: Array, codes: Array) -> float:
    """The mean distance of an answer from true class codes, or true values."""
    if codes.dtype.kind == "f":
        return between(answer, codes)
    if answer.ndim == 1:
        return float(np.mean(answer != codes))
    return float(1 - answer[np.arange(len(codes)), codes].mean())
