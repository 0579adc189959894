"""What is known of the accuracy of a chosen model, in one line: the estimate first, and what a constant has."""

from foldless.results.baseline import Baseline
from foldless.results.estimate import Estimate

COMPARED = ("accuracy", "R²")  # quantities of which a constant prediction is the baseline


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
        known = baseline is not None and baseline.on_test is not None
        beside = f", where {baseline.name} has {baseline.on_test:.3f}" if baseline is not None and known else ""
        best = "" if best_on_test is None else f" (the best candidate's is {best_on_test:.4f})"
        parts.append(f"test {quantity} {on_test:.4f}{best}{beside}")
    return "; ".join(parts)
