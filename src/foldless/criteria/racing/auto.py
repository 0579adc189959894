"""Three resamples for every candidate, three more for the better third, and a vote of the pool.

Every candidate is trained on three resamples of the labels, scored on the rows they leave out, and asked about the
pool. The better third is trained on three more; of 150 candidates or more, a third goes on after one resample, and a
third of these after three. Candidates are ranked by the score together with information from the
pool and the accuracy on training rows; ``_blend.py`` has the weights and where they come from. With a metric of
rankings or probabilities they are ranked by the score alone. A candidate that predicts one class for the whole pool is
ranked below the others, unless all of them are further behind it than chance explains.

Resamples are three times three folds, then bootstraps; with 400 labels or more they are twice five folds first, with
fewer than 40 bootstraps only. Where every class has one label nothing can be left out: all candidates are trained on
every label, and the pool ranks them; without a pool there is no choice.

The winner is trained on all labels. Where the training accuracy of that fit is lower than that of its resamples by a
tenth or more, training broke down, and the next candidate takes its place.

``python -m benchmarks.league.bank`` compares such rules on stored answers: at equal fits, three resamples for everybody
had no more regret than a race that merged candidates and dropped them after every resample.

The score that is shown is that of the rows left out, in the unit of the metric. Resamples differ in difficulty, so that
a candidate that was eliminated is shown relative to the winner: the winner's score plus the difference of the two on
the resamples that both have.

References
----------
Efron & Tibshirani (1997). Improvements on cross-validation: the .632+ bootstrap method. JASA 92.
Jamieson & Talwalkar (2016). Non-stochastic best arm identification and hyperparameter optimization. AISTATS.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import ClassVar, Literal

import numpy as np

from foldless.core import Ask, Choice, Criterion, Evaluation, Fit, Fold, OutOfTime, Rank, ScoreDetails, Task, Traits
from foldless.core._resampling import Splitter
from foldless.core._vote import Vote
from foldless.core.criterion import IN_PYTHON
from foldless.criteria import INDEPENDENT, OPTIMISTIC, register
from foldless.criteria.racing._resamples import one_of_each, resamples
from foldless.criteria.racing._standings import CandidateScores, Standings
from foldless.errors import BadInput, CannotAnswer
from foldless.judging._judge import Scoring
from foldless.judging._pool_sums import predicted_of_pool
from foldless.judging._scoring import judge_of

FIRST, PART = 3, 3  # resamples of every candidate, and the part of them that has as many again
MANY = 150  # candidates of which only the better third has the second resample and those after it
TRIES = 3  # fits on all labels that are looked at, before one is taken that may be broken
AVERAGED, STEEP = 3, 2.0  # models in an average, with the weights exp(STEEP · gap / se)


@register("auto", place=1)
@dataclass(frozen=True)
class Auto(Criterion):
    """Rank by three resamples, six for the better third, with a vote of the pool; it takes .8 of the fits of 5-fold.

    Parameters
    ----------
    effort : float
        Multiplies the number of resamples; 2 trains all candidates on six of them, and the better third on twelve.
    scoring : str or callable
        A scikit-learn scorer.
    k : int, splitter or list of splits, optional
        The splits, in place of resamples of its own; a number stands for random folds. The better third of the
        candidates is trained on all of them.
    train_scores : bool
        Whether the scores on the training rows of each split are computed too.
    offer : "best" or "average"
        What is chosen: the best candidate, or the average of up to three leading ones, trained on every label.
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
            INDEPENDENT,
            "the score is of fits on two thirds of the labels, or on four fifths of 400 and more",
            OPTIMISTIC,
        ),
    )

    def evaluate(self, task: Task) -> Evaluation:
        self._check(task)
        draws = self._draws(task, 2 * self._first)
        standings = Standings(
            task, judge_of(self.scoring, task), draws,
            splits=self.k is not None, train=self.train_scores, votes=self.offer == "average",
        )  # fmt: skip
        try:
            for total, n_best in self._rounds(len(task.candidates), len(draws)):
                if asks := standings.asks(total, n_best):
                    standings.record((yield asks))
            for _ in range(TRIES):
                fits, _ = self._offered(task, standings)
                on_labels = [Ask(fit, task.labeled, task.response) for fit in fits]
                answers = yield [*(predicted_of_pool(task, fit) for fit in fits), *on_labels]
                if not standings.broken(dict(zip(fits, answers[len(fits) :], strict=True))):
                    break
        except OutOfTime:
            if not standings.used:
                raise
        return self._choices(task, standings)

    def plan(self, task: Task) -> Sequence[tuple[int, int]]:
        """The rounds, and the fit of the best on every label."""
        n_draws = len(self._draws(task, 2 * self._first))
        rounds = [(min(total, n_draws), n_best) for total, n_best in self._rounds(len(task.candidates), n_draws)]
        return [*rounds, (n_draws + 1, AVERAGED if self.offer == "average" else 1)]

    @property
    def _first(self) -> int:
        return max(1, round(FIRST * self.effort))

    def _rounds(self, n: int, n_draws: int) -> list[tuple[int, int]]:
        """Resamples after each round, and how many candidates have them."""
        for_all = n if n < MANY else ceil(n / PART)
        rounds = [(1, n), (self._first, for_all)]  # the first is short: there is a choice early, where time runs out
        if n > 1 or self.k is not None:
            rounds.append((n_draws, min(n, max(2, ceil(for_all / PART)))))
        return rounds

    def _draws(self, task: Task, n: int) -> list[Fold]:
        if len(task.unlabeled) and one_of_each(task):
            return [Fold(task.labeled, task.labeled)]
        return resamples(task, n) if self.k is None else task.folds(self.k)

    def _offered(self, task: Task, standings: Standings) -> tuple[tuple[Fit, ...], Vote]:
        """What is handed out: a fit, or several with their votes."""
        ordered = standings.ordered()
        leaders = [entry for entry in ordered if not entry.broken and entry.constant == ordered[0].constant] or ordered
        leaders = leaders[: AVERAGED if self.offer == "average" else 1]
        fits = tuple(task.full(entry.candidate) for entry in leaders)
        if len(fits) == 1:
            return fits, Vote()
        gaps = np.array([entry.gap - leaders[0].gap for entry in leaders])
        shares = np.exp(STEEP * np.minimum(gaps, 0) / standings.error)
        weights = tuple((shares / shares.sum()).tolist())
        if any(entry.candidate.respond("probabilities", "scores") is None for entry in leaders):
            return fits, Vote("hard", weights)
        temperatures = tuple(standings.temperature(entry) for entry in leaders)
        return fits, Vote("soft", weights, temperatures if any(temperatures) else ())

    def _choices(self, task: Task, standings: Standings) -> list[Choice]:
        scores, first, (offered, vote) = standings.shown(), standings.ordered()[0], self._offered(task, standings)
        if np.isnan(scores).all():
            raise CannotAnswer(
                f"scoring {self.scoring!r} is not defined on the rows that the resamples left out: label more rows, or "
                f"choose a metric such as 'accuracy'"
            )
        keys = sorted({entry.key for entry in standings.entries})
        return [
            Choice(
                entry.candidate,
                score,
                offered if entry is first else (task.full(entry.candidate),),
                notes=_notes(task, entry, len(offered) if entry is first else 1),
                vote=vote if entry is first else Vote(),
                splits=tuple(entry.splits),
                rank=Rank(float(keys.index(entry.key))),
                details=ScoreDetails(
                    entry.parts, {"train_score": tuple(entry.train_splits)} if self.train_scores else {}
                ),
            )
            for entry, score in zip(standings.entries, scores, strict=True)
        ]

    def _check(self, task: Task) -> None:
        if not isinstance(self.effort, int | float) or not 0 < self.effort < np.inf:
            raise BadInput(
                f"effort must be a number above 0, such as 1 for .8 of the fits of 5-fold, got {self.effort!r}"
            )
        if self.offer not in ("best", "average"):
            raise BadInput(f"offer must be 'best' or 'average', got {self.offer!r}")
        if task.response == "values" and self.offer == "average":
            raise CannotAnswer("offer='average' votes with classes, and regressors predict numbers: leave it at 'best'")


def _notes(task: Task, entry: CandidateScores, n_fits: int) -> tuple[str, ...]:
    """How a candidate was scored, why it left, and how many fits make the model that is offered."""
    scored = f"scored on {entry.resamples} {'resample' if entry.resamples == 1 else 'resamples'}"
    if len(task.unlabeled) and one_of_each(task):
        scored = "scored on training rows, ranked by the pool: every class has one label, and none can be held out"
    below = ["ranked below the others: it predicts the same for the whole pool"] if entry.constant else []
    return (scored, *below, *entry.notes, *([f"an average of {n_fits} models"] if n_fits > 1 else []))
