"""Expectation maximization: probabilities are those of the labels' population, moved to the shares of the pool.

Under prior shift P(x | y) is the same in labels and pool, so that a row has the likelihood P(y | x) / π_y under class
y, with π the shares of the labels. The shares of the highest likelihood are those at which the mean of the moved
probabilities, p_y P(y | x) / π_y over their sum, is p again.

It needs calibrated probabilities. ``calibration="bcts"`` (the default) calibrates them on the labeled rows first: one
temperature and one constant for each class; ``"ts"`` has the temperature only; None takes them as they are.

References
----------
Saerens, Latinne & Decaestecker (2002). Adjusting the outputs of a classifier to new a priori probabilities. Neural
Computation 14.
Alexandari, Kundaje & Shrikumar (2020). Maximum likelihood with bias-corrected calibration is hard-to-beat at label
shift adaptation. ICML.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from foldless.core import Array
from foldless.errors import BadInput
from foldless.quantifiers._calibrating import CalibrationLine, calibrated_line, calibrated_lines
from foldless.quantifiers._mixture import mixture_weights
from foldless.quantifiers.bags import Bags
from foldless.quantifiers.quantifier import (
    CALIBRATED,
    PRIOR_SHIFT,
    Held,
    Learned,
    OfLikelihood,
    Quantifier,
    probabilities_of,
)


@dataclass(frozen=True)
class EM(Quantifier):
    """The shares of the highest likelihood.

    Parameters
    ----------
    calibration : "bcts", "ts" or None
        How probabilities are calibrated on the labeled rows.

    Examples
    --------
    >>> from foldless.quantifiers import Held
    >>> held = Held(np.array([[0.8, 0.2], [0.2, 0.8]]), np.array([0, 1]), n_classes=2)
    >>> EM(calibration=None).learn(held).aggregate(np.array([[0.7, 0.3], [0.7, 0.3], [0.2, 0.8]])).round(3)
    array([0.639, 0.361])
    """

    calibration: Literal["bcts", "ts"] | None = "bcts"
    assumes: ClassVar[tuple[str, ...]] = (PRIOR_SHIFT, CALIBRATED)

    def learn(self, held: Held) -> "LearnedPosteriors":
        if self.calibration not in ("bcts", "ts", None):
            raise BadInput(f"calibration must be 'bcts', 'ts' or None, got {self.calibration!r}")
        line = None
        if self.calibration is not None:
            probabilities = probabilities_of(held.answers, held.n_classes)
            near = held.near.line if isinstance(held.near, LearnedPosteriors) else None
            line = calibrated_line(probabilities, held.y, held.weights, biased=self.calibration == "bcts", start=near)
        return LearnedPosteriors(held.shares, line, held.n_classes)

    def learn_again(self, held: Held, weights: Array) -> list[Learned]:
        near = self.learn(held)
        if near.line is None:
            return super().learn_again(held, weights)
        probabilities = probabilities_of(held.answers, held.n_classes)
        lines = calibrated_lines(probabilities, held.y, weights, biased=self.calibration == "bcts", start=near.line)
        return [
            LearnedPosteriors(replace(held, weights=row_weights).shares, line, held.n_classes)
            for row_weights, line in zip(weights, lines, strict=True)
        ]


@dataclass(frozen=True, eq=False)
class LearnedPosteriors(OfLikelihood):
    """The shares of the labels, and how probabilities are calibrated."""

    shares: Array
    line: CalibrationLine | None
    n_classes: int
    prior: Array | None = None

    def likelihood(self, answers: Array) -> Array:
        probabilities = probabilities_of(answers, self.n_classes)
        if self.line is not None:
            probabilities = self.line(probabilities)
        seen = self.shares > 0
        return np.where(seen, probabilities / np.where(seen, self.shares, 1.0), 0.0)

    def aggregate_many(self, answers: Array, bags: Any) -> Array:
        return mixture_weights(self.likelihood(answers), Bags.of(bags, len(answers)), self.shares)
