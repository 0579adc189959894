"""The scalars of a stream learner, and how a measure turns rates into the pull on either class.

All that a learner knows beside its weights is one row of numbers, so saving it saves the exact state. A measure's part
of a step goes from the rates (P, N) to the derivatives by them. Measures that are sums of rates, of the divergence and
of D² tell their factors, and kernels do the rest. For others it is a compiled function that is called by its address.
Kernels are compiled once for all measures, and cached, also for measures that a user brings.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import cfunc, njit, types
from numba.extending import intrinsic

ROWS, POSITIVES = 0, 1  # seen, ever: for the running share
TIME, SEEN_P, SEEN_N = 2, 3, 4  # rows since the start or restart, and those of either class
P, N = 5, 6  # running rates
Q1, Q2 = 7, 8  # running values of ζ₁ and ζ₂
TO_P, TO_N = 9, 10  # derivatives of the measure by the rates, where its factors do not tell them
SHARE, SMOOTHING, PARAMETER = 11, 12, 13  # p, e, and the measure's parameter or level
KEPT, NEWS_P, NEWS_N = 14, 15, 16  # what a new row counts in running means, and what it brings beyond the rates
ZETA1, ZETA1_P, ZETA1_N, ZETA2, ZETA2_P, ZETA2_N = 17, 18, 19, 20, 21, 22
SCALE, AREA, AVERAGED, SQUARE, UNTIL = 23, 24, 25, 26, 27  # of the weights, see `stream`
EPOCH, DONE, REWARD_P, REWARD_N = 28, 29, 30, 31  # of learners that work in epochs
ALONG, ALONG_AREA = 32, 33  # the last row's change of the weights, where it is still to be made
OF_P, OF_N, OF_P_SHARE, OF_N_SHARE, OF_KLD, OF_NSS = 34, 35, 36, 37, 38, 39  # factors
SIZE = 40

Factors = tuple[float, float, float, float, float, float]  # of P, N, p P, n N, −KLD and 1 − D²

SIGNATURE = types.void(types.CPointer(types.float64))


@cache
def compiled(dual: Callable[[Any], None], cached: bool = True) -> Any:
    """A function of the scalars as something with an ``address``; it must outlive the calls."""
    return cfunc(SIGNATURE, cache=cached, error_model="numpy")(dual)


@intrinsic
def call(_context: Any, address: Any, scalars: Any) -> Any:
    """Call the function at an address with the scalars."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[1])(context, builder, args[1])
        kind = ir.FunctionType(ir.VoidType(), [ir.DoubleType().as_pointer()])
        builder.call(builder.inttoptr(args[0], kind.as_pointer()), [array.data])
        return context.get_dummy_value()

    return types.void(types.int64, scalars), code


@njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def pull(s, positive):
    """The derivative by the rate of one class, of a measure that is told by its factors.

    What depends on the predicted share only, as KLD and NSS do, has the derivatives c p and −c n with one c.
    """
    p, e = s[SHARE], s[SMOOTHING]
    n = 1 - p
    D = p * (1 - s[P]) - n * (1 - s[N])
    c = 2 * s[OF_NSS] * D
    if s[OF_KLD] != 0:
        said, rest = max(p - D, 0.0) + e, max(n + D, 0.0) + e
        c += s[OF_KLD] * ((p + e) * rest - (n + e) * said) / (said * rest * (1 + 2 * e))
    return s[OF_P] + p * (s[OF_P_SHARE] + c) if positive else s[OF_N] + n * (s[OF_N_SHARE] - c)


def restart(scalars: Any, factors: Factors | None, dual: Any) -> None:
    """Rates at one half, as if one row had told so; weights and shares stay."""
    scalars[[TIME, SEEN_P, SEEN_N, KEPT, NEWS_P, NEWS_N]] = 0
    scalars[[P, N]] = 0.5
    if factors is not None:
        scalars[[OF_P, OF_N, OF_P_SHARE, OF_N_SHARE, OF_KLD, OF_NSS]] = factors
        return
    address = np.ctypeslib.as_ctypes(scalars)
    dual.ctypes(address)  # the values of ζ at the start
    scalars[[Q1, Q2]] = scalars[[ZETA1, ZETA2]]
    dual.ctypes(address)  # the pulls at these
