"""What candidates answered on resamples so far, and how they stand."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from foldless.accuracy._temperature import temperature
from foldless.core import Array, Ask, Candidate, Fit, Fold, Response, Task
from foldless.criteria.racing._blend import blend
from foldless.criteria.racing._resamples import rows_asked
from foldless.judging._judge import Judge
from foldless.judging._left_out import ComparedScores, LeftOut
from foldless.judging._value_scoring import goodness

Z = 2.5  # standard errors within which a candidate behind the leader precedes one that answers alike about the pool
BY_CHANCE = 0.05  # probability from which a good candidate may well answer alike about the whole pool
LOSS = 0.1  # accuracy on its own labels that a fit on all of them may have less than fits on resamples have on theirs


@dataclass
class CandidateScores:
    """A candidate: its answers about the pool, its scores, and how far it is behind the leader of its last round."""

    candidate: Candidate
    response: Response
    pool: list[Array] = field(default_factory=list)
    training: list[float] = field(default_factory=list)
    scores: list[Array] = field(default_factory=list)  # on rows left out, for the temperature of a vote
    splits: list[float] = field(default_factory=list)
    train_splits: list[float] = field(default_factory=list)
    parts: dict[str, float] = field(default_factory=dict)
    gap: float = -np.inf
    constant: bool = False
    broken: bool = False
    notes: list[str] = field(default_factory=list)

    @property
    def resamples(self) -> int:
        return len(self.training)

    @property
    def key(self) -> tuple[float, ...]:
        """What ranks it, higher for better: how long it was asked, then how near to the leader it was."""
        return (-float(self.broken), self.resamples, -float(self.constant), self.gap)


class Standings:
    """Candidates in rounds of questions: `asks` has the questions, `record` takes their answers."""

    def __init__(self, task: Task, judge: Judge, draws: list[Fold], *, splits: bool, train: bool, votes: bool):
        self._task, self._judge, self._draws = task, judge, draws
        self._splits, self._train, self._votes = splits, train, votes
        self._rows, self._left_out, self._new = rows_asked(task), LeftOut(task, judge), draws[:0]
        self.entries = [CandidateScores(c, judge.response(c)) for c in task.candidates]
        self._alive, self.used, self.error = list(range(len(self.entries))), 0, 1.0

    def asks(self, total: int, n: int) -> list[Ask]:
        """Questions about the resamples up to a total, to the best n candidates; none where nothing is new."""
        self._new = self._draws[self.used : total]
        if self._new and n < len(self._alive):
            self._alive = self._best(n)
        return [ask for at in self._alive for draw in self._new for ask in self._asks(at, draw)]

    def record(self, answers: list[Array]) -> None:
        """Take the answers to the last questions."""
        replies, n = iter(answers), len(self._task.labeled)
        for at in self._alive:
            entry = self.entries[at]
            for draw in self._new:
                labels, test, train = next(replies), draw.test.indices, np.unique(draw.train.indices)
                of_metric = labels if entry.response == self._task.response else next(replies)
                self._left_out.add(at, entry.response, draw.test, labels[test], of_metric[test])
                entry.training.append(self._training(train, labels[train]))
                entry.pool.append(of_metric[n:])
                if self._votes_by_scores(entry.candidate):
                    entry.scores.append(next(replies))
                score = partial(self._judge.score_if_defined, entry.response)
                if self._splits:
                    entry.splits.append(score(self._task.codes(draw.test), of_metric[test]))
                if self._train:
                    entry.train_splits.append(score(self._task.codes(draw.train), next(replies)))
        self.used += len(self._new)
        self._compare(self._left_out.standing(self._alive))

    def ordered(self) -> list[CandidateScores]:
        """The best first."""
        return sorted(self.entries, key=lambda entry: entry.key, reverse=True)

    def shown(self) -> list[float]:
        """Scores: for those that were asked less than the winner, its score plus the paired difference."""
        won = max(range(len(self.entries)), key=lambda at: self.entries[at].key)
        plain = np.array([self._left_out.score(at) for at in range(len(self.entries))])
        scores = plain.copy()
        for at, entry in enumerate(self.entries):
            if entry.resamples != self.entries[won].resamples:
                scores[at] += plain[won] - self._left_out.score(won, draws=entry.resamples)
        scores = np.where(np.isnan(scores), plain, scores)
        return [float(score) for score in np.clip(scores, np.fmin.reduce(plain), np.fmax.reduce(plain))]

    def broken(self, on_labels: Mapping[Fit, Array]) -> bool:
        """Whether a fit on all labels is wrong about them where fits on resamples were right about theirs.

        Such a fit did not converge, or ran away: what its resamples earned does not speak for it, and it is ranked
        last.
        """
        limit = max(LOSS, 2 / np.sqrt(len(self._task.labeled)))
        for entry in self.entries:
            labels = on_labels.get(self._task.full(entry.candidate))
            if labels is None or entry.broken or self._task.regression:
                continue
            before, now = float(np.mean(entry.training)), self._training(self._task.labeled.indices, labels)
            if before - now > limit:
                entry.broken = True
                entry.notes.append(
                    f"ranked last: its training accuracy is {now:.0%} on all labels and was {before:.0%} on resamples"
                )
        return any(entry.broken for entry in self.entries if self._task.full(entry.candidate) in on_labels)

    def temperature(self, entry: CandidateScores) -> float | None:
        """What makes scores of a candidate probabilities; None for one that has probabilities."""
        if not entry.scores:
            return None
        truth = [self._task.codes(draw.test) for draw in self._draws[: entry.resamples]]
        return temperature(np.concatenate(entry.scores), np.concatenate(truth))

    def _asks(self, at: int, draw: Fold) -> list[Ask]:
        entry = self.entries[at]
        fit, response = self._task.fit(entry.candidate, draw.train), entry.response
        return [
            Ask(fit, self._rows, self._task.response),
            *([] if response == self._task.response else [Ask(fit, self._rows, response)]),
            *([Ask(fit, draw.test, "scores")] if self._votes_by_scores(entry.candidate) else []),
            *([Ask(fit, draw.train, response)] if self._train else []),
        ]

    def _votes_by_scores(self, candidate: Candidate) -> bool:
        return self._votes and candidate.respond("probabilities", "scores") == "scores"

    def _training(self, rows: Array, answers: Array) -> float:
        """The score of answers on rows that a fit was trained on."""
        truth = self._task.y[rows]
        if self._task.regression:
            return float(np.mean(goodness(truth, answers, float(np.var(self._task.y)) or 1.0)))
        return float(np.mean(answers == truth))

    def _compare(self, standing: ComparedScores) -> None:
        """Note how far each is behind the leader, and how far chance alone may put it there."""
        entries = [self.entries[at] for at in self._alive]
        pool = np.array([entry.pool for entry in entries]) if len(self._task.unlabeled) else None
        training = np.array([np.mean(entry.training) for entry in entries])
        parts = blend(self._task, self._judge.reads, standing, training, pool)
        first = int(parts["blend"].argmax())
        chance, self.error = standing.chance(first), standing.error
        for place, entry in enumerate(entries):
            entry.gap = float(parts["blend"][place] - parts["blend"][first])
            entry.parts = {name: float(values[place]) for name, values in parts.items()}
            entry.parts |= {"behind": abs(entry.gap), "chance": float(chance[place]), "resamples": entry.resamples}
            entry.constant = False
        alike = [pool is not None and self._is_constant(entry) for entry in entries]
        if any(not same and -e.gap <= Z * by_chance for e, same, by_chance in zip(entries, alike, chance, strict=True)):
            for entry, same in zip(entries, alike, strict=True):
                entry.constant = same

    def _is_constant(self, entry: CandidateScores) -> bool:
        """Whether it answers alike about the whole pool, where a good candidate would not by chance."""
        if self._task.regression or len(np.unique(self._task.y)) < 2:
            return False  # where y is mostly noise its mean may be the best prediction
        of_labels = self._judge.reads in ("accuracy", "labels")
        by_chance = float((self._task.class_shares() ** len(entry.pool[0])).sum()) if of_labels else 0.0
        return by_chance <= BY_CHANCE and not any(np.ptp(view, axis=0).any() for view in entry.pool)

    def _best(self, n: int) -> list[int]:
        """The n that go on; the others learn why not."""
        order = sorted(self._alive, key=lambda at: self.entries[at].key, reverse=True)
        for at in order[n:]:
            parts = self.entries[at].parts
            self.entries[at].notes.append(
                f"eliminated after resample {self.used} "
                f"({parts['behind']:.3g} behind, standard error {parts['chance']:.2g})"
            )
        return sorted(order[:n])
