"""A race over resamples of the labels, in which the pool has a vote.

Every candidate is trained on one resample, scored on the rows it left out, and asked about the pool. Candidates that
answer alike about a pool of 100 rows or more are merged, by what the metric reads: labels, for metrics such as F1 the
labels of each class, for ``roc_auc`` the ranking of the rows, for ``neg_log_loss`` their probabilities. Then resamples
follow in rounds: candidates that are behind the leader by more than Z standard errors of the paired difference are
eliminated, until one is left or the budget is spent. Candidates are ranked by the score together with information from
the pool and the accuracy on training rows; ``_blend.py`` has the weights and where they come from. With a metric of
rankings or probabilities they are ranked by the score alone. Without a pool no candidates are merged.

Resamples are three times three folds, then bootstraps; with 400 labels or more they are twice five folds first, with
fewer than 40 bootstraps only. Where every class has one label nothing can be left out: all candidates are trained on
every label, and the pool ranks them; without a pool there is no choice.

The winner is trained on all labels. Where the training accuracy of that fit is lower than that of its resamples by a
tenth or more, training broke down, and the next candidate takes its place.

The score that is shown is that of the rows left out, in the unit of the metric. Resamples differ in difficulty, so that
a candidate that was eliminated after few of them is shown relative to the winner: the winner's score plus the
difference of the two on the resamples that both have.

With hundreds of candidates and many labels heats come first, as in successive halving: all are trained on a ninth of
the labels, the better third on a third of them, and only the better third of those enters the race.

References
----------
Maron & Moore (1994). Hoeffding races. NIPS.
Efron & Tibshirani (1997). Improvements on cross-validation: the .632+ bootstrap method. JASA 92.
Jamieson & Talwalkar (2016). Non-stochastic best arm identification and hyperparameter optimization. AISTATS.
"""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from foldless.core import (
    Ask,
    Choice,
    Criterion,
    Evaluation,
    Fit,
    Fold,
    OutOfTime,
    Rank,
    Rows,
    ScoreDetails,
    Task,
    Traits,
)
from foldless.core._resampling import Splitter
from foldless.core._vote import Vote
from foldless.core.criterion import IN_PYTHON
from foldless.criteria import register
from foldless.criteria.racing._race import Race, Runner, in_order, notes_of, rank_numbers
from foldless.errors import BadInput, CannotAnswer
from foldless.judging._judge import Scoring
from foldless.judging._pool_sums import PredictedShares, about_pool
from foldless.judging._scoring import judge_of

TRIES = 3  # fits on all labels that are looked at, before one is taken that may be broken
AVERAGED, STEEP, FULL = 3, 2.0, 3.0  # models in an average, their weights exp(STEEP · gap / se), votes of a full fit


@register("auto", place=1)
@dataclass(frozen=True)
class Auto(Criterion):
    """Rank by a race over resamples, with a vote of the pool; it takes about two thirds of the fits of 5-fold.

    Parameters
    ----------
    effort : float
        The most fits it may take, in units of 5-fold cross-validation. It also widens the margin at which candidates
        are dropped: more effort asks more candidates more often.
    scoring : str or callable
        A scikit-learn scorer.
    k : int, splitter or list of splits, optional
        The splits of the race, in place of resamples of its own; a number stands for random folds. Candidates that
        fall behind are not asked about all of them.
    train_scores : bool
        Whether the scores on the training rows of each split are computed too.
    offer : "best" or "average"
        What is chosen: the best candidate trained on every label, or the average of up to three leading candidates and
        of their resamples.
    """

    effort: float = 1.0
    scoring: Scoring = "accuracy"
    offer: Literal["best", "average"] = "best"
    k: int | Splitter | None = None
    train_scores: bool = field(default=False, metadata=IN_PYTHON)

    assumes: ClassVar[tuple[str, ...]] = (
        "labels and pool are drawn from the same population",
        "the score is of fits on two thirds of the labels, or on four fifths of 400 and more",
        "candidates are ranked by the score together with information from the pool, and the best of many scores is "
        "optimistic",
    )
    traits: ClassVar[Traits] = Traits(
        regression=True,
        anytime=True,
        weighs_constants=True,
        assumes_alone=(
            "labeled rows are independent draws from the population of interest",
            "the score is of fits on two thirds of the labels, or on four fifths of 400 and more",
            "the best of many scores is optimistic",
        ),
    )

    def evaluate(self, task: Task) -> Evaluation:
        self._check(task)
        race = Race(
            task, judge_of(self.scoring, task), self.effort, may_win=self.offer == "average",
            splits=None if self.k is None else task.folds(self.k), train=self.train_scores,
        )  # fmt: skip
        ended = False
        try:
            while asks := race.next_round():
                race.record((yield asks))
        except OutOfTime:
            if not race.answered:
                raise
            ended = True
        order, offered, vote = self._offered(task, race)
        rows = task.unlabeled if len(task.unlabeled) else task.labeled
        for _ in range(0 if ended else TRIES):
            full = [fit for fit in offered if fit.rows == task.labeled]  # asking the others would train them again
            try:
                about = [_of_pool(task, fit, rows) for fit in full]
                answers = yield [*about, *(Ask(fit, task.labeled, task.response) for fit in full)]
            except OutOfTime:
                break
            on_labels = zip(full, answers[-len(full) :], strict=True)
            if not [fit for fit, labels in on_labels if race.breaks(fit.candidate, labels)]:
                break
            order, offered, vote = self._offered(task, race)
        return self._choices(task, race, order, offered, vote)

    def _offered(self, task: Task, race: Race) -> tuple[list[int], tuple[Fit, ...], Vote]:
        """The candidates, the best first, and what is handed out: a fit, or several with their votes."""
        order = in_order(race.runners)
        leaders = [race.runners[at] for at in order if race.runners[at].leads] or [race.runners[order[0]]]
        if self.offer == "average":
            fits, vote = _average(task, [r for r in leaders if r.stage == leaders[0].stage], race.draws, race.error)
            return order, fits, vote
        return order, (task.full(leaders[0].candidate),), Vote()

    def _choices(self, task: Task, race: Race, order: list[int], offered: tuple[Fit, ...], vote: Vote) -> list[Choice]:
        first, scores, ranks = order[0], race.scores(order[0]), rank_numbers(race.runners)
        if np.isnan(scores).all():
            raise CannotAnswer(
                f"scoring {self.scoring!r} is not defined on the rows that the resamples left out: label more rows, or "
                f"choose a metric such as 'accuracy'"
            )
        return [
            Choice(
                runner.candidate,
                float(scores[at]),
                offered if at == first else (task.full(runner.candidate),),
                notes=notes_of(runner, len(offered) if at == first else 1, race.blind),
                vote=vote if at == first else Vote(),
                splits=tuple(runner.splits),
                rank=Rank(ranks[at]),
                details=ScoreDetails(
                    runner.parts, {"train_score": tuple(runner.train_splits)} if self.train_scores else {}
                ),
            )
            for at, runner in enumerate(race.runners)
        ]

    def _check(self, task: Task) -> None:
        if not isinstance(self.effort, int | float) or not 0 < self.effort < np.inf:
            raise BadInput(f"effort must be a number above 0, such as 1 for the fits of 5-fold, got {self.effort!r}")
        if self.offer not in ("best", "average"):
            raise BadInput(f"offer must be 'best' or 'average', got {self.offer!r}")
        if task.response == "values" and self.offer == "average":
            raise CannotAnswer("offer='average' votes with classes, and regressors predict numbers: leave it at 'best'")


def _of_pool(task: Task, fit: Fit, rows: Rows) -> Ask:
    """What a fit says of the pool; of a pool that stays in its files, the shares of the classes."""
    if task.pool.stored is None or task.response == "values":
        return Ask(fit, rows, task.response)
    return about_pool(task, fit, PredictedShares(task.n_classes))


def _average(task: Task, leaders: list[Runner], draws: list[Fold], error: float) -> tuple[tuple[Fit, ...], Vote]:
    """The fits that are averaged, and their votes: a fit on every label has as many as FULL bootstraps."""
    weights = [float(np.exp(STEEP * (runner.gap - leaders[0].gap) / error)) for runner in leaders[:AVERAGED]]
    taken = [(runner, weight) for runner, weight in zip(leaders, weights, strict=False) if weight >= 0.05]
    fits: list[Fit] = []
    votes: list[float] = []
    for runner, weight in taken:
        trains = [draw.train for draw in draws[: runner.draws] if draw.train != task.labeled]
        members = [task.full(runner.candidate), *(task.fit(runner.candidate, train) for train in trains)]
        share = weight / (FULL + len(trains))
        fits += members
        votes += [FULL * share] + [share] * len(trains)
    soft = all("probabilities" in runner.candidate.responses for runner, _ in taken)
    vote = Vote("soft" if soft else "hard", weights=tuple(v / sum(votes) for v in votes))
    return tuple(fits), vote
