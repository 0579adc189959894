"""An alarm when predicted classes come in other shares than before; its level holds for the whole stream.

Suppose that nothing changes: rows set aside in training and rows of the stream are drawn independently from one law (or
are exchangeable). Then, given what reference and window hold together, the window's count of a class is hypergeometric,
and its two-sided tail, times the number of classes that are looked at, is a p-value p_w. The window then joins the
reference, so that each p_w is one given all that comes later, and all of them lie above independent uniform ones. A bet
of ∫ κ p^(κ−1) dκ on each has a mean of at most 1, and

    S_w = Σ_{j ≤ w} 1/(j(j + 1)) · bet_j · … · bet_w  +  1/(w + 1),

the fortune of one who spreads what he has over all windows in which the drift may begin. It is a supermartingale that
starts at 1, so P(S_w ≥ 1/α for any w) ≤ α (Ville), however long the stream is and wherever it is stopped. The window
from which on the bets have multiplied most is where the drift most likely began (Page's cumulative sum).

Rows that come in bursts of one class are not independent: counts of windows of any length then vary more than the
law above lets them, and the alarm rings without drift. One row of each burst is what it should be shown.

References
----------
Page, E. S. (1954). Continuous inspection schemes. Biometrika 41.
Vovk, Gammerman and Shafer (2022). Algorithmic learning in a random world, second edition: testing exchangeability.
Shafer (2021). Testing by betting. Journal of the Royal Statistical Society A 184.
Shin, Ramdas and Rinaldo (2024). E-detectors. New England Journal of Statistics in Data Science.
"""

from dataclasses import dataclass

import numpy as np
from scipy.stats import hypergeom

from foldless.core import Array
from foldless.errors import BadInput

TINY = 1e-300
MOST = 1e300  # evidence that is told; more is not worth a number that JSON cannot write


@dataclass(frozen=True)
class Verdict:
    """The evidence after a window, whether it has ever been enough, and in which window a drift most likely began."""

    evidence: float
    alarm: bool
    since: int


class DriftAlarm:
    """Watches the predicted classes of a stream, window by window.

    Parameters
    ----------
    reference : array of shape (K,)
        How often each class was predicted for rows of the time before; zeros if there are none, then the first window
        is the first reference.
    alpha : float
        The probability of any alarm at all, over the whole stream, if rows are independent and nothing changes.
    """

    def __init__(self, reference: Array, alpha: float = 0.01):
        if not 0 < alpha < 1:
            raise BadInput(f"the probability of a false alarm must be in (0, 1), got {alpha!r}")
        self.alpha = alpha
        self._reference = np.asarray(reference, dtype=np.int64)
        self._windows, self._rung = 0, False
        self._wealth = -np.inf  # a logarithm
        self._most, self._since = 0.0, 1  # the largest product of the last bets, as a logarithm, and its first window

    def update(self, counts: Array) -> Verdict:
        """Look at the counts of one window; an alarm stays."""
        counts = np.asarray(counts, dtype=np.int64)
        w = self._windows = self._windows + 1
        bet, new = np.log(_bet(_p_value(self._reference, counts))), -np.log(w * (w + 1))
        if self._most <= 0:
            self._most, self._since = 0.0, w
        self._most += bet
        self._wealth = bet + np.logaddexp(self._wealth, new)
        self._reference = self._reference + counts
        evidence = float(np.logaddexp(self._wealth, -np.log(w + 1)))
        self._rung = self._rung or evidence >= -float(np.log(self.alpha))
        return Verdict(float(np.exp(min(evidence, np.log(MOST)))), self._rung, self._since)


def _p_value(reference: Array, counts: Array) -> float:
    """The smallest two-sided tail among the classes, times their number (two classes are one question)."""
    n, m = int(reference.sum()), int(counts.sum())
    if not n or not m:
        return 1.0
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
