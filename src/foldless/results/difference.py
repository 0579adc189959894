"""How much less accurate a candidate is than the chosen one, on the same held-out rows."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """How much less accurate a candidate is than the chosen one, with an interval, on so many held-out rows."""

    value: float
    lower: float
    upper: float
    rows: int

    @property
    def told_apart(self) -> bool:
        """Whether the labels tell the two apart."""
        return not self.lower <= 0 <= self.upper
