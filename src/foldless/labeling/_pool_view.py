"""What strategies see of a pool: how the leaders label it, how sure they are, and where its rows are.

Every leader is trained on all labels and on a few bootstraps of them, so that a single leader disagrees with itself
where labels are few. At most MAX_POOL_ROWS rows, drawn at random, are looked at.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from foldless.accuracy._distributions import average_ranks
from foldless.core import Array, Ask, Candidate, Classes, Response
from foldless.core._threads import blas_for
from foldless.data._features import n_rows, take
from foldless.data._numbers import as_numbers
from foldless.data._overlap import hashed
from foldless.data._sample import Sample
from foldless.engine._run import Engine
from foldless.errors import CandidatesFailed
from foldless.results._selection_parts import SelectionInputs
from foldless.results.finding import among

MAX_POOL_ROWS = 10_000
RESAMPLES = 3
DIRECTIONS = 50  # that texts and other sparse rows are reduced to


@dataclass(frozen=True, eq=False)
class PoolView:
    """Answers of the leaders about some pool rows, and the rows' features.

    Attributes
    ----------
    ground : data and candidates of the search
    read : positions in the pool of the rows that are looked at
    sampled : the probability of a row to be looked at
    shares : (rows, classes) the leaders' mean probability of each class, by weight; of values their mean and spread
    unsure : (rows,) how unsure the leaders are, from 0 to 1, compared with the other rows; of values the spread. It is
        the mean of the leaders' ranks, or the rank of their average
    votes : (fits, rows) class codes of each fit, or its values
    weights : (fits,) of the votes, adding up to 1
    full : (fits,) whether a fit was trained on all labels
    n_fits : how many fits were trained
    """

    ground: SelectionInputs
    read: Array
    sampled: float
    shares: Array
    unsure: Array
    votes: Array
    weights: Array
    full: Array
    n_fits: int
    rng: np.random.Generator

    @property
    def regression(self) -> bool:
        return self.ground.task.regression

    @property
    def labels(self) -> Array:
        """What the leaders say on the whole."""
        return np.asarray(self.shares[:, 0] if self.regression else self.shares.argmax(axis=1))

    @cached_property
    def features(self) -> tuple[Array, Array]:
        """Labeled rows and pool rows as dense numbers; sparse ones by their first principal directions."""
        data: Sample = self.ground.data
        try:
            both = as_numbers([data.labeled, take(data.pool, self.read)], self.rng)
        except (TypeError, ValueError):  # rows that are neither numbers nor texts: only their labels tell them apart
            n = len(data.y)
            both = np.vstack([np.zeros((n, self.shares.shape[1])), self.shares])
        if sparse.issparse(both):
            both = _reduced(both, self.rng)
        if not both.shape[1]:  # all columns are constant
            both = np.zeros((len(data.y) + len(self.read), 1))
        return both[: len(data.y)], both[len(data.y) :]


def look(
    ground: SelectionInputs,
    leaders: Mapping[Candidate, float],
    rng: np.random.Generator,
    *,
    copies: bool = True,
    resamples: int = RESAMPLES,
    average: bool = False,
) -> PoolView:
    """Ask the leaders about the pool; ``copies`` says whether rows that equal a labeled one are looked at too.

    ``average`` says that they are members of an average of probabilities, which is as unsure as its margin is small.

    Rows that are labeled rows beyond chance have a label, and are not.
    """
    task = ground.task
    open_rows = _without_label(ground.data)
    n = len(open_rows)
    read = open_rows if n <= MAX_POOL_ROWS else np.sort(rng.choice(open_rows, MAX_POOL_ROWS, replace=False))
    sampled = len(read) / n
    read = read if copies else _new(ground.data, read)
    rows = task.unlabeled.at(read)
    trains = [draw.train for draw in task.bootstraps(resamples)] if resamples else []
    asks: list[tuple[Ask, float]] = []
    for candidate, weight in leaders.items():
        fits = [task.full(candidate), *(task.fit(candidate, train) for train in trains)]
        response = candidate.respond("probabilities", "scores") if isinstance(task.target, Classes) else None
        asks += [(Ask(fit, rows, response or task.response), weight / len(fits)) for fit in fits]
    engine = Engine(ground.data, ground.recipes, n_jobs=ground.n_jobs)
    with blas_for(ground.data.n_rows):
        engine.answer([ask for ask, _ in asks])
    answered = [(ask, engine.answers[ask], weight) for ask, weight in asks if ask in engine.answers]
    if not answered:
        raise CandidatesFailed(f"no leading candidate answers about the pool: {engine.error(asks[0][0])}")
    weights = np.array([weight for *_, weight in answered])
    weights = weights / weights.sum()
    full = np.array([ask.fit.rows == task.labeled for ask, *_ in answered])
    if task.regression:
        votes = np.array([answer for _, answer, _ in answered])
        middle = weights @ votes
        unsure = np.sqrt(weights @ (votes - middle) ** 2)
        shares = np.column_stack([middle, unsure])
    else:
        votes = np.empty((len(answered), len(read)), dtype=np.int64)
        shares, unsure = np.zeros((len(read), task.n_classes)), np.zeros(len(read))
        for at, (ask, answer, _) in enumerate(answered):
            probabilities = _probabilities(answer, ask.response, task.n_classes)
            votes[at] = answer if ask.response == "labels" else probabilities.argmax(axis=1)
            shares += weights[at] * probabilities
            unsure += 0.0 if average else weights[at] * _ranks(probabilities)
        unsure = _ranks(shares) if average else unsure
    return PoolView(ground, read, sampled, shares, unsure, votes, weights, full, len(engine.ran), rng)


def _without_label(data: Sample) -> Array:
    """Positions of the pool rows that are no labeled rows; all of them where there is no other."""
    every = np.arange(n_rows(data.pool))
    labeled = [row for finding in among(data.notes) if finding.code == "FL006" for row in finding.rows]
    rest = np.setdiff1d(every, labeled)
    return rest if len(rest) else every


def _new(data: Sample, read: Array) -> Array:
    """Those of the rows whose content no labeled row has; all of them where there is no such row."""
    try:
        labeled_digests, digests, *_ = hashed(data.labeled, take(data.pool, read))
    except (TypeError, ValueError):  # rows without a content that can be compared
        return read
    new = read[~np.isin(digests, labeled_digests)]
    return new if len(new) else read


def _probabilities(answer: Array, response: Response, n_classes: int) -> Array:
    """An answer as a share of each class; scores by their softmax."""
    if response == "labels":
        return np.asarray(np.eye(n_classes)[np.maximum(answer, 0)] * (answer >= 0)[:, None])
    if response == "probabilities":
        return np.asarray(answer, dtype=float)
    top = answer.max(axis=1, keepdims=True)
    shares = np.exp(np.where(np.isfinite(top), answer - top, 0.0))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _ranks(shares: Array) -> Array:
    """The share of rows about which a fit is surer, by 1 − (p₁ − p₂), with ties in between: models differ in scale."""
    first = np.partition(shares, -2, axis=1)[:, -2:]
    return np.asarray((average_ranks(1 - (first[:, 1] - first[:, 0])) - 0.5) / len(shares))


def _reduced(X: Any, rng: np.random.Generator) -> Array:
    from sklearn.decomposition import TruncatedSVD

    directions = min(DIRECTIONS, min(X.shape) - 1)
    if directions < 2:
        return np.asarray(X.toarray())
    return np.asarray(TruncatedSVD(directions, random_state=int(rng.integers(2**31))).fit_transform(X))
