"""Labels of which some are missing: −1 marks a row without one, as everywhere in scikit-learn."""

from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from foldless.core import Array


class PartialLabels(NamedTuple):
    """Which rows are labeled, the classes, and the class number of each labeled row."""

    labeled: Array
    classes: Array
    codes: Array


def partial_labels(y: Any, owner: str) -> PartialLabels:
    """Read labels where −1 is no label; strings go as objects beside the number −1, or alone where none is missing."""
    y = np.asarray(y)
    if y.dtype.kind in "US" and (y == "-1").any():
        raise ValueError('y has the string "-1": pass y with dtype object and the number -1 where there is no label')
    labeled = np.ones(len(y), bool) if y.dtype.kind in "US" else np.asarray(y != -1, dtype=bool)
    known = y[labeled]
    if not len(known):
        raise ValueError(f"{owner} needs at least 2 classes, all labels are -1, which means no label")
    if known.dtype == object and all(isinstance(label, str) for label in known):
        known = known.astype(str)
    check_classification_targets(known)
    classes, codes = np.unique(known, return_inverse=True)
    if len(classes) < 2:
        raise ValueError(f"{owner} needs at least 2 classes, the labels hold one class: {classes.tolist()[0]!r}")
    return PartialLabels(labeled, classes, codes)
