"""Sixteen single-precision numbers at an address in memory, as one vector.

Numba counts references wherever an array is handed to a function, which takes longer than the dot product of a short
row. The kernels of streams therefore hand over addresses. `number` and `column` read one entry at an address.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from foldless.solvers._lanes import FLOAT, INT32, Lanes, call_llvm, splat

WIDTH = 16
VECTOR = ir.VectorType(FLOAT, WIDTH)
ZEROS = ir.Constant(VECTOR, [0.0] * WIDTH)


@intrinsic
def read(_context: Any, address: Any) -> Any:
    """Sixteen numbers."""

    def code(_: Any, builder: Any, __: Any, args: Any) -> Any:
        value = builder.load(builder.inttoptr(args[0], VECTOR.as_pointer()))
        value.align = 4
        return value

    return Lanes(WIDTH)(types.int64), code


@intrinsic
def read_some(_context: Any, address: Any, count: Any) -> Any:
    """The first numbers, as many as there are, and zeros; what lies behind them is not touched."""

    def code(_: Any, builder: Any, __: Any, args: Any) -> Any:
        places = ir.Constant(ir.VectorType(INT32, WIDTH), list(range(WIDTH)))
        there = builder.icmp_signed("<", places, splat(builder, builder.trunc(args[1], INT32), WIDTH))
        pointer = builder.inttoptr(args[0], VECTOR.as_pointer())
        return call_llvm(builder, "llvm.masked.load.v16f32.p0", VECTOR, [pointer, INT32(4), there, ZEROS])

    return Lanes(WIDTH)(types.int64, types.int64), code


@intrinsic
def write(_context: Any, address: Any, lanes: Any) -> Any:
    """Put sixteen numbers."""

    def code(context: Any, builder: Any, _: Any, args: Any) -> Any:
        builder.store(args[1], builder.inttoptr(args[0], VECTOR.as_pointer())).align = 4
        return context.get_dummy_value()

    return types.void(types.int64, lanes), code


@intrinsic
def prefetch(_context: Any, address: Any) -> Any:
    """Bring what is at an address into the cache; it may be no valid one."""

    def code(context: Any, builder: Any, _: Any, args: Any) -> Any:
        pointer = builder.inttoptr(args[0], VECTOR.as_pointer())
        call_llvm(builder, "llvm.prefetch.p0", ir.VoidType(), [pointer, INT32(0), INT32(3), INT32(1)])
        return context.get_dummy_value()

    return types.void(types.int64), code


@intrinsic
def zeros(_context: Any) -> Any:
    """Sixteen zeros."""
    return Lanes(WIDTH)(), lambda *_: ZEROS


@intrinsic
def plus_product(_context: Any, sums: Any, a: Any, b: Any) -> Any:
    """sums + a · b, lane by lane."""

    def code(_: Any, builder: Any, __: Any, args: Any) -> Any:
        return call_llvm(builder, "llvm.fma.v16f32", VECTOR, [args[1], args[2], args[0]])

    return sums(sums, a, b), code


@intrinsic
def total(_context: Any, lanes: Any) -> Any:
    """The sum of all lanes."""

    def code(_: Any, builder: Any, __: Any, args: Any) -> Any:
        zero = ir.Constant(FLOAT, 0.0)
        return call_llvm(builder, "llvm.vector.reduce.fadd.v16f32", FLOAT, [zero, args[0]], fastmath=("reassoc", "nsz"))

    return types.float32(lanes), code


def _entry(result: Any) -> Any:
    """A function that reads the i-th entry of a type at an address."""

    def read_entry(_context: Any, address: Any, i: Any) -> Any:
        def code(context: Any, builder: Any, _: Any, args: Any) -> Any:
            kind = context.get_value_type(result)
            return builder.load(builder.gep(builder.inttoptr(args[0], kind.as_pointer()), [args[1]]))

        return result(types.int64, types.int64), code

    return intrinsic(read_entry)


number, double = _entry(types.float32), _entry(types.float64)
column, start = _entry(types.int32), _entry(types.int64)


@intrinsic
def put(_context: Any, address: Any, i: Any, value: Any) -> Any:
    """Write the i-th number at an address."""

    def code(context: Any, builder: Any, _: Any, args: Any) -> Any:
        builder.store(args[2], builder.gep(builder.inttoptr(args[0], FLOAT.as_pointer()), [args[1]]))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.float32), code
