"""How much less accurate a candidate is than the chosen one, on the same held-out rows."""

from dataclasses import dataclass

from foldless.results.contribution import signed


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

    def minus_chosen(self) -> str:
        """The accuracy of this candidate minus that of the chosen one, with its interval and signs.

        Examples
        --------
        >>> Difference(0.057, 0.014, 0.1, 200).minus_chosen()
        '−0.057 (−0.100 to −0.014)'
        """
        return f"{signed(-self.value)} ({signed(-self.upper)} to {signed(-self.lower)})"

    @property
    def told_apart(self) -> bool:
        """Whether the labels tell the two apart."""
        return not self.lower <= 0 <= self.upper
