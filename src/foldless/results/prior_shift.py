"""Whether only class shares differ between labels and pool: the outcome of a test."""

from dataclasses import dataclass
from typing import Any

LEVEL = 0.01
SMALL = 0.5  # the p-value up to which intervals allow for covariate shift: benchmarks/coverage/shift.py


@dataclass(frozen=True)
class PriorShift:
    """A test of whether class shares are all that differs.

    Attributes
    ----------
    alarm : whether more than class shares differs: ``p_value`` is at most 0.01
    p_value : how probable a distance as large is, if nothing else differs
    distance : from the pool to the nearest mixture
    columns : the columns that no shares of the classes explain, the most different first
    """

    alarm: bool
    p_value: float
    distance: float
    columns: tuple[Any, ...] = ()

    @property
    def doubtful(self) -> bool:
        """Whether there is no alarm, and yet the p-value is so small that intervals allow for covariate shift."""
        return not self.alarm and self.p_value <= SMALL
