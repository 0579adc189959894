"""Data whose targets are no single labels or values: none at all, several in a row, or whatever has rows.

Only the candidates and the scorers know what such targets mean. They are cut by rows, and never read.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from foldless.core import Opaque
from foldless.data._features import as_features, n_rows
from foldless.data._metadata import ScoreParams, apart, joined
from foldless.data._sample import Sample
from foldless.errors import BadInput


def open_opaque(
    X: Any,
    y: Any,
    *,
    groups: Any = None,
    fit_params: Mapping[str, Any] | None = None,
    score_params: ScoreParams | None = None,
) -> Sample:
    """Number the rows of data whose targets are no single labels: none at all, or anything that has rows."""
    X = as_features(X, "X")
    n = n_rows(X)
    if not n:
        raise BadInput("X has no rows (0 samples): pass at least two")
    for name, value in (("y", y), ("groups", groups)):
        if value is not None and n_rows(value) != n:
            raise BadInput(f"X has {n} rows and {name} has {n_rows(value)}: they must be of equal length")
    groups, params = None if groups is None else np.asarray(groups), apart(joined(fit_params, score_params))
    return Sample(X, Opaque.of(y, n), groups=groups, **params)
