"""The accuracy of a chosen model on new rows, with an interval: held-out labels, sharpened by the pool.

With z whether held-out predictions are right and g what predicts that, θ = mean z + λ (mean_U g − mean_L g), the power-
tuned prediction-powered mean. Several such predictors (the model's confidence, a second opinion) are standardized and
weighted by the squares of their covariances with z. Four things make the interval wider than that of independent rows:

- the same labels chose the model: rows are drawn with replacement, the best of all candidates is taken on them and
  judged on the rows that were not drawn (bootstrap bias corrected cross-validation). The model is trained on more
  labels than the fits that were judged, which makes up for a part of what it loses: at least the first and at most the
  second share of TAKEN_OFF is taken off θ, and their mean in the value;
- where labels are still worth a lot, that makes up for more: an error that falls as m^−LEARNS with m labels is lower by
  1 − share^LEARNS than that of fits on a share of them, and the upper end is moved by as much. The steepest of the
  distributions that were simulated fall as m^−.30 from 24 to 30 labels, m^−.33 from 80 to 100, m^−.17 from 320 to 400;
- folds share training rows: the variance is taken INFLATED times as large, and INFLATED_WITH_POOL times where the pool
  counts, because the model itself labels the pool;
- few labels, or accuracies near 1: the interval is Wilson's, with Student's quantile and the number of independent
  rows that has this variance. Rows of one group count as one.

Labels that were drawn with unequal probabilities have weights w, and sums over labels are weighted: mean_L z is Σ w z,
its variance Σ w² (z − Σ w z)², and λ is the weight that makes the variance smallest. The pool lacks the rows that were
drawn from it, so that mean_U g is that of pool and labels together.

References
----------
Angelopoulos, Duchi & Zrnic (2023). PPI++: efficient prediction-powered inference.
Tsamardinos, Greasidou & Borboudakis (2018). Bootstrapping the out-of-sample predictions for efficient and accurate
cross-validation. Machine Learning 107.
Bates, Hastie & Tibshirani (2023). Cross-validation: what does it estimate and how well does it do it? JASA.
"""

from dataclasses import dataclass

import numpy as np

from foldless.accuracy._distributions import student_quantile
from foldless.accuracy._prediction_powered import prediction_powered
from foldless.core import Array
from foldless.errors import BadInput

# no theory gives these: simulations do, and benchmarks/coverage/estimates.py checks them on other seeds
INFLATED, INFLATED_WITH_POOL, TAKEN_OFF, LEARNS = 1.4, 1.3, (0.3, 0.7), 1 / 3
DRAWS = 200
TINY = 1e-9


@dataclass(frozen=True)
class HeldOut:
    """What is known of held-out rows: whether predictions are right, their confidence, and the confidence on the pool.

    Instead of one confidence (n,) there may be several predictors (p, n) of what is right, and as many on the pool.
    ``candidates`` (N, n) says which held-out predictions of every candidate are right, where that is known of all that
    could have been chosen by it; ``groups`` are codes of rows that belong together; ``trained_on`` is the share of the
    model's labels that the fits behind these predictions were trained on. ``weights`` are those of labels that were
    drawn with unequal probabilities, and ``n_pool`` is the size of the pool of which ``pool_confidence`` is a sample.
    """

    right: Array
    confidence: Array | None = None
    pool_confidence: Array | None = None
    candidates: Array | None = None
    groups: Array | None = None
    trained_on: float = 1.0
    weights: Array | None = None
    n_pool: int = 0


@dataclass(frozen=True)
class Interval:
    """A value with its interval, which holds it, the pool's weight, and what the choice by the same labels took off."""

    value: float
    lower: float
    upper: float
    weight: float = 0.0
    optimism: float = 0.0

    def __post_init__(self) -> None:
        # an end may be cut off or rounded beyond the value; one that is NaN changes nothing
        object.__setattr__(self, "value", min(max(self.value, self.lower), self.upper))


def held_out_accuracy(
    held: HeldOut, confidence: float, rng: np.random.Generator, inflated: float | None = None
) -> Interval:
    """The accuracy with its interval; ``inflated`` is 1 for a fixed model and rows that it has not seen.

    Examples
    --------
    >>> right = np.arange(100) < 80
    >>> interval = held_out_accuracy(HeldOut(right), 0.95, np.random.default_rng(0))
    >>> round(interval.value, 2), round(interval.lower, 2), round(interval.upper, 2)
    (0.8, 0.69, 0.88)
    """
    if not 0 < confidence < 1:
        raise BadInput(f"confidence must be in (0, 1), got {confidence!r}")
    z = np.asarray(held.right, dtype=float)
    n = len(z)
    units = np.arange(n) if held.groups is None else np.unique(held.groups, return_inverse=True)[1]
    if held.weights is not None:
        return _weighted(held, z, units, held.weights / held.weights.sum(), confidence, rng, inflated)
    value, weight, rest, pool_variance, lost = float(z.mean()), 0.0, z, 0.0, 1
    if held.confidence is not None and held.pool_confidence is not None and held.pool_confidence.size:
        sure, on_pool = combined(z, np.atleast_2d(held.confidence), np.atleast_2d(held.pool_confidence))
        powered = prediction_powered(z, sure, on_pool)
        value, weight = powered.value, powered.weight
        rest = z - weight * sure
        pool_variance = weight**2 * float(np.var(on_pool)) / len(on_pool)
        lost += weight > 0
    inflated = inflated or (INFLATED_WITH_POOL if weight > 0 else INFLATED)
    optimism = 0.0 if held.candidates is None else choice_optimism(held.candidates, units, rng)
    plain = float(z.var())
    ratio = (_variance(rest, units, lost) + pool_variance) * n / plain if plain > 0 else 1.0
    size = n / (inflated * max(ratio, 1e-3))
    return _interval(held, value, weight, optimism, size, student_quantile((1 + confidence) / 2, max(1, units.max())))


def _interval(held: HeldOut, value: float, weight: float, optimism: float, size: float, quantile: float) -> Interval:
    upper, lower = (wilson(value - share * optimism, size, quantile) for share in TAKEN_OFF)
    off, learned = optimism * float(np.mean(TAKEN_OFF)), (1 - value) * (1 - held.trained_on**LEARNS)
    return Interval(min(1.0, max(0.0, value - off)), lower[0], min(1.0, upper[1] + learned), weight, off)


def _weighted(
    held: HeldOut,
    z: Array,
    units: Array,
    weights: Array,
    confidence: float,
    rng: np.random.Generator,
    inflated: float | None,
) -> Interval:
    """The interval of labels that do not count alike."""
    n_units = int(units.max()) + 1
    # weights add up to 1 but for rounding, by which labels that are all right would have a variance, and next to none
    mean = float(z[0]) if z.min() == z.max() else float(weights @ z)
    weight, pool_variance, shown = 0.0, 0.0, 0.0
    rest = z - mean
    if held.confidence is not None and held.pool_confidence is not None and held.pool_confidence.size:
        sure, on_pool = combined(z, np.atleast_2d(held.confidence), np.atleast_2d(held.pool_confidence), weights)
        n, n_pool = len(z), max(held.n_pool, len(on_pool))
        all_rows = (sure.sum() + n_pool * on_pool.mean()) / (n + n_pool)
        off = sure - weights @ sure
        by_unit, of_z = _sums(weights * off, units, n_units), _sums(weights * rest, units, n_units)
        spread = float(np.var(on_pool)) / len(on_pool)
        if (bottom := float(by_unit @ by_unit) + spread) > 0:
            weight = min(1.0, max(0.0, float(by_unit @ of_z) / bottom))
        shown, pool_variance = weight * float(all_rows - weights @ sure), weight**2 * spread
        rest = rest - weight * off
    value = mean + shown
    unit_weights = _sums(weights, units, n_units)
    kish = float(1 / (unit_weights @ unit_weights))
    sums = _sums(weights * rest, units, n_units)
    variance = float(sums @ sums) * kish / max(1.0, kish - 1 - (weight > 0)) + pool_variance
    plain = mean * (1 - mean)
    ratio = variance * kish / plain if plain > 0 else 1.0
    inflated = inflated or (INFLATED_WITH_POOL if weight > 0 else INFLATED)
    optimism = 0.0 if held.candidates is None else choice_optimism(held.candidates, units, rng, weights=weights)
    size = kish / (inflated * max(ratio, 1e-3))
    return _interval(held, value, weight, optimism, size, student_quantile((1 + confidence) / 2, max(1.0, kish - 1)))


def _sums(values: Array, units: Array, n_units: int) -> Array:
    return np.asarray(np.bincount(units, values, n_units))


def combined(
    right: Array, predictors: Array, on_pool: Array, label_weights: Array | None = None
) -> tuple[Array, Array]:
    """Predictors (p, n) of what is right as one, and the same on the pool (p, N): those that covary most count most.

    Examples
    --------
    >>> right, sure, noise = np.array([0, 0, 1, 1]), np.array([0.2, 0.4, 0.6, 0.8]), np.array([1.0, 0.0, 1.0, 0.0])
    >>> one, on_pool = combined(right, np.array([sure, noise]), np.array([sure, noise]))
    >>> np.corrcoef(one, sure)[0, 1].round(3)
    np.float64(1.0)
    """
    both = np.hstack([predictors, on_pool]).astype(float)
    spread = both.std(axis=1)
    both = both / np.where(spread > 0, spread, 1.0)[:, None]
    n = len(right)
    weights = (
        np.array([max(0.0, float(np.cov(right, predictor[:n], aweights=label_weights)[0, 1])) for predictor in both])
        ** 2
    )
    one = weights @ both / (weights.sum() or 1.0)
    return one[:n], one[n:]


def choice_optimism(candidates: Array, units: Array, rng: np.random.Generator, weights: Array | None = None) -> float:
    """How much less accurate the best of all candidates is on rows that did not choose it; never below 0.

    Examples
    --------
    >>> coins = np.random.default_rng(0).integers(2, size=(20, 50))
    >>> round(choice_optimism(coins, np.arange(50), np.random.default_rng(0)), 2) > 0.05
    True
    """
    if len(candidates) < 2:
        return 0.0
    n_units = int(units.max()) + 1
    each = np.ones(len(units)) if weights is None else weights * len(units)
    right = np.asarray(candidates, dtype=float) * each
    sums = np.array([np.bincount(units, row, n_units) for row in right])
    sizes = np.bincount(units, each, n_units)
    drawn = rng.multinomial(n_units, np.full(n_units, 1 / n_units), size=DRAWS).astype(float)
    inside = sums @ drawn.T / (drawn @ sizes)
    left = (drawn == 0).astype(float)
    outside = sums @ left.T / np.maximum(TINY, left @ sizes)
    overall = sums.sum(axis=1) / sizes.sum()
    return max(0.0, float(overall.max() - outside[inside.argmax(axis=0), np.arange(DRAWS)].mean()))


def wilson(value: float, size: float, quantile: float) -> tuple[float, float]:
    """The interval of a share that was seen on ``size`` independent rows."""
    value = min(1.0, max(0.0, value))
    squared = quantile**2
    middle = (value + squared / (2 * size)) / (1 + squared / size)
    reach = quantile * np.sqrt(value * (1 - value) / size + squared / (4 * size**2)) / (1 + squared / size)
    lower = 0.0 if value == 0 else max(0.0, float(middle - reach))  # rounding must not leave the share outside
    return lower, 1.0 if value == 1 else min(1.0, float(middle + reach))


def _variance(rest: Array, units: Array, lost: int) -> float:
    """Of the mean of values whose units are independent, with so many degrees of freedom less."""
    n, n_units = len(rest), int(units.max()) + 1
    sums = np.bincount(units, rest - rest.mean(), n_units)
    return float(sums @ sums) / n**2 * n_units / max(1, n_units - lost)
