"""Arrays whose rows have a number for each of 1, 4 or 16 classes; kernels read a row into one vector register.

These are plain arrays: who has no use for a kernel need not import Numba.
"""

from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray


class _Array(NamedTuple):
    values: NDArray[np.float32]


class Lanes1(_Array):
    """One class."""

    __slots__ = ()
    width: ClassVar[int] = 1


class Lanes4(_Array):
    """Four classes."""

    __slots__ = ()
    width: ClassVar[int] = 4


class Lanes16(_Array):
    """Sixteen classes: 64 bytes, a cache line."""

    __slots__ = ()
    width: ClassVar[int] = 16


WIDTHS: dict[int, type[_Array]] = {1: Lanes1, 4: Lanes4, 16: Lanes16}


class Model(NamedTuple):
    """Weights of shape (features, lanes), intercepts of shape (1, lanes), and the value of the constant feature."""

    W: Any
    intercept: Any
    scaling: np.float32
