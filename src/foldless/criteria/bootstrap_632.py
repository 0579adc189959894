""".632+ bootstrap: Err = (1 − w) err + w Err1, with w between .632 and 1 by how much the candidate overfits.

err is the error on the training rows, Err1 the error of resampled fits on the rows they left out, γ the error if labels
and predictions were unrelated; R = (Err1 − err) / (γ − err) and w = .632 / (1 − .368 R).

For accuracy Err1 averages over rows (each over the resamples that left it out) and γ = Σ_c p_c (1 − q_c), as
published. So it is for R² and the mean squared error of regressors: their error is the squared one, and γ the mean of
(y_i − f(x_j))² over all pairs of rows. Other metrics have no error per row: there Err1 is the mean score of the
resamples (for log loss and AUC the score of all resamples together) and γ the mean over shuffled labels. All formulas
hold for negated scores as well.

Learners that build a kernel of labeled rows and pool use a resample as a set: a row that is drawn twice counts once.

References
----------
Efron & Tibshirani (1997). Improvements on cross-validation: the .632+ bootstrap method. JASA 92. (variant "et97")
Hastie, Tibshirani & Friedman (2009). The elements of statistical learning. Section 7.11. (variant "esl")
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from foldless.core import Array, Ask, Choice, Criterion, Evaluation, Fold, Response, Task, Traits
from foldless.criteria import INDEPENDENT, OPTIMISTIC, register
from foldless.errors import BadInput
from foldless.judging._judge import Judge, Scoring
from foldless.judging._scoring import judge_of

SQUARED = ("r2", "neg_mean_squared_error")
SHUFFLES = 20  # shuffled label vectors that estimate γ where it has no formula
Variant = Literal["truncated", "esl", "et97"]


@register("bootstrap_632", place=6)
@dataclass(frozen=True)
class Bootstrap632(Criterion):
    """Rank by the .632+ estimate of a score.

    The other parameters reproduce variants of the paper.

    Parameters
    ----------
    resamples : int
        Bootstrap resamples; each takes one fit per candidate, and one more fit uses all labels.
    scoring : str or callable
        A scikit-learn scorer.

    Other Parameters
    ----------------
    variant : "truncated", "esl" or "et97"
        Whether Err1 is limited to γ. All three agree if Err1 ≤ γ.
    """

    resamples: int = 50
    variant: Variant = "truncated"
    scoring: Scoring = "accuracy"

    traits: ClassVar[Traits] = Traits(regression=True)
    assumes: ClassVar[tuple[str, ...]] = (INDEPENDENT, OPTIMISTIC)

    def evaluate(self, task: Task) -> Evaluation:
        if self.variant not in ("truncated", "esl", "et97"):
            raise BadInput(f"variant must be 'truncated', 'esl' or 'et97', got {self.variant!r}")
        draws, judge = task.bootstraps(self.resamples), judge_of(self.scoring, task)
        responses = {c: judge.response(c) for c in task.candidates}
        answers = yield [
            Ask(fit, rows, responses[c])
            for c in task.candidates
            for fit, rows in [(task.full(c), task.labeled), *((task.fit(c, train), test) for train, test in draws)]
        ]
        each = 1 + len(draws)
        return [
            Choice(
                c, self._score(task, judge, draws, responses[c], answers[at * each : (at + 1) * each]), (task.full(c),)
            )
            for at, c in enumerate(task.candidates)
        ]

    def _score(self, task: Task, judge: Judge, draws: list[Fold], response: Response, answers: list[Array]) -> float:
        apparent, left_out = answers[0], answers[1:]
        if judge.scoring in SQUARED and response == "values":
            return self._of_squares(task, judge, draws, apparent, left_out)
        if self.scoring == "accuracy":
            err = float(np.mean(apparent != task.y))
            rows = [test.indices for _, test in draws]
            err1 = left_out_error(len(task.y), rows, [p != task.y[at] for at, p in zip(rows, left_out, strict=True)])
            predicted = np.bincount(apparent[apparent >= 0], minlength=task.n_classes) / len(apparent)
            gamma = float(np.sum(task.class_shares() * (1 - predicted)))
            return 1 - combined(err, err1, gamma, self.variant)
        score1, _ = judge.over_splits(response, [task.codes(test) for _, test in draws], left_out)
        rng = task.rng("no information")
        unrelated = np.mean([judge.score(response, rng.permutation(task.y), apparent) for _ in range(SHUFFLES)])
        return -combined(-judge.score(response, task.y, apparent), -score1, -float(unrelated), self.variant)

    def _of_squares(self, task: Task, judge: Judge, draws: list[Fold], apparent: Array, left_out: list[Array]) -> float:
        """The estimate from squared errors; R² is 1 − Err in units of the variance of y."""
        err, spread = float(np.mean(np.square(apparent - task.y))), float(np.var(task.y))
        rows = [test.indices for _, test in draws]
        squares = [np.square(values - task.y[at]) for at, values in zip(rows, left_out, strict=True)]
        err1 = left_out_error(len(task.y), rows, squares)
        gamma = spread + float(np.var(apparent) + (apparent.mean() - task.y.mean()) ** 2)
        error = combined(err, err1, gamma, self.variant)
        return 1 - error / (spread or 1.0) if judge.scoring == SQUARED[0] else -error


def left_out_error(n: int, rows: list[Array], errors: list[Array]) -> float:
    """Err1: per row the mean error over the resamples that left it out; rows never left out are dropped."""
    wrong, times = np.zeros(n), np.zeros(n)
    for at, errors_there in zip(rows, errors, strict=True):
        wrong[at] += errors_there
        times[at] += 1
    seen = times > 0
    return float(np.mean(wrong[seen] / times[seen]))


def combined(err: float, err1: float, gamma: float, variant: Variant) -> float:
    """The .632+ estimate from the apparent error, the left-out error and the no-information error."""
    overfits = err1 > err and gamma > err
    rate = min(1.0, (err1 - err) / (gamma - err)) if overfits else 0.0
    if variant == "et97":
        cut = min(err1, gamma)
        return 0.368 * err + 0.632 * err1 + (cut - err) * 0.368 * 0.632 * rate / (1 - 0.368 * rate)
    weight = 0.632 / (1 - 0.368 * rate)
    return (1 - weight) * err + weight * (err1 if variant == "esl" else min(err1, gamma))
