"""How much less accurate a candidate is than the chosen one, on the same held-out rows."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """How much less accurate a candidate is than the chosen one, with a 95 % interval.

    Attributes
    ----------
    value : the accuracy of the chosen candidate less that of this one, on the same held-out rows; R² of regressors
    lower, upper : the ends of its interval
    rows : how many rows both were tested on
    """

    value: float
    lower: float
    upper: float
    rows: int

    @property
    def told_apart(self) -> bool:
        """Whether the labels tell the two apart."""
        return not self.lower <= 0 <= self.upper
