"""What the fits of a candidate took."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Timing:
    """Seconds of the fits behind a choice, one number for each fit.

    Attributes
    ----------
    fit : seconds of training
    answer : seconds of answering what the criterion asked
    """

    fit: tuple[float, ...] = ()
    answer: tuple[float, ...] = ()
