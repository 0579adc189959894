"""A race over bootstraps of the labels, in which the pool has a vote.

Every candidate is trained on one bootstrap, scored on the rows it left out, and asked about the pool. Candidates that
label the pool alike go on as one. Then bootstraps follow in rounds: who is behind the leader by more than Z standard
errors of the paired difference is not asked again, until one is left or the budget is spent. The rank is by

    blend = score + se · (shares − missing + 4 · consensus + ½ · training),

where *score* is that of the rows left out and se its standard error. The other parts are accuracies between 0 and 1:
what the class shares of the pool allow (Σ min(p, q)), the share of the labels in classes that the candidate hardly ever
names, how far the other candidates, weighted by their own blend, agree with its labels on the pool, and the accuracy on
the rows it was trained on. They count as much as the labels are uncertain: se falls with √n, and with it their weight.

The score that is shown is the first term alone, in the unit of the metric. Without a pool the race has no vote of the
pool and merges nobody.

The constants come from a study of regret on half of its data sets and are provisional: it is not the default yet.

References
----------
Maron & Moore (1994). Hoeffding races. NIPS.
Efron & Tibshirani (1997). Improvements on cross-validation: the .632+ bootstrap method. JASA 92.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from foldless.core import Array, Ask, Candidate, Choice, Criterion, Evaluation, Fit, Fold, OutOfTime, Rows, Task
from foldless.core.left_out import LeftOut, Standing
from foldless.core.scoring import Judge, Scoring
from foldless.core.vote import Vote
from foldless.errors import BadInput, CannotAnswer

ROUNDS = (1, 2, 3, 4, 6, 8, 12)  # bootstraps after each round
Z = 1.5  # standard errors behind the leader at which a candidate is dropped
SAME = 0.02  # share of the pool on which candidates that go on as one may differ
POOL = 400  # pool rows that are asked about
SHARES, MISSING, CONSENSUS, TRAINING = 1.0, 1.0, 4.0, 0.5
RARE, ENOUGH = 0.2, 5  # a class is missing where it has RARE of its share, if ENOUGH rows of it are to be expected
AVERAGED, STEEP, FULL = 3, 2.0, 3.0  # models in an average, their weights exp(STEEP · gap / se), votes of a full fit


@dataclass
class _Runner:
    """A candidate in the race: its answers, and when and why it left."""

    candidate: Candidate
    pool: list[Array] = field(default_factory=list)
    training: list[float] = field(default_factory=list)
    parts: dict[str, float] = field(default_factory=dict)
    gap: float = -np.inf
    left: str = ""
    leader: "_Runner | None" = None
    draws: int = 0


@dataclass(frozen=True)
class Auto(Criterion):
    """Rank by a race over bootstraps, with a vote of the pool; it takes about 0.65 of the fits of 5-fold.

    Parameters
    ----------
    effort : float
        The most fits it may take, in units of 5-fold cross-validation. It also widens the margin at which candidates
        are dropped: more effort asks more candidates more often.
    scoring : str or callable
        A scikit-learn scorer.
    offer : "best" or "average"
        What is chosen: the best candidate trained on every label, or the average of up to three leading candidates and
        of their bootstraps.
    """

    effort: float = 1.0
    scoring: Scoring = "accuracy"
    offer: Literal["best", "average"] = "best"

    anytime: ClassVar[bool] = True
    assumes: ClassVar[tuple[str, ...]] = (
        "labels and pool are drawn from the same population",
        "the score is of fits on bootstraps, which hold about 63 % of the labels; that of a candidate that was dropped "
        "early is of few of them",
        "the rank is by a blend of the score and of what the pool tells, and the best of many scores is optimistic",
    )

    def evaluate(self, task: Task) -> Evaluation:
        self._check()
        judge, draws = Judge(self.scoring, task.classes), task.bootstraps(ROUNDS[-1])
        responses = [judge.response(c) for c in task.candidates]
        runners, left_out = [_Runner(c) for c in task.candidates], LeftOut(task, judge)
        alive, spent, used = list(range(len(runners))), 1, 0  # one fit is the model itself
        budget, rows, error, ended = self.effort * (5 * len(runners) + 1), self._rows(task), 1.0, False
        while step := _step(used, len(alive), len(runners), budget - spent):
            if used and spent + step * len(alive) > budget:
                alive = _most(runners, alive, int((budget - spent) // step), used)
            new, spent, used = draws[used : used + step], spent + step * len(alive), used + step
            try:
                answers = yield [
                    ask for at in alive for draw in new for ask in self._asks(task, at, responses, draw, rows)
                ]
            except OutOfTime:
                if not used - step:
                    raise
                ended = True
                break
            self._record(task, runners, left_out, alive, responses, new, answers)
            standing = left_out.standing(alive)
            error = standing.error
            alive = self._drop(task, runners, alive, standing, used)
        order = _order(runners)
        leaders = [runners[at] for at in order if runners[at].leader is None]
        offered: tuple[Fit, ...] = (task.full(leaders[0].candidate),)
        vote = Vote()
        if self.offer == "average":
            offered, vote = _average(task, leaders, draws, error)
        if not ended:
            rows = task.unlabeled if len(task.unlabeled) else task.labeled
            with suppress(OutOfTime):  # bootstraps are trained already, and a new question would train them again
                yield [Ask(fit, rows) for fit in offered if fit.rows == task.labeled]
        return self._choices(task, runners, order, left_out, offered, vote)

    def _rows(self, task: Task) -> Rows:
        """The rows that every fit is asked about: the labeled ones, and some of the pool."""
        pool = task.unlabeled.indices
        if len(pool) > POOL:
            pool = np.sort(task.rng("pool of a race").choice(pool, POOL, replace=False))
        return Rows(np.concatenate([task.labeled.indices, pool]))

    def _asks(self, task: Task, at: int, responses: Sequence[Any], draw: Fold, rows: Rows) -> list[Ask]:
        fit = task.fit(task.candidates[at], draw.train)
        own = [] if responses[at] == "labels" else [Ask(fit, draw.test, responses[at])]
        return [Ask(fit, rows, may_win=self.offer == "average"), *own]

    def _record(
        self, task: Task, runners: list[_Runner], left_out: LeftOut, alive: list[int], responses: Sequence[Any],
        new: list[Fold], answers: list[Array],
    ) -> None:  # fmt: skip
        replies, n = iter(answers), len(task.labeled)
        for at in alive:
            for draw in new:
                labels, test = next(replies), draw.test.indices
                answer = labels[test] if responses[at] == "labels" else next(replies)
                left_out.add(at, responses[at], draw.test, labels[test], answer)
                inside = np.setdiff1d(np.arange(n), test)
                runners[at].training.append(float(np.mean(labels[inside] == task.y[inside])))
                runners[at].pool.append(labels[n:])
            runners[at].draws += len(new)

    def _drop(self, task: Task, runners: list[_Runner], alive: list[int], standing: Standing, used: int) -> list[int]:
        """The candidates that go on; the others learn why not."""
        blend = self._blend(task, [runners[at] for at in alive], standing)
        first = int(blend.argmax())
        chance, stay = standing.chance(first), []
        for place, at in enumerate(alive):
            runner, gap = runners[at], float(blend[place] - blend[first])
            runner.gap = gap
            runner.parts |= {"behind": -gap, "chance": float(chance[place]), "resamples": used}
            if standing.measured and -gap > Z * self.effort * chance[place]:
                runner.left = f"not asked after resample {used}: {-gap:.3g} behind, chance explains {chance[place]:.2g}"
            else:
                stay.append(at)
        if used == ROUNDS[0] and len(task.unlabeled):
            stay = _merge(runners, stay)
        return stay

    def _blend(self, task: Task, runners: list[_Runner], standing: Standing) -> Array:
        """The score, and what else speaks for a candidate in units of the score's standard error."""
        training = np.array([np.mean(runner.training) for runner in runners])
        parts = {"score": standing.scores, "training": training}
        others = TRAINING * training
        if len(task.unlabeled):
            labels, shares = np.array([runner.pool for runner in runners]), task.class_shares()
            counted = np.array([np.bincount(own[own >= 0], minlength=len(shares)) / own.size for own in labels])
            parts["shares"] = np.minimum(counted, shares).sum(axis=1)
            expected = shares * labels.shape[2] >= ENOUGH
            parts["missing"] = ((counted < RARE * shares) & expected) @ shares
            others = others + SHARES * parts["shares"] - MISSING * parts["missing"]
            so_far = standing.scores / standing.error + others
            parts["consensus"] = agreement(labels, np.exp(so_far - so_far.max()), len(shares))
            others = others + CONSENSUS * parts["consensus"]
        blend = standing.scores + standing.error * others
        for place, runner in enumerate(runners):
            runner.parts |= {name: float(values[place]) for name, values in parts.items()}
            runner.parts["blend"] = float(blend[place])
        return np.asarray(blend)

    def _choices(
        self,
        task: Task,
        runners: list[_Runner],
        order: list[int],
        left_out: LeftOut,
        offered: tuple[Fit, ...],
        vote: Vote,
    ) -> list[Choice]:
        first = runners[order[0]]
        ranks, scores = _ranks(runners, order), [left_out.score(at) for at in range(len(runners))]
        if np.isnan(scores).all():
            raise CannotAnswer(
                f"scoring {self.scoring!r} is not defined on the rows that the resamples left out: label more rows, or "
                f"choose a metric such as 'accuracy'"
            )
        return [
            Choice(
                runner.candidate,
                scores[at],
                offered if runner is first else (task.full(runner.candidate),),
                notes=_notes(runner, len(offered) if runner is first else 1),
                vote=vote if runner is first else Vote(),
                rank_by=ranks[at],
                parts=runner.parts,
            )
            for at, runner in enumerate(runners)
        ]

    def _check(self) -> None:
        if not isinstance(self.effort, int | float) or not 0 < self.effort < np.inf:
            raise BadInput(f"effort must be a number above 0, such as 1 for the fits of 5-fold, got {self.effort!r}")
        if self.offer not in ("best", "average"):
            raise BadInput(f"offer must be 'best' or 'average', got {self.offer!r}")


def agreement(labels: Array, weights: Array, n_classes: int) -> Array:
    """How much of the weight agrees with a candidate's labels, over rows and resamples.

    ``labels`` holds codes by candidate, resample and row; −1 agrees with nobody.
    """
    n, resamples, rows = labels.shape
    total, cells = np.zeros(n), np.arange(rows) * n_classes
    for r in range(resamples):
        named = [(cells + own)[own >= 0] for own in labels[:, r].astype(np.int64)]
        votes = np.zeros(rows * n_classes)
        for own, weight in zip(named, weights, strict=True):
            votes[own] += weight
        total += [votes[own].sum() for own in named]
    return np.asarray(total / (weights.sum() * resamples * rows))


def _step(used: int, alive: int, every: int, room: float) -> int:
    """How many bootstraps the next round takes; 0 at the end of the race."""
    if used == 0:
        return ROUNDS[0]
    if used >= ROUNDS[-1] or (alive < 2 and every > 1):
        return 0
    step = next(total for total in ROUNDS if total > used) - used
    while step > 1 and step * alive > room:
        step -= 1
    return step if room >= step * min(alive, 2) else 0


def _most(runners: list[_Runner], alive: list[int], n: int, used: int) -> list[int]:
    """The n best, where the budget does not reach for all."""
    best = sorted(alive, key=lambda at: -runners[at].gap)
    for at in best[n:]:
        runners[at].left = f"not asked after resample {used}: the budget went to those before it"
    return sorted(best[:n])


def _merge(runners: list[_Runner], alive: list[int]) -> list[int]:
    """One of those that label the pool alike; they cannot differ more in accuracy than they differ in labels."""
    heads: list[int] = []
    for at in sorted(alive, key=lambda at: -runners[at].gap):
        own = runners[at].pool[0]
        differ = [float(np.mean(own != runners[head].pool[0])) for head in heads]
        if differ and min(differ) <= SAME:
            runners[at].leader = like = runners[heads[int(np.argmin(differ))]]
            runners[at].left = f"asked no more: labels {1 - min(differ):.1%} of the pool like {like.candidate.name}"
        else:
            heads.append(at)
    return sorted(heads)


def _order(runners: list[_Runner]) -> list[int]:
    """Positions, the best first: who was asked longest, then by the distance to the leader of that round."""
    return sorted(range(len(runners)), key=lambda at: _key(runners[at]), reverse=True)


def _key(runner: _Runner) -> tuple[float, ...]:
    """What ranks a candidate; one that was merged comes right after the one it is like."""
    if runner.leader is not None:
        return (*_key(runner.leader)[:2], -1.0, runner.gap)
    return (runner.draws, runner.gap, 0.0, 0.0)


def _ranks(runners: list[_Runner], order: list[int]) -> list[float]:
    """Numbers that rank the candidates, equal for ties."""
    keys = {key: -float(rank) for rank, key in enumerate(dict.fromkeys(_key(runners[at]) for at in order))}
    return [keys[_key(runner)] for runner in runners]


def _average(task: Task, leaders: list[_Runner], draws: list[Fold], error: float) -> tuple[tuple[Fit, ...], Vote]:
    """The fits that are averaged, and their votes: a fit on every label has as many as FULL bootstraps."""
    weights = [float(np.exp(STEEP * (runner.gap - leaders[0].gap) / error)) for runner in leaders[:AVERAGED]]
    taken = [(runner, weight) for runner, weight in zip(leaders, weights, strict=False) if weight >= 0.05]
    fits: list[Fit] = []
    votes: list[float] = []
    for runner, weight in taken:
        own = [task.full(runner.candidate), *(task.fit(runner.candidate, draw.train) for draw in draws[: runner.draws])]
        share = weight / (FULL + runner.draws)
        fits += own
        votes += [FULL * share] + [share] * runner.draws
    soft = all("probabilities" in runner.candidate.responses for runner, _ in taken)
    vote = Vote("soft" if soft else "hard", weights=tuple(v / sum(votes) for v in votes))
    return tuple(fits), vote


def _notes(runner: _Runner, fits: int) -> tuple[str, ...]:
    notes = [f"out of bag in {runner.draws} {'resample' if runner.draws == 1 else 'resamples'}"]
    notes += [runner.left] if runner.left else []
    notes += [f"an average of {fits} fits"] if fits > 1 else []
    return tuple(notes)
