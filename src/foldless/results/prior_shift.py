"""Whether only class shares differ between labels and pool: the outcome of a test."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PriorShift:
    """A test of whether class shares are all that differs.

    Attributes
    ----------
    alarm : whether more than class shares differs, at level 0.01
    p_value : how probable a distance as large is, if nothing else differs
    distance : from the pool to the nearest mixture
    """

    alarm: bool
    p_value: float
    distance: float
