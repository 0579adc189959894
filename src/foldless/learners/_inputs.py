"""Checks of input: matrices in double precision, dense or CSR; parameters that are finite and positive.

Meta-estimators leave X as it is given: the classifiers in them check it. Where only some rows have labels, −1 marks the
others, as everywhere in scikit-learn.
"""

from collections.abc import Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.utils import assert_all_finite, check_array, check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_scalar

from foldless.core import Array
from foldless.data._targets import narrow
from foldless.errors import BadInput

FORMS = {"accept_sparse": "csr", "dtype": np.float64}
EITHER_PRECISION = {"accept_sparse": "csr", "dtype": (np.float64, np.float32)}


def as_given(X: Any) -> Any:
    """X with any content: data frames are returned as they are, everything else as an array or a CSR matrix."""
    if not (isinstance(X, pd.DataFrame) or hasattr(X, "hash_rows")):  # pandas and polars
        return check_array(X, accept_sparse="csr", dtype=None, ensure_all_finite=False)
    if 0 in X.shape:
        raise BadInput(f"X has {X.shape[0]} rows and {X.shape[1]} columns: pass at least one of both")
    return X


def dense(X: Any) -> Array:
    return X.toarray() if sparse.issparse(X) else np.asarray(X)


def labels_of(X: Any, y: Any) -> Array:
    """One finite label for each row of X, where X is not checked together with y."""
    y = column_or_1d(y, warn=True)
    assert_all_finite(y, input_name="y")
    check_consistent_length(X, y)
    return np.asarray(y)


def note_features(model: Any, fitted: Sequence[Any]) -> None:
    """Give a meta-estimator the number of features and their names, as the first of its classifiers that has them."""
    for name in ("n_features_in_", "feature_names_in_"):
        known = [getattr(each, name) for each in fitted if hasattr(each, name)]
        if known:
            setattr(model, name, known[0])


def classes_and_codes(y: Any, owner: str) -> tuple[Array, Array]:
    """The classes among labels, two or more, and the number of each label's class."""
    classes, codes = np.unique(y, return_inverse=True)
    check_several(classes, owner)
    return classes, codes


def check_several(classes: Array, owner: str) -> None:
    if len(classes) < 2:
        raise BadInput(f"{owner} needs at least 2 classes, the labels hold one class: {classes.tolist()[0]!r}")


def check_positive(number: Any, name: str, *, zero: bool = False, finite: bool = True) -> None:
    """A parameter must be a number above zero; zero or infinite only where that is allowed."""
    check_scalar(number, name, Real, min_val=0, include_boundaries="left" if zero else "neither")
    if finite:
        check_finite(number, name)
    elif np.isnan(number):
        raise BadInput(f"{name} must be a number, got {number!r}")


def check_finite(number: Any, name: str) -> None:
    if not np.isfinite(number):
        raise BadInput(f"{name} must be a finite number, got {number!r}")


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
