"""Choose the candidate that performs best on data sets like the real one, with sampled labels that are known.

Every candidate is trained on the real data. Their mean gives the probability of each class at each of the n labeled and
u pool rows: P̂(y|x) = Σ_m P(m) p_m(y|x). Then d times: n random rows become the labeled ones, all labels are sampled
from P̂, and the candidates are trained again and scored on the other u rows. With four labels, which are too few for
folds, this measures how well a candidate learns from four labels what all candidates predict together.

``answers="labels"`` (SDS-L) averages predicted labels instead of probabilities, and samples again until every class is
among the n rows. ``updates`` weights the candidates by their scores s on the data sets j, P(m) ← mean_j P(m | s_j) with
P(m | s_j) ∝ P(m) exp s(m, j), and samples new data sets from the new P̂; the fits on the real data are kept.

If samples rarely contain all classes, such as ten rows for ten classes, they are not just repeated: a row is sampled
for every rare class c, by P̂(c|x), then the others as before, and the sample is accepted with probability 1 / Π_c n_c,
where n_c is its number of rows of class c: each of them could have come first, so that the sample occurs Π_c n_c times
too often. Both ways give the same distribution of data sets.

Of regressors P̂(y|x) is the density of their values at x, by Gaussian kernels of Silverman's width: to sample from it, a
candidate is drawn by P(m), and noise of that width is added to its value.

Decisions where the paper is silent: a class with P̂ = 0 everywhere is not required. No class is required, in any data
set, with fewer rows than classes or if 10,000 samples do not contain them all. A row without a predicted class has the
class shares of the labels.

References
----------
Quanz & Huan (2012). Model selection for semi-supervised learning with limited labeled data. ITTC-FY2013-TR-65071-01.
Section 3, equations 3.1 to 3.3.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from scipy.special import log_softmax, logsumexp

from foldless.core import Array, Ask, Choice, Classes, Criterion, Evaluation, Fit, Response, Rows, Task, Traits
from foldless.core._resampling import check_whole
from foldless.criteria import register
from foldless.errors import BadInput, CannotAnswer
from foldless.judging._judge import Judge, Scoring
from foldless.judging._scoring import judge_of

PATIENCE = 10_000  # samples of a data set that may lack a class
SILVERMAN = 1.06  # of the standard deviation: the width of a Gaussian kernel for n = 1
PLAIN = 1_000  # of them before rows are sampled for rare classes first
Score = tuple[float, tuple[float, ...]]


class DataSet(NamedTuple):
    """The labeled rows of a sampled data set and the other rows, with the sampled labels of both."""

    train: Rows
    y: Array
    rest: Rows
    truth: Array


@register("similar_data", place=9)
@dataclass(frozen=True)
class SimilarData(Criterion):
    """Rank by the mean score over data sets with sampled labels.

    Parameters
    ----------
    samples : int
        The number of data sets; each takes one fit per candidate, and one more fit uses the real data.
    answers : "labels" or "probabilities"
        The predictions for the real rows from which labels are sampled. Labels sampled from probabilities near one half
        carry little information, even if the candidates agree. Of regressors they are values.
    updates : int
        How often the weights of the candidates are updated; each time new data sets are sampled.
    scoring : str or callable
        A scikit-learn scorer; updates need one of labels, such as "matthews_corrcoef".
    clamp_labeled : bool
        Whether labeled rows keep their true label in all data sets.
    """

    samples: int = 100
    answers: Literal["labels", "probabilities"] = "labels"
    updates: int = 0
    scoring: Scoring = "accuracy"
    clamp_labeled: bool = False

    needs: ClassVar[frozenset[str]] = frozenset({"pool"})
    traits: ClassVar[Traits] = Traits(regression=True, compares=True, trains_on_pool=True)
    assumes: ClassVar[tuple[str, ...]] = (
        "labeled and pool rows are drawn from the same population",
        "the mean prediction of the candidates is near the truth: an error that most of them share is not seen",
        "the score is that of fits on sampled labels: it ranks candidates and does not estimate an error",
    )

    def evaluate(self, task: Task) -> Evaluation:
        self._check(task)
        judge = judge_of(self.scoring, task)
        responses = self._responses(task, judge)
        parts = (task.labeled, task.unlabeled)
        response: Response = self.answers if isinstance(task.target, Classes) else task.response
        answers = yield [Ask(task.full(c), rows, response) for c in task.candidates for rows in parts]
        predictions = [np.concatenate(pair) for pair in zip(answers[::2], answers[1::2], strict=True)]
        log_weights, rng = np.full(len(predictions), -np.log(len(predictions))), task.rng("similar data")
        drawing = self._drawing(task, predictions, log_weights, rng)
        scores = yield from self._scores(task, drawing, judge, responses)
        notes = drawing.notes
        for _ in range(self.updates):
            log_weights = updated(log_weights, np.array([each for _, each in scores]))
            drawing = self._drawing(task, predictions, log_weights, rng)
            scores = yield from self._scores(task, drawing, judge, responses)
            notes += drawing.notes
        return [
            Choice(c, score, (task.full(c),), each, tuple(dict.fromkeys([*notes, *_narrow(task, on_pool)])))
            for c, (score, each), on_pool in zip(task.candidates, scores, answers[1::2], strict=True)
        ]

    def _drawing(
        self, task: Task, predictions: list[Array], log_weights: Array, rng: np.random.Generator
    ) -> "_Drawing | _DrawnValues":
        if isinstance(task.target, Classes):
            return _Drawing(task, self.mixture(task, predictions, log_weights), self.answers == "labels", rng)
        known = task.y if self.clamp_labeled else None
        return _DrawnValues(task, np.array(predictions), np.exp(log_weights), known, rng)

    def _scores(
        self, task: Task, drawing: "_Drawing | _DrawnValues", judge: Judge, responses: Sequence[Response]
    ) -> Generator[list[Ask], list[Array], list[Score]]:
        """The score of every candidate over new data sets, and its score on each of them."""
        sets = drawing.sets(self.samples)
        answers = yield [
            Ask(Fit(c, data.train, data.y, data.rest), data.rest, response)
            for c, response in zip(task.candidates, responses, strict=True)
            for data in sets
        ]
        truths = [data.truth for data in sets]
        try:
            return [
                judge.over_splits(response, truths, answers[at * len(sets) : (at + 1) * len(sets)])
                for at, response in enumerate(responses)
            ]
        except CannotAnswer as error:
            absent = np.setdiff1d(np.arange(task.n_classes), np.concatenate(truths))
            if not len(absent):
                raise
            names = ", ".join(str(label) for label in task.classes[absent])
            raise CannotAnswer(
                f"no data set has the class {names}, and scoring {self.scoring!r} has no value without it: "
                f"use a metric of labels, such as 'accuracy' or 'matthews_corrcoef'"
            ) from error

    def mixture(self, task: Task, predictions: list[Array], log_weights: Array) -> Array:
        """P̂: the mean probability of each class at each labeled row, then at each pool row."""
        mixture, rows = np.zeros((len(predictions[0]), task.n_classes)), np.arange(len(predictions[0]))
        for predicted, weight in zip(predictions, np.exp(log_weights), strict=True):
            if predicted.ndim == 1:
                known = predicted >= 0
                mixture[rows[known], predicted[known]] += weight
            else:
                mixture += weight * predicted
        total = mixture.sum(axis=1, keepdims=True)
        mixture = np.where(total > 0, mixture / np.where(total > 0, total, 1), task.class_shares())
        if self.clamp_labeled:
            mixture[: len(task.y)] = np.eye(task.n_classes)[task.y]
        return mixture

    def _responses(self, task: Task, judge: Judge) -> list[Response]:
        """The response that each candidate gives on the data sets."""
        responses = [judge.response(c) for c in task.candidates]
        if self.updates and set(responses) != {task.response}:
            raise BadInput(
                f"updates need a score on every data set, and scoring {self.scoring!r} may have none if a class is "
                f"absent: use a metric of labels such as 'accuracy', or updates=0"
            )
        return responses

    def _check(self, task: Task) -> None:
        if self.answers not in ("labels", "probabilities"):
            raise BadInput(f"answers must be 'labels' or 'probabilities', got {self.answers!r}")
        check_whole("samples", self.samples)
        check_whole("updates", self.updates, 0)
        for c in task.candidates if isinstance(task.target, Classes) else ():
            if self.answers not in c.responses:
                raise CannotAnswer(
                    f"{self.name} samples labels from probabilities, which candidate {c.name!r} does not give: "
                    f"use answers='labels'"
                )


class _Drawing:
    """Samples data sets from P̂, and notes which classes they may lack."""

    def __init__(self, task: Task, mixture: Array, one_of_each: bool, rng: np.random.Generator):
        self._rows = np.concatenate([task.labeled.indices, task.unlabeled.indices])
        self._n, self._n_classes, self._rng = len(task.labeled), task.n_classes, rng
        self._mixture, self._cumulative = mixture, np.cumsum(mixture, axis=1)
        possible = mixture.any(axis=0)
        self._required = np.flatnonzero(possible) if one_of_each else np.empty(0, dtype=np.intp)
        self._first = np.empty(0, dtype=np.intp)  # classes for which rows are sampled first
        self.notes: list[str] = []
        if not possible.all():
            absent = ", ".join(str(label) for label in task.classes[~possible])
            self.notes.append(f"no candidate predicts {absent}, so no data set has this class")
        if len(self._required) > self._n:
            self._give_up(f"{self._n} labels are fewer than {len(self._required)} classes")

    def sets(self, n: int) -> list[DataSet]:
        """``n`` data sets; if one of them cannot have every class, no class is required in any of them."""
        drawn: list[DataSet] = []
        while len(drawn) < n:
            if (data := self.draw()) is None:
                self._give_up(f"{PATIENCE:,} samples of a data set did not contain every class")
                drawn = []
            else:
                drawn.append(data)
        return drawn

    def draw(self) -> DataSet | None:
        """Labeled rows, sampled until they have the required classes, and the other rows; None if that fails."""
        for attempt in range(PATIENCE):
            if attempt == PLAIN:  # both ways have the same distribution
                self._first = self._rare()
            at, y = self._plain() if not len(self._first) else self._seated()
            counts = np.bincount(y, minlength=self._n_classes)
            if counts[self._required].all() and self._kept(counts):
                others = np.delete(np.arange(len(self._rows)), at)
                return DataSet(Rows(self._rows[at]), y, Rows(self._rows[others]), self._labels(others))
        return None

    def _plain(self) -> tuple[Array, Array]:
        at = np.sort(self._rng.choice(len(self._rows), self._n, replace=False, shuffle=False))
        return at, self._labels(at)

    def _seated(self) -> tuple[Array, Array]:
        """A row for each of the first classes, other rows at random; no rows if a row is sampled for two classes."""
        seats = np.array([np.searchsorted(c, self._rng.random() * c[-1], side="right") for c in self._seats])
        if len(np.unique(seats)) < len(seats):
            return seats[:0], seats[:0]
        free = np.delete(np.arange(len(self._rows)), seats)
        others = free[self._rng.choice(len(free), self._n - len(seats), replace=False, shuffle=False)]
        at, y = np.concatenate([seats, others]), np.concatenate([self._first, self._labels(others)])
        order = np.argsort(at)
        return at[order], y[order]

    @cached_property
    def _seats(self) -> Array:
        """For each of the first classes, the cumulative sums of P̂ over the rows."""
        return np.cumsum(self._mixture[:, self._first].T, axis=1)

    def _rare(self) -> Array:
        """The classes to sample first, so that as many samples as possible are accepted; none if that does not help.

        With k of them 1 / M times as many are accepted as without, M = Π_c (rows of c among N) · (n)_k / (N)_k.
        """
        n, rows, k = self._n, len(self._rows), np.arange(len(self._required))
        expected = n * self._mixture.mean(axis=0)[self._required]
        order = np.argsort(expected, kind="stable")
        cost = np.cumsum(np.log(expected[order] * (n - k) / n * rows / (rows - k)))
        return self._required[order[: cost.argmin() + 1]] if cost.min() < 0 else self._required[:0]

    def _kept(self, counts: Array) -> bool:
        return not len(self._first) or bool(self._rng.random() * counts[self._first].prod() < 1)

    def _labels(self, at: Array) -> Array:
        """Labels for the rows at these positions; a class of probability 0 is never sampled."""
        below = self._cumulative[at]
        drawn: Array = (below[:, :-1] <= self._rng.random((len(at), 1)) * below[:, -1:]).sum(axis=1)
        return drawn

    def _give_up(self, reason: str) -> None:
        self._required = self._first = np.empty(0, dtype=np.intp)
        self.notes.append(f"{reason}: data sets may lack a class")


class _DrawnValues:
    """Samples data sets whose values are those of the candidates, with noise as wide as they differ."""

    def __init__(self, task: Task, values: Array, weights: Array, known: Array | None, rng: np.random.Generator):
        self._rows = np.concatenate([task.labeled.indices, task.unlabeled.indices])
        self._n, self._values, self._weights, self._known, self._rng = len(task.labeled), values, weights, known, rng
        mean = weights @ values
        self._width = SILVERMAN * np.sqrt(weights @ np.square(values - mean)) * len(values) ** -0.2
        self.notes: list[str] = []

    def sets(self, n: int) -> list[DataSet]:
        """``n`` data sets."""
        return [self._draw() for _ in range(n)]

    def _draw(self) -> DataSet:
        every = len(self._rows)
        who = self._rng.choice(len(self._values), every, p=self._weights / self._weights.sum())
        y = self._values[who, np.arange(every)] + self._width * self._rng.standard_normal(every)
        if self._known is not None:
            y[: self._n] = self._known
        at = np.sort(self._rng.choice(every, self._n, replace=False, shuffle=False))
        others = np.delete(np.arange(every), at)
        return DataSet(Rows(self._rows[at]), y[at], Rows(self._rows[others]), y[others])


def _narrow(task: Task, on_pool: Array) -> list[str]:
    """The note for a candidate that never predicts some class: sampled labels are then easy for it to learn."""
    if not isinstance(task.target, Classes):
        return []
    labels = on_pool if on_pool.ndim == 1 else on_pool.argmax(axis=1)
    predicted = len(np.unique(labels[labels >= 0]))
    return [f"predicts {predicted} of {task.n_classes} classes"] if predicted < task.n_classes else []


def updated(log_weights: Array, scores: Array) -> Array:
    """New log P(m): the mean over data sets of the posteriors of the old ones. Rows of ``scores`` are candidates."""
    posteriors = log_softmax(log_weights[:, None] + scores, axis=0)
    return np.asarray(logsumexp(posteriors, axis=1) - np.log(scores.shape[1]))
