"""What a stream learner knows about one problem beside its weights: a record of numbers.

Learners keep and save the records as rows of plain numbers, one row per problem; `records` gives the rows their names.
Saving the rows saves the exact state.
"""

from typing import Any

import numpy as np
from numba import carray, njit
from numba.extending import register_jitable
from numpy.typing import NDArray

from foldless.solvers.online._duals import INLINE, Factors, Known, tangents

FIELDS = (
    "rows", "positives",  # seen, ever: for the running share
    "time", "seen_P", "seen_N",  # rows since the start or restart, and those of either class
    "P", "N",  # running rates
    "Q1", "Q2",  # running values of ζ₁ and ζ₂
    "to_P", "to_N",  # derivatives of the measure by the rates, where a compiled dual finds them
    "share", "smoothing", "parameter",  # p, e, and the measure's parameter or level
    "kept", "news_P", "news_N",  # the weight of a new row in running means, and what it brings beyond the rates
    "zeta1", "zeta1_P", "zeta1_N", "zeta2", "zeta2_P", "zeta2_N",  # ζ₁ and ζ₂ with their derivatives by P and N
    "scale", "area", "averaged", "square", "until",  # of the weights, see `stream_weights`
    "epoch", "done", "reward_P", "reward_N",  # of learners that work in epochs
    "along", "along_area",  # the last row's change of the weights, where it is still to be made
    *(f"factor_{name}" for name in Factors._fields),
)  # fmt: skip
STATE = np.dtype([(name, np.float64) for name in FIELDS])


def records(scalars: NDArray[np.float64]) -> NDArray[Any]:
    """Rows of numbers as records, in the same memory."""
    return scalars.view(STATE)[:, 0]


@register_jitable
def at_address(pointer: Any) -> Any:
    """The record at an address, for compiled duals."""
    return carray(pointer, (1,), STATE)[0]


@njit(**INLINE)
def known(s):
    """Where the derivatives of the next step are taken."""
    return Known(s.P, s.N, s.Q1, s.Q2, s.share, s.smoothing)


@njit(**INLINE)
def factors(s):
    """The factors of the measure."""
    return Factors(
        s.factor_P, s.factor_N, s.factor_P_share, s.factor_N_share, s.factor_kld, s.factor_nss, s.factor_beta
    )


def restart(state: NDArray[Any], measure_factors: Factors | None, dual: Any) -> None:
    """Begin with rates of one half, as if one row had shown them; weights and shares stay.

    ``state`` is an array of one record; ``dual`` is compiled, for measures without factors.
    """
    s = state[0]
    for name in ("time", "seen_P", "seen_N", "kept", "news_P", "news_N", "Q1", "Q2"):
        s[name] = 0
    s["P"] = s["N"] = 0.5
    if measure_factors is not None:
        for name, value in measure_factors._asdict().items():
            s[f"factor_{name}"] = value
        here = Known(*(float(s[name]) for name in Known._fields))
        s["Q1"], s["Q2"] = tangents(measure_factors, here, 0.0, 0.0)
        return
    dual.ctypes(state.ctypes.data)  # the values of ζ at the start
    s["Q1"], s["Q2"] = s["zeta1"], s["zeta2"]
    dual.ctypes(state.ctypes.data)  # the derivatives at these
