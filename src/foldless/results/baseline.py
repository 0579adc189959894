"""What a constant prediction reaches: the number that an accuracy must be compared with."""

from dataclasses import dataclass
from typing import Any

from foldless.core._plain import plain_value

SHOWN = 40  # characters of a class name


@dataclass(frozen=True)
class Baseline:
    """The accuracy of always saying the most frequent class; of regressors the R² of the mean, which is 0.

    Attributes
    ----------
    label : the most frequent class of the labels; None for regressors
    share : its share in the labels, by their weights where they were drawn with unequal probabilities: the accuracy of
        always saying it
    on_test : its share in the test rows; None where there are none

    Examples
    --------
    >>> print(Baseline("no", 0.84))
    always saying 'no' has 0.840
    """

    label: Any
    share: float
    on_test: float | None = None

    @property
    def name(self) -> str:
        """What is predicted, in words."""
        if self.label is None:
            return "always saying the mean"
        text = repr(plain_value(self.label))
        return f"always saying {text if len(text) <= SHOWN else text[:SHOWN] + '…'}"

    def __str__(self) -> str:
        return f"{self.name} has {self.share:.3f}"

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data that JSON has."""
        return {"label": plain_value(self.label), "share": self.share, "on_test": self.on_test}
