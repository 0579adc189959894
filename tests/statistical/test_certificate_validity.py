"""Certificates hold at their confidence, and bounds with one step left out are caught by the same test.

Rows are draws from a finite set of points, all equally likely, so that the error of every classifier is known. Learners
are functions from the training rows to a label for each point. The criterion itself is driven, with their answers; a
draw fails if the error of any candidate is above its certificate. Every variant sees 2,000 draws, 400 of each world, or
1,000 of a world with several candidates; what is made for a draw (folds, learned tables) is shared by the variants.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.base import BaseEstimator, ClassifierMixin

from foldless import certify
from foldless.bounds import _betting as betting
from foldless.core import Candidate, Classes, Contents, Fit, Fold, Overlap, PoolRows, Rows, Task
from foldless.core.task import without
from foldless.criteria import HoldOut, Progressive, SemiSupervisedCV, progressive, semi_supervised_cv
from foldless.data._sample import Sample
from foldless.errors import CannotAnswer

pytestmark = pytest.mark.slow  # thousands of draws

DELTA = 0.1
DRAWS, OF_A_WORLD = 2000, 1000  # for every variant: over all worlds, and of the one with several candidates
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
    semi_supervised: tuple[int, ...] = ()

    @property
    def classes(self):
        return int(self.truth.max()) + 1

    def error(self, says):
        """The probability of a wrong label, where noise puts any other class in place of the true one."""
        right = np.mean(says == self.truth)
        return right * self.noise + (1 - right) * (1 - self.noise / (self.classes - 1))

    def draw(self, rng):
        points = rng.integers(len(self.truth), size=self.n + self.m)
        y = self.truth[points[: self.n]]
        if self.noise:
            wrong = rng.random(self.n) < self.noise
            y = np.where(wrong, (y + rng.integers(1, self.classes, self.n)) % self.classes, y)
        candidates = tuple(
            Candidate(at, f"c{at}", {}, semi_supervised=at in self.semi_supervised) for at in range(len(self.learners))
        )
        return points, Drawn(
            Classes(y, np.arange(self.classes)), Rows(range(self.n)), PoolRows(Rows(range(self.n, self.n + self.m))),
            candidates, len(candidates), int(rng.integers(2**31)),
        )  # fmt: skip


class Drawn(Task):
    """A task whose folds are made once for all variants; ``again`` makes other draws for the pool."""

    again = ""

    def folds(self, k):
        known = self.__dict__.setdefault("known_folds", {})
        if k not in known:
            known[k] = super().folds(k)
        return known[k]

    def rng(self, name):
        return super().rng(f"{name}{self.again}")


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


def halves(truth, wrong):
    """With all labels wrong on many points; without a fold right on half of them, another half for each fold.

    Where a fold and the model differ the fold is right, so nothing is lost to the triangle inequality.
    """
    flips = np.random.default_rng(0).random((64, len(truth))) < 0.5

    def learn(points, labels, given, whole):
        if whole:
            return np.where(wrong, 1 - truth, truth)
        return np.where(wrong & flips[int(points[:50].sum()) % 64], 1 - truth, truth)

    return learn


def knows_what_it_was_given(truth):
    """With all labels it is right about the points it was handed without labels and about no other."""

    def learn(points, labels, given, whole):
        if not whole:
            return truth
        table = 1 - truth
        table[given] = truth[given]
        return table

    return learn


TWO = np.arange(1000) % 2
TWENTY_SIX = np.arange(78) % 26
FIRST = np.arange(1000)
WORLDS = {
    "a rule that never changes, 43 rows in 5 folds": World(TWO, 0.3, 43, 150, (constant(TWO),)),
    "26 classes, rare noise": World(TWENTY_SIX, 0.01, 403, 150, (majority(26, 78),)),
    "nearly unstable": World(
        TWO, 0.1, 47, 150, (by_parity(np.where(FIRST < 150, 1 - TWO, TWO), np.where(FIRST > 900, 1 - TWO, TWO)),)
    ),
    "rare errors after a phase transition": World(
        TWO, 0, 1001, 200, (at_the_last_row(TWO, np.where(FIRST < 15, 1 - TWO, TWO)),)
    ),
    "nothing lost to the triangle inequality": World(TWO, 0, 2003, 100, (halves(TWO, FIRST < 600),)),
}
VARIANTS = {
    name: SemiSupervisedCV(confidence=1 - DELTA, disagreement=name)
    for name in ("draw", "per_fold", "betting", "kl", "bentkus", "hb", "hoeffding", "maurer_pontil")
} | {
    "single split": SemiSupervisedCV(1, 1 - DELTA),
    "two folds, most of δ for the labels": SemiSupervisedCV(2, 1 - DELTA, "betting", labeled_share=0.9),
    "most of δ for the pool": SemiSupervisedCV(5, 1 - DELTA, labeled_share=0.02),
    "progressive": Progressive(confidence=1 - DELTA),
    "progressive, trained on every label": Progressive(confidence=1 - DELTA, refit=True),
    "progressive, most of δ for the pool": Progressive(0.5, confidence=1 - DELTA, refit=True, labeled_share=0.02),
    "hold-out": HoldOut(confidence=1 - DELTA),
}


def answering(points, task, world):
    """What a fit of the world's learners says of every point, learned once."""
    tables = {}

    def says(fit):
        if fit not in tables:
            rows = fit.rows.indices
            given = points[fit.unlabeled.indices] if fit.unlabeled is not None else None
            learner = world.learners[fit.candidate.index]
            tables[fit] = learner(points[rows], task.y[rows], given, len(rows) == world.n)
        return tables[fit]

    return says


def choices(criterion, points, task, says):
    """Drive the criterion with these answers; each choice with what its model says of every point."""
    evaluation = criterion.evaluate(task)
    asks = next(evaluation)
    with pytest.raises(StopIteration) as end:
        evaluation.send([says(ask.fit)[points[ask.rows.indices]] for ask in asks])
    return [(choice, says(choice.fits[0])) for choice in end.value.value]


def upper(choice):
    return choice.certificate.upper


def failures(criteria, world, draws, *, bound=upper, change=lambda task: task, among=lambda chosen: chosen):
    """In how many draws, for each criterion, there is a model whose error is above its bound."""
    counts = Counter()
    for seed in range(draws):
        points, task = world.draw(np.random.default_rng([len(world.truth), seed]))
        says = answering(points, task, world)
        for name, criterion in criteria.items():
            chosen = among(choices(criterion, points, change(task), says))
            counts[name] += any(world.error(table) > bound(choice) + 1e-12 for choice, table in chosen)
    return counts


def refuted(count, draws):
    """Whether so many failures are improbable for a bound that fails with probability at most δ."""
    return binom.sf(count - 1, draws, DELTA) < IMPROBABLE


@cache
def failures_in(world):
    return failures(VARIANTS, WORLDS[world], DRAWS // len(WORLDS))


@pytest.mark.parametrize("variant", VARIANTS)
def test_certificates_hold(variant):
    counts = [failures_in(world)[variant] for world in WORLDS]
    assert not any(refuted(count, DRAWS // len(WORLDS)) for count in counts)
    assert not refuted(sum(counts), DRAWS)


RULES = [np.where(np.random.default_rng(at).random(1000) < at / 16, 1 - TWO, TWO) for at in range(4)]
SEVERAL = World(
    TWO, 0.2, 61, 150, (*(constant(rule) for rule in RULES[:3]), by_parity(RULES[0], RULES[3])), semi_supervised=(2,)
)
OF_SEVERAL = {
    "own folds": SemiSupervisedCV(2, 1 - DELTA),
    "per fold": SemiSupervisedCV(2, 1 - DELTA, "per_fold"),
    "shares": SemiSupervisedCV(2, 1 - DELTA, shares=(0.7, 0.1, 0.1, 0.1)),
    "most of δ for the labels": SemiSupervisedCV(2, 1 - DELTA, labeled_share=0.9),
    "any reference": SemiSupervisedCV(1, 1 - DELTA, "draw", reference="any"),
    "named references": SemiSupervisedCV(2, 1 - DELTA, "kl", reference=("c1", "c3")),
    "semi-supervised reference": SemiSupervisedCV(2, 1 - DELTA, "draw", reference="c2"),
    "progressive": Progressive(confidence=1 - DELTA),
    "progressive, trained on every label": Progressive(confidence=1 - DELTA, refit=True),
    "hold-out": HoldOut(confidence=1 - DELTA),
}


@cache
def failures_of_several():
    return failures(OF_SEVERAL, SEVERAL, OF_A_WORLD)


@pytest.mark.parametrize("variant", OF_SEVERAL)
def test_the_bounds_of_all_candidates_hold_at_once(variant):
    assert not refuted(failures_of_several()[variant], OF_A_WORLD)


class Rule(ClassifierMixin, BaseEstimator):
    """The most frequent label of each whole number, and of all where a number was not seen."""

    def fit(self, X, y):
        self.classes_, codes = np.unique(y, return_inverse=True)
        seen = np.bincount(X[:, 0] * len(self.classes_) + codes, minlength=20 * len(self.classes_))
        self.table_ = (seen.reshape(20, -1) + 1e-3 * np.bincount(codes)).argmax(axis=1)
        return self

    def predict(self, X):
        return self.classes_[self.table_[X[:, 0]]]


def public_failures(criterion, draws):
    """How often the error of the model that `certify` hands out is above its certificate."""
    truth, count = np.arange(20) % 2, 0
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        X, noise = rng.integers(20, size=(210, 1)), rng.random(43) < 0.3
        y = np.where(noise, 1 - truth[X[:43, 0]], truth[X[:43, 0]])
        certificate = certify(Rule(), X[:43], y, X_unlabeled=X[43:], method=criterion, random_state=seed)
        error = np.mean(np.where(certificate.model.predict(np.arange(20)[:, None]) == truth, 0.3, 0.7))
        count += error > certificate.upper
    return count


@pytest.mark.parametrize(
    "criterion",
    [
        replace(criterion, equal_rows=equal_rows)  # rows are draws of 20 points, so that many are equal
        for criterion in (
            SemiSupervisedCV(2, 1 - DELTA),
            Progressive(confidence=1 - DELTA),
            Progressive(confidence=1 - DELTA, refit=True),
            HoldOut(confidence=1 - DELTA),
        )
        for equal_rows in ("either", "draws")
    ],
)
def test_what_users_get_holds(criterion):
    assert not refuted(public_failures(criterion, 150), 150)


def test_what_users_get_without_binomial_slack_fails(monkeypatch):
    monkeypatch.setattr(semi_supervised_cv.binomial, "upper", lambda errors, n, delta: errors / n)
    assert refuted(public_failures(HoldOut(confidence=1 - DELTA, equal_rows="draws"), 60), 60)


# broken twins

DRAW = {"draw": VARIANTS["draw"]}


def test_without_binomial_slack_they_fail(monkeypatch):
    monkeypatch.setattr(semi_supervised_cv.binomial, "upper", lambda errors, n, delta: errors / n)
    world = WORLDS["a rule that never changes, 43 rows in 5 folds"]
    assert refuted(failures(DRAW, world, 200)["draw"], 200)


def test_with_a_delta_that_is_not_divided_by_the_candidates_they_fail(monkeypatch):
    learners = [constant(np.random.default_rng(at).permutation(TWO)) for at in range(120)]
    world = World(TWO, 0, 60, 100, tuple(learners))
    criteria = {
        "equal": SemiSupervisedCV(1, 1 - DELTA),
        "shares": SemiSupervisedCV(1, 1 - DELTA, shares=(1 / 120,) * 120),
        "hold-out": HoldOut(0.2, confidence=1 - DELTA),
    }

    def best(chosen):
        return [min(chosen, key=lambda pair: pair[0].certificate.upper)]

    def undivided(task):
        return replace(task, n_asked=1)

    assert not any(refuted(count, 10) for count in failures(criteria, world, 10, among=best).values())
    shares = criteria.pop("shares")
    broken = failures(criteria, world, 20, change=undivided, among=best)
    monkeypatch.setattr(SemiSupervisedCV, "_share", lambda self, task, candidate: 1.0)
    broken |= failures({"shares": shares}, world, 20, among=best)
    assert all(refuted(count, 20) for count in broken.values())


def test_with_the_best_of_a_hundred_draws_of_the_folds_that_answer_they_fail():
    world = World(TWO, 0, 20_003, 100, (halves(TWO, FIRST >= 0),))
    assert not refuted(failures(DRAW, world, 30)["draw"], 30)
    count = 0
    for seed in range(30):
        points, task = world.draw(np.random.default_rng([7, seed]))
        task.folds(5)
        says = answering(points, task, world)
        redrawn = [choices(VARIANTS["draw"], points, again(task, at), says)[0] for at in range(100)]
        count += any(world.error(table) > choice.certificate.upper for choice, table in redrawn)
    assert refuted(count, 30)


def again(task, at):
    """The same task and folds, and other draws for the pool."""
    other = replace(task)
    other.__dict__.update(known_folds=task.known_folds, again=f" {at}")
    return other


def test_with_bets_in_the_order_of_the_values_they_fail(monkeypatch):
    sorted_first = {"betting": lambda counts, of, delta: betting.upper(np.sort(counts), of, delta)}
    monkeypatch.setattr(semi_supervised_cv, "OF_THE_MEAN", sorted_first)
    world = World(TWO, 0, 5003, 200, (halves(TWO, FIRST < 600),))
    assert refuted(failures({"betting": VARIANTS["betting"]}, world, 50)["betting"], 50)


def test_without_the_disagreement_a_phase_transition_makes_them_fail():
    world = World(TWO, 0, 503, 300, (at_the_last_row(TWO, np.where(FIRST < 200, 1 - TWO, TWO)),))
    assert refuted(failures(DRAW, world, 100, bound=lambda c: c.certificate.terms[0].upper)["draw"], 100)
    assert not refuted(failures(DRAW, world, 100)["draw"], 100)


def test_measured_on_the_half_of_the_pool_that_trained_it_a_semi_supervised_candidate_fails(monkeypatch):
    truth = np.arange(100_000) % 2
    world = World(truth, 0, 1000, 400, (knows_what_it_was_given(truth),), semi_supervised=(0,))
    assert not refuted(failures(DRAW, world, 30)["draw"], 30)

    monkeypatch.setattr(semi_supervised_cv.MeasuredPool, "fit", given_the_whole_pool)
    assert refuted(failures(DRAW, world, 30)["draw"], 30)


class KnowsWhatItSaw(ClassifierMixin, BaseEstimator):
    """Right about the rows that it was handed without labels, and about no other."""

    semi_supervised = True

    def fit(self, X, y):
        self.classes_, self.seen_ = np.unique(y[y >= 0]), X[y < 0, 0]
        return self

    def predict(self, X):
        truth = X[:, 1] > 0
        return np.where(np.isin(X[:, 0], self.seen_), truth, ~truth).astype(int)


def test_rows_held_out_that_are_in_the_pool_make_certificates_fail_and_are_refused(monkeypatch):
    def count(draws, held_out_too):
        failed = 0
        for seed in range(draws):
            X = np.random.default_rng(seed).normal(size=(200, 2))
            y, pool = (X[:100, 1] > 0).astype(int), X[:100] if held_out_too else X[100:]
            certificate = certify(
                KnowsWhatItSaw(), X[:100], y, X_unlabeled=pool, method=HoldOut(confidence=1 - DELTA),
                random_state=seed,
            )  # fmt: skip
            failed += certificate.upper < 1  # its error is 1: no new row is one that it saw
        return failed

    assert not refuted(count(30, held_out_too=False), 30)
    with pytest.raises(CannotAnswer, match="the pool holds the labeled rows themselves"):
        count(1, held_out_too=True)
    monkeypatch.setattr(Sample, "overlap", Overlap)
    monkeypatch.setattr(Sample, "contents", Contents)
    assert refuted(count(30, held_out_too=True), 30)


def given_the_whole_pool(pool, candidate, train):
    return semi_supervised_cv.Fit(candidate, train, unlabeled=pool._rows)


def test_a_reference_measured_on_the_pool_that_trained_it_fails(monkeypatch):
    truth = np.arange(100_000) % 2

    def learned(points, labels, given, whole):
        """Right everywhere but on the rows it was given, where it copies the model that is wrong everywhere else."""
        table = truth.copy()
        table[given] = 1 - truth[given]
        return table

    world = World(truth, 0, 1000, 400, (constant(1 - truth), learned), semi_supervised=(1,))
    criteria = {"mixed": SemiSupervisedCV(5, 1 - DELTA, reference="c1")}
    assert not refuted(failures(criteria, world, 30)["mixed"], 30)

    monkeypatch.setattr(semi_supervised_cv.MeasuredPool, "fit", given_the_whole_pool)
    assert refuted(failures(criteria, world, 30)["mixed"], 30)


# choosing on the first labels

PROGRESSIVE = {"progressive": Progressive(confidence=1 - DELTA)}
REFIT = {"progressive": Progressive(confidence=1 - DELTA, refit=True)}
MEMORY = World(TWO, 0.3, 61, 300, (majority(2, 1000),))  # knows its rows, and is 0 elsewhere
BY_CHANCE = World(TWO, 0, 60, 200, tuple(constant(np.random.default_rng(at).permutation(TWO)) for at in range(120)))


def best(chosen):
    return [min(chosen, key=lambda pair: pair[0].certificate.upper)]


def test_fits_tested_on_rows_that_trained_them_fail(monkeypatch):
    assert not refuted(failures(PROGRESSIVE, MEMORY, 100)["progressive"], 100)
    honest = Progressive._parts

    def on_trained_rows(self, task):
        split, folds = honest(self, task)
        return Fold(split.train, split.train.at(np.arange(len(split.test)))), folds

    monkeypatch.setattr(Progressive, "_parts", on_trained_rows)
    assert refuted(failures(PROGRESSIVE, MEMORY, 100)["progressive"], 100)


def test_progressive_without_slack_fails(monkeypatch):
    world = WORLDS["a rule that never changes, 43 rows in 5 folds"]
    assert not refuted(failures(PROGRESSIVE, world, 200)["progressive"], 200)
    monkeypatch.setattr(progressive.binomial, "upper", lambda errors, n, delta: errors / n)
    assert refuted(failures(PROGRESSIVE, world, 200)["progressive"], 200)


def test_a_model_with_every_label_without_the_disagreement_fails():
    world = World(TWO, 0, 503, 300, (at_the_last_row(TWO, np.where(FIRST < 200, 1 - TWO, TWO)),))
    bound = {"bound": lambda c: c.certificate.terms[0].upper}
    assert refuted(failures(REFIT, world, 100, **bound)["progressive"], 100)
    assert not refuted(failures(REFIT, world, 100)["progressive"], 100)


def test_with_all_of_delta_for_every_candidate_progressive_fails(monkeypatch):
    for criteria in (PROGRESSIVE, REFIT):
        assert not refuted(failures(criteria, BY_CHANCE, 20, among=best)["progressive"], 20)
    monkeypatch.setattr(progressive, "_share", lambda task, rank: 1.0)
    for criteria in (PROGRESSIVE, REFIT):
        assert refuted(failures(criteria, BY_CHANCE, 20, among=best)["progressive"], 20)


def test_with_ranks_by_the_labels_that_certify_progressive_fails(monkeypatch):
    honest = Progressive._parts

    def ranked_by_the_tests(self, task):
        split, _ = honest(self, task)
        return split, [split]

    assert not refuted(failures(PROGRESSIVE, BY_CHANCE, 20)["progressive"], 20)
    monkeypatch.setattr(Progressive, "_parts", ranked_by_the_tests)
    assert refuted(failures(PROGRESSIVE, BY_CHANCE, 20)["progressive"], 20)


def test_with_the_share_of_a_candidate_that_failed_because_of_the_labels_that_certify_progressive_fails():
    criterion = PROGRESSIVE["progressive"]

    def failed(draws, n_asked):
        """In how many draws the bound of the one with the fewest errors is false, where all others have failed."""
        count = 0
        for seed in range(draws):
            points, task = BY_CHANCE.draw(np.random.default_rng([3, seed]))
            says, test = answering(points, task, BY_CHANCE), criterion._parts(task)[0].test
            tables = [says(Fit(c, test))[points[test.indices]] for c in task.candidates]
            lucky = int(np.argmin([np.count_nonzero(table != task.codes(test)) for table in tables]))
            alone = replace(without(task, set(task.candidates) - {task.candidates[lucky]}), n_asked=n_asked)
            ((choice, table),) = choices(criterion, points, alone, says)
            count += BY_CHANCE.error(table) > choice.certificate.upper
        return count

    assert not refuted(failed(20, len(BY_CHANCE.learners)), 20)
    assert refuted(failed(20, 1), 20)
