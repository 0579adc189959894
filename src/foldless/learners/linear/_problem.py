"""One-vs-rest problems with linear weights, the blocks of classes they are solved in, and who is shown the weights."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foldless.solvers.linear._csr_rows import Csr
from foldless.solvers.linear._dual_descent import Model


class ClassBlock(NamedTuple):
    """Neighboring classes that are solved side by side."""

    first: int
    n: int
    width: int


@dataclass(frozen=True)
class PathSettings:
    """Parameters that all solutions on a path share."""

    loss: str
    tol: float
    max_iter: int
    scaling: float
    seed: int


@dataclass(frozen=True, eq=False)
class LinearProblem(PathSettings):
    """Rows with class codes; a cost per class for its own rows, one for all others, and a weight per row."""

    rows: Csr
    codes: NDArray[np.int32]
    n_features: int
    n_columns: int
    positive: NDArray[np.float32]
    negative: NDArray[np.float32]
    weights: NDArray[np.float32]


class DualStart(NamedTuple):
    """Where descent may start: y α of the rows (first axis) in classes, as found with other rows beside them."""

    classes: NDArray[Any]
    alphas: NDArray[Any]

    def of(self, classes: NDArray[Any]) -> NDArray[Any]:
        """The same in these classes, all of which it has; of two classes in the second one, which is their problem."""
        if self.alphas.shape[1] == 1:
            return self.alphas
        return self.alphas[:, np.searchsorted(self.classes, classes[1:] if len(classes) == 2 else classes)]


Alphas = Callable[[], NDArray[Any]]
"""y α of every row in the classes of a block: how much of the row is in their weights."""
Observer = Callable[[int, ClassBlock, Model, Alphas | None], None]
"""Is shown the number of the C, the block, and its weights and intercepts in lanes."""
Passes = list[tuple[int, int]]
"""The number of a C, and the passes that a block took there, negative where they were too few."""
