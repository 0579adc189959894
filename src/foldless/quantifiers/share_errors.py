"""How far estimated class shares are from true ones: plain functions of arrays (..., K), one number for each vector.

Relative errors and divergences divide by shares, which may be 0: they are smoothed, p ← (p + ε) / (1 + K ε), and ε has
no default. The usual choice is 1 / (2 × the size of the bag).

References
----------
Sebastiani, F. (2020). Evaluation measures for quantification: an axiomatic approach. Information Retrieval J. 23.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from foldless.core import Array
from foldless.errors import BadInput


def absolute_error(true: Any, estimated: Any) -> Array:
    """AE: the mean over classes of the distance of p̂ to p.

    Examples
    --------
    >>> float(absolute_error([0.5, 0.5], [0.75, 0.25]))
    0.25
    """
    true, estimated = _both(true, estimated)
    return np.abs(estimated - true).mean(axis=-1)


def relative_absolute_error(true: Any, estimated: Any, *, eps: float) -> Array:
    """RAE: the mean over classes of the distance of p̂ to p, over p, of smoothed shares."""
    true, estimated = (smoothed(shares, eps) for shares in _both(true, estimated))
    return np.asarray((np.abs(estimated - true) / true).mean(axis=-1))


def squared_error(true: Any, estimated: Any) -> Array:
    """SE: the mean over classes of (p̂ − p)²."""
    true, estimated = _both(true, estimated)
    return ((estimated - true) ** 2).mean(axis=-1)


def kullback_leibler(true: Any, estimated: Any, *, eps: float) -> Array:
    """KLD: Σ p log(p / p̂), of smoothed shares."""
    true, estimated = (smoothed(shares, eps) for shares in _both(true, estimated))
    return np.asarray((true * np.log(true / estimated)).sum(axis=-1))


def normalized_kullback_leibler(true: Any, estimated: Any, *, eps: float) -> Array:
    """NKLD: 2 e^KLD / (1 + e^KLD) − 1, from 0 to 1."""
    return np.asarray(np.tanh(kullback_leibler(true, estimated, eps=eps) / 2))


def normalized_match_distance(true: Any, estimated: Any) -> Array:
    """NMD: the work of moving one distribution into the other along ordered classes, over its maximum, K − 1.

    Examples
    --------
    >>> float(normalized_match_distance([1, 0, 0], [0, 0, 1]))
    1.0
    """
    true, estimated = _both(true, estimated)
    gaps = np.abs(np.cumsum(estimated - true, axis=-1))[..., :-1]
    return gaps.sum(axis=-1) / max(1, true.shape[-1] - 1)


def smoothed(shares: Array, eps: float) -> Array:
    """(p + ε) / (1 + K ε)."""
    if not eps > 0:
        raise BadInput(f"eps must be a number above 0, such as 1 / (2 × the size of a bag), got {eps!r}")
    return (shares + eps) / (1 + shares.shape[-1] * eps)


ERRORS: Mapping[str, Callable[..., Array]] = {
    "ae": absolute_error, "rae": relative_absolute_error, "se": squared_error, "kld": kullback_leibler,
    "nkld": normalized_kullback_leibler, "nmd": normalized_match_distance,
}  # fmt: skip
SMOOTHED = ("rae", "kld", "nkld")


def _both(true: Any, estimated: Any) -> tuple[Array, Array]:
    true, estimated = np.asarray(true, dtype=float), np.asarray(estimated, dtype=float)
    if true.shape != estimated.shape or not true.ndim:
        raise BadInput(f"true and estimated shares differ in shape: {true.shape} and {estimated.shape}")
    return true, estimated
