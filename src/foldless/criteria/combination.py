"""An average of the candidates, weighted by what they say of rows that they were not trained on.

Every candidate is trained on k folds and asked for the probabilities of the rows left out; scores become probabilities
by one temperature for each candidate. ``judging._combining`` finds the weights, half of them such that the log loss is
small and half for the most accurate. The members are then trained on every label, and average their probabilities.

Members that the pool teaches are judged like all others. They have no weight if the pool is not like the labels: that
is tested by the answers of the first candidate that learns from labels alone, on pool rows and on rows left out.

The score of the average is its accuracy on rows left out, with weights found without the fold of the row: weights that
had seen a row would be too optimistic about it.

With another metric than accuracy, that metric takes the place of accuracy everywhere: half of the weight goes to the
members that are best by it, and the score is that of all rows left out together.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import ceil
from typing import ClassVar

import numpy as np

from foldless.accuracy._shift import FEWEST, ModelOutputs, outputs_test
from foldless.accuracy._temperature import probabilities, temperature
from foldless.core import (
    Array,
    Ask,
    Candidate,
    Choice,
    Criterion,
    Evaluation,
    Fit,
    Fold,
    OutOfTime,
    Rank,
    Response,
    Task,
    Traits,
)
from foldless.core._memory import check_room, free_bytes
from foldless.core._resampling import Splitter
from foldless.core._vote import Vote
from foldless.criteria import INDEPENDENT, register
from foldless.errors import CannotAnswer
from foldless.judging._combining import MOST_ACCURATE, log_losses, member_weights
from foldless.judging._judge import Scoring
from foldless.judging._pool_sums import predicted_of_pool
from foldless.judging._scoring import ClassJudge
from foldless.results.shift import LEVEL

BLOCKS = 10  # of rows, whose absence says how far chance moves a metric
WITNESSED = 1000  # pool rows that the comparison reads
SHIFTED = "the pool is not like the labels: what it teaches has no weight"

SMALL = 2**23  # bytes of a table that need no look at the memory: hundreds of them fit everywhere


@register("combination", place=15)
@dataclass(frozen=True)
class Combination(Criterion):
    """Offer an average of the candidates, weighted by their out-of-fold log loss and accuracy.

    Parameters
    ----------
    k : int, splitter or list of splits
        The folds.
    scoring : str or callable
        A scikit-learn scorer; the weights and the score go by it, beside log loss.
    """

    k: int | Splitter = 5
    scoring: Scoring = "accuracy"

    assumes: ClassVar[tuple[str, ...]] = (
        INDEPENDENT,
        "the score is of members trained on the other folds, with weights found there",
    )
    traits: ClassVar[Traits] = Traits(anytime=True, weighs_constants=True)

    def plan(self, task: Task) -> Sequence[tuple[int, int]]:
        """The folds of all candidates, then a fit on every label of those that have a weight: about a third."""
        k, n = len(self._folds(task)), len(task.candidates)
        return (k, n), (k + 1, ceil(n / 3))

    def _folds(self, task: Task) -> Sequence[Fold]:
        return task.folds(self.k if not isinstance(self.k, int) else min(self.k, task.n_units))

    def evaluate(self, task: Task) -> Evaluation:
        judge = None if self.scoring == "accuracy" else ClassJudge(self.scoring, task.classes)
        folds = self._folds(task)
        members: list[_OutOfFold] = []
        witness = _witness(task)
        of_pool: list[Array] = []
        room = _room_for_members(task)
        families: dict[str, list[Candidate]] = {}  # of one estimator: asked together, because they may share work
        for candidate in task.candidates:
            families.setdefault(str(candidate.params.get("estimator", "")), []).append(candidate)
        for together in families.values():
            asked = [Ask(task.fit(c, fold.train), fold.test, _response(c)) for c in together for fold in folds]
            n_asked = len(asked)
            if witness in together:
                # each for one of the folds: labeled rows are judged by one of the fits, too
                order = task.rng("parts of the pool").permutation(len(task.unlabeled))[:WITNESSED]
                parts = [task.unlabeled.at(np.sort(order[at :: len(folds)])) for at in range(len(folds))]
                asked += [
                    Ask(task.fit(witness, fold.train), part, _response(witness))
                    for fold, part in zip(folds, parts, strict=True)
                ]
            answers: Sequence[Array | None]
            ended = False
            try:
                answers = yield asked
            except OutOfTime as error:
                answers, ended = error.answers, True
            of_pool += [answer for answer in answers[n_asked:] if answer is not None]
            for at, candidate in enumerate(together):
                of_folds = [answer for answer in answers[at * len(folds) : (at + 1) * len(folds)] if answer is not None]
                if len(of_folds) == len(folds) and len(members) < room:
                    members.append(_out_of_fold(task, candidate, folds, of_folds))
            if ended and not members:
                folds, members = _of_some_folds(task, together, folds, answers[:n_asked])
            if ended or len(members) == room:
                break
        if not members:
            raise OutOfTime
        known = np.flatnonzero(members[0].known)
        if not len(known):
            raise CannotAnswer("no row was left out of a fold: label more rows")
        row_weights = np.ones(len(task.y)) if task.draws.comparing is None else task.draws.comparing
        shifted = bool(of_pool) and _shifted(members, witness, of_pool, known)
        n_folds = len(self._folds(task))
        notes = (f"judged by {len(folds)} of {n_folds} folds",) if len(folds) < n_folds else ()
        table = _Table(task, members, folds, row_weights, judge, shifted=shifted, notes=notes)
        weights = table.weights(known)
        taken = np.flatnonzero(weights)
        offered = tuple(task.full(members[at].candidate) for at in taken)
        with suppress(OutOfTime):  # then the models are trained at the end
            yield [predicted_of_pool(task, fit) for fit in offered]
        vote = Vote("soft", tuple(weights[taken].tolist()), tuple(members[at].temperature for at in taken))
        vote = vote if any(vote.temperatures) else Vote("soft", vote.weights)
        return table.choices(known, int(weights.argmax()), offered, vote)


@dataclass(frozen=True, eq=False)
class _OutOfFold:
    """What a candidate says of rows left out: probabilities (n, K), where ``known``; and the scores of the splits."""

    candidate: Candidate
    probabilities: Array
    known: Array
    temperature: float | None
    splits: tuple[float, ...]


class _Table:
    """Members and rows, and the weights that they give to some of the rows."""

    def __init__(
        self,
        task: Task,
        members: Sequence[_OutOfFold],
        folds: Sequence[Fold],
        row_weights: Array,
        judge: ClassJudge | None = None,
        *,
        shifted: bool,
        notes: tuple[str, ...] = (),
    ):
        self._shifted, self._judge, self._notes = shifted, judge, notes
        taught = np.array([shifted and member.candidate.semi_supervised for member in members])
        self._weighed = np.flatnonzero(~taught)
        self._task, self._members, self._folds, self._row_weights = task, members, folds, row_weights
        y, rows = task.y, np.arange(len(task.y))
        every = np.array([member.probabilities for member in members])
        self._probabilities = every
        self._p_true = every[:, rows, y]
        self._right = (every.argmax(axis=2) == y).astype(float)

    def weights(self, rows: Array) -> Array:
        """The weights by these rows."""
        shares = self._row_weights[rows] / self._row_weights[rows].sum()
        rng = self._task.rng("members")
        weights, at = np.zeros(len(self._members)), self._weighed
        best = None if self._judge is None else self._best_by_metric(rows)
        right = self._right[np.ix_(at, rows)]
        weights[at] = member_weights(self._p_true[np.ix_(at, rows)], right, shares, rng, best)
        return weights

    def _best_by_metric(self, rows: Array) -> Array:
        """Weights of the members that are best by the metric: by how far chance alone may put them behind the first."""
        blocks = np.arange(len(rows)) % BLOCKS
        at = self._weighed
        scores = np.array([self._metric(self._probabilities[member], rows) for member in at])
        if not np.isfinite(scores).any():
            return np.full(len(at), 1 / len(at))
        scores = np.where(np.isfinite(scores), scores, -np.inf)
        first = np.argsort(-scores, kind="stable")[:MOST_ACCURATE]
        without = np.array(
            [
                [self._metric(self._probabilities[at[member]], rows[blocks != block]) for block in range(BLOCKS)]
                for member in first
            ]
        )
        behind = without[0] - without
        behind = behind[:, np.isfinite(behind).all(axis=0)]
        n_blocks = max(2, behind.shape[1])
        spread = ((behind - behind.mean(axis=1, keepdims=True)) ** 2).sum(axis=1) if behind.size else np.zeros(1)
        errors = np.maximum(np.sqrt((n_blocks - 1) / n_blocks * spread), 1 / len(rows))
        weights = np.zeros(len(at))
        with np.errstate(invalid="ignore"):
            weights[first] = np.nan_to_num(np.exp((scores[first] - scores[first[0]]) / errors))
        return np.asarray(weights / weights.sum())

    def _metric(self, table: Array, rows: Array) -> float:
        """The metric of probabilities on some rows; NaN where these rows do not define it."""
        assert self._judge is not None
        return self._judge.of_probabilities(self._task.y[rows], table[rows])

    def choices(self, known: Array, first: int, offered: tuple[Fit, ...], vote: Vote) -> list[Choice]:
        """The average in the place of its heaviest member, then the candidates by accuracy and log loss."""
        shares = self._row_weights[known] / self._row_weights[known].sum()
        accuracy, of_average, splits = self._scores(known, shares)
        order = accuracy - 1e-3 * log_losses(self._p_true[:, known], shares)
        note = "1 model" if len(offered) == 1 else f"stands for the average of {len(offered)} models"
        notes = (note, *self._notes, SHIFTED) if self._shifted else (note, *self._notes)
        return [
            Choice(m.candidate, of_average, offered, splits, notes, vote=vote, rank=Rank(np.inf))
            if at == first
            else Choice(
                m.candidate, float(accuracy[at]), (self._task.full(m.candidate),),
                m.splits if self._judge is None else (), rank=Rank(float(order[at])),
            )
            for at, m in enumerate(self._members)
        ]  # fmt: skip

    def _scores(self, known: Array, shares: Array) -> tuple[Array, float, tuple[float, ...]]:
        """The scores of the members and of the average, and those of the average on each fold."""
        if self._judge is None:
            splits = tuple(self._accuracy(fold, known) for fold in self._folds)
            sizes = np.array([self._row_weights[fold.test.indices].sum() for fold in self._folds])
            return self._right[:, known] @ shares, float(np.asarray(splits) @ sizes / sizes.sum()), splits
        average = np.zeros_like(self._probabilities[0])
        for fold in self._folds:
            test = fold.test.indices
            average[test] = np.tensordot(self._weights_without(test, known), self._probabilities[:, test], 1)
        return (
            np.array([self._metric(table, known) for table in self._probabilities]), self._metric(average, known), (),
        )  # fmt: skip

    def _weights_without(self, test: Array, known: Array) -> Array:
        """The weights that the other folds give."""
        others = np.setdiff1d(known, test)
        return self.weights(others if len(others) else known)

    def _accuracy(self, fold: Fold, known: Array) -> float:
        """Of the average on one fold, with the weights that the others give."""
        test = fold.test.indices
        weights = self._weights_without(test, known)
        right = np.tensordot(weights, self._probabilities[:, test], 1).argmax(axis=1) == self._task.y[test]
        shares = self._row_weights[test]
        return float(right @ shares / shares.sum())


def _room_for_members(task: Task) -> int:
    """How many tables of probabilities, rows × classes, fit into half of the free memory, each of them twice."""
    table = 16 * len(task.y) * task.n_classes
    if table < SMALL:
        return len(task.candidates)
    check_room(2 * table, f"a table of {len(task.y):,} rows × {task.n_classes:,} classes", "choose by auto or k_fold")
    return max(1, free_bytes() // (2 * table))


def _witness(task: Task) -> Candidate | None:
    """The first candidate that learns from labels alone, where others learn from a pool that is in memory."""
    if task.pool.stored is not None or len(task.unlabeled) < FEWEST or len(task.y) < FEWEST:
        return None
    if not any(candidate.semi_supervised for candidate in task.candidates):
        return None
    return next((c for c in task.candidates if not c.semi_supervised and _response(c) != "labels"), None)


def _shifted(members: Sequence[_OutOfFold], witness: Candidate | None, of_pool: Sequence[Array], known: Array) -> bool:
    """Whether the classes that the witness predicts, or its confidence, are others in the pool than out of fold."""
    member = next((member for member in members if member.candidate == witness), None)
    if member is None or not of_pool:
        return False
    table = np.concatenate([np.asarray(answer, dtype=float) for answer in of_pool])
    if member.temperature is not None:
        table = probabilities(table, member.temperature)
    return pool_differs(member.probabilities[known], table)


def pool_differs(of_labels: Array, of_pool: Array) -> bool:
    """Whether probabilities (n, K) of labels and (m, K) of pool rows, by the same fits, are of two populations."""
    outputs = ModelOutputs(of_labels.argmax(axis=1), of_pool.argmax(axis=1), of_labels.max(axis=1), of_pool.max(axis=1))
    return outputs_test(outputs, of_labels.shape[1]) <= LEVEL


def _response(candidate: Candidate) -> Response:
    return candidate.respond("probabilities", "scores") or "labels"


def _out_of_fold(task: Task, candidate: Candidate, folds: Sequence[Fold], answers: Sequence[Array]) -> _OutOfFold:
    """The answers of all folds as one table of probabilities; labels count as certain."""
    response, n = _response(candidate), len(task.y)
    table, known = np.zeros((n, task.n_classes)), np.zeros(n, dtype=bool)
    for fold, answer in zip(folds, answers, strict=True):
        rows = fold.test.indices
        known[rows] = True
        if response == "labels":
            table[rows, answer] = 1.0
        else:
            table[rows] = answer
    fitted = None
    if response == "scores":
        fitted = temperature(table[known], task.y[known])
        table[known] = probabilities(table[known], fitted)
    table[~np.isfinite(table).all(axis=1)] = 1 / task.n_classes
    splits = tuple(float(np.mean(table[f.test.indices].argmax(axis=1) == task.codes(f.test))) for f in folds)
    return _OutOfFold(candidate, table, known, fitted, splits)


def _of_some_folds(
    task: Task, candidates: Sequence[Candidate], folds: Sequence[Fold], answers: Sequence[Array | None]
) -> tuple[list[Fold], list[_OutOfFold]]:
    """The folds that some candidate has answered where none has answered all, and the candidates with these answers."""
    by_candidate = {c: answers[at * len(folds) : (at + 1) * len(folds)] for at, c in enumerate(candidates)}
    answered = {c: {at for at, answer in enumerate(of) if answer is not None} for c, of in by_candidate.items()}
    most = max(answered.values(), key=len)
    some = [folds[at] for at in sorted(most)]
    return some, [
        _out_of_fold(task, c, some, [answer for at in sorted(most) if (answer := by_candidate[c][at]) is not None])
        for c in candidates
        if most and answered[c] >= most
    ]
