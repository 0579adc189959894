"""Labels that are values: ``y`` holds numbers, and rows whose number is missing (None or NaN) join the pool.

−1 is a number like any other.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils import column_or_1d

from foldless.core import Array, Target, Values
from foldless.data._features import n_rows
from foldless.data._parts import Parts, RowsForTests
from foldless.errors import BadInput

FEWEST = 2


@dataclass(frozen=True, eq=False)
class ValueLabels:
    """The values ``y`` of the rows that are not ``missing``."""

    y: Array
    missing: Array

    replicated = False

    def sort(self, parts: Parts) -> Parts:
        """Rows with a value apart from those without one, which join the pool."""
        without = np.flatnonzero(self.missing)
        if not len(without):
            return replace(parts, y=self.y)
        return parts.at(np.flatnonzero(~self.missing), self.y).joined_by(parts, without, "without a label")

    def target(self, parts: Parts) -> Values:
        return Values(parts.y)

    def test(self, test: Any, y_test: Any, target: Target) -> RowsForTests:  # noqa: ARG002 (classes have codes)
        values, missing = present_values(y_test, "y_test")
        if missing.any():
            row = int(np.argmax(missing))
            raise BadInput(f"y_test has no value in row {row}: leave the row out of the test set, or give it one")
        if n_rows(test) != len(values) or len(values) < FEWEST:
            raise BadInput(
                f"X_test has {n_rows(test)} rows and y_test has {len(values)} values: pass as many of both, at least "
                f"{FEWEST}"
            )
        return RowsForTests(test, values)


def read_values(y: Any, n: int) -> ValueLabels:
    if y is None:
        raise BadInput("foldless requires y to be passed, but the target y is None: pass one number per row of X")
    values, missing = present_values(y, "y")
    if n != len(missing):
        raise BadInput(f"X has {n} rows and y has {len(missing)} values: they must be of equal length")
    if len(values) < FEWEST:
        raise BadInput(
            f"y has {len(values)} values (n_samples={len(values)}): pass at least {FEWEST} rows with a value"
        )
    return ValueLabels(values, missing)


def present_values(y: Any, name: str) -> tuple[Array, Array]:
    """The values of the rows that have one, as floats, and which rows have none (NaN or None)."""
    try:
        y = column_or_1d(y, warn=True)
    except ValueError as error:
        raise BadInput(
            f"{name} must hold one number per row: {error}", remedy="choose for each column of y by itself"
        ) from error
    missing = np.asarray(pd.isna(y))
    known = np.asarray(y[~missing] if missing.any() else y)
    if known.dtype.kind not in "fiub":
        try:
            known = known.astype(np.float64)
        except (ValueError, TypeError) as error:
            strange = next(value for value in known.tolist() if not _is_number(value))
            raise BadInput(
                f"regressors learn numbers, and {name} holds {strange!r}",
                value=strange,
                place=name,
                remedy="pass numbers, or choose among classifiers",
            ) from error
    known = known if known.dtype.kind == "f" else known.astype(np.float64)
    if not np.isfinite(known).all():
        row = int(np.flatnonzero(~missing)[np.argmax(~np.isfinite(known))])
        raise BadInput(f"{name} contains infinity at row {row}: values must be finite")
    return known, missing


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True
