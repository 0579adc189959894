"""Views: several sets of columns of one X, each enough to learn from on its own.

A view is given by column numbers, a slice, a mask, or names where X is a data frame; learners without kernels also take
a function of X that returns these, such as scikit-learn's ``make_column_selector``. Views may share columns (two
kernels on the same features are two views as well); within a view each column counts once.

References
----------
Blum and Mitchell (1998). Combining labeled and unlabeled data with co-training. COLT.
"""

from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from scipy import sparse

from foldless.core import Array
from foldless.data._features import take_columns
from foldless.errors import BadInput


def evaluated(views: Any, X: Any) -> Any:
    """The views, where functions are replaced by what they return for X."""
    if not isinstance(views, Iterable) or isinstance(views, str | set | frozenset | Mapping):
        return views
    return [view(X) if callable(view) else view for view in views]


def is_single_column(view: Any) -> bool:
    """Whether a view is a single column without a list around it."""
    return isinstance(view, str | Integral)


def cut(X: Any, which: Any) -> Any:
    """Columns of X, of the same type; a single number gives a vector, but for sparse matrices a matrix."""
    return take_columns(X, np.atleast_1d(which) if sparse.issparse(X) else which)


def columns(views: Any, n_features: int, names: Any = None) -> list[Array]:
    """The column numbers of each view; without views, the first half and the rest, and a single column is both."""
    if views is None:
        half = (n_features + 1) // 2
        return [np.arange(half), np.arange(half if n_features > 1 else 0, n_features)]
    if isinstance(views, Mapping):
        raise BadInput(f"views must be a list, got a dict with the keys {list(views)!r}: pass its values in a list")
    if isinstance(views, str | set | frozenset) or not isinstance(views, Iterable):
        raise BadInput(f"views must be a list with the columns of each view, got {views!r}")
    parts = [_numbers(view, n_features, names, number) for number, view in enumerate(views, 1)]
    if not parts:
        raise BadInput("views must hold at least one view, got none")
    return parts


def two_columns(views: Any, n_features: int, names: Any, owner: object) -> list[Array]:
    """The same for a learner of two views."""
    parts = columns(views, n_features, names)
    if len(parts) != 2:
        raise BadInput(f"{type(owner).__name__} needs two views, got {len(parts)}")
    return parts


def _numbers(view: Any, n_features: int, names: Any, number: int) -> Array:
    find = _sliced if isinstance(view, slice) else _listed
    numbers = find(view, n_features, names, number)
    if not numbers.size:
        raise BadInput(
            f"view {number} has no columns, got {view!r}: name at least one of the {n_features} columns of X"
        )
    if len(np.unique(numbers)) < numbers.size:
        raise BadInput(f"view {number} has a column twice, got {view!r}: name each column once")
    return numbers


def _sliced(view: slice, n_features: int, names: Any, number: int) -> Array:
    """A slice of numbers excludes its end; a slice of names includes it, as in scikit-learn and pandas."""
    ends = [end for end in (view.start, view.stop) if end is not None]
    if all(isinstance(end, Integral) for end in ends):
        return np.arange(n_features)[view]
    if not all(isinstance(end, str) for end in ends):
        raise BadInput(f"view {number} must be a slice between two column numbers or two names, got {view!r}")
    start, stop = (None if end is None else int(_named([end], names, number)[0]) for end in (view.start, view.stop))
    return np.arange(n_features)[start : None if stop is None else stop + 1 : view.step]


def _listed(view: Any, n_features: int, names: Any, number: int) -> Array:
    if isinstance(view, set | frozenset):
        raise BadInput(f"view {number} is a set, whose order is not fixed, got {view!r}: pass a list")
    many = isinstance(view, Sequence) and not isinstance(view, str | bytes)
    if many and len({isinstance(column, str) for column in view}) > 1:
        raise BadInput(f"view {number} mixes names and numbers of columns, got {view!r}: use names or numbers")
    asked = np.atleast_1d(np.asarray(list(view) if many else view))
    if not asked.size:
        return np.arange(0)
    if callable(view):
        raise BadInput(f"view {number} is a function, got {view!r}: pass the columns that it returns for X")
    if isinstance(view, Mapping) or asked.ndim != 1 or asked.dtype.kind not in "OUSbiu":
        raise BadInput(f"view {number} must be column numbers, names, a mask or a slice, got {view!r}")
    if asked.dtype.kind in "OUS":
        return _named(asked.tolist(), names, number)
    if asked.dtype.kind == "b":
        if asked.size != n_features:
            raise BadInput(f"view {number} is a mask of {asked.size} values for {n_features} columns")
        return np.flatnonzero(asked)
    outside = asked[(asked < -n_features) | (asked >= n_features)]
    if outside.size:
        raise BadInput(f"view {number} asks for column {outside[0]}, but X has {n_features} columns")
    return asked % n_features


def _named(asked: list[Any], names: Any, number: int) -> Array:
    if names is None:
        raise BadInput(f"view {number} names columns, and X has no names: pass a data frame, or column numbers")
    known: dict[Any, int] = {}
    twice = {name for at, name in enumerate(names) if known.setdefault(name, at) != at}
    for name in asked:
        if name not in known:
            raise BadInput(f"view {number} asks for column {name!r}, which X does not have")
        if name in twice:
            raise BadInput(f"view {number} asks for column {name!r}, which X has twice: rename one of them")
    return np.array([known[name] for name in asked], dtype=int)
