"""A bound on the mean error of fits that are tested one after another, each on rows that none before it has seen.

Fit b, trained on rows before its own, is wrong with probability p_b on each of its t_b test rows, given all rows before
them. With S errors in n = Σ t_b tests, c = 1 − e^(−λ) and the mean p̄ = Σ t_b p_b / n, one test more multiplies

    M(λ) = e^(−λ S) / Π_b (1 − p_b c)^(t_b)

by a factor with mean 1, whatever happened before, so the mean of M(λ) is 1. As ln(1 − p c) is concave in p, the product
is at most (1 − p̄ c)^n, and by Markov's inequality

    P[Σ_λ w_λ e^(−λ S) (1 − p̄ c_λ)^(−n) ≥ 1/δ] ≤ δ

for weights w_λ with the sum 1 that, like the λ, are fixed before the tests. The sum grows with p̄, so all p̄ above one
value, the bound, are rejected. The p_b may differ and may depend on earlier tests: no union over the fits is paid.

The λ are those that are best for some error rates: each is the one of Chernoff's bound at that rate. λ = ∞, the one for
no error, gives the exact bound 1 − δ^(1/n), up to its weight.

References
----------
Ville (1939). Étude critique de la notion de collectif.
Blum, Kalai & Langford (1999). Beating the hold-out: bounds for k-fold and progressive cross-validation. COLT.
"""

from functools import lru_cache
from math import inf, log

import numpy as np

from foldless.bounds import _relative_entropy as relative_entropy
from foldless.bounds._inverting import smallest_rejected
from foldless.core import Array

RATES = (0.0, 0.02, 0.07, 0.15, 0.3)  # observed error rates for which the bound is good
WEIGHTS = (0.12, 0.22, 0.22, 0.22, 0.22)
PARTS = 1000  # of a test, in which rates are counted


def upper(errors: float, tests: int, delta: float) -> float:
    """The bound on the mean error of the fits, weighted by the number of tests of each."""
    if not tests or errors >= tests:
        return 1.0
    lambdas = _lambdas(tests, delta)
    falls = -np.expm1(-lambdas)
    with np.errstate(invalid="ignore"):
        starts = np.log(WEIGHTS) - np.where(errors > 0, lambdas * errors, 0.0)

    def rejects(mean: float) -> bool:
        with np.errstate(divide="ignore"):
            return bool(np.logaddexp.reduce(starts - tests * np.log1p(-mean * falls)) >= log(1 / delta))

    return smallest_rejected(rejects, errors / tests)


@lru_cache(maxsize=1024)
def _lambdas(tests: int, delta: float) -> Array:
    """For each rate r and its Chernoff bound q, the λ with e^(−λ) = r (1 − q) / (q (1 − r))."""
    lambdas = []
    for rate in RATES:
        counts = np.full(tests, round(rate * PARTS))
        q = relative_entropy.upper(counts, PARTS, delta)
        lambdas.append(log(q * (1 - rate) / (rate * (1 - q))) if rate else inf)
    return np.array(lambdas)
