"""The place of the largest number of an array, in one pass that the compiler turns into vector instructions.

A loop that keeps a maximum vectorizes once the compiler is told that no number is nan; a loop that keeps its place as
well does not. So each number carries its place in its sixteen lowest bits, and the maximum brings it along. What
remains of the number is right to eleven digits, and exact where it was single precision before.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

DOUBLE, INT64 = ir.DoubleType(), ir.IntType(64)
PLACES = 2**16
HIGH = 2**64 - PLACES


def _of_two(name: str) -> Any:
    """The larger or the smaller of two numbers, as an instruction that a vectorized loop may keep."""

    @intrinsic
    def of_two(_context: Any, number: Any, _other: Any) -> Any:
        def code(_: Any, builder: Any, _signature: Any, args: Any) -> Any:
            kind = args[0].type
            function = builder.module.declare_intrinsic(name, [kind], ir.FunctionType(kind, [kind, kind]))
            return builder.call(function, args, fastmath=("nnan", "nsz"))

        return number(number, number), code

    return of_two


larger, smaller = _of_two("llvm.maxnum"), _of_two("llvm.minnum")


@intrinsic
def placed(_context: Any, _number: Any, _place: Any) -> Any:
    """A number that carries its place, which is below `PLACES`."""

    def code(_: Any, builder: Any, _signature: Any, args: Any) -> Any:
        high = builder.and_(builder.bitcast(args[0], INT64), INT64(HIGH))
        return builder.bitcast(builder.or_(high, args[1]), DOUBLE)

    return types.float64(types.float64, types.int64), code


@intrinsic
def place_of(_context: Any, _number: Any) -> Any:
    """The place that a number carries."""

    def code(_: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.and_(builder.bitcast(args[0], INT64), INT64(PLACES - 1))

    return types.int64(types.float64), code
