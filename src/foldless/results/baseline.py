"""What a constant prediction reaches: the number that an accuracy must be compared with."""

from dataclasses import dataclass
from typing import Any

from foldless.core._plain import plain_value
from foldless.results.estimate import Estimate

SHOWN = 40  # characters of a class name
COMPARED = ("accuracy", "R²")  # quantities of which a constant prediction is the baseline


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
        """Everything as plain data for JSON."""
        return {"label": plain_value(self.label), "share": self.share, "on_test": self.on_test}


def beside_test(baseline: Baseline | None, joined_by: str) -> str:
    """What a constant has on the test rows, behind what a model has on them; empty where that is not known."""
    if baseline is None or baseline.on_test is None:
        return ""
    return f"{joined_by}{baseline.name} has {baseline.on_test:.3f}"


def accuracy_line(
    estimate: Estimate | None,
    baseline: Baseline | None,
    *,
    quantity: str,
    on_test: float | None = None,
    best_on_test: float | None = None,
) -> str:
    """The estimate with its interval, then the test rows, each beside the baseline; empty where nothing is known.

    ``best_on_test`` is what the best of all candidates has on the test rows.

    Examples
    --------
    >>> accuracy_line(None, Baseline("no", 0.84, 0.82), quantity="accuracy", on_test=0.86)
    "test accuracy 0.8600, where always saying 'no' has 0.820"
    """
    parts = []
    if estimate is not None:
        beside = f", where {baseline}" if baseline is not None and estimate.quantity in COMPARED else ""
        parts.append(f"{estimate}{beside}")
    if on_test is not None:
        best = "" if best_on_test is None else f" (the best candidate's is {best_on_test:.4f})"
        parts.append(f"test {quantity} {on_test:.4f}{best}{beside_test(baseline, ', where ')}")
    return "; ".join(parts)
