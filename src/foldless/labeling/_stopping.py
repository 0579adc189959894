"""When there are enough labels: the lower end of an interval passes a target, although it is looked at again and again.

An interval of 95 % that is looked at after every batch fails at some look more often than in 5 % of all runs. So what
may fail is shared among the looks: the k-th test may fail with probability

    α_k = 4 α / ((k + 3) (k + 4)),    Σ α_k = α

whatever the models are, which change from look to look, and however looks depend on each other. A look is a test only
if there are a quarter more labels than at the last one, and so many that a model without an error would pass: others
could say little new, and would use up a share. Intervals become those of another confidence by the number of labels
for which Clopper and Pearson's interval has the same lower end.

A forecast fits the learning curve a − b n^(−c), again and again with errors drawn as those of the estimates are, and
goes on with the same rule.

References
----------
Lan & DeMets (1983). Discrete sequential boundaries for clinical trials. Biometrika 70.
Clopper & Pearson (1934). The use of confidence or fiducial limits illustrated in the case of the binomial. Biometrika.
Figueroa, Zeng-Treitler, Kandula & Ngo (2012). Predicting sample size required for classification performance. BMC
Medical Informatics and Decision Making 12.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count
from math import isnan, log
from typing import Any, NamedTuple

import numpy as np

from foldless.core import Array

GROWTH = 1.25  # of the labels from one test to the next
EVEN = 3  # the larger, the more alike are the shares of the first tests
CURVES, SEED = 400, 0  # of a forecast
DECAYS = (0.3, 0.5, 0.7, 1.0)  # c: those of learning curves are seldom steeper or flatter
HORIZON = 10  # times the labels there are: nothing is forecast beyond
RANGE = (0.1, 0.9)
MIN_LOOKS = 3


class LabelingTarget(NamedTuple):
    """The target of labeling: an accuracy, with a confidence, and a number of rows of each class."""

    accuracy: float = 0.9
    confidence: float = 0.95
    per_class: int = 20


class Look(NamedTuple):
    """An estimate of the accuracy after some labels, with its interval; the ends are None or NaN where it has none."""

    n_labels: int
    value: float
    lower: float | None
    upper: float | None = None
    confidence: float = 0.95

    @property
    def has_interval(self) -> bool:
        """Whether there is a lower end."""
        return self.lower is not None and not isnan(self.lower)


class StopDecision(NamedTuple):
    """Whether there are enough labels, and what that rests on.

    enough : whether the target is reached, in accuracy and in rows per class
    accurate : whether the accuracy is
    lower : the lower end of the last test, of a confidence that lets all tests together hold; None before the first
    n_labels : the labels of the test that was passed first, or of the last test; 0 before the first
    n_tests : how many looks were tests
    missing : by the place of a class, how many rows of it are missing
    """

    enough: bool
    accurate: bool
    lower: float | None
    n_labels: int
    n_tests: int
    missing: dict[int, int]


class LabelForecast(NamedTuple):
    """How many more labels are needed, from ``lower`` to ``upper``; both are None for a ``reason``.

    ``upper`` alone is None where it may take more than ten times the labels there are.
    """

    lower: int | None
    upper: int | None
    reason: str = ""

    def __str__(self) -> str:
        if self.lower is None:
            return f"cannot be said: {self.reason}"
        if self.upper is None:
            return f"at least {self.lower} more labels"
        return f"{self.lower} to {self.upper} more labels" if self.lower < self.upper else f"{self.upper} more labels"


def enough(
    estimates: Iterable[Look], target: LabelingTarget | None = None, class_counts: Sequence[int] = ()
) -> StopDecision:
    """Whether the accuracy of the model reaches the target, by all looks so far.

    If the target is never reached, "enough" is said with a probability of at most 1 − confidence, however often one
    looks.

    Parameters
    ----------
    estimates : looks
        All of them, in the order of the labels; leave none of them out.
    target : LabelingTarget, optional
        By default an accuracy of .9, with a confidence of .95, and 20 rows of each class.
    class_counts : sequence of int
        How many labels each class has. Without them rows per class are not asked for.

    Examples
    --------
    >>> looks = [Look(50, 0.94, 0.84), Look(100, 0.96, 0.90), Look(150, 0.96, 0.915), Look(250, 0.97, 0.94)]
    >>> [enough(looks[:n]).enough for n in (1, 2, 3, 4)]
    [False, False, False, True]
    """
    target = target or LabelingTarget()
    missing = {code: target.per_class - n for code, n in enumerate(class_counts) if n < target.per_class}
    lower, n_labels, n_tests = None, 0, 0
    for look, share in _tests(estimates, target):
        n_tests += 1
        n_labels, lower = look.n_labels, lower_end(look, share)
        if lower >= target.accuracy:
            return StopDecision(not missing, True, lower, n_labels, n_tests, missing)
    return StopDecision(False, False, lower, n_labels, n_tests, missing)


def share_of_test(k: int) -> float:
    """How much of what may fail the k-th test has, from 1 on; all of them add up to 1.

    Examples
    --------
    >>> round(sum(share_of_test(k) for k in range(1, 10**5)), 3)
    1.0
    """
    return (EVEN + 1) / ((k + EVEN) * (k + EVEN + 1))


def lower_end(look: Look, probability: float) -> float:
    """The lower end that fails with this probability, of a look that has an interval."""
    return float(_clopper_pearson(look.value, _equal_labels(look), probability))


def _clopper_pearson(value: Any, n: Any, probability: Any) -> Any:
    """The lower end of an interval of a share of n labels."""
    from scipy.special import betaincinv

    return betaincinv(np.maximum(n * value, 1e-9), n * (1 - value) + 1, probability)


def _tests(looks: Iterable[Look], target: LabelingTarget) -> Iterator[tuple[Look, float]]:
    """The looks that are tests, each with the probability with which it may fail."""
    k, last = 1, 0
    for look in looks:
        share = (1 - target.confidence) * share_of_test(k)
        is_larger = look.n_labels >= GROWTH * last and look.n_labels * log(target.accuracy) <= log(share)
        if look.has_interval and is_larger:
            yield look, share
            k, last = k + 1, look.n_labels


def _equal_labels(look: Look) -> float:
    """The number of labels for which Clopper and Pearson's interval has the lower end of this look."""
    tail, low, high = (1 - look.confidence) / 2, 0.0, 24.0
    assert look.lower is not None
    for _ in range(30):  # bisection in log₂ n
        end = _clopper_pearson(look.value, 2 ** ((low + high) / 2), tail)
        low, high = (low, (low + high) / 2) if end > look.lower else ((low + high) / 2, high)
    return float(2**low)


def forecast(estimates: Iterable[Look], target: LabelingTarget | None = None, batch: int = 30) -> LabelForecast:
    """How many more labels it takes until `enough` is reached, as a range that is right in about 80 % of cases.

    Examples
    --------
    >>> print(forecast([Look(50, 0.8, 0.67)]))
    cannot be said: there are fewer than 3 estimates
    """
    target, looks = target or LabelingTarget(), [look for look in estimates if look.has_interval]
    if enough(looks, target).accurate:
        return LabelForecast(0, 0)
    if len(looks) < MIN_LOOKS:
        return LabelForecast(None, None, f"there are fewer than {MIN_LOOKS} estimates")
    more = _more_labels(looks, target, batch)
    lower, middle, upper = np.quantile(more, [RANGE[0], 0.5, RANGE[1]], method="inverted_cdf")
    if np.isinf(middle):
        return LabelForecast(None, None, "the learning curve, extrapolated, does not reach the target")
    return LabelForecast(int(lower), None if np.isinf(upper) else int(upper))


def _more_labels(looks: list[Look], target: LabelingTarget, batch: int) -> Array:
    """The labels that each of some curves takes beyond those there are; infinite beyond the horizon.

    An estimate after n labels is off by s W(n) / n, with a Brownian motion W: as the mean of n independent errors is,
    most of which it shares with the estimate before it.
    """
    rng, last = np.random.default_rng(SEED), looks[-1]
    tests = _tests_to_come(looks, target, batch)
    seen, to_come = np.array([look.n_labels for look in looks]), np.array([n for n, _ in tests])
    n = np.concatenate([seen, to_come]).astype(float)
    motion = np.cumsum(rng.normal(size=(CURVES, len(n))) * np.sqrt(np.diff(n, prepend=0.0)), axis=1)
    equal = _equal_labels(last)
    typical = min(max(last.value, 1 / (equal + 2)), 1 - 1 / (equal + 2))  # an estimate of 1 is off too
    off = np.sqrt(typical * (1 - typical) * last.n_labels / equal) * motion / n
    values = np.array([look.value for look in looks]) - off[:, : len(seen)]
    future = np.clip(_curves(seen, values, to_come, rng) + off[:, len(seen) :], 0.0, 1.0)
    shares = np.array([share for _, share in tests])
    passed = _clopper_pearson(future, to_come * equal / last.n_labels, shares) >= target.accuracy
    return np.where(passed.any(axis=1), to_come[passed.argmax(axis=1)] - last.n_labels, np.inf)


def _tests_to_come(looks: list[Look], target: LabelingTarget, batch: int) -> list[tuple[int, float]]:
    """Labels and shares of the tests that follow, one batch after the other."""
    n_labels, tests = looks[-1].n_labels, list[tuple[int, float]]()
    to_come = (Look(n, 1.0, 0.0) for n in count(n_labels + batch, batch))
    for look, share in _tests(chain(looks, to_come), target):
        if tests and look.n_labels - batch > HORIZON * n_labels:
            break
        if look.n_labels > n_labels:
            tests.append((look.n_labels, share))
    return tests


def _curves(seen: Array, values: Array, to_come: Array, rng: np.random.Generator) -> Array:
    """Learning curves a − b n^(−c) through each line of values, b ≥ 0 and a ≤ 1, at the labels to come."""
    decay = rng.choice(DECAYS, size=(len(values), 1))
    past, ahead = seen**-decay, to_come**-decay
    weights = seen / seen.sum()
    middle, height = (past * weights).sum(axis=1, keepdims=True), (values * weights).sum(axis=1, keepdims=True)
    spread = (weights * (past - middle) ** 2).sum(axis=1, keepdims=True)
    fall = -(weights * (past - middle) * (values - height)).sum(axis=1, keepdims=True) / np.maximum(spread, 1e-12)
    fall = np.clip(fall, 0.0, np.maximum(0.0, (1 - height) / middle))  # a is at most 1
    return np.asarray(height + fall * middle - fall * ahead)
