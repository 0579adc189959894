"""Cross-fitted answers: each labeled row by the fit that did not see it, the pool by the same fits.

Estimates that compare labels with the pool need answers of one kind on both: those of the fold fits. A fit on every
label is more confident on its own training rows than on any other.
"""

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
from scipy.special import softmax

from foldless.core.ask import Ask, Candidate, Response
from foldless.core.resampling import Splitter
from foldless.core.rows import Array
from foldless.core.task import Task
from foldless.errors import CannotAnswer


@dataclass(frozen=True, eq=False)
class CrossFitted:
    """Predictions with their confidence: out of fold on the labels, and of every fold fit on the pool."""

    labels: Array
    confidence: Array
    truth: Array
    pool_labels: Array
    pool_confidence: Array

    @property
    def right(self) -> Array:
        """Whether each out-of-fold prediction is right."""
        return np.asarray(self.labels == self.truth)


@dataclass(frozen=True)
class Confidence:
    """What a worker sends of probabilities or scores (n, K): the predicted class and its probability, (2, n)."""

    response: Response

    def __call__(self, answer: Array) -> Array:
        probabilities = answer if self.response == "probabilities" else softmax(answer, axis=1)
        return np.vstack([answer.argmax(axis=1), probabilities.max(axis=1)])


def cross_fitted(task: Task, k: int | Splitter, needed_by: str) -> Generator[list[Ask], list[Array], list[CrossFitted]]:
    """Ask the fold fits of every candidate about the rows left out and about the pool."""
    folds = task.folds(k)
    responses = [_response(c, needed_by) for c in task.candidates]
    answers = yield [
        Ask(task.fit(c, train), rows, response, Confidence(response))
        for c, response in zip(task.candidates, responses, strict=True)
        for train, test in folds
        for rows in (test, task.unlabeled)
    ]
    each = 2 * len(folds)
    truth = np.concatenate([task.codes(test) for _, test in folds])
    return [_joined(answers[at : at + each], truth) for at in range(0, len(answers), each)]


def _joined(answers: list[Array], truth: Array) -> CrossFitted:
    (labels, confidence), (pool_labels, pool_confidence) = (
        np.concatenate(answers[start::2], axis=1) for start in (0, 1)
    )
    return CrossFitted(labels.astype(np.int64), confidence, truth, pool_labels.astype(np.int64), pool_confidence)


def _response(candidate: Candidate, needed_by: str) -> Response:
    response = candidate.respond("probabilities", "scores")
    if response is None:
        raise CannotAnswer(
            f"{needed_by} needs probabilities or scores, which candidate {candidate.name!r} does not give: "
            f"choose another criterion, or another estimator"
        )
    return response
