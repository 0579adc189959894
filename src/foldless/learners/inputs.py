"""What learners accept: matrices in double precision, dense or CSR; parameters that are finite and above zero."""

from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils.validation import check_scalar

FORMS = {"accept_sparse": "csr", "dtype": np.float64}


def check_positive(number: Any, name: str, *, zero: bool = False) -> None:
    """A parameter must be a finite number above zero, or zero where that is allowed."""
    check_scalar(number, name, Real, min_val=0, include_boundaries="left" if zero else "neither")
    check_finite(number, name)


def check_finite(number: Any, name: str) -> None:
    """A parameter must be neither infinite nor NaN."""
    if not np.isfinite(number):
        raise ValueError(f"{name} must be a finite number, got {number!r}")
