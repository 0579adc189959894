"""Several classes side by side in one vector register.

One-vs-rest trains K classifiers on the same rows. Kept in lanes, ``W`` has the shape (features, lanes): one nonzero
of a row then meets the weights of all lanes in one cache line, and one instruction updates them. Numba alone does not
vectorize such loops (it cannot know that the arrays do not overlap), so the vector is a type of its own: a value of
type `Lanes` lives in registers, and a kernel reads like the formula for one class.

The type of an array's wrapper, such as `Lanes4`, tells the width, so every kernel compiles to each width, and the
compiled code is cached.
"""

import operator
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel.models import PrimitiveModel
from numba.extending import intrinsic, lower_builtin, register_model, type_callable
from numpy.typing import NDArray

KERNEL = {"cache": True, "nogil": True, "fastmath": True, "boundscheck": False, "error_model": "numpy"}
FLOAT, INT32, INT64 = ir.FloatType(), ir.IntType(32), ir.IntType(64)


class _Array(NamedTuple):
    values: NDArray[np.float32]


class Lanes1(_Array):
    __slots__ = ()
    width: ClassVar[int] = 1


class Lanes4(_Array):
    __slots__ = ()
    width: ClassVar[int] = 4


class Lanes16(_Array):
    __slots__ = ()
    width: ClassVar[int] = 16  # 64 bytes, a cache line


WIDTHS: dict[int, type[_Array]] = {1: Lanes1, 4: Lanes4, 16: Lanes16}


class Lanes(types.Type):
    """A vector of single-precision numbers in registers."""

    def __init__(self, width: int):
        super().__init__(name=f"Lanes({width})")
        self.width = width


@register_model(Lanes)
class _LanesModel(PrimitiveModel):
    def __init__(self, manager: Any, of: Lanes):
        super().__init__(manager, of, _vector(of.width))


def _vector(width: int) -> Any:
    return ir.VectorType(FLOAT, width)


@intrinsic
def load(_context: Any, array: Any, row: Any) -> Any:
    """The lanes in a row of an array."""
    lanes = Lanes(array.instance_class.width)

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        read = builder.load(_place(context, builder, signature.args[0], *args))
        read.align = 4
        return read

    return lanes(array, row), code


@intrinsic
def store(_context: Any, array: Any, row: Any, lanes: Any) -> Any:
    """Write lanes into a row of an array."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[2], _place(context, builder, signature.args[0], args[0], args[1])).align = 4
        return context.get_dummy_value()

    return types.void(array, row, lanes), code


def _place(context: Any, builder: Any, wrapper: Any, value: Any, row: Any) -> Any:
    width = wrapper.instance_class.width
    array = context.make_array(wrapper.types[0])(context, builder, builder.extract_value(value, 0))
    if row.type.width < INT64.width:
        row = builder.zext(row, INT64)
    first = builder.gep(array.data, [builder.mul(row, INT64(width))])
    return builder.bitcast(first, _vector(width).as_pointer())


@intrinsic
def same(_context: Any, like: Any, number: Any) -> Any:
    """All lanes equal to a number; ``like`` gives the width."""

    def code(_: Any, builder: Any, signature: Any, args: Any) -> Any:
        return splat(builder, args[1], signature.return_type.width)

    return like(like, types.float32), code


def splat(builder: Any, number: Any, width: int) -> Any:
    """A vector whose every lane is this number."""
    empty = ir.Constant(ir.VectorType(number.type, width), ir.Undefined)
    first = builder.insert_element(empty, number, INT32(0))
    return builder.shuffle_vector(first, empty, ir.Constant(ir.VectorType(INT32, width), [0] * width))


@intrinsic
def plus_times(_context: Any, lanes: Any, number: Any, more: Any) -> Any:
    """lanes + number · more, the inner step of every pass over a row."""

    def code(_: Any, builder: Any, signature: Any, args: Any) -> Any:
        width = signature.return_type.width
        factor = splat(builder, args[1], width)
        return call_llvm(builder, f"llvm.fma.v{width}f32", args[0].type, [factor, args[2], args[0]])

    return lanes(lanes, types.float32, more), code


def call_llvm(builder: Any, name: str, result: Any, args: list[Any], fastmath: tuple[str, ...] = ()) -> Any:
    """Call a function of LLVM by its name, which says the types that it takes."""
    kind = ir.FunctionType(result, [arg.type for arg in args])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args, fastmath=fastmath)


def _operator(symbol: Callable[[Any, Any], Any], emit: Callable[[Any, Any, Any], Any]) -> None:
    """Let kernels write an operator between two lanes values."""

    @type_callable(symbol)
    def kind(_context: Any) -> Any:
        return lambda a, b: a if isinstance(a, Lanes) and a == b else None

    @lower_builtin(symbol, Lanes, Lanes)
    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return emit(builder, args[0], args[1])


_operator(operator.add, ir.IRBuilder.fadd)
_operator(operator.sub, ir.IRBuilder.fsub)
_operator(operator.mul, ir.IRBuilder.fmul)
_operator(operator.truediv, ir.IRBuilder.fdiv)


def _lane_by_lane(emit: Callable[[Any, Any, Any], Any], name: str, doc: str) -> Any:
    """A function of two lanes values, lane by lane."""

    def function(_context: Any, a: Any, b: Any) -> Any:
        return a(a, b), lambda _, builder, __, args: emit(builder, args[0], args[1])

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return intrinsic(function)


def _larger(builder: Any, a: Any, b: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", a, b), a, b)


def _smaller(builder: Any, a: Any, b: Any) -> Any:
    return builder.select(builder.fcmp_ordered("<", a, b), a, b)


def _where_at_most(builder: Any, a: Any, b: Any) -> Any:
    ones, zeros = (ir.Constant(a.type, [number] * a.type.count) for number in (1.0, 0.0))
    return builder.select(builder.fcmp_ordered("<=", a, b), ones, zeros)


larger = _lane_by_lane(_larger, "larger", "max(a, b)")
smaller = _lane_by_lane(_smaller, "smaller", "min(a, b)")
at_most = _lane_by_lane(_where_at_most, "at_most", "1 where a ≤ b, else 0")


@intrinsic
def size(_context: Any, a: Any) -> Any:
    """|a|"""

    def code(_: Any, builder: Any, signature: Any, args: Any) -> Any:
        return call_llvm(builder, f"llvm.fabs.v{signature.return_type.width}f32", args[0].type, args)

    return a(a), code


@intrinsic
def highest(_context: Any, a: Any) -> Any:
    """The largest lane."""

    def code(_: Any, builder: Any, signature: Any, args: Any) -> Any:
        return call_llvm(
            builder, f"llvm.vector.reduce.fmax.v{signature.args[0].width}f32", FLOAT, args, fastmath=("fast",)
        )

    return types.float32(a), code


@intrinsic
def any_above(_context: Any, a: Any, number: Any) -> Any:
    """Whether some lane is above a number: one comparison, where the largest lane would be a chain of four."""

    def code(_: Any, builder: Any, signature: Any, args: Any) -> Any:
        width = signature.args[0].width
        above = builder.fcmp_ordered(">", args[0], splat(builder, args[1], width))
        bits = builder.bitcast(above, ir.IntType(width))
        return builder.icmp_unsigned("!=", bits, ir.Constant(bits.type, 0))

    return types.boolean(a, types.float32), code


@intrinsic
def lane(_context: Any, a: Any, at: Any) -> Any:
    """The number in one lane."""

    def code(_: Any, builder: Any, __: Any, args: Any) -> Any:
        return builder.extract_element(args[0], _narrow(builder, args[1]))

    return types.float32(a, at), code


@intrinsic
def with_lane(_context: Any, a: Any, at: Any, number: Any) -> Any:
    """The same lanes, one of them replaced."""

    def code(_: Any, builder: Any, __: Any, args: Any) -> Any:
        return builder.insert_element(args[0], args[2], _narrow(builder, args[1]))

    return a(a, at, types.float32), code


def _narrow(builder: Any, number: Any) -> Any:
    return builder.trunc(number, INT32) if number.type.width > INT32.width else number


@intrinsic
def sigmoid(_context: Any, a: Any) -> Any:
    """1 / (1 + exp(−a)) to single precision: exp(−a) = 2^n · 2^f with |f| ≤ 1/2, the second by a polynomial."""

    def code(_: Any, builder: Any, signature: Any, args: Any) -> Any:
        width = signature.return_type.width
        kind, whole = _vector(width), ir.VectorType(INT32, width)

        def constant(number: float) -> Any:
            return ir.Constant(kind, [number] * width)

        bounded = _smaller(builder, _larger(builder, args[0], constant(-80.0)), constant(80.0))
        power = builder.fmul(bounded, constant(-1.4426950408889634))
        n = call_llvm(builder, f"llvm.rint.v{width}f32", kind, [power])
        f = builder.fsub(power, n)
        value = constant(POWERS_OF_LN2[-1])
        for factor in POWERS_OF_LN2[-2::-1]:
            value = call_llvm(builder, f"llvm.fma.v{width}f32", kind, [value, f, constant(factor)])
        shift = builder.shl(
            builder.add(builder.fptosi(n, whole), ir.Constant(whole, [127] * width)), ir.Constant(whole, [23] * width)
        )
        exponential = builder.fmul(value, builder.bitcast(shift, kind))
        return builder.fdiv(constant(1.0), builder.fadd(constant(1.0), exponential))

    return a(a), code


# 2^f = Σ (ln 2)^k f^k / k!; seven terms are exact to single precision for |f| ≤ 1/2
POWERS_OF_LN2 = [1.0, 0.6931471805599453, 0.2402265069591007, 0.05550410866482158, 0.009618129107628477,
                 0.0013333558146428443, 0.00015403530393381606]  # fmt: skip
