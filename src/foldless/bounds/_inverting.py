"""From a test to a bound: the smallest value that a test rejects together with all larger ones."""

from collections.abc import Callable

HALVINGS = 60


def smallest_rejected(rejects: Callable[[float], bool], low: float, high: float = 1.0, tolerance: float = 0.0) -> float:
    """Bisection from above, so that the result errs on the safe side; ``high`` where nothing below it is rejected."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if high - low <= tolerance or not low < middle < high:
            break
        low, high = (low, middle) if rejects(middle) else (middle, high)
    return high
