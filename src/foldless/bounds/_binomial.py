"""The exact bound on a probability from a count: max{q : P[Bin(n, q) ≤ k] ≥ δ}.

If k of n independent trials went wrong, the probability of going wrong is at most this with probability 1 − δ over the
trials. It is the upper end of Clopper & Pearson's interval, with all of δ on one side.

References
----------
Clopper & Pearson (1934). The use of confidence or fiducial limits illustrated in the case of the binomial. Biometrika.
Langford (2005). Tutorial on practical prediction theory for classification. JMLR 6. Theorem 3.3.
"""

from typing import Any

import numpy as np
from scipy import special

from foldless.core import Array, Term


def upper(errors: Any, n: Any, delta: Any) -> Array:
    """The bound for ``errors`` among ``n`` independent trials; the arguments are broadcast.

    Counts are whole numbers: a rate times n, rounded up, may be one too many (0.07 · 100 > 7 in floating point).
    """
    k, m, d = np.broadcast_arrays(np.asarray(errors), np.asarray(n), np.asarray(delta, dtype=float))
    inside = k < m  # all trials wrong, or no trial at all, excludes nothing
    with np.errstate(divide="ignore"):
        none = -np.expm1(np.log(d) / np.maximum(m, 1))
        some = special.betainccinv(k + 1, np.maximum(m - k, 1), d)
    q = np.where(k == 0, none, some)
    return np.where(inside & ~np.isnan(q), q, 1.0)  # where its inversion fails, at δ below 1e-300, 1 is safe


def term(what: str, wrong: Array, delta: float) -> Term:
    """The bound on how often something is wrong, from the rows that count."""
    count, rows = int(np.count_nonzero(wrong)), len(wrong)
    return Term(what, float(upper(count, rows, delta)), count / max(rows, 1), rows, delta)
