"""A pool that an outer search of scikit-learn does not slice."""

from typing import Any

from foldless.data.features import n_rows


class Pool:
    """Unlabeled rows that nothing slices by accident.

    A search inside scikit-learn's own searches gets ``X_unlabeled`` cut to the fold whenever it happens to have as many
    rows as the training data. A `Pool` is not array-like, so it arrives whole. ``groups`` are the groups of its rows,
    named as those of the labeled rows: certificates count groups instead of rows.
    """

    def __init__(self, X: Any, groups: Any = None):
        self.X, self.groups = X, groups

    def __repr__(self) -> str:
        return f"Pool({n_rows(self.X)} rows)"
