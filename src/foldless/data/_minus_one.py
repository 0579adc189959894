"""What −1 means: a class like any other, or the mark of rows without a label.

It is a class where ``X_unlabeled`` is given, and in calls that take no pool, such as evaluate. Without it, ``y == -1``
marks the unlabeled rows, unless ``unlabeled`` is None; a warning says so, unless ``unlabeled`` is −1.
"""

from typing import Any

import numpy as np
import pandas as pd

from foldless.data._targets import lacks_labels
from foldless.errors import BadInput

UNLABELED = -1
ASSUMED = "warn"  # rows with the label −1 are the pool, though nobody said so
TAKEN = (
    "{n:,} rows with the label −1 are taken as the pool: pass unlabeled=-1 to say that they have no label, or "
    "unlabeled=None if −1 is a class"
)


def marks_pool(X_unlabeled: Any, unlabeled: Any) -> bool:
    """Whether −1 marks rows without a label: where no other pool was passed, and nobody said that it is a class."""
    if unlabeled is not None and unlabeled not in (ASSUMED, UNLABELED):
        raise BadInput(f"unlabeled must be -1, or None where −1 is a class, got {unlabeled!r}")
    return X_unlabeled is None and unlabeled is not None


def n_labeled(y: Any, minus_one: bool) -> int:
    """How many rows have a label; −1 may be none. 0 where targets are not one label for each row.

    Examples
    --------
    >>> n_labeled(["a", None, "b"], False), n_labeled([1, -1, 0], True), n_labeled([1, -1, 0], False)
    (2, 2, 3)
    """
    if y is None or getattr(y, "ndim", 1) != 1:
        return 0
    labels = pd.Series(list(y if hasattr(y, "__iter__") else np.asarray(y)), dtype=object)
    return int((labels.notna() & ~(minus_one & (labels == -1))).sum())


def has_pool(y: Any, X_unlabeled: Any, unlabeled: Any) -> bool:
    """Whether classes will have a pool: rows of its own, or those of ``y`` that are marked or have no label."""
    return X_unlabeled is not None or lacks_labels(y, minus_one=marks_pool(X_unlabeled, unlabeled))
