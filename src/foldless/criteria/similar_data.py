"""Choose the candidate that does best on data sets like the real one, whose labels are known because they were drawn.

Every candidate is trained on the real data, and their mean says how likely each class is at each of the n labeled and
u pool rows: P̂(y|x) = Σ_m P(m) p_m(y|x). Then d times: n rows at random become the labeled ones, all labels are drawn
from P̂, and the candidates are trained again and scored on the other u rows. With four labels, of which folds make
nothing, this asks how well a candidate learns from four labels what the candidates together believe.

``answers="labels"`` (SDS-L) averages predicted labels instead of probabilities, and draws again until every class is
among the n rows. ``updates`` weighs the candidates by their scores s on the data sets j, P(m) ← mean_j P(m | s_j) with
P(m | s_j) ∝ P(m) exp s(m, j), and draws new data sets from the new P̂; the fits on the real data stay.

Where a draw of rows and labels hardly ever has all classes, such as ten rows for ten classes, it is not repeated until
it does: first a row is drawn for every rare class c, by P̂(c|x), then the others as before, and the draw
is kept with the probability 1 / Π_c n_c, n_c being its rows of class c: it could have begun with any of these, so it
comes up Π_c n_c times too often. Either way data sets have the same distribution.

What this file decides where the paper is silent: one row of every class is not asked of a class with P̂ = 0 everywhere,
and of none at all, in no data set, with fewer rows than classes or where 10,000 draws did not do; a row about which no
candidate names a class has the class shares of the labels.

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

from foldless.core import Array, Ask, Choice, Criterion, Evaluation, Fit, Response, Rows, Task
from foldless.core.resampling import check_whole
from foldless.core.scoring import Judge, Scoring
from foldless.errors import BadInput, CannotAnswer

PATIENCE = 10_000  # draws of one data set that may miss a class
PLAIN = 1_000  # of them before rows are drawn for the classes that few rows have
Score = tuple[float, tuple[float, ...]]


class DataSet(NamedTuple):
    """Rows that are labeled in a drawn data set and the others, with the labels drawn for both."""

    train: Rows
    y: Array
    rest: Rows
    truth: Array


@dataclass(frozen=True)
class SimilarData(Criterion):
    """Rank by the mean score over data sets with drawn labels.

    Parameters
    ----------
    samples : int
        Data sets; each is one fit per candidate, and one more is made on the real data.
    answers : "labels" or "probabilities"
        What the candidates say of the real rows, from which labels are drawn. Probabilities near one half draw labels
        that mean little, however much the candidates agree.
    updates : int
        How often the candidates are weighed again; each time new data sets are drawn.
    scoring : str or callable
        A scikit-learn scorer; updates need one of labels, such as "matthews_corrcoef".
    clamp_labeled : bool
        Whether labeled rows have their true label in all data sets.
    """

    samples: int = 100
    answers: Literal["labels", "probabilities"] = "labels"
    updates: int = 0
    scoring: Scoring = "accuracy"
    clamp_labeled: bool = False

    needs: ClassVar[frozenset[str]] = frozenset({"pool"})
    trains_on_pool: ClassVar[bool] = True
    assumes: ClassVar[tuple[str, ...]] = (
        "labeled and pool rows are drawn from the same population",
        "what the candidates say on average is near the truth: a shared mistake is not seen",
        "the score is of fits on drawn labels, so it ranks candidates and estimates no error",
    )

    def evaluate(self, task: Task) -> Evaluation:
        self._check(task)
        judge = Judge(self.scoring, task.classes)
        responses = self._responses(task, judge)
        parts = (task.labeled, task.unlabeled)
        answers = yield [Ask(task.full(c), rows, self.answers) for c in task.candidates for rows in parts]
        said = [np.concatenate(pair) for pair in zip(answers[::2], answers[1::2], strict=True)]
        log_weights, rng = np.full(len(said), -np.log(len(said))), task.rng("similar data")
        drawing = _Drawing(task, self.mixture(task, said, log_weights), self.answers == "labels", rng)
        scores = yield from self._scores(task, drawing, judge, responses)
        notes = drawing.notes
        for _ in range(self.updates):
            log_weights = updated(log_weights, np.array([each for _, each in scores]))
            drawing = _Drawing(task, self.mixture(task, said, log_weights), self.answers == "labels", rng)
            scores = yield from self._scores(task, drawing, judge, responses)
            notes += drawing.notes
        return [
            Choice(c, score, (task.full(c),), each, tuple(dict.fromkeys([*notes, *_narrow(task, on_pool)])))
            for c, (score, each), on_pool in zip(task.candidates, scores, answers[1::2], strict=True)
        ]

    def _scores(
        self, task: Task, drawing: "_Drawing", judge: Judge, responses: Sequence[Response]
    ) -> Generator[list[Ask], list[Array], list[Score]]:
        """The score of every candidate over new data sets, and on each of them."""
        sets = drawing.sets(self.samples)
        answers = yield [
            Ask(Fit(c, one.train, one.y, one.rest), one.rest, response)
            for c, response in zip(task.candidates, responses, strict=True)
            for one in sets
        ]
        truths = [one.truth for one in sets]
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
                f"no data set holds {names}, without which scoring {self.scoring!r} has no value: "
                f"use a metric of labels, such as 'accuracy' or 'matthews_corrcoef'"
            ) from error

    def mixture(self, task: Task, said: list[Array], log_weights: Array) -> Array:
        """P̂: how likely each class is at each labeled row, then at each pool row, by the candidates together."""
        mixture, rows = np.zeros((len(said[0]), task.n_classes)), np.arange(len(said[0]))
        for answer, weight in zip(said, np.exp(log_weights), strict=True):
            if answer.ndim == 1:
                named = answer >= 0
                mixture[rows[named], answer[named]] += weight
            else:
                mixture += weight * answer
        total = mixture.sum(axis=1, keepdims=True)
        mixture = np.where(total > 0, mixture / np.where(total > 0, total, 1), task.class_shares())
        if self.clamp_labeled:
            mixture[: len(task.y)] = np.eye(task.n_classes)[task.y]
        return mixture

    def _responses(self, task: Task, judge: Judge) -> list[Response]:
        """What each candidate is asked for on the data sets."""
        responses = [judge.response(c) for c in task.candidates]
        if self.updates and set(responses) != {"labels"}:
            raise BadInput(
                f"updates need a score on every data set, and scoring {self.scoring!r} may have none where a class is "
                f"absent: use a metric of labels such as 'accuracy', or updates=0"
            )
        return responses

    def _check(self, task: Task) -> None:
        if self.answers not in ("labels", "probabilities"):
            raise BadInput(f"answers must be 'labels' or 'probabilities', got {self.answers!r}")
        check_whole("samples", self.samples)
        check_whole("updates", self.updates, 0)
        for c in task.candidates:
            if self.answers not in c.responses:
                raise CannotAnswer(
                    f"{self.name} draws labels from probabilities, which candidate {c.name!r} does not give: "
                    f"use answers='labels'"
                )


class _Drawing:
    """Draws data sets from P̂, and notes what is odd about them."""

    def __init__(self, task: Task, mixture: Array, one_of_each: bool, rng: np.random.Generator):
        self._rows = np.concatenate([task.labeled.indices, task.unlabeled.indices])
        self._n, self._n_classes, self._rng = len(task.labeled), task.n_classes, rng
        self._mixture, self._cumulative = mixture, np.cumsum(mixture, axis=1)
        possible = mixture.any(axis=0)
        self._required = np.flatnonzero(possible) if one_of_each else np.empty(0, dtype=np.intp)
        self._first = np.empty(0, dtype=np.intp)  # classes that rows are drawn for first
        self.notes: list[str] = []
        if not possible.all():
            absent = ", ".join(str(label) for label in task.classes[~possible])
            self.notes.append(f"no candidate names {absent}, so no data set has it")
        if len(self._required) > self._n:
            self._give_up(f"{self._n} labels cannot hold one of each of {len(self._required)} classes")

    def sets(self, n: int) -> list[DataSet]:
        """So many data sets of one kind: where one cannot have every class, none of them has to."""
        drawn: list[DataSet] = []
        while len(drawn) < n:
            if (one := self.draw()) is None:
                self._give_up(f"{PATIENCE:,} draws for one data set did not hold one row of every class")
                drawn = []
            else:
                drawn.append(one)
        return drawn

    def draw(self) -> DataSet | None:
        """Rows to label, drawn until they hold the classes they should, and labels for the others."""
        for attempt in range(PATIENCE):
            if attempt == PLAIN:  # from now on; both ways draw from the same distribution
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
        """A row for each of the first classes, other rows at random; no rows where one is drawn for two classes."""
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
        """For each of the first classes, the sums of P̂ over the rows."""
        return np.cumsum(self._mixture[:, self._first].T, axis=1)

    def _rare(self) -> Array:
        """The classes to draw rows for first, so that a draw is kept as often as can be; none where that is rarer.

        With k of them it is kept 1 / M times as often as without, M = Π_c (rows of c among N) · (n)_k / (N)_k.
        """
        n, rows, k = self._n, len(self._rows), np.arange(len(self._required))
        expected = n * self._mixture.mean(axis=0)[self._required]
        order = np.argsort(expected, kind="stable")
        cost = np.cumsum(np.log(expected[order] * (n - k) / n * rows / (rows - k)))
        return self._required[order[: cost.argmin() + 1]] if cost.min() < 0 else self._required[:0]

    def _kept(self, counts: Array) -> bool:
        return not len(self._first) or bool(self._rng.random() * counts[self._first].prod() < 1)

    def _labels(self, at: Array) -> Array:
        """Labels for the rows at these positions; a class of probability 0 is never drawn."""
        below = self._cumulative[at]
        drawn: Array = (below[:, :-1] <= self._rng.random((len(at), 1)) * below[:, -1:]).sum(axis=1)
        return drawn

    def _give_up(self, why: str) -> None:
        self._required = self._first = np.empty(0, dtype=np.intp)
        self.notes.append(f"{why}: data sets may lack a class")


def _narrow(task: Task, on_pool: Array) -> list[str]:
    """What to say of a candidate that gives no pool row to some class: what it learns of drawn labels is easy."""
    labels = on_pool if on_pool.ndim == 1 else on_pool.argmax(axis=1)
    named = len(np.unique(labels[labels >= 0]))
    return [f"predicts {named} of {task.n_classes} classes"] if named < task.n_classes else []


def updated(log_weights: Array, scores: Array) -> Array:
    """New log P(m): the mean of what each data set makes of the old ones. Rows of ``scores`` are candidates."""
    posteriors = log_softmax(log_weights[:, None] + scores, axis=0)
    return np.asarray(logsumexp(posteriors, axis=1) - np.log(scores.shape[1]))
