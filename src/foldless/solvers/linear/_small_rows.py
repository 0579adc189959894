"""What the kernels of ``csr_entries`` and ``block_scores`` do, in NumPy and to the same bit, for a few small tables.

Numba takes longer to start than most searches over a hundred rows take in all. NumPy has no product that is rounded
together with its sum, which is what the kernels compute: here both are exact in double precision, and the last bit says
whether something was lost, so that the second rounding is right.

References
----------
Boldo & Melquiond (2008). Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd. IEEE
Transactions on Computers 57.
"""

import sys
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

ENTRIES, WIDEST = 2**15, 32  # of a table; of a row on the average
CALLS = 2000  # by then the kernels would have started
_calls = count()


def suits(kernels: str, entries: int, width: float = 0) -> bool:
    """Whether a module of kernels would rather not be imported: it is not there yet, and the work is small so far.

    ``width`` is the length of rows where each entry of a row takes a step of its own.
    """
    small = entries <= ENTRIES and width <= WIDEST
    return small and f"{__package__}.{kernels}" not in sys.modules and next(_calls) < CALLS


def squares(starts: Any, values: Any) -> NDArray[np.float32]:
    """The squared length of every row."""
    rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return np.bincount(rows, np.square(values, dtype=np.float64), minlength=len(starts) - 1).astype(np.float32)


def meet(indices: Any, data: Any, used: Any, place: Any) -> int:
    """Number the features in the order in which they occur."""
    features, first = np.unique(indices[data != 0], return_index=True)
    features = features[np.argsort(first)]
    used[: len(features)] = features
    place[features] = np.arange(len(features))
    return len(features)


def squeeze(X: Any, which: Any, place: Any, seen: Any, out: Any) -> bool:
    """Copy what is at features in use; False where a row has a feature twice, for then its square would be wrong."""
    lengths = X.starts[which + 1] - X.starts[which]
    ends = np.cumsum(lengths)
    entries = np.arange(lengths.sum()) + np.repeat(X.starts[which] - (ends - lengths), lengths)
    rows, columns, values = np.repeat(np.arange(len(which)), lengths), place[X.columns[entries]], X.values[entries]
    kept = np.flatnonzero((columns >= 0) & (values != 0))
    cells = rows[kept] * len(seen) + columns[kept]
    if len(np.unique(cells)) < len(cells):
        return False
    out.columns[: len(kept)], out.values[: len(kept)] = columns[kept], values[kept]
    out.starts[1:] = np.cumsum(np.bincount(rows[kept], minlength=len(which)))
    return True


def keep_best(X: Any, model: Any, n_lanes: int, first: int, best: Any, label: Any) -> None:
    """Where one of the block's scores beats the best so far, note it and the class it belongs to."""
    scores = _scores(X, model)[:, :n_lanes]
    top = scores.argmax(axis=1)
    highest = np.take_along_axis(scores, top[:, None], axis=1)[:, 0]
    better = highest > best
    best[better], label[better] = highest[better], first + top[better]


def write_scores(X: Any, model: Any, out: Any) -> None:
    """All scores of the block, row by row."""
    out.values[:] = _scores(X, model)


def _scores(X: Any, model: Any) -> NDArray[np.float32]:
    """The products of rows with the weights of all lanes, summed in the order of the kernel: in four sums."""
    W = model.W.values
    lengths = np.diff(X.starts)
    sums = np.zeros((4, X.n, W.shape[1]), np.float32)
    for length in np.unique(lengths):
        rows: Any = slice(None) if (lengths == length).all() else np.flatnonzero(lengths == length)
        first = X.starts[:-1][rows]
        for at in range(length):
            lane = at % 4 if at < 4 * (length // 4) else 0
            sums[lane, rows] = plus_times(sums[lane, rows], X.values[first + at][:, None], W[X.columns[first + at]])
    summed = ((sums[1] + sums[2]) + sums[3]) + sums[
        0
    ]  # so the compiler orders it: fast-math kernels leave it the choice
    return plus_times(summed, model.scaling, model.intercept.values)


def plus_times(a: Any, b: Any, c: Any) -> NDArray[np.float32]:
    """a + b · c in single precision, rounded once."""
    product, a = np.multiply(b, c, dtype=np.float64), np.asarray(a, np.float64)
    total = np.asarray(product + a)
    part = total - product
    lost = (product - (total - part)) + (a - part)
    if lost.any():
        bits = total.view(np.int64)
        odd = np.where((lost > 0) == (total > 0), 1, -1) * (((bits & 1) == 0) & (lost != 0))
        total = (bits + odd).view(np.float64)
    return total.astype(np.float32)
