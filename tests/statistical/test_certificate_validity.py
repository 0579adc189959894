"""Certificates hold at their confidence, and bounds with one step left out are caught by the same test.

Rows are draws from a finite set of points, all equally likely, so that the error of every classifier is known. Learners
are functions from the training rows to a label for each point. The criterion itself is driven, with their answers; a
draw fails if the error of any candidate is above its certificate.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy.stats import binom

from foldless.bounds import betting
from foldless.core import Candidate, Rows, Task
from foldless.criteria import HoldOut, SemiSupervisedCV, semi_supervised_cv

DELTA = 0.1
DRAWS = 400  # of each of the five worlds
IMPROBABLE = 1e-6


@dataclass(frozen=True)
class World:
    """Points with their true labels and noise, sample sizes, and one learner for each candidate.

    A learner gets the points and labels of its training rows, the points it is handed without labels, and whether the
    rows are all labels there are; it gives a label for every point.
    """

    truth: np.ndarray
    noise: float
    n: int
    m: int
    learners: tuple[Callable, ...]
    semi_supervised: bool = False

    @property
    def classes(self):
        return int(self.truth.max()) + 1

    def error(self, says):
        """The probability of a wrong label, where noise puts any other class in place of the true one."""
        return np.mean(np.where(says == self.truth, self.noise, 1 - self.noise / (self.classes - 1)))

    def draw(self, rng):
        points = rng.integers(len(self.truth), size=self.n + self.m)
        y = self.truth[points[: self.n]]
        wrong = rng.random(self.n) < self.noise
        y = np.where(wrong, (y + rng.integers(1, self.classes, self.n)) % self.classes, y)
        candidates = tuple(
            Candidate(at, f"c{at}", {}, semi_supervised=self.semi_supervised) for at in range(len(self.learners))
        )
        return points, Task(
            y, np.arange(self.classes), Rows(range(self.n)), Rows(range(self.n, self.n + self.m)), candidates,
            len(candidates), int(rng.integers(2**31)),
        )  # fmt: skip


def constant(table):
    return lambda *_: table


def majority(classes, size):
    """The most frequent label of a point; class 0 where there is none."""

    def learn(points, labels, *_):
        seen = np.bincount(points * classes + labels, minlength=size * classes)
        return seen.reshape(size, classes).argmax(axis=1)

    return learn


def by_parity(even, odd):
    """One of two rules, by whether the training labels add up to an even number: a row more or less changes all."""
    return lambda points, labels, *_: even if labels.sum() % 2 == 0 else odd


def at_the_last_row(before, after):
    """A phase transition: with all labels, and only then, another rule."""
    return lambda points, labels, given, whole: after if whole else before


def halves(truth, wrong, seed=0):
    """With all labels wrong on many points; without a fold right on half of them, another half for each fold.

    Where a fold and the model differ the fold is right, so nothing is lost to the triangle inequality.
    """

    def learn(points, labels, given, whole):
        if whole:
            return np.where(wrong, 1 - truth, truth)
        mine = np.random.default_rng([seed, int(points[:50].sum())]).random(len(truth)) < 0.5
        return np.where(wrong & mine, 1 - truth, truth)

    return learn


TWO = np.arange(1000) % 2
TWENTY_SIX = np.arange(78) % 26
FIRST = np.arange(1000)
WORLDS = {
    "a rule that never changes, 43 rows in 5 folds": World(TWO, 0.3, 43, 300, (constant(TWO),)),
    "26 classes, rare noise": World(TWENTY_SIX, 0.01, 403, 300, (majority(26, 78),)),
    "nearly unstable": World(
        TWO, 0.1, 47, 200, (by_parity(np.where(FIRST < 150, 1 - TWO, TWO), np.where(FIRST > 900, 1 - TWO, TWO)),)
    ),
    "rare errors after a phase transition": World(
        TWO, 0, 2001, 400, (at_the_last_row(TWO, np.where(FIRST < 15, 1 - TWO, TWO)),)
    ),
    "nothing lost to the triangle inequality": World(TWO, 0, 5003, 200, (halves(TWO, FIRST < 600),)),
}
VARIANTS = {
    name: SemiSupervisedCV(confidence=1 - DELTA, disagreement=name)
    for name in ("draw", "per_fold", "betting", "kl", "bentkus", "hb", "hoeffding", "maurer_pontil")
} | {
    "single split": SemiSupervisedCV(1, 1 - DELTA),
    "two folds, most of δ for the labels": SemiSupervisedCV(2, 1 - DELTA, "betting", labeled_share=0.9),
    "most of δ for the pool": SemiSupervisedCV(5, 1 - DELTA, labeled_share=0.02),
    "hold-out": HoldOut(confidence=1 - DELTA),
}


def choices(criterion, points, task, world):
    """Drive the criterion with the answers of the world's learners; what each candidate's model says of every point."""
    tables = {}

    def says(fit):
        if fit not in tables:
            rows = fit.rows.indices
            given = points[fit.unlabeled.indices] if fit.unlabeled is not None else None
            learner = world.learners[fit.candidate.index]
            tables[fit] = learner(points[rows], task.y[rows], given, len(rows) == world.n)
        return tables[fit]

    evaluation = criterion.evaluate(task)
    asks = next(evaluation)
    with pytest.raises(StopIteration) as end:
        evaluation.send([says(ask.fit)[points[ask.rows.indices]] for ask in asks])
    return [(choice, says(choice.fits[0])) for choice in end.value.value]


def upper(choice):
    return choice.certificate.upper


def failures(criterion, world, draws, *, bound=upper, change=lambda task: task, among=lambda made: made):
    """How many draws have a model whose error is above its bound."""
    count = 0
    for seed in range(draws):
        points, task = world.draw(np.random.default_rng([len(world.truth), seed]))
        made = among(choices(criterion, points, change(task), world))
        count += any(world.error(table) > bound(choice) + 1e-12 for choice, table in made)
    return count


def refuted(count, draws):
    """Whether so many failures are improbable for a bound that fails with probability at most δ."""
    return binom.sf(count - 1, draws, DELTA) < IMPROBABLE


@pytest.mark.parametrize("variant", VARIANTS)
def test_certificates_hold(variant):
    counts = [failures(VARIANTS[variant], world, DRAWS) for world in WORLDS.values()]
    assert not any(refuted(count, DRAWS) for count in counts)
    assert not refuted(sum(counts), DRAWS * len(WORLDS))


def several(n):
    """Candidates that are all rules of their own, with different errors."""
    rules = [np.where(np.random.default_rng(at).random(1000) < at / (4 * n), 1 - TWO, TWO) for at in range(n)]
    return World(TWO, 0.2, 61, 250, tuple(constant(rule) for rule in rules))


@pytest.mark.parametrize(
    "criterion",
    [
        SemiSupervisedCV(2, 1 - DELTA),
        SemiSupervisedCV(2, 1 - DELTA, shares=(0.7, 0.1, 0.1, 0.1)),
        SemiSupervisedCV(1, 1 - DELTA, "hb", reference="any"),
        SemiSupervisedCV(2, 1 - DELTA, "betting", reference=("c1", "c3")),
        HoldOut(confidence=1 - DELTA),
    ],
    ids=["own folds", "shares", "any reference", "named references", "hold-out"],
)
def test_the_bounds_of_all_candidates_hold_at_once(criterion):
    assert not refuted(failures(criterion, several(4), 1000), 1000)


# broken twins


def test_without_binomial_slack_they_fail(monkeypatch):
    monkeypatch.setattr(semi_supervised_cv.binomial, "upper", lambda errors, n, delta: errors / n)
    world = WORLDS["a rule that never changes, 43 rows in 5 folds"]
    assert refuted(failures(VARIANTS["draw"], world, 200), 200)


def test_with_a_delta_that_is_not_divided_by_the_candidates_they_fail():
    learners = [constant(np.random.default_rng(at).permutation(TWO)) for at in range(1000)]
    world = World(TWO, 0, 60, 2000, tuple(learners))
    criterion = SemiSupervisedCV(2, 1 - DELTA)

    def best(made):
        return [min(made, key=lambda pair: pair[0].score)]

    assert refuted(failures(criterion, world, 20, change=lambda task: replace(task, n_asked=1), among=best), 20)
    assert not refuted(failures(criterion, world, 5, among=best), 5)


def test_with_the_best_of_a_hundred_draws_of_the_folds_that_answer_they_fail():
    world = World(TWO, 0, 20_003, 100, (halves(TWO, FIRST >= 0),))
    assert not refuted(failures(VARIANTS["draw"], world, 30), 30)
    count = 0
    for seed in range(30):
        points, task = world.draw(np.random.default_rng([7, seed]))
        folds = task.folds(5)
        drawn = [choices(VARIANTS["draw"], points, Redrawn.of(task, folds, again), world)[0] for again in range(100)]
        count += any(world.error(table) > choice.certificate.upper for choice, table in drawn)
    assert refuted(count, 30)


class Redrawn(Task):
    """A task whose folds stay while what is drawn for the pool changes."""

    @classmethod
    def of(cls, task, folds, again):
        made = cls(task.y, task.classes, task.labeled, task.unlabeled, task.candidates, task.n_asked, task.seed)
        object.__setattr__(made, "folds", lambda k: folds)
        object.__setattr__(made, "again", again)
        return made

    def rng(self, name):
        return super().rng(f"{name} {self.again}")


def test_with_bets_in_the_order_of_the_values_they_fail(monkeypatch):
    sorted_first = {"betting": lambda counts, of, delta: betting.upper(np.sort(counts), of, delta)}
    monkeypatch.setattr(semi_supervised_cv, "OF_THE_MEAN", sorted_first)
    world = WORLDS["nothing lost to the triangle inequality"]
    assert refuted(failures(VARIANTS["betting"], world, 50), 50)


def test_without_the_disagreement_a_phase_transition_makes_them_fail():
    world = World(TWO, 0, 503, 300, (at_the_last_row(TWO, np.where(FIRST < 200, 1 - TWO, TWO)),))
    assert refuted(failures(VARIANTS["draw"], world, 100, bound=lambda c: c.certificate.terms[0].upper), 100)
    assert not refuted(failures(VARIANTS["draw"], world, 100), 100)


def test_measured_on_the_half_of_the_pool_that_trained_it_a_semi_supervised_candidate_fails(monkeypatch):
    truth = np.arange(100_000) % 2

    def knows_what_it_was_given(points, labels, given, whole):
        return np.where(np.isin(np.arange(len(truth)), given), truth, 1 - truth) if whole else truth

    world = World(truth, 0, 1000, 400, (knows_what_it_was_given,), semi_supervised=True)
    assert not refuted(failures(VARIANTS["draw"], world, 30), 30)

    def fit(self, candidate, train):
        return semi_supervised_cv.Fit(candidate, train, unlabeled=self._rows)

    monkeypatch.setattr(semi_supervised_cv._Pool, "fit", fit)
    assert refuted(failures(VARIANTS["draw"], world, 30), 30)
