"""Scores of candidates on splits, as GridSearchCV has them: each split by itself, several metrics, training rows too.

Metrics that are functions of answers are computed from answers. Other scorers, and targets that are no single labels,
are put to the fits themselves: ``metrics.py``.

The score is the mean over the splits. AUC, log loss and other metrics of probabilities or scores want all classes among
the rows they judge: where a split lacks one, the score is computed once, on the pooled answers of all splits.
"""

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Any

import numpy as np

from foldless.core._metrics import FAILED, ONE, SEVERAL, Metrics
from foldless.core.ask import Ask, Response
from foldless.core.choice import Choice, ScoreDetails
from foldless.core.rows import Array
from foldless.core.target import Opaque
from foldless.core.task import Fold, Task
from foldless.errors import BadInput, CannotAnswer, warn_user
from foldless.judging._judge import Judge, Scoring, is_of_answers
from foldless.judging._scoring import judge_of

Scorings = Scoring | Iterable[str] | Mapping[str, Scoring]
"""One metric, or several: names, or a dict of names and scorers."""
PARTS = ("test", "train")


@dataclass
class Scored:
    """The scores of a candidate: of each split by the end of its column's name, such as ``test_score``, and means."""

    by: str
    splits: dict[str, tuple[float, ...]] = field(default_factory=dict)
    pooled: dict[str, float] = field(default_factory=dict)

    @property
    def score(self) -> float:
        """The number that ranks the candidate."""
        return self.pooled.get(self.by, float(np.mean(self.splits[self.by])))


def named(scoring: Scorings) -> dict[str, Scoring]:
    """Metrics by their names; a single one is called ``"score"``."""
    if isinstance(scoring, str) or callable(scoring):
        return {ONE: scoring}
    if isinstance(scoring, Mapping):
        return dict(scoring)
    if not isinstance(scoring, list | tuple | set) or not all(isinstance(name, str) for name in scoring):
        raise BadInput(
            f"scoring must be a scorer name, a callable, a list of names or a dict of scorers, got {scoring!r}"
        )
    if not scoring or len(set(scoring)) < len(scoring):
        raise BadInput(f"scoring must name at least one metric, and each once, got {scoring!r}")
    return {name: name for name in scoring}


def scored(
    task: Task, splits: Sequence[Fold], scoring: Scorings, *, by: str | None = None, train: bool = False
) -> Generator[list[Ask], list[Array], list[Scored]]:
    """Score every candidate on every split; of several metrics, ``by`` names the one that ranks."""
    metrics = named(scoring)
    if isinstance(task.target, Opaque) or task.scoring.read_more or not all(map(is_of_answers, metrics.values())):
        return (yield from _by_models(task, splits, metrics, by, train))
    return (yield from _by_answers(task, splits, metrics, by or next(iter(metrics)), train))


def _asked(splits: Sequence[Fold], train: bool) -> list[tuple[Fold, str]]:
    return [(fold, part) for part in PARTS[: 1 + train] for fold in splits]


def _by_answers(
    task: Task, splits: Sequence[Fold], metrics: Mapping[str, Scoring], by: str, train: bool
) -> Generator[list[Ask], list[Array], list[Scored]]:
    judges = {name: judge_of(scoring, task) for name, scoring in metrics.items()}
    wanted = [{name: judge.response(c) for name, judge in judges.items()} for c in task.candidates]
    asks = {
        (c, fold, part, response): Ask(task.fit(c, fold.train), getattr(fold, part), response, may_fail=True)
        for c, responses in zip(task.candidates, wanted, strict=True)
        for fold, part in _asked(splits, train)
        for response in dict.fromkeys(responses.values())
    }
    answers = yield list(asks.values())
    known = dict(zip(asks, answers, strict=True))
    classes = np.arange(task.n_classes)  # none of values
    complete = all(np.isin(classes, task.codes(test)).all() for _, test in splits)
    results, failures = [], _Failures(task)
    for c, responses in zip(task.candidates, wanted, strict=True):
        result = Scored(f"test_{by}")
        for name, response in responses.items():
            for part in PARTS[: 1 + train]:
                answered = [(getattr(fold, part), known[c, fold, part, response]) for fold in splits]
                key, one = f"{part}_{name}", _One(task, judges[name], response, task.scoring.weights.get(name))
                together = response != "labels" and part == "test" and not complete
                scores = (failures.score(one, rows, answer, quiet=together) for rows, answer in answered)
                result.splits[key] = tuple(scores)
                if together:
                    result.pooled[key] = failures.pooled(one, answered)
                elif one.weights is not None:  # a split without any weight says nothing
                    weighed = [one.weights[rows.indices].any() for rows, _ in answered]
                    if any(weighed) and not all(weighed):
                        result.pooled[key] = float(np.mean(list(compress(result.splits[key], weighed))))
        results.append(result)
    failures.check()
    return results


@dataclass(frozen=True, eq=False)
class _One:
    """A metric of one response."""

    task: Task
    judge: Judge
    response: Response
    weights: Array | None

    def score(self, rows: Array, answer: Array, quiet: bool = False) -> float:
        weights = None if self.weights is None else self.weights[rows]
        if weights is not None and not weights.any():
            return np.nan
        score = self.judge.score_if_defined if quiet else self.judge.score
        return score(self.response, self.task.y[rows], answer, weights)


class _Failures:
    """Splits without a score: those whose fit failed, and those on which a metric is not defined."""

    def __init__(self, task: Task):
        self._instead = task.scoring.error_score
        self._first: CannotAnswer | None = None
        self._scored = 0

    def score(self, one: _One, rows: Any, answer: Array, quiet: bool = False) -> float:
        """The score of a split; the error score where it has none, or quietly no number."""
        if not len(answer) and len(rows):
            return np.nan if isinstance(self._instead, str) else float(self._instead)
        return one.score(rows.indices, answer, quiet=True) if quiet else self._try(one, rows.indices, answer)

    def pooled(self, one: _One, answered: Sequence[tuple[Any, Array]]) -> float:
        """The score of all splits together."""
        if any(not len(answer) for _, answer in answered):
            return np.nan
        rows, answers = zip(*((rows.indices, answer) for rows, answer in answered), strict=True)
        return self._try(one, np.concatenate(rows), np.concatenate(answers))

    def _try(self, one: _One, rows: Array, answer: Array) -> float:
        try:
            value = one.score(rows, answer)
        except CannotAnswer as error:
            if isinstance(self._instead, str):
                raise
            self._first = self._first or error
            return float(self._instead)
        self._scored += 1
        return value

    def check(self) -> None:
        """Warn of splits that could not be scored; refuse a metric that scores none."""
        if self._first is None:
            return
        if not self._scored:
            raise self._first
        warn_user(FAILED.format(to=self._instead, why=self._first))


def _by_models(
    task: Task, splits: Sequence[Fold], metrics: Mapping[str, Scoring], by: str | None, train: bool
) -> Generator[list[Ask], list[Array], list[Scored]]:
    scorers = Metrics(metrics, task.scoring.error_score)
    asked = _asked(splits, train)
    answers = yield [
        Ask(task.fit(c, fold.train), getattr(fold, part), "metrics", by=scorers, may_fail=True)
        for c in task.candidates
        for fold, part in asked
    ]
    names = next((answer.dtype.names for answer in answers if answer.dtype.names), tuple(metrics))
    if by is not None and by not in names:
        if names != (ONE,):
            raise BadInput(SEVERAL.format(refit=by))
        by = ONE
    instead, n_splits = task.scoring.error_score, len(splits)
    worst = np.nan if isinstance(instead, str) else float(instead)
    results = [Scored(f"test_{by or names[0]}") for _ in task.candidates]
    for at, result in enumerate(results):
        own = answers[at * len(asked) : (at + 1) * len(asked)]
        for name in names:
            scores = tuple(float(one[name][0]) if name in (one.dtype.names or ()) else worst for one in own)
            for start, part in enumerate(PARTS[: 1 + train]):
                result.splits[f"{part}_{name}"] = scores[start * n_splits : (start + 1) * n_splits]
    return results


def choices(task: Task, scores: Sequence[Scored]) -> list[Choice]:
    """Every candidate by its score, trained on every label."""
    return [
        Choice(
            c, result.score, (task.full(c),), result.splits[result.by],
            details=ScoreDetails(
                metrics={key: each for key, each in result.splits.items() if key != f"test_{ONE}"}, pooled=result.pooled
            ),
        )
        for c, result in zip(task.candidates, scores, strict=True)
    ]  # fmt: skip
