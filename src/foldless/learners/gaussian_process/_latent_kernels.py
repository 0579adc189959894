"""Kernels of a latent function over points and rows that come later, made of one or two kernels of views.

Labels do not enter: one kernel serves all label vectors.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from foldless.core import Array
from foldless.learners.gaussian_process._distinct_rows import Forgetful
from foldless.learners.gaussian_process.view_kernels import ViewKernel
from foldless.saving.names import saved


class Joined(NamedTuple):
    """Kernel values of later rows, each joined alone: with the labeled points, and with itself.

    Where a row changes the kernel of the labeled points as it joins, that becomes K − less less'.
    """

    cross: Array
    diagonal: Array
    less: Array | None = None


class LatentKernel(Protocol):
    """Kernel values between all points; and of later rows, with the labeled points."""

    def gram(self) -> Array: ...
    def joined(self, X: Any, labeled: Array) -> Joined: ...
    def forget(self) -> None: ...


@saved("foldless.saving")
@dataclass(frozen=True, eq=False)
class PlainKernel(Forgetful):
    """The kernel of one view as it is."""

    kernel: ViewKernel

    def gram(self) -> Array:
        return self.kernel.values

    def joined(self, X: Any, labeled: Array) -> Joined:
        return Joined(self.kernel.cross(X)[:, labeled], self.kernel.diagonal(X))
