"""Maximum a posteriori: the likelihood of EM, and a few imagined rows that have the class shares of the labels.

    max_p  n · mean_i log Σ_k p_k L_k(x_i)  +  c Σ_k π_k log p_k,

with n labels, their shares π, and c = 5 imagined rows. The pool counts as n rows however large it is, because L is
known from n labels only: with few labels the shares stay near those of the labels, with many they do not. Where a
classifier does not separate the classes, L is flat, and the shares stay those of the labels instead of taking arbitrary
values.

L_k(x) = P(k | x) / mean P(k | x): probabilities are calibrated as in EM, but pulled towards what they are by ten rows,
and divided by their mean over the labeled rows, so that a pool like the labels has the labels' shares whatever the
calibration is. Where answers are predicted classes, L_k(ŷ) are the rates of the table, pulled by one row of each class.

References
----------
Ye, Tsuchida, Petersson & Barnes (2024). Label shift estimation for class-imbalance problem: a Bayesian approach. WACV.
Saerens, Latinne & Decaestecker (2002). Adjusting the outputs of a classifier to new a priori probabilities. Neural
Computation 14.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from foldless.core import Array
from foldless.errors import BadInput
from foldless.quantifiers._calibrating import Calibrating, CalibrationLine, LearnedPosterior
from foldless.quantifiers.quantifier import CALIBRATED, PRIOR_SHIFT, Held

SMOOTHING = 1.0  # rows of each class that are predicted as all rows are


@dataclass(frozen=True)
class MAP(Calibrating):
    """The shares of the highest posterior.

    Parameters
    ----------
    prior : imagined rows that have the shares of the labels; 0 for the highest likelihood
    pull : imagined rows for which the probabilities are calibrated

    Examples
    --------
    >>> from foldless.quantifiers import Held
    >>> held = Held(np.array([[0.8, 0.2], [0.2, 0.8]] * 20), np.array([0, 1] * 20), n_classes=2)
    >>> pool = np.array([[0.7, 0.3], [0.7, 0.3], [0.2, 0.8]])
    >>> MAP().learn(held).aggregate(pool).round(2), MAP(prior=0).learn(held).aggregate(pool).round(2)
    (array([0.6, 0.4]), array([0.63, 0.37]))
    """

    prior: float = 5.0
    pull: float = 10.0
    response: ClassVar[Any] = "labels"  # probabilities where there are any
    assumes: ClassVar[tuple[str, ...]] = (PRIOR_SHIFT, CALIBRATED)

    def learn(self, held: Held) -> LearnedPosterior:
        if not (self.prior >= 0 and self.pull >= 0):
            raise BadInput(f"prior and pull must be numbers of at least 0, got {self.prior!r} and {self.pull!r}")
        if held.answers.ndim == 2:
            return self.calibrated(held)
        table = held.table(held.answers, held.n_classes)
        counted = (table.sum(axis=0) + 1e-9) / (table.sum() + 1e-9 * held.n_classes)
        rates = (table + SMOOTHING * counted) / (table.sum(axis=1, keepdims=True) + SMOOTHING)
        return LearnedPosterior(held.shares, rates, held.n_classes, None, self._imagined(held))

    @property
    def line_options(self) -> dict[str, Any]:
        return {"pull": self.pull}

    def around(self, line: CalibrationLine, probabilities: Array, held: Held) -> LearnedPosterior:
        means = held.shares  # where there are no rows
        if held.sizes.sum():
            means = np.average(line(probabilities), axis=0, weights=held.weights)
        return LearnedPosterior(held.shares, means, held.n_classes, line, self._imagined(held))

    def _imagined(self, held: Held) -> Array | None:
        """The imagined rows of each class, per labeled row."""
        return None if self.prior == 0 else self.prior * held.shares / max(1.0, float(held.sizes.sum()))

    def without_prior(self) -> "MAP":
        return replace(self, prior=0.0)
