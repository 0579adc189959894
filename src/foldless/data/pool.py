"""A pool that an outer search of scikit-learn does not slice."""

from typing import Any

from foldless.data._features import n_rows


class Pool:
    """Unlabeled rows, wrapped so that an outer search of scikit-learn does not slice them.

    A search inside scikit-learn's own searches gets ``X_unlabeled`` cut to the fold whenever it happens to have as many
    rows as the training data. A `Pool` is not array-like, so it arrives whole. ``groups`` are the groups of its rows,
    named as those of the labeled rows: certificates count groups instead of rows.

    Of a pool in files (a path of Parquet, an Arrow dataset or a Dask frame), ``sample`` is the number of rows that are
    drawn wherever single rows are needed; by default a pool of up to half a gigabyte is read as a whole, and 100,000
    rows are drawn of a larger one.
    """

    def __init__(self, X: Any, groups: Any = None, sample: int | None = None):
        self.X, self.groups, self.sample = X, groups, sample

    def __repr__(self) -> str:
        countable = hasattr(self.X, "shape") or (hasattr(self.X, "__len__") and not isinstance(self.X, str))
        return f"Pool({n_rows(self.X)} rows)" if countable else f"Pool({self.X!r})"
