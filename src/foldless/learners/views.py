"""Views: several sets of columns of one X, each enough to learn from on its own.

A view is given by column numbers, a slice, a mask, or names where X is a data frame. Views may share columns (two
kernels on the same features are two views as well); inside a view each column counts once.

References
----------
Blum and Mitchell (1998). Combining labeled and unlabeled data with co-training. COLT.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from foldless.core import Array


def split(X: Any, views: Any, names: Any = None) -> list[Any]:
    """The columns of each view as matrices (or frames) of the kind of X.

    ``names`` are the names of the columns where X has lost them: an estimator's ``feature_names_in_``. None for
    ``views`` is two halves: the first half of the columns, and the rest; a single column is both.
    """
    if names is None:
        names = getattr(X, "columns", None)
    parts = columns(views, X.shape[1], names)
    return [X.iloc[:, part] if hasattr(X, "iloc") else X[:, part] for part in parts]


def columns(views: Any, n_features: int, names: Any = None) -> list[Array]:
    """The column numbers of each view."""
    if views is None:
        half = (n_features + 1) // 2
        return [np.arange(half), np.arange(half if n_features > 1 else 0, n_features)]
    if isinstance(views, str) or not isinstance(views, Iterable):
        raise ValueError(f"views must be a list with the columns of each view, got {views!r}")
    parts = [_numbers(view, n_features, names, number) for number, view in enumerate(views, 1)]
    if not parts:
        raise ValueError("views must hold at least one view, got none")
    return parts


def _numbers(view: Any, n_features: int, names: Any, number: int) -> Array:
    if isinstance(view, slice) and not any(isinstance(end, str) for end in (view.start, view.stop)):
        found = np.arange(n_features)[view]
    else:
        asked = np.atleast_1d(np.asarray(list(view) if isinstance(view, Sequence) and _is_many(view) else view))
        if asked.dtype.kind in "OUS":
            found = _named(asked.tolist(), names, number)
        elif asked.dtype.kind == "b":
            if asked.shape != (n_features,):
                raise ValueError(f"view {number} is a mask of {asked.size} values for {n_features} columns")
            found = np.flatnonzero(asked)
        elif asked.dtype.kind in "iu" and asked.ndim == 1:
            outside = asked[(asked < -n_features) | (asked >= n_features)]
            if outside.size:
                raise ValueError(f"view {number} asks for column {outside[0]}, and X has {n_features} columns")
            found = asked % n_features
        else:
            raise ValueError(f"view {number} must be column numbers, names, a mask or a slice, got {view!r}")
    if not found.size:
        raise ValueError(f"view {number} has no columns: X has {n_features}")
    if len(np.unique(found)) < found.size:
        raise ValueError(f"view {number} has a column twice: {view!r}")
    return found


def _named(asked: list[Any], names: Any, number: int) -> Array:
    if names is None:
        raise ValueError(f"view {number} names columns, and X has no names: pass a data frame, or column numbers")
    known = {name: at for at, name in enumerate(names)}
    unknown = [name for name in asked if name not in known]
    if unknown:
        raise ValueError(f"view {number} asks for column {unknown[0]!r}, which X does not have")
    return np.array([known[name] for name in asked], dtype=int)


def _is_many(view: Any) -> bool:
    return not isinstance(view, str | bytes)
