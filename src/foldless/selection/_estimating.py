"""The estimate of the chosen model: what its fits, or copies of them on folds, say of rows they were not trained on.

A fit on every label is judged by five fits on folds, or by those of the criterion. It labels the pool itself, so that
what it has learned from more labels counts. A fit on a resample is judged by the rows that it left out. Of a vote or an
average, each row is judged by the fits that were not trained on it, which vote as those of the model do, with labels or
with probabilities; a pool row by the fits that vote for some labeled row, drawn for it, so that votes on both have the
same number of voters.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from foldless.accuracy._assumptions import CHOSEN, CONFIDENCE, DRAWN, ONE_POPULATION, ROUGH, SAME_POOL
from foldless.accuracy._held_out_accuracy import HeldOut, held_out_accuracy
from foldless.accuracy._held_out_r2 import held_out_r2
from foldless.accuracy._second_opinion import lead
from foldless.accuracy._shift import ModelOutputs
from foldless.accuracy._temperature import probabilities, temperature
from foldless.core import Array, Ask, Candidate, Choice, Fit, Fold, Response, Rows, Task
from foldless.engine._fits import answer_all
from foldless.engine._run import Engine
from foldless.errors import CannotAnswer
from foldless.judging._cross_fit import Confidence
from foldless.judging._value_scoring import goodness
from foldless.results.estimate import LIKE_LABELS, NEW_ROWS, Estimate
from foldless.results.out_of_fold import OutOfFoldAnswers
from foldless.selection._compared_rows import comparable, opinions, picked, read_pool
from foldless.selection._folds_asked import FOLDS, FoldsAsked, compared_rows

UNKNOWN = -2  # -1 is a row that a fit has no label for
ALIKE = 0.9  # of the rows of the winner that another candidate was judged on
ALIKE_IN_RACE = 0.5  # the same, where the folds that chose the winner judge it: of all that it was better than
NONE = "there is no estimate of the model's accuracy: {why}"
FEW = "it needs at least 10 labeled rows, got {n}"
CHOSEN_BY_HAND = "it needs at least 10 labels that were drawn with a known probability, got {n}"
FEWEST = 10


class Seen(NamedTuple):
    """What is predicted for labeled rows (UNKNOWN where no fit may) and for pool rows, and how confidently."""

    labels: Array
    confidence: Array | None = None
    pool: Array | None = None  # positions
    pool_labels: Array | None = None
    pool_confidence: Array | None = None
    trained_on: float = 1.0  # share of the model's labels that these fits had
    outputs: ModelOutputs | None = None  # of the same fits on labels and pool, to compare both


class AccuracyEstimation:
    """Asks the engine for what the estimate of a choice needs beyond what it was asked already.

    ``features`` says whether rows are described by themselves, and not by their similarity to other rows, ``refit``
    whether the model is trained in any case. With ``keep``, `out_of_fold` has the predictions for held-out labels.
    ``asked`` are fits on folds that a criterion made: where they have answered, no others are made.
    """

    def __init__(
        self,
        engine: Engine,
        task: Task,
        right: Mapping[Candidate, Array],
        *,
        features: bool = True,
        refit: bool = True,
        keep: bool = False,
        asked: FoldsAsked | None = None,
    ):
        self._keep, self._by_criterion = keep, asked
        self.out_of_fold: OutOfFoldAnswers | None = None
        self._engine, self._task, self._features, self._refit = engine, task, features, refit
        # five folds, or as many as there are rows or groups
        self.folds: list[Fold] = task.folds(min(FOLDS, task.n_units)) if task.n_units > 1 else []
        self.right = right
        self.trained = 0
        self._answered: list[Fold] = []  # folds of the criterion that are those of the estimate
        self.temperature: float | None = None  # of a choice that has scores and no probabilities

    def look(self, best: Choice) -> Seen | Estimate | CannotAnswer:
        """Ask for everything that the estimate of the best choice needs; of values, this is their estimate."""
        try:
            if (n := len(self._task.labeled)) < FEWEST:
                raise CannotAnswer(FEW.format(n=n))
            if (draws := self._engine.data.draws) is not None:
                self._check_draws(draws.probabilities)
            if self._task.regression:
                return self._of_values(best)
            if len(np.unique(self._task.y)) == n:
                raise CannotAnswer("every class has one label, and none can be held out")
            if any(fit.labels is not None for fit in best.fits):
                raise CannotAnswer("its members were trained on predicted labels")
            return self._one(best) if len(best.fits) == 1 else self._vote(best)
        except CannotAnswer as error:
            return error

    def estimate(
        self,
        choices: Sequence[Choice],
        best: Choice,
        seen: Seen | Estimate | CannotAnswer,
        *,
        pool_differs: bool = False,
    ) -> tuple[Estimate | None, list[str]]:
        """The estimate of the best choice from what was seen, and notes; it leaves out a pool that differs."""
        if isinstance(seen, CannotAnswer):
            return None, [NONE.format(why=seen.problem)]
        if isinstance(seen, Estimate):
            return (replace(seen, population=LIKE_LABELS) if pool_differs else seen), []
        task, known = self._task, seen.labels != UNKNOWN
        candidates = self._candidates(choices, best)
        groups = None if task.groups is None else task.groups[known]
        sure, pool = (None, None) if pool_differs else self._predictors(seen, known)
        held = HeldOut(
            (seen.labels == task.y)[known], sure, pool, None if candidates is None else candidates[:, known], groups,
            seen.trained_on, None if task.draws.estimating is None else task.draws.estimating[known],
            len(task.unlabeled),
        )  # fmt: skip
        interval = held_out_accuracy(held, CONFIDENCE, task.rng("estimate"))
        with_pool = pool is not None and interval.weight > 0
        population = SAME_POOL if with_pool else ONE_POPULATION
        judged = known if task.draws.estimating is None else known & (task.draws.estimating > 0)
        return Estimate(
            "accuracy", interval.value, interval.lower, interval.upper, CONFIDENCE,
            "held-out labels and the pool" if with_pool else "held-out labels",
            (population if task.draws.estimating is None else DRAWN, CHOSEN, ROUGH),
            int(judged.sum()), 0 if pool is None else pool.shape[1], interval.weight, interval.optimism, self.trained,
            population=LIKE_LABELS if pool_differs else NEW_ROWS,
        ), []  # fmt: skip

    def _check_draws(self, known: Array) -> None:
        """Whether the labels that someone drew or chose leave enough to judge by."""
        if self._task.regression:
            raise CannotAnswer("labels were drawn with unequal probabilities, by which R² is not weighted")
        n = len(known) if self._task.draws.estimating is None else int((self._task.draws.estimating > 0).sum())
        if (known == 0).all() or n < FEWEST:
            raise CannotAnswer(CHOSEN_BY_HAND.format(n=0 if (known == 0).all() else n))

    def _of_values(self, best: Choice) -> Estimate:
        """R² of the out-of-fold values of a candidate."""
        task, values = self._task, np.zeros(len(self._task.labeled))
        answers = self._answers([Ask(task.fit(best.candidate, train), test, "values") for train, test in self.folds])
        for (_, test), answer in zip(self.folds, answers, strict=True):
            values[test.indices] = answer
        interval = held_out_r2(task.y, values, task.units, CONFIDENCE, task.rng("estimate"))
        return Estimate(
            "R²", interval.value, interval.lower, interval.upper, CONFIDENCE, "held-out labels",
            (ONE_POPULATION, CHOSEN, ROUGH), len(values), fits=self.trained,
        )  # fmt: skip

    def _candidates(self, choices: Sequence[Choice], best: Choice) -> Array | None:
        """Of all candidates that were judged on about as many rows as the best, how often each was right."""
        of_best = self.right.get(best.candidate)
        if of_best is None:
            return None
        others = dict.fromkeys(choice.candidate for choice in choices if choice.candidate in self.right)
        rows = np.flatnonzero(~np.isnan(of_best))
        alike = ALIKE_IN_RACE if self._answered else ALIKE
        every = [self.right[c] for c in others if np.mean(~np.isnan(self.right[c][rows])) >= alike]
        mean = [[np.nanmean(right)] for right in every]
        return np.where(np.isnan(every), mean, every)

    def _predictors(self, seen: Seen, known: Array) -> tuple[Array | None, Array | None]:
        """What predicts whether a prediction is right, on labeled rows and on pool rows.

        Beside labels that were picked nothing does: a row that is left out of them is unlike the rows of the pool.
        """
        if seen.pool is None or seen.pool_labels is None or not len(seen.pool) or picked(self._engine.data):
            return None, None
        mine, theirs = [], []
        if seen.confidence is not None and seen.pool_confidence is not None:
            mine.append(seen.confidence[known])
            theirs.append(seen.pool_confidence)
        scores = opinions(self._engine.data, self._task, seen.pool) if self._features else None
        if scores is not None:
            mine.append(lead(scores[0][known], seen.labels[known]))
            theirs.append(lead(scores[1], seen.pool_labels))
        return (np.array(mine), np.array(theirs)) if mine else (None, None)

    def _one(self, best: Choice) -> Seen:
        """Out-of-fold predictions of a candidate, and those of its fit on the pool."""
        fit, task = best.fits[0], self._task
        if fit.rows != task.labeled:  # some labels were held out
            return self._left_out(fit)
        pool = read_pool(self._engine.data, task) if len(task.unlabeled) else np.empty(0, dtype=int)
        answered = self._answered = [] if self._by_criterion is None else self._by_criterion.folds(best.candidate)
        self.folds = answered or self.folds
        response = best.candidate.respond("probabilities", "scores") if len(pool) or answered else None
        how = Confidence(response) if response is not None else None
        ask = response or "labels"
        fits = [task.fit(best.candidate, train) for train, _ in self.folds]
        asks = [Ask(f, test, ask, None if answered else how) for f, (_, test) in zip(fits, self.folds, strict=True)]
        if answered and self._by_criterion is not None:
            on_pool = self._by_criterion.about_pool(best.candidate)
        else:
            compared = compared_rows(task, pool) if self._features else []
            on_pool = [Ask(f, rows, ask, how) for f, rows in zip(fits, compared, strict=False)]
        # scores of a candidate without probabilities are calibrated
        scores = self._asks_about_folds(best.candidate, fits, "scores")
        tables = self._asks_about_folds(best.candidate, fits, "probabilities") if self._keep else []
        answers = self._answers(asks + on_pool + scores + tables, near=fit)
        n_asked = len(fits) + len(on_pool)
        if answered and how is not None:
            answers[:n_asked] = map(how, answers[:n_asked])
        if scores:
            codes = np.concatenate([task.codes(test) for _, test in self.folds])
            self.temperature = temperature(np.concatenate(answers[n_asked : n_asked + len(scores)]), codes)
        labels, sure = np.full(len(task.labeled), UNKNOWN), np.zeros(len(task.labeled))
        for (_, test), answer in zip(self.folds, answers[: len(fits)], strict=True):
            labels[test.indices], sure[test.indices] = answer if how is not None else (answer, 0.0)
        self._keep_tables(labels, answers[n_asked : n_asked + len(scores)], answers[n_asked + len(scores) :])
        outputs = self._outputs(labels, sure, answers[len(fits) : len(fits) + len(on_pool)], how is not None)
        if not len(pool) or (how is None and not self._features):
            return Seen(labels, trained_on=1 - 1 / len(self.folds))
        answer = self._reply(Ask(fit, task.unlabeled.at(pool), ask, how))
        if how is None:
            return Seen(labels, None, pool, answer, trained_on=1 - 1 / len(self.folds), outputs=outputs)
        return Seen(labels, sure, pool, answer[0].astype(np.int64), answer[1], 1 - 1 / len(self.folds), outputs)

    def _outputs(self, labels: Array, sure: Array, on_pool: list[Array], confident: bool) -> ModelOutputs | None:
        """What the fits on folds say of labels and pool: of rows in a group one, and of no label that was chosen."""
        if not on_pool:
            return None
        rows = comparable(self._engine.data)
        if not confident:
            return ModelOutputs(labels[rows], np.concatenate(on_pool))
        pool_labels, pool_sure = np.concatenate(on_pool, axis=1)
        return ModelOutputs(labels[rows], pool_labels.astype(np.int64), sure[rows], pool_sure)

    def _reply(self, ask: Ask) -> Array:
        """The answer of a fit whose model is there, or will be wanted anyway; else of one that is trained for it."""
        if ask in self._engine.answers or not (self._refit or self._engine.has_model(ask.fit)):
            return self._answers([ask])[0]
        data = self._engine.data
        (answer,) = answer_all(self._engine.model(ask.fit), [ask], data.take, data.classes)
        if isinstance(answer, Exception):
            raise CannotAnswer(f"the model does not answer about the pool ({answer})")
        return answer

    def _asks_about_folds(self, candidate: Candidate, fits: Sequence[Fit], response: Response) -> list[Ask]:
        """Questions about the rows of each fold, where this is the best response of a candidate."""
        if candidate.respond("probabilities", "scores") != response:
            return []
        return [Ask(fit, test, response) for fit, (_, test) in zip(fits, self.folds, strict=True)]

    def _keep_tables(self, labels: Array, scores: Sequence[Array], tables: Sequence[Array]) -> None:
        """Keep what the fits on folds said of the rows that they left out."""
        if not self._keep:
            return
        shares = None
        if scores or tables:
            shares = np.zeros((len(labels), self._task.n_classes))
            for (_, test), answer in zip(self.folds, tables or scores, strict=True):
                shares[test.indices] = answer if tables else probabilities(answer, self.temperature or 1.0)
        self._keep_known(labels, shares)

    def _keep_known(self, labels: Array, shares: Array | None) -> None:
        task, rows = self._task, np.flatnonzero(labels != UNKNOWN)
        units = np.unique(task.units[rows], return_inverse=True)[1]
        self.out_of_fold = OutOfFoldAnswers(
            task.classes, task.y[rows], labels[rows], None if shares is None else shares[rows], units, rows
        )

    def _left_out(self, fit: Fit) -> Seen:
        """A fit that was trained on a part of the labels, judged by the others."""
        n, test = len(self._task.labeled), Rows(np.setdiff1d(self._task.labeled.indices, fit.rows.indices))
        labels = np.full(n, UNKNOWN)
        (labels[test.indices],) = self._answers([Ask(fit, test)])
        if self._keep:
            shares = None
            if "probabilities" in fit.candidate.responses:
                shares = np.zeros((n, self._task.n_classes))
                (shares[test.indices],) = self._answers([Ask(fit, test, "probabilities")])
            self._keep_known(labels, shares)
        return Seen(labels)

    def _vote(self, best: Choice) -> Seen:
        """A vote or an average, each row judged by the fits that were not trained on it, as the model counts them.

        Every candidate keeps the votes that it has in the model. For a fit on every label its copies on folds vote, and
        the fits on resamples that left a row out have the votes of all its resamples.
        """
        task, n = self._task, len(self._task.labeled)
        weights = best.vote.weights or (1.0,) * len(best.fits)
        asked = [ask.rows.indices for fit in best.fits if fit.rows != task.labeled and (ask := self._asked(fit))]
        pool = asked[0][asked[0] >= n] if asked else np.empty(0, dtype=int)
        rows, like = Rows(np.r_[:n, pool]), task.rng("voters").integers(n, size=len(pool))
        shares, total = np.zeros((n + len(pool), task.n_classes)), np.zeros(n + len(pool))
        whole = [fit for fit in best.fits if fit.rows == task.labeled]
        of_fits = best.vote.temperatures or (None,) * len(best.fits)
        by_scores = {fit.candidate: t for fit, t in zip(best.fits, of_fits, strict=True) if t is not None}
        voting = list(dict.fromkeys(fit.candidate for fit in whole))
        copies = self._on_folds(voting, rows, like, best.vote.response, by_scores)
        for candidate in dict.fromkeys(fit.candidate for fit in best.fits):
            members = [(f, w) for f, w in zip(best.fits, weights, strict=True) if f.candidate == candidate]
            every = sum(w for fit, w in members if fit.rows == task.labeled)
            resampled = [
                (~np.isin(task.labeled.indices, fit.rows.indices), w, answer)
                for fit, w in members
                if fit.rows != task.labeled and (answer := self._member(fit, rows, best.vote.response)) is not None
            ]
            votes = sum(w for _, w, _ in resampled)
            left_out = sum((w * left for left, w, _ in resampled), np.zeros(n))
            scale = np.divide(votes, left_out, out=np.zeros(n), where=left_out > 0)
            alone = np.where(left_out > 0, every, every + votes) if every else np.zeros(n)
            voters = [(left * w * scale, answer) for left, w, answer in resampled]
            voters += [(alone, copies[candidate])] if every else []
            for by_row, answer in voters:
                each = np.r_[by_row, by_row[like]]  # a pool row has the voters of a labeled row
                shares += each[:, None] * answer
                total += each
        labels = np.where(total > 0, best.vote.winners(shares), UNKNOWN)
        confidence = shares.max(axis=1) / np.where(total > 0, total, 1)
        if self._keep:
            self._keep_known(labels[:n], (shares / np.where(total > 0, total, 1)[:, None])[:n])
        trained_on = 1 - 1 / len(self.folds) if whole else 1.0
        if not len(pool):
            return Seen(labels, trained_on=trained_on)
        voted = total[n:] > 0
        return Seen(labels[:n], confidence[:n], pool[voted] - n, labels[n:][voted], confidence[n:][voted], trained_on)

    def _member(self, fit: Fit, rows: Rows, response: Response) -> Array | None:
        """What a fit on a resample says of labeled rows and pool rows, a row for each class; None if it was not kept.

        A model that averages probabilities is asked for them; one that has gone votes with the labels it gave.
        """
        if response == "probabilities" and (self._refit or self._engine.has_model(fit)):
            return self._reply(Ask(fit, rows, response))
        ask = self._asked(fit)
        if ask is None or ask.rows != rows:
            return None
        return _one_hot(self._engine.answers[ask], self._task.n_classes)

    def _on_folds(
        self,
        candidates: list[Candidate],
        rows: Rows,
        like: Array,
        response: Response,
        by_scores: Mapping[Candidate, float],
    ) -> dict[Candidate, Array]:
        """What copies of candidates that were not trained on a row say of it, a row for each class.

        A pool row is answered by the copy that answers the labeled row that it is like. Candidates that vote
        ``by_scores`` have temperatures.
        """
        n, fold = len(self._task.labeled), np.zeros(len(self._task.labeled), dtype=int)
        for at, (_, test) in enumerate(self.folds):
            fold[test.indices] = at
        by_fold = np.r_[fold, fold[like]]
        parts = [np.flatnonzero(by_fold == at) for at in range(len(self.folds))]
        asks = [
            Ask(self._task.fit(c, train), rows.at(part), "scores" if c in by_scores else response)
            for c in candidates
            for (train, _), part in zip(self.folds, parts, strict=True)
        ]
        answers = iter(self._answers(asks))
        by_candidate = {}
        for c in candidates:
            by_candidate[c] = np.zeros((n + len(like), self._task.n_classes))
            for part in parts:
                answer = next(answers)
                if c in by_scores:
                    answer = probabilities(answer, by_scores[c])
                by_candidate[c][part] = answer if answer.ndim > 1 else _one_hot(answer, self._task.n_classes)
        return by_candidate

    def _asked(self, fit: Fit) -> Ask | None:
        """A question about labels of labeled rows that was put to a fit."""
        n = len(self._task.labeled)
        asks = [ask for ask in self._engine.answers if ask.fit == fit and ask.response == "labels" and not ask.reduce]
        asks = [ask for ask in asks if len(ask.rows) >= n and (ask.rows.indices < n).sum() >= n]
        return max(asks, key=lambda ask: len(ask.rows), default=None)

    def _answers(self, asks: list[Ask], near: Fit | None = None) -> list[Array]:
        before = {ask.fit for ask in asks if ask in self._engine.answers}
        self._engine.answer(asks, near=near)
        self.trained += len({ask.fit for ask in asks if ask.fit in self._engine.ran} - before)
        if unanswered := [ask for ask in asks if ask not in self._engine.answers]:
            error = self._engine.error(unanswered[0])
            raise CannotAnswer("the time budget ran out" if error is None else f"a fit on a fold failed ({error})")
        return [self._engine.answers[ask] for ask in asks]


def right_of_candidates(engine: Engine, task: Task, but: Container[Ask] = ()) -> dict[Candidate, Array]:
    """How often each candidate was right about the labeled rows that its fits left out; NaN where none did.

    Of values it is how near they were, on the scale of R². Some answers do not count: others to the same fits do.
    """
    n = len(task.labeled)
    counts: dict[Candidate, Array] = {}
    left_out: dict[tuple[Rows, Rows], Array] = {}  # candidates share folds
    for ask, answer in engine.answers.items():
        if ask in but:
            continue
        if ask.fit.labels is not None or not len(ask.rows) or ask.rows.bounds[0] >= n or ask.fit.rows.bounds[1] >= n:
            continue
        rows, key = ask.rows.indices, (ask.rows, ask.fit.rows)
        if key not in left_out:
            left_out[key] = (rows < n) & ~np.isin(rows, ask.fit.rows.indices)
        held = left_out[key]
        if not held.any() or (labels := _labels(ask, answer)) is None:
            continue
        right, times = counts.setdefault(ask.fit.candidate, np.zeros((2, n)))
        truth = task.y[rows[held]]
        correct = goodness(truth, labels[held], float(np.var(task.y))) if task.regression else labels[held] == truth
        np.add.at(right, rows[held], correct)
        np.add.at(times, rows[held], 1)
    with np.errstate(invalid="ignore"):
        return {candidate: right / times for candidate, (right, times) in counts.items()}


def _labels(ask: Ask, answer: Array) -> Array | None:
    if ask.response in ("labels", "values") and ask.reduce is None:
        return answer
    if isinstance(ask.reduce, Confidence):
        return answer[0].astype(np.int64)
    if ask.response in ("probabilities", "scores") and ask.reduce is None:
        return np.asarray(answer.argmax(axis=1))
    return None


def _one_hot(codes: Array, n_classes: int) -> Array:
    """Labels as votes; −1 votes for none."""
    return np.asarray(codes[:, None] == np.arange(n_classes), dtype=float)
