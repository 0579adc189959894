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

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from foldless.core import Array
from foldless.errors import BadInput
from foldless.quantifiers._calibrating import Calibrating, CalibrationLine, LearnedPosterior
from foldless.quantifiers.quantifier import CALIBRATED, PRIOR_SHIFT, Held


@dataclass(frozen=True)
class EM(Calibrating):
    """The shares of the highest likelihood.

    Parameters
    ----------
    calibration : "bcts", "ts" or None
        How probabilities are calibrated on the labeled rows.

    Examples
    --------
    >>> import numpy as np
    >>> from foldless.quantifiers import Held
    >>> held = Held(np.array([[0.8, 0.2], [0.2, 0.8]]), np.array([0, 1]), n_classes=2)
    >>> EM(calibration=None).learn(held).aggregate(np.array([[0.7, 0.3], [0.7, 0.3], [0.2, 0.8]])).round(3)
    array([0.639, 0.361])
    """

    calibration: Literal["bcts", "ts"] | None = "bcts"
    assumes: ClassVar[tuple[str, ...]] = (PRIOR_SHIFT, CALIBRATED)

    def learn(self, held: Held) -> LearnedPosterior:
        if self.calibration not in ("bcts", "ts", None):
            raise BadInput(f"calibration must be 'bcts', 'ts' or None, got {self.calibration!r}")
        if self.calibration is None:
            return LearnedPosterior(held.shares, held.shares, held.n_classes)
        return self.calibrated(held)

    @property
    def line_options(self) -> dict[str, Any]:
        return {"biased": self.calibration == "bcts"}

    def around(self, line: CalibrationLine, probabilities: Array, held: Held) -> LearnedPosterior:  # noqa: ARG002
        return LearnedPosterior(held.shares, held.shares, held.n_classes, line)
