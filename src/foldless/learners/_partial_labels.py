"""Labels for some of the rows: −1 marks an unlabeled row, as everywhere in scikit-learn."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.utils.multiclass import check_classification_targets

from foldless.core import Array
from foldless.data._targets import narrow
from foldless.errors import BadInput
from foldless.learners._inputs import classes_and_codes


class PartialLabels(NamedTuple):
    """Which rows are labeled, the classes, and the class number of each labeled row."""

    labeled: Array
    classes: Array
    codes: Array

    def completed(self, others: Array) -> Array:
        """The labels of all rows; ``others`` are the class numbers of the unlabeled ones."""
        codes = np.empty(len(self.labeled), np.int64)
        codes[self.labeled], codes[~self.labeled] = self.codes, others
        return self.classes[codes]


def partial_labels(y: Any, owner: str) -> PartialLabels:
    """Read labels where −1 means unlabeled; strings need dtype object unless every row is labeled."""
    check_missing(y)
    y = np.asarray(y)
    if y.dtype.kind in "US" and (y == "-1").any():
        raise BadInput('y has the string "-1": pass y with dtype object and the number -1 where there is no label')
    labeled = np.ones(len(y), bool) if y.dtype.kind in "US" else np.asarray(y != -1, dtype=bool)
    known = y[labeled]
    if not len(known):
        raise BadInput(f"{owner} needs at least 2 classes, all labels are -1, which means no label")
    if known.dtype == object:
        known = known.astype(str) if all(isinstance(label, str) for label in known) else narrow(known)
    check_classification_targets(known)
    return PartialLabels(labeled, *classes_and_codes(known, owner))


def check_missing(y: Any) -> None:
    """Refuse None, NaN and NA, which may be mistakes: −1 marks an unlabeled row."""
    missing = np.atleast_1d(pd.isna(np.asarray(y, dtype=object) if isinstance(y, list | tuple) else y))
    if y is not None and missing.any():
        row = int(np.argmax(missing.reshape(len(missing), -1).any(axis=1)))
        raise BadInput(
            f"y has no label (NaN or None) in {int(missing.sum())} rows, the first is row {row}: mark them with the "
            f"number -1, for example by np.where(pd.isna(y), -1, y)"
        )
