"""Checks of input: matrices in double precision, dense or CSR; parameters that are finite and positive.

Meta-estimators leave X as it is given: the classifiers in them check it.
"""

from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.utils import assert_all_finite, check_array, check_consistent_length, column_or_1d
from sklearn.utils.validation import check_scalar

from foldless.core import Array
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
    """A matrix as an array."""
    return X.toarray() if sparse.issparse(X) else np.asarray(X)


def labels_of(X: Any, y: Any) -> Array:
    """One finite label for each row of X, where X is not checked together with y."""
    y = column_or_1d(y, warn=True)
    assert_all_finite(y, input_name="y")
    check_consistent_length(X, y)
    return np.asarray(y)


def classes_and_codes(y: Any, owner: str) -> tuple[Array, Array]:
    """The classes among labels, two or more, and the number of each label's class."""
    classes, codes = np.unique(y, return_inverse=True)
    check_several(classes, owner)
    return classes, codes


def check_several(classes: Array, owner: str) -> None:
    """There must be two classes to learn from."""
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
    """A parameter must be neither infinite nor NaN."""
    if not np.isfinite(number):
        raise BadInput(f"{name} must be a finite number, got {number!r}")
