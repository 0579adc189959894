"""How a measure turns rates into the pull on either class: its part of a primal-dual step.

It goes from the rates (P, N) to the derivatives by them. Measures that are sums of rates, of the divergence and of D²,
or the harmonic mean of rates and 1 − D², give their factors, and kernels do the rest in registers. Others are compiled
functions of the learner's record (`stream_state`), called by their address. Kernels are compiled once for all measures,
and cached, also for measures that a user brings.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from llvmlite import ir
from numba import cfunc, njit, types
from numba.extending import intrinsic


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

SIGNATURE = types.void(types.voidptr)


@cache
def compiled(dual: Callable[[Any], None], cached: bool = True) -> Any:
    """A function of a learner's record as something with an ``address``; it must outlive the calls."""
    return cfunc(SIGNATURE, cache=cached, error_model="numpy")(dual)


@intrinsic
def call(_context: Any, address: Any, state: Any) -> Any:
    """Call the function at an address with the first record of an array."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[1])(context, builder, args[1])
        pointer = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [pointer])
        builder.call(builder.inttoptr(args[0], kind.as_pointer()), [builder.bitcast(array.data, pointer)])
        return context.get_dummy_value()

    return types.void(types.int64, state), code


INLINE = {"cache": True, "nogil": True, "error_model": "numpy", "forceinline": True}


@njit(**INLINE)
def pull(f, at, positive):
    """The derivative by the rate of one class, of a measure that is given by its factors.

    What depends on the predicted share only, as KLD and NSS do, has the derivatives c p and −c n with one c.
    """
    p, e = at.share, at.smoothing
    n = 1 - p
    D = p * (1 - at.P) - n * (1 - at.N)
    c, rates = 2 * f.nss * D, 1.0
    if f.kld != 0:
        predicted, rest = max(p - D, 0.0) + e, max(n + D, 0.0) + e
        c += f.kld * ((p + e) * rest - (n + e) * predicted) / (predicted * rest * (1 + 2 * e))
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
