"""ADA: the training error, times how differently a candidate behaves on the pool and on the labeled rows.

    score = error(h, y) · max(d_U / d_L, d_L / d_U)

where d_L and d_U are the mean distances of h from the constant φ, the class shares of the labels, over labeled and pool
rows. An overfitted candidate is far from φ at the labeled rows and near it elsewhere, or the other way round: in both
cases the ratio is large. Distances are mean Kullback-Leibler divergences KL(φ ‖ h); the error is the mean log loss.

Near φ the divergence is a small difference of large terms. It is computed as Σ φ (x − log(1 + x)) with x = h/φ − 1, and
as a series for small x, so that ratios are accurate for candidates close to φ too. A candidate that predicts φ, or the
same probabilities for all rows (both distances are then equal), has the score +∞. ``ratio_floor`` is added to both
distances on request; with it, nearly constant candidates can win.

Of regressors φ is the mean of y, and all distances are roots of mean squared differences, as the method was first made.

The formula follows the descriptions in the references. Quanz & Huan add "a small amount" to probabilities of zero and
do not state it, although the choice may depend on it: here it is ``clip``.

References
----------
Schuurmans, Southey, Wilkinson & Guo (2006). Metric-based approaches for semi-supervised regression and classification.
In Semi-Supervised Learning. MIT Press.
Quanz & Huan (2012). Section 2.2.2.
"""

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from foldless.core import Array, Ask, Choice, Classes, Criterion, Evaluation, Task, Traits
from foldless.criteria import register
from foldless.errors import BadInput, CannotAnswer
from foldless.judging import _distances as distances
from foldless.judging._pool_distances import on_labels_and_pool

SMALL = 1e-4  # |x| below which x − log(1 + x) is summed as a series
EVEN = 1e-9  # relative difference from the class shares that is rounding, where all rows have the same prediction
ROUNDING = 1e-12  # of a probability
AT_CONSTANT = "predicts the class shares for every labeled row or for every pool row"
SAME = "predicts the same probabilities for every row"
SAME_VALUE = "predicts the same value for every row"
WITHOUT = "not judged: it gives no probabilities"
NO_CHOICE = "all candidates do, so none is preferred: use another criterion"
Direction = Literal["from_constant", "to_constant"]


@register("ada", place=10)
@dataclass(frozen=True)
class ADA(Criterion):
    """Rank by the training error times the larger ratio of the distances from a constant, on labels and on the pool.

    The other parameters reproduce variants of the paper.

    Parameters
    ----------
    loss : "log" or "zero_one"
        The training error: mean log loss, or the share of wrong labels, which is 0 for many candidates at once.

    Other Parameters
    ----------------
    direction : "from_constant" or "to_constant"
        KL(φ ‖ h), or KL(h ‖ φ).
    clip : float
        Probabilities are cut to [clip, 1 − clip].
    ratio_floor : float
        Added to both distances before they are divided.
    """

    loss: Literal["log", "zero_one"] = "log"
    direction: Direction = "from_constant"
    clip: float = 1e-12
    ratio_floor: float = 0.0

    better: ClassVar[Literal["higher", "lower"]] = "lower"
    needs: ClassVar[frozenset[str]] = frozenset({"pool"})
    traits: ClassVar[Traits] = Traits(regression=True)
    assumes: ClassVar[tuple[str, ...]] = (
        "labeled and pool rows are drawn from the same population",
        "a good candidate is as far from the class shares on labeled rows as on the pool",
        "the score ranks candidates and does not estimate an error",
    )

    def evaluate(self, task: Task) -> Evaluation:
        if not isinstance(task.target, Classes):
            return (yield from self._of_values(task))
        self._check(task)
        able = [c for c in task.candidates if "probabilities" in c.responses]
        divergence = MeanDivergence(tuple(task.class_shares().tolist()), self.direction, self.clip)
        answers = yield [
            ask
            for fit in map(task.full, able)
            for ask in (
                Ask(fit, task.labeled, "probabilities"),
                Ask(fit, task.pool.every, "probabilities", divergence),
                Ask(fit, task.labeled),
            )
        ]
        choices = []
        for at, c in enumerate(able):
            on_labels, on_pool, labels = answers[3 * at : 3 * at + 3]
            on_labeled = divergence(on_labels)
            same = _is_constant(on_labeled, on_pool, task)
            ratio = np.inf if same else self._ratio(float(on_labeled[0]), float(on_pool[0]))
            error = self._error(task, on_labels, labels)
            score = error * ratio if np.isfinite(ratio) else np.inf  # also where the error is 0
            note = f"error {error:.4g}, ratio {ratio:.4g}"
            reasons = [SAME if same else AT_CONSTANT] if np.isinf(ratio) else []
            choices.append(Choice(c, score, (task.full(c),), notes=(note, *reasons)))
        if all(np.isinf(choice.score) for choice in choices):
            choices = [replace(choice, notes=(*choice.notes, NO_CHOICE)) for choice in choices]
        others = [c for c in task.candidates if c not in able]
        return choices + [Choice(c, np.nan, (task.full(c),), notes=(WITHOUT,)) for c in others]

    def _of_values(self, task: Task) -> Evaluation:
        """Training error, and distances from the mean of y, in the unit of y."""
        on_labels, on_pool = yield from on_labels_and_pool(task, "labels")
        mean, choices = task.y.mean(), []
        for k, (c, labeled) in enumerate(zip(task.candidates, on_labels, strict=True)):
            error = distances.from_truth(labeled, task.y)
            apart = distances.between(labeled, np.full(len(labeled), mean)), on_pool.from_mean(k, mean)
            same = max(np.ptp(labeled), on_pool.span(k)) <= EVEN * max(1.0, abs(mean))
            ratio = np.inf if same else self._ratio(*apart)
            note = f"error {error:.4g}, ratio {ratio:.4g}"
            notes = (note, SAME_VALUE) if same else (note,)
            choices.append(Choice(c, error * ratio if np.isfinite(ratio) else np.inf, (task.full(c),), notes=notes))
        return choices

    def _ratio(self, on_labels: float, on_pool: float) -> float:
        """The larger of the two ratios; +∞ if a distance is 0."""
        small, large = sorted((on_labels + self.ratio_floor, on_pool + self.ratio_floor))
        return large / small if small > 0 else np.inf

    def _error(self, task: Task, probabilities: Array, labels: Array) -> float:
        if self.loss == "zero_one":
            return float(np.mean(labels != task.y))
        of_truth = np.clip(probabilities[np.arange(len(task.y)), task.y], self.clip, 1 - self.clip)
        return float(-np.mean(np.log(of_truth)))

    def _check(self, task: Task) -> None:
        allowed = {"loss": ("log", "zero_one"), "direction": ("from_constant", "to_constant")}
        for name, values in allowed.items():
            if (value := getattr(self, name)) not in values:
                raise BadInput(f"{name} must be {' or '.join(map(repr, values))}, got {value!r}")
        if not 0 < self.clip < 0.5:
            raise BadInput(f"clip must be in (0, 0.5), got {self.clip!r}")
        if not self.ratio_floor >= 0:
            raise BadInput(f"ratio_floor must be 0 or more, got {self.ratio_floor!r}")
        if not any("probabilities" in c.responses for c in task.candidates):
            which = "no candidate gives"
            if len(task.candidates) == 1:
                which = f"candidate {task.candidates[0].name!r} does not give"
            raise CannotAnswer(f"{self.name} needs probabilities, which {which}")


@dataclass(frozen=True)
class MeanDivergence:
    """The mean divergence of rows of probabilities from a constant, then the smallest and largest of every class."""

    constant: tuple[float, ...]
    direction: Direction
    clip: float

    def __call__(self, probabilities: Array) -> Array:
        phi = np.array(self.constant)
        x = np.clip(probabilities, self.clip, 1 - self.clip) / phi - 1
        terms = (_from_constant if self.direction == "from_constant" else _to_constant)(x)
        return np.concatenate([[np.mean(terms @ phi)], probabilities.min(axis=0), probabilities.max(axis=0)])

    def merge(self, a: Array, n: int, b: Array, m: int) -> Array:
        """What n and m rows have given, as all of them give it."""
        k = 1 + len(self.constant)
        mean = (n * a[:1] + m * b[:1]) / (n + m)
        return np.concatenate([mean, np.minimum(a[1:k], b[1:k]), np.maximum(a[k:], b[k:])])


def _is_constant(on_labeled: Array, on_pool: Array, task: Task) -> bool:
    """Whether all labeled and pool rows have the same probabilities, up to rounding of their difference from φ."""
    (low, high), (pool_low, pool_high) = (np.split(summary[1:], 2) for summary in (on_labeled, on_pool))
    low, high, phi = np.minimum(low, pool_low), np.maximum(high, pool_high), task.class_shares()
    away = np.maximum(np.abs(low - phi), np.abs(high - phi)).max()
    return bool(away > 0 and (high - low).max() <= max(EVEN * away, ROUNDING))


def _from_constant(x: Array) -> Array:
    """x − log(1 + x): with Σ φ x = 0 its sum over φ is Σ φ log(φ/h)."""
    series = x**2 * (1 / 2 - x * (1 / 3 - x / 4))
    return np.where(np.abs(x) < SMALL, series, x - np.log1p(x))


def _to_constant(x: Array) -> Array:
    """(1 + x) log(1 + x) − x: with Σ φ x = 0 its sum over φ is Σ h log(h/φ)."""
    series = x**2 * (1 / 2 - x * (1 / 6 - x / 12))
    return np.where(np.abs(x) < SMALL, series, (1 + x) * np.log1p(x) - x)
