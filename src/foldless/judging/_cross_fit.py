"""Cross-fitted answers: each labeled row by the fit that did not see it, the pool by the same fits.

Estimates that compare labels with the pool need answers of one kind on both: those of the fold fits. A fit on every
label is more confident on its own training rows than on any other.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import softmax

from foldless.core._resampling import Splitter
from foldless.core.ask import Ask, Candidate, Response
from foldless.core.rows import Array, Rows
from foldless.core.task import Fold, Task
from foldless.errors import CannotAnswer

CELLS, QUANTILES = 2**16, 100_000  # of the confidences of a pool in files: cells of a histogram, and its quantiles
AT_ONCE = 2**22  # scores that pass through a softmax at once
MAX_ANSWERS = 2_000_000  # numbers: beyond, each pool row is answered by one of the fold fits instead of all


@dataclass(frozen=True, eq=False)
class CrossFitted:
    """Predictions with their confidence: out of fold on the labels, and of every fold fit on the pool.

    Of a pool that stays in its files, ``pool_confidence`` are evenly spaced quantiles of the confidences on all of its
    rows, rounded to one of 65,536 values as those of the labels then are, and there are no ``pool_labels``.
    """

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
        if self.response == "probabilities":
            return np.vstack([answer.argmax(axis=1), answer.max(axis=1)])
        step = max(1, AT_ONCE // max(1, answer.shape[1]))  # of many classes, a softmax takes several times its memory
        parts = [softmax(answer[at : at + step], axis=1).max(axis=1) for at in range(0, len(answer), step)]
        return np.vstack([answer.argmax(axis=1), np.concatenate([np.empty(0), *parts])])


@dataclass(frozen=True)
class ConfidenceShares:
    """The share of rows in each cell of confidence: what a pool in files sends of probabilities or scores (n, K)."""

    response: Response

    def __call__(self, answer: Array) -> Array:
        _, confidence = Confidence(self.response)(answer)
        return np.bincount(_cells(confidence), minlength=CELLS) / len(answer)


def cross_fitted(task: Task, k: int | Splitter, needed_by: str) -> Generator[list[Ask], list[Array], list[CrossFitted]]:
    """Ask the fold fits of every candidate about the rows left out and about the pool."""
    folds = task.folds(k)
    responses = [_response(c, needed_by) for c in task.candidates]
    stored = task.pool.stored is not None
    of_pool, join = (ConfidenceShares, _joined_cells) if stored else (Confidence, _joined)
    answers = yield [
        Ask(task.fit(c, train), rows, response, reduce)
        for c, response in zip(task.candidates, responses, strict=True)
        for train, test in folds
        for rows, reduce in ((test, Confidence(response)), (task.pool.every, of_pool(response)))
    ]
    each = 2 * len(folds)
    truth = np.concatenate([task.codes(test) for _, test in folds])
    return [join(answers[at : at + each], truth) for at in range(0, len(answers), each)]


def _cells(confidence: Array) -> Array:
    return np.rint(confidence * (CELLS - 1)).astype(np.intp)


def _joined_cells(answers: list[Array], truth: Array) -> CrossFitted:
    """The same of a pool in files, whose confidences are counted in cells."""
    labels, confidence = np.concatenate(answers[::2], axis=1)
    ends = np.cumsum(np.mean(answers[1::2], axis=0))
    at = np.searchsorted(ends / ends[-1], (np.arange(QUANTILES) + 0.5) / QUANTILES)
    values = np.arange(CELLS) / (CELLS - 1)
    return CrossFitted(labels.astype(np.int64), values[_cells(confidence)], truth, np.empty(0, np.int64), values[at])


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


@dataclass(frozen=True, eq=False)
class Counted:
    """Answers that class shares are counted by: out of fold on every labeled row, and of the fold fits on the pool.

    They are probabilities (n, K), or class codes (n,) where a candidate has neither probabilities nor scores. Pool row
    i of n has ``times`` answers, at i, i + n, i + 2n: fold fits that answer the pool as they answer the rows left out
    are what makes both comparable.
    """

    answers: Array
    pool: Array | None = None
    times: int = 1


def stratified_folds(task: Task, k: int) -> list[Fold]:
    """k folds that share out each class evenly, so that the mean of the fold fits is the same on labels and pool."""
    if task.groups is not None:
        return task.folds(min(k, len(np.unique(task.groups))))
    rng, n = task.rng("stratified folds"), len(task.y)
    order = rng.permutation(n)
    order = order[np.argsort(task.y[order], kind="stable")]
    fold = np.empty(n, dtype=int)
    fold[order] = np.arange(n) % min(k, n)  # dealt out like cards, class by class
    return [
        Fold(task.labeled.at(np.flatnonzero(fold != at)), task.labeled.at(np.flatnonzero(fold == at)))
        for at in range(min(k, n))
    ]


def counted_answers(
    task: Task, folds: list[Fold], candidates: Sequence[Candidate], *, pool: bool
) -> Generator[list[Ask], list[Array], list[Counted]]:
    """Ask the fold fits of some candidates about the rows left out, and about the pool if that is wanted."""
    responses = {c: c.respond("probabilities", "scores") or "labels" for c in candidates}
    parts = _pool_parts(task, len(folds)) if pool else []
    asks = [
        Ask(task.fit(c, train), rows, responses[c])
        for c in candidates
        for at, (train, test) in enumerate(folds)
        for rows in ([test, parts[at]] if pool else [test])
    ]
    answers = yield asks
    each = len(asks) // len(candidates)
    return [
        _counted(task, folds, parts, [_plain(a, responses[c]) for a in answers[at * each : (at + 1) * each]])
        for at, c in enumerate(candidates)
    ]


def _pool_parts(task: Task, k: int) -> list[Rows]:
    """The pool rows that each fold fit answers: all of them, or a random part where they are many."""
    n = len(task.unlabeled)
    if n * k * task.n_classes <= MAX_ANSWERS:
        return [task.unlabeled] * k
    fold = task.rng("fold of pool rows").permutation(n) % k
    return [task.unlabeled.at(np.flatnonzero(fold == at)) for at in range(k)]


def _counted(task: Task, folds: list[Fold], parts: list[Rows], answers: list[Array]) -> Counted:
    on_labels, on_pool = (answers[::2], answers[1::2]) if parts else (answers, [])
    first = on_labels[0]
    out_of_fold = np.zeros((len(task.labeled), *first.shape[1:]), dtype=first.dtype)
    for (_, test), answer in zip(folds, on_labels, strict=True):
        out_of_fold[test.indices] = answer
    if not parts:
        return Counted(out_of_fold)
    if len(parts[0]) == len(task.unlabeled):
        return Counted(out_of_fold, np.concatenate(on_pool), len(parts))
    pool = np.zeros((len(task.unlabeled), *first.shape[1:]), dtype=first.dtype)
    for rows, answer in zip(parts, on_pool, strict=True):
        pool[rows.indices - task.unlabeled.bounds[0]] = answer
    return Counted(out_of_fold, pool)


def _plain(answer: Array, response: Response) -> Array:
    """Probabilities or class codes; scores pass through a softmax."""
    if response == "scores":
        return softened(answer)
    return answer if response == "probabilities" else answer.astype(np.int64)


def softened(scores: Array) -> Array:
    """Probabilities (n, K) from scores (n, K), or from those (n,) of the second of two classes, by a softmax.

    Examples
    --------
    >>> softened(np.array([0.0, 0.5])).round(2)
    array([[0.5 , 0.5 ],
           [0.27, 0.73]])
    """
    scores = np.asarray(scores)
    return np.asarray(softmax(np.stack([-scores, scores], axis=1) if scores.ndim == 1 else scores, axis=1))
