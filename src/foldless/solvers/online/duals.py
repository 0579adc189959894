"""The scalars of a stream learner, and how a measure turns rates into the pull on either class.

All that a learner knows beside its weights is one row of numbers, so saving it saves the exact state. A measure's part
of a step goes from the rates (P, N) to the derivatives by them. Measures that are sums of rates, of the divergence and
of D², or the harmonic mean of rates and 1 − D², tell their factors, and kernels do the rest in registers. For others it
is a compiled function that is called by its address. Kernels are compiled once for all measures, and cached, also for
measures that a user brings.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

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
FACTORS = 34  # the first of them
SIZE = 41


class Factors(NamedTuple):
    """Of the rates P and N, of p P and n N, of −KLD and of 1 − D², in a measure that is their sum.

    Where ``beta`` is above zero the measure is Q_β of the rates' part and of 1 − D².
    """

    P: float = 0.0
    N: float = 0.0
    P_share: float = 0.0
    N_share: float = 0.0
    kld: float = 0.0
    nss: float = 0.0
    beta: float = 0.0


class Known(NamedTuple):
    """Where derivatives are taken: rates, running values of ζ₁ and ζ₂, the share p, and what is added to shares."""

    P: float
    N: float
    Q1: float
    Q2: float
    share: float
    smoothing: float


LEAST = 1e-6  # of both parts of Q_β: rewards below zero would turn the mean over

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


INLINE = {"cache": True, "nogil": True, "error_model": "numpy", "forceinline": True}


@njit(**INLINE)
def known(s):
    """From the scalars."""
    return Known(s[P], s[N], s[Q1], s[Q2], s[SHARE], s[SMOOTHING])


@njit(**INLINE)
def factors(s):
    """From the scalars."""
    f = FACTORS
    return Factors(s[f], s[f + 1], s[f + 2], s[f + 3], s[f + 4], s[f + 5], s[f + 6])


@njit(**INLINE)
def pull(f, at, positive):
    """The derivative by the rate of one class, of a measure that is told by its factors.

    What depends on the predicted share only, as KLD and NSS do, has the derivatives c p and −c n with one c.
    """
    p, e = at.share, at.smoothing
    n = 1 - p
    D = p * (1 - at.P) - n * (1 - at.N)
    c, rates = 2 * f.nss * D, 1.0
    if f.kld != 0:
        said, rest = max(p - D, 0.0) + e, max(n + D, 0.0) + e
        c += f.kld * ((p + e) * rest - (n + e) * said) / (said * rest * (1 + 2 * e))
    if f.beta > 0:
        square, x, y = f.beta * f.beta, max(at.Q1, LEAST), max(at.Q2, LEAST)
        z = y / (square * x + y)
        rates = (1 + square) * z * z
        c *= (1 + square) * (1 - z) * (1 - z) / square
    return rates * f.P + p * (rates * f.P_share + c) if positive else rates * f.N + n * (rates * f.N_share - c)


@njit(**INLINE)
def tangents(f, at, news_P, news_N):
    """What a row brings to both running values of Q_β, beyond them: ζ(r) + ∇ζ·news − q."""
    p, n = at.share, 1 - at.share
    D = p * (1 - at.P) - n * (1 - at.N)
    rates = f.P * (at.P + news_P) + f.N * (at.N + news_N)
    return rates - at.Q1, 1 - D * D + 2 * D * (p * news_P - n * news_N) - at.Q2


def restart(scalars: Any, told: Factors | None, dual: Any) -> None:
    """Rates at one half, as if one row had told so; weights and shares stay."""
    scalars[[TIME, SEEN_P, SEEN_N, KEPT, NEWS_P, NEWS_N, Q1, Q2]] = 0
    scalars[[P, N]] = 0.5
    if told is not None:
        scalars[FACTORS : FACTORS + len(told)] = told
        scalars[[Q1, Q2]] = tangents(told, known(scalars), 0.0, 0.0)
        return
    address = np.ctypeslib.as_ctypes(scalars)
    dual.ctypes(address)  # the values of ζ at the start
    scalars[[Q1, Q2]] = scalars[[ZETA1, ZETA2]]
    dual.ctypes(address)  # the pulls at these
