"""Drift of class shares: an alarm when predicted classes come in other shares than before, valid for the whole stream.

Suppose that nothing changes: rows held out in training and rows of the stream are drawn independently from one
distribution (or are exchangeable). Then, given what reference and window hold together, the window's count of a class
is hypergeometric, and its two-sided tail, times the number of classes that are looked at, is a p-value p_w. The window
then joins the reference, so that each p_w is one given all that comes later, and all of them lie above independent
uniform ones. A bet of ∫ κ p^(κ−1) dκ on each has a mean of at most 1, and

    S_w = Σ_{j ≤ w} 1/(j(j + 1)) · bet_j · … · bet_w  +  1/(w + 1),

the wealth of a gambler who spreads it over all windows in which the drift may begin. It is a supermartingale that
starts at 1, so P(S_w ≥ 1/α for any w) ≤ α (Ville), however long the stream is and wherever it is stopped. The window
from which on the bets have multiplied most is where the drift most likely began (Page's cumulative sum).

Rows that come in bursts of one class are not independent: counts of windows of any length then vary more than the
law above lets them, and the alarm is raised without drift. Pass one row of each burst.

References
----------
Page, E. S. (1954). Continuous inspection schemes. Biometrika 41.
Vovk, Gammerman and Shafer (2022). Algorithmic learning in a random world, second edition: testing exchangeability.
Shafer (2021). Testing by betting. Journal of the Royal Statistical Society A 184.
Shin, Ramdas and Rinaldo (2024). E-detectors. New England Journal of Statistics in Data Science.
"""

from typing import Any

import numpy as np

from foldless.core import Array
from foldless.errors import BadInput

TINY = 1e-300
LARGEST = 1e300  # evidence that is reported; JSON cannot write more


class DriftAlarm:
    """Detects a change in the shares of predicted classes, window by window.

    The level holds for the whole stream: if rows are independent and nothing changes, the probability of any alarm at
    all is at most ``false_alarm``, however many windows there are.

    Parameters
    ----------
    reference : array of shape (K,) or None
        How often each class was predicted for rows of the time before. None: the first window is the reference.
    false_alarm : float
        The probability of any alarm over the whole stream if nothing changes.

    Attributes
    ----------
    drift_detected : bool
        Whether the evidence has been enough in any window so far; once true it stays true.
    evidence : float
        The evidence for a drift after the last window; the alarm is raised at 1 / ``false_alarm``.
    drift_window : int or None
        The number of the window in which the drift most likely began, counted from 1; None as long as none is detected.
    n_windows : int
        Windows seen so far.

    Examples
    --------
    >>> from foldless.streams import DriftAlarm
    >>> alarm = DriftAlarm(reference=[800, 200])  # predictions for rows of the time before
    >>> for counts in ([81, 19], [78, 22], [60, 40], [79, 21]):
    ...     alarm.update(counts)
    ...     print(alarm.n_windows, alarm.drift_detected)
    1 False
    2 False
    3 True
    4 True
    >>> alarm.drift_window
    3
    """

    def __init__(self, reference: Any = None, false_alarm: float = 0.01):
        if not 0 < false_alarm < 1:
            raise BadInput(f"the probability of a false alarm must be in (0, 1), got {false_alarm!r}")
        self.false_alarm = false_alarm
        self.drift_detected = False
        self.evidence = 1.0
        self.n_windows = 0
        self._reference = None if reference is None else _counted(reference, "reference")
        self._log_wealth = -np.inf
        self._log_most, self._start = 0.0, 1  # the largest product of the last bets, and the window of its first bet

    @property
    def drift_window(self) -> int | None:
        return self._start if self.drift_detected else None

    def update(self, counts: Any) -> None:
        """Look at how often each class was predicted in the next window."""
        counts = _counted(counts, "counts")
        reference = np.zeros_like(counts) if self._reference is None else self._reference
        if len(counts) != len(reference):
            raise BadInput(f"counts must have one number for each of {len(reference)} classes, got {len(counts)}")
        w = self.n_windows = self.n_windows + 1
        bet, new = np.log(_bet(_p_value(reference, counts))), -np.log(w * (w + 1))
        if self._log_most <= 0:
            self._log_most, self._start = 0.0, w
        self._log_most += bet
        self._log_wealth = bet + np.logaddexp(self._log_wealth, new)
        self._reference = reference + counts
        evidence = float(np.logaddexp(self._log_wealth, -np.log(w + 1)))
        self.drift_detected = self.drift_detected or evidence >= -float(np.log(self.false_alarm))
        self.evidence = float(np.exp(min(evidence, np.log(LARGEST))))


def _counted(counts: Any, name: str) -> Array:
    try:
        numbers = np.asarray(counts, dtype=np.int64)
    except (TypeError, ValueError):
        numbers = np.array(0)
    if numbers.ndim != 1 or len(numbers) < 2 or (numbers < 0).any():
        raise BadInput(f"{name} must be the number of predictions of each class, such as [80, 20], got {counts!r}")
    return numbers


def _p_value(reference: Array, counts: Array) -> float:
    """The smallest two-sided tail among the classes, times their number (two classes are one question)."""
    n, m = int(reference.sum()), int(counts.sum())
    if not n or not m:
        return 1.0
    from scipy.stats import hypergeom  # slow to import, and for alarms only

    some = slice(1, 2) if len(counts) == 2 else slice(None)
    inside, both = counts[some], (reference + counts)[some]
    below, above = hypergeom.cdf(inside, n + m, both, m), hypergeom.sf(inside - 1, n + m, both, m)
    tails = 2 * np.minimum(below, above)
    return float(min(1.0, len(inside) * tails.min()))


def _bet(p: float) -> float:
    """(1 − p + p ln p) / (p ln² p): the mean over κ of the bets κ p^(κ−1)."""
    if p > 1 - 1e-4:  # the limit at 1, below which the quotient is exact
        return 0.5
    p = max(p, TINY)
    log = np.log(p)
    return float((1 - p + p * log) / (p * log**2))
