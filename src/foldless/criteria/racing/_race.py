"""A race over resamples of the labels: heats where candidates are many, then rounds, and who leaves when."""

import warnings
from dataclasses import dataclass, field

import numpy as np

from foldless.core import Array, Ask, Candidate, Classes, Fold, Rows, Task
from foldless.core._resampling import batches
from foldless.criteria.racing._meaning import SAME, Meaning, meaning_of
from foldless.errors import CannotAnswer
from foldless.judging._judge import Judge
from foldless.judging._left_out import ComparedScores, LeftOut

ROUNDS = (1, 2, 3, 4, 6, 8, 12)  # resamples after each round
FOLDS = ((400, 5, 2), (40, 3, 3))  # labels, or groups, from which so many folds, so many times, precede bootstraps
Z, Z_ALONE = 1.5, 1.0  # standard errors behind the leader at which a candidate is dropped, with a pool and without
WIDER = 4 / 3  # times that, where labels are as many as have five folds
Z_OF_VALUES = 2.0  # the same for regressors: squared errors have heavy tails
MIN_MERGING_ROWS = 100  # rows of a pool by which candidates are merged
BY_CHANCE = 0.05  # probability from which a good candidate may well answer alike about the whole pool
LOSS = 0.1  # accuracy on its own labels that a fit on all of them may have less than fits on resamples have on theirs
MIN_RESAMPLES = 3  # resamples after which one that answers alike about the whole pool may win against all others
POOL = 400  # pool rows that are asked about
HEATS = (9, 3)  # parts of the labels on which heats train
MANY, LEAST = 150, 10  # candidates from which there are heats, and labels of a heat per class
LEAST_OF_VALUES = 30  # labels of a heat in a regression


@dataclass
class Runner:
    """A candidate in the race: its answers in the stage it reached, and when and why it left."""

    candidate: Candidate
    pool: list[Array] = field(default_factory=list)
    training: list[float] = field(default_factory=list)
    parts: dict[str, float] = field(default_factory=dict)
    gap: float = -np.inf
    left: str = ""
    leader: "Runner | None" = None
    broken: bool = False
    stage: int = 0
    draws: int = 0
    splits: list[float] = field(default_factory=list)
    train_splits: list[float] = field(default_factory=list)

    @property
    def leads(self) -> bool:
        """Whether it may be handed out: not broken, and not merged with another that is not."""
        return not self.broken and (self.leader is None or self.leader.broken)

    @property
    def key(self) -> tuple[float, ...]:
        """What ranks it: who is asked longest, then who is nearest to the leader of that round.

        One that is merged with another comes right after it; one whose fit on all labels is broken comes last.
        """
        if self.leader is not None:
            return (-float(self.broken), *self.leader.key[1:4], -1.0, self.gap)
        return (-float(self.broken), self.stage, self.draws, self.gap, 0.0, 0.0)

    def enter(self, stage: int) -> None:
        """Begin a stage, in which only its own answers count."""
        self.stage, self.draws, self.pool, self.training = stage, 0, [], []


class Race:
    """Candidates in rounds of questions: `next_round` has the questions, `record` takes their answers."""

    def __init__(
        self,
        task: Task,
        judge: Judge,
        effort: float,
        *,
        may_win: bool,
        splits: list[Fold] | None = None,
        train: bool = False,
    ):
        self.task, self.judge, self.effort, self.may_win = task, judge, effort, may_win
        self.has_splits, self.train = splits is not None, train
        self.responses = [judge.response(c) for c in task.candidates]
        self.runners = [Runner(c) for c in task.candidates]
        self.meaning = meaning_of(task, judge)
        self.alive = list(range(len(self.runners)))
        self.blind = len(task.unlabeled) > 0 and one_of_each(task)
        self.draws = [Fold(task.labeled, task.labeled)] if self.blind else splits or resamples(task)
        self.error, self.answered = 1.0, False
        self._budget, self._spent = effort * (5 * len(self.runners) + 1), 1.0  # one fit is the model itself
        self._heats = [] if self.has_splits else _heats(task, len(self.runners))
        self._rows, self._new, self._used = rows_asked(task), self.draws[:0], 0
        self.stage = 0  # of the questions: a heat, or the race behind all heats
        self._left_out: list[LeftOut] = []

    def next_round(self) -> list[Ask]:
        """What to ask; nothing where the race is over."""
        if self.stage < len(self._heats):
            part, split = self._heats[self.stage]
            self._new, cost = [split], 1 / part
        else:
            used, room = self._used, self._budget - self._spent
            step = min(next_step(used, len(self.alive), len(self.runners), room), len(self.draws) - used)
            if used and step and step * len(self.alive) > room:
                self.alive = self._nearest(int(room // step), used)
            self._new, cost, self._used = self.draws[used : used + step], float(step), used + step
        self._spent += cost * len(self.alive)
        return [ask for at in self.alive for draw in self._new for ask in self._asks(at, draw)]

    def record(self, answers: list[Array]) -> None:
        """Take the answers to the last questions, and see who goes on."""
        if self.stage == len(self._left_out):
            self._enter()
        replies, left_out = iter(answers), self._left_out[-1]
        for at in self.alive:
            for draw in self._new:
                labels, test = next(replies), draw.test.indices
                answers_of_metric = labels if self.responses[at] == self.task.response else next(replies)
                answer = answers_of_metric[test]
                left_out.add(at, self.responses[at], draw.test, labels[test], answer)
                self._remember(self.runners[at], draw, labels, answers_of_metric)
                if self.has_splits:
                    self.runners[at].splits.append(self._split_score(at, draw.test, answer))
                if self.train:
                    self.runners[at].train_splits.append(self._split_score(at, draw.train, next(replies)))
        self.answered = True
        standing = left_out.standing(self.alive)
        self.error = standing.error
        chance = self._compare(standing)
        if self.stage < len(self._heats):
            self.alive = self._best_third()
            self.stage += 1
        else:
            self.alive = self._drop(standing, chance)

    def breaks(self, candidate: Candidate, labels: Array) -> bool:
        """Whether a fit on all labels is wrong about them where fits on resamples were right about theirs.

        Such a fit did not converge, or ran away: what its resamples earned does not speak for it.
        """
        if self.blind or not isinstance(self.task.target, Classes):
            return False
        runner = next(runner for runner in self.runners if runner.candidate == candidate)
        before = float(np.mean(runner.training))
        now = self.meaning.training(self.task.labeled.indices, labels)
        runner.broken = before - now > max(LOSS, 2 / np.sqrt(len(labels)))
        if runner.broken:
            runner.left = (
                f"ranked last: its training accuracy is {now:.0%} on all labels and was {before:.0%} on resamples"
            )
        return runner.broken

    def scores(self, winner: int) -> list[float]:
        """What is shown: own scores, and for those that left early the winner's plus the paired difference."""
        won = self.runners[winner]
        top = self._left_out[won.stage].score(winner)
        plain = np.array([self._left_out[runner.stage].score(at) for at, runner in enumerate(self.runners)])
        shown = plain.copy()
        for at, runner in enumerate(self.runners):
            if (runner.stage, runner.draws) != (won.stage, won.draws):
                shown[at] += top - self._left_out[runner.stage].score(winner, draws=runner.draws)
        shown = np.where(np.isnan(shown), plain, shown)
        return [float(score) for score in np.clip(shown, np.fmin.reduce(plain), np.fmax.reduce(plain))]

    def _enter(self) -> None:
        self._left_out.append(LeftOut(self.task, self.judge))
        for at in self.alive:
            self.runners[at].enter(self.stage)

    def _asks(self, at: int, draw: Fold) -> list[Ask]:
        fit, response = self.task.fit(self.task.candidates[at], draw.train), self.responses[at]
        further = [] if response == self.task.response else [Ask(fit, self._rows, response)]
        further += [Ask(fit, draw.train, response)] if self.train else []
        return [Ask(fit, self._rows, self.task.response, may_win=self.may_win), *further]

    def _remember(self, runner: Runner, draw: Fold, labels: Array, answers_of_metric: Array) -> None:
        n = len(self.task.labeled)
        inside = np.unique(draw.train.indices)
        runner.training.append(self.meaning.training(inside, labels[inside]))
        runner.pool.append(self.meaning.view(answers_of_metric[n:]))
        runner.draws += 1

    def _split_score(self, at: int, rows: Rows, answer: Array) -> float:
        """The score of one split, where it has one."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a class without rows
            try:
                return self.judge.score(self.responses[at], self.task.codes(rows), answer)
            except CannotAnswer:
                return np.nan

    def _compare(self, standing: ComparedScores) -> Array:
        """Note the distance of each to the leader; how far chance alone moves it is returned."""
        runners = [self.runners[at] for at in self.alive]
        pool = np.array([runner.pool for runner in runners]) if len(self.task.unlabeled) else None
        training = np.array([np.mean(runner.training) for runner in runners])
        blended = self.meaning.blend(standing, training, pool)
        first = int(blended.values.argmax())
        chance = standing.chance(first)
        for place, runner in enumerate(runners):
            runner.gap = float(blended.values[place] - blended.values[first])
            runner.parts = {name: float(values[place]) for name, values in blended.parts.items()}
            runner.parts |= {"behind": abs(runner.gap), "chance": float(chance[place]), "resamples": runner.draws}
        return chance

    def _drop(self, standing: ComparedScores, chance: Array) -> list[int]:
        """Those that go on in the race; the others learn why not."""
        z, stay, used = self.effort * margin(self.task), [], self._used
        for at, by_chance in zip(self.alive, chance, strict=True):
            runner = self.runners[at]
            if standing.measured and -runner.gap > z * by_chance:
                _leave(runner, used, f"{-runner.gap:.3g} behind, standard error {by_chance:.2g}")
            else:
                stay.append(at)
        if len(self.task.unlabeled):
            stay = self._set_aside(stay, used)
        if used == ROUNDS[0] and len(self.task.unlabeled) >= MIN_MERGING_ROWS:
            return merge(self.runners, stay, self.meaning)
        return stay

    def _set_aside(self, stay: list[int], used: int) -> list[int]:
        """Without those that answer alike about the whole pool, unless all others are further behind than by chance.

        The next of the others stays until MIN_RESAMPLES resamples have spoken: one of them may mislead.
        """
        rows = len(self._rows) - len(self.task.labeled)
        if len(np.unique(self.task.y)) < 2 or self.meaning.constant_by_chance(rows) > BY_CHANCE:
            return stay
        telling = [at for at in stay if not self.meaning.constant(self.runners[at].pool)]
        if not telling:
            others = [at for at in self.alive if not self.meaning.constant(self.runners[at].pool)]
            if used >= MIN_RESAMPLES or not others:
                return stay
            last = max(others, key=lambda at: self.runners[at].gap)
            self.runners[last].left = ""
            return sorted([*stay, last])
        behind = min(self.runners[at].gap for at in telling)
        for at in set(stay) - set(telling):
            _leave(self.runners[at], used, self.meaning.constant_note)
            self.runners[at].gap = float(np.nextafter(min(behind, self.runners[at].gap), -np.inf))  # ranked below them
        return telling

    def _best_third(self) -> list[int]:
        """The third that goes on after a heat."""
        best, (part, _) = sorted(self.alive, key=lambda at: -self.runners[at].gap), self._heats[self.stage]
        n = -(-len(best) // 3)
        for at in best[n:]:
            self.runners[at].left = f"eliminated after a heat on 1/{part} of the labels (not in the best third)"
        return sorted(best[:n])

    def _nearest(self, n: int, used: int) -> list[int]:
        """The n best, where the budget does not reach for all."""
        best = sorted(self.alive, key=lambda at: -self.runners[at].gap)
        for at in best[n:]:
            _leave(self.runners[at], used, "fit budget exhausted")
        return sorted(best[:n])


def margin(task: Task) -> float:
    """The standard errors behind the leader at which a candidate is dropped."""
    if not isinstance(task.target, Classes):
        return Z_OF_VALUES
    z = Z if len(task.unlabeled) else Z_ALONE
    return z * WIDER if _units(task) >= FOLDS[0][0] else z


def one_of_each(task: Task) -> bool:
    """Whether every class has one label: then no row can be left out, since its class would be missing in training."""
    return isinstance(task.target, Classes) and task.groups is None and len(np.unique(task.y)) == len(task.y)


def resamples(task: Task) -> list[Fold]:
    """Folds that keep the class shares, several times, then bootstraps; few labels have bootstraps only.

    A bootstrap repeats rows, which favors smooth candidates. That helps where labels are few, and misleads where they
    are many: neighbors, for one, are then counted twice. With many labels a candidate that is slow to learn may be the
    best with all of them and not with two thirds.
    """
    units = _units(task)
    k, repeats = next(((k, repeats) for least, k, repeats in FOLDS if units >= least), (0, 0))
    folds: list[Fold] = []
    for repeat in range(repeats):
        if task.groups is not None:
            folds += task.folds(k, repeat)
            continue
        rng = task.rng(f"folds of a race {repeat}")
        for part in batches(k, task.y, rng, stratify=isinstance(task.target, Classes)):
            folds.append(Fold(task.labeled.at(np.setdiff1d(np.arange(units), part)), task.labeled.at(np.sort(part))))
    folds = [fold for fold in folds if len(np.unique(task.codes(fold.train))) > 1]
    return [*folds, *task.bootstraps(ROUNDS[-1] - len(folds))]


def _units(task: Task) -> int:
    """How many labels are independent of each other: rows, or groups of them."""
    return len(task.y) if task.groups is None else len(np.unique(task.groups))


def _leave(runner: Runner, used: int, why: str) -> None:
    runner.left = f"eliminated after resample {used} ({why})"


def rows_asked(task: Task) -> Rows:
    """The rows that every fit is asked about: the labeled ones, and some of the pool."""
    pool = task.unlabeled.indices
    if len(pool) > POOL:
        pool = np.sort(task.rng("pool of a race").choice(pool, POOL, replace=False))
    return Rows(np.concatenate([task.labeled.indices, pool]))


def _heats(task: Task, candidates: int) -> list[tuple[int, Fold]]:
    """Splits that train on one of so many parts of the labels, where candidates and labels are many."""
    units = _units(task)
    if candidates < MANY:
        return []
    least = LEAST * task.n_classes if isinstance(task.target, Classes) else LEAST_OF_VALUES
    heats = [(part, task.hold_outs(1 - 1 / part, 1)[0]) for part in HEATS if units / part >= least]
    return heats if all(len(np.unique(task.codes(split.train))) > 1 for _, split in heats) else []


def next_step(used: int, alive: int, every: int, room: float) -> int:
    """How many resamples the next round takes; 0 at the end of the race."""
    if used == 0:
        return ROUNDS[0]
    if used >= ROUNDS[-1] or (alive < 2 and every > 1):
        return 0
    step = next(total for total in ROUNDS if total > used) - used
    while step > 1 and step * alive > room:
        step -= 1
    return step if room >= step * min(alive, 2) else 0


def merge(runners: list[Runner], alive: list[int], meaning: Meaning) -> list[int]:
    """One of those that answer alike about the pool; they cannot differ more in the metric than in their answers."""
    heads: list[int] = []
    for at in sorted(alive, key=lambda at: -runners[at].gap):
        apart = meaning.apart(runners[at].pool[0], [runners[head].pool[0] for head in heads])
        if len(apart) and apart.min() <= SAME:
            runners[at].leader = like = runners[heads[int(np.argmin(apart))]]
            runners[at].left = meaning.alike(float(apart.min()), like.candidate.name)
        else:
            heads.append(at)
    return sorted(heads)


def in_order(runners: list[Runner]) -> list[int]:
    """Positions, the best first."""
    return sorted(range(len(runners)), key=lambda at: runners[at].key, reverse=True)


def rank_numbers(runners: list[Runner]) -> list[float]:
    """Numbers that rank the candidates, higher for better and equal for ties."""
    keys = sorted({runner.key for runner in runners}, reverse=True)
    place = {key: -float(at) for at, key in enumerate(keys)}
    return [place[runner.key] for runner in runners]


def notes_of(runner: Runner, fits: int, blind: bool) -> tuple[str, ...]:
    """How a candidate was scored, why it left, and how many fits make the model that is offered."""
    scored = f"scored on {runner.draws} {'resample' if runner.draws == 1 else 'resamples'}"
    if blind:
        scored = "scored on training rows, ranked by the pool: every class has one label, and none can be held out"
    return (
        *([] if "heat" in runner.left else [scored]),
        *([runner.left] if runner.left else []),
        *([f"an average of {fits} fits"] if fits > 1 else []),
    )
