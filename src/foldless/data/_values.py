"""User data of a regression: ``y`` holds numbers, and rows whose number is missing (None or NaN) join the pool.

−1 is a number like any other. The rest is as for classes: features stay what the user passed.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils import column_or_1d

from foldless.core import Array, Values
from foldless.data import _opening as opening
from foldless.data._features import as_features, check_alike, like, n_rows
from foldless.data._sample import Sample
from foldless.data._stored_pool import only_sampled, stored_and_sample
from foldless.data.pool import Pool
from foldless.errors import BadInput

FEWEST = 2


def open_values(
    X: Any,
    y: Any,
    X_unlabeled: Any = None,
    *,
    X_test: Any = None,
    y_test: Any = None,
    groups: Any = None,
    fit_params: Mapping[str, Any] | None = None,
) -> Sample:
    """Check what the user passed and number its rows."""
    if y is None:
        raise BadInput("foldless requires y to be passed, but the target y is None: pass one number per row of X")
    X, (values, missing) = as_features(X, "X"), present_values(y, "y")
    if n_rows(X) != len(missing):
        raise BadInput(f"X has {n_rows(X)} rows and y has {len(missing)} values: they must be of equal length")
    if len(values) < FEWEST:
        raise BadInput(
            f"y has {len(values)} values (n_samples={len(values)}): pass at least {FEWEST} rows with a value"
        )
    if groups is not None and len(groups := np.asarray(groups)) != len(missing):
        raise BadInput(f"groups has {len(groups)} entries for {len(missing)} rows of X: they must be of equal length")
    params = {name: value for name, value in (fit_params or {}).items() if value is not None}
    pool, pool_groups = X_unlabeled, None
    if isinstance(pool, Pool):
        pool, pool_groups = pool.X, pool.groups
    stored, pool = stored_and_sample(pool)
    if pool is not None:
        pool_groups = opening._pool_groups(pool, pool_groups, groups)
        pool = like(X, as_features(pool, "X_unlabeled"))
        check_alike(X, pool, "X_unlabeled")
        pool = pool if n_rows(pool) else None
    notes: list[str] = []
    parts = (X, values, pool, params, groups, pool_groups)
    X, values, pool, params, groups, pool_groups = opening._split_missing(parts, missing, False, notes)
    pool, pool_groups = only_sampled(stored, pool, pool_groups, notes)
    test, test_values = _test_part(X, X_test, y_test)
    return Sample(
        X, Values(values), pool, test, test_values, groups, pool_groups, params, stored=stored, notes=tuple(notes)
    )


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


def _test_part(X: Any, X_test: Any, y_test: Any) -> tuple[Any, Array | None]:
    if (X_test is None) != (y_test is None):
        raise BadInput(f"a test set needs both X_test and y_test, got only {'y_test' if X_test is None else 'X_test'}")
    if X_test is None:
        return None, None
    test, (values, missing) = as_features(X_test, "X_test"), present_values(y_test, "y_test")
    check_alike(X, test, "X_test")
    if missing.any():
        row = int(np.argmax(missing))
        raise BadInput(f"y_test has no value in row {row}: leave the row out of the test set, or give it one")
    if n_rows(test) != len(values) or len(values) < FEWEST:
        raise BadInput(
            f"X_test has {n_rows(test)} rows and y_test has {len(values)} values: pass as many of both, at least "
            f"{FEWEST}"
        )
    return test, values


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True
