"""Kernels of a latent function, on the points and with new rows, computed from one or two kernels of views.

They do not depend on labels: one kernel serves all label vectors.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from foldless.core import Array
from foldless.learners.gaussian_process._distinct_rows import Cached
from foldless.learners.gaussian_process._view_kernels import ViewKernel
from foldless.saving._names import saved


class NewRows(NamedTuple):
    """Kernel values of new rows, each added alone: with the labeled points, and with itself.

    Where a new row changes the kernel of the labeled points, that becomes K − less less'.
    """

    cross: Array
    diagonal: Array
    less: Array | None = None


class LatentKernel(Protocol):
    """Kernel values between all points, and of new rows with the labeled points."""

    def gram(self) -> Array: ...
    def at_new_rows(self, X: Any, labeled: Array) -> NewRows: ...
    def drop_cache(self) -> None: ...


@saved("foldless.saving")
@dataclass(frozen=True, eq=False)
class PlainKernel(Cached):
    """The kernel of one view as it is."""

    kernel: ViewKernel

    def gram(self) -> Array:
        return self.kernel.values

    def at_new_rows(self, X: Any, labeled: Array) -> NewRows:
        return NewRows(self.kernel.cross(X)[:, labeled], self.kernel.diagonal(X))
