"""What the members of an average add to it, on labels that their fits left out."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from foldless.core import Candidate


@dataclass(frozen=True)
class Contribution:
    """A member of an average: its weight, and what the average of the others has on the same labels."""

    weight: float
    accuracy_without: float
    log_loss_without: float

    def to_dict(self) -> dict[str, Any]:
        """The numbers as plain data."""
        return asdict(self)


def signed(change: float) -> str:
    """A change with its sign.

    Examples
    --------
    >>> signed(-0.0123), signed(0.0004), signed(0.02)
    ('−0.012', '0.000', '+0.020')
    """
    text = f"{change:+.3f}"
    return text[1:] if float(text) == 0 else text.replace("-", "−")


@dataclass(frozen=True, eq=False)
class AverageOutOfFold:
    """How good an average is on out-of-fold predictions, as it is and without each of its members.

    The weights were found with these labels, so that the numbers compare members. The estimate of a
    selection says how good the average is.

    Attributes
    ----------
    accuracy : the share of these labels that the average predicts
    log_loss : the mean of −log p of the true class
    rows : how many labels
    members : what each member adds, the heaviest first
    """

    accuracy: float
    log_loss: float
    rows: int
    members: Mapping[Candidate, Contribution] = field(default_factory=dict)
