"""The base of all measures: a value for every pair of rates.

A measure is a function of the true positive rate P, the true negative rate N and the share p of the positive class.
Larger is better. D = p (1 − P) − n (1 − N) is the true share minus the predicted one, with n = 1 − p.

References
----------
Kar, Li, Narasimhan, Chawla and Sebastiani (2016). Online optimization methods for the quantification problem. KDD.
Section 3.1, Tables 1 and 2.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from foldless.core import Array
from foldless.errors import BadInput
from foldless.solvers.online._duals import Factors

Triple = tuple[Any, Any, Any]  # a value, and its derivatives by two numbers
Piece = Callable[[Any, Any, Any, Any, Any], Triple]  # of (P, N, p, e, parameter)


class Measure(ABC):
    """A measure of how well class shares are estimated (quantification), or of that and of classification."""

    kind: ClassVar[str]
    remedy: ClassVar[str] = "no learner optimizes it: use it to evaluate"
    smoothing: float | None = None

    def __post_init__(self) -> None:
        e = self.smoothing
        if e is not None and not (isinstance(e, int | float | np.number) and 0 <= e < np.inf):
            raise BadInput(f"smoothing must be None or a finite number of at least 0, got {e!r}")

    @property
    def parameter(self) -> float:
        """The one number that the formulas take, where they take one."""
        return 0.0

    @property
    def linear(self) -> tuple[float, float] | None:
        """The factors of P and N, where the rest of the value depends only on the predicted share; else None."""
        return None

    def factors(self, level: float) -> Factors | None:
        """The factors that give the measure, or its valuation at a level; None where there are none."""
        return None

    @abstractmethod
    def pieces(self, P: Any, N: Any, p: Any, e: Any) -> Triple:
        """The value, and its derivatives by P and by N; e is added to shares before their logarithm is taken."""

    def value(self, P: Any, N: Any, share: Any, n_rows: float | None = None) -> Any:
        """The value at rates P and N, numbers or arrays; ``n_rows`` decides how much smoothing there is."""
        return self.pieces(P, N, share, self.smooth(n_rows))[0]

    def gradient(self, P: Any, N: Any, share: Any, n_rows: float | None = None) -> tuple[Any, Any]:
        """The derivatives by P and by N."""
        return self.pieces(P, N, share, self.smooth(n_rows))[1:]

    def smooth(self, n_rows: float | None) -> float:
        """e: as given, else half a row."""
        if self.smoothing is not None:
            return self.smoothing
        return 0.0 if n_rows is None else 0.5 / n_rows

    def score(self, y: Any, predicted: Any, positive: Any) -> float:
        """The value for labels and predictions; ``positive`` is the class that is counted."""
        true, guessed = np.asarray(y) == positive, np.asarray(predicted) == positive
        P, N = rates(true, guessed)
        return float(self.value(P, N, true.mean(), len(true)))


def rates(positive: Array, predicted: Array) -> tuple[float, float]:
    """True positive and true negative rates of boolean rows: which are positive, which predicted so; 1 without rows."""
    if not len(positive):
        raise BadInput("the rates of no rows are not defined: pass at least one row")
    P = predicted[positive].mean() if positive.any() else 1.0
    N = (~predicted[~positive]).mean() if not positive.all() else 1.0
    return float(P), float(N)
