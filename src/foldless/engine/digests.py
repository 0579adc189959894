"""Content hashes for the journal: data, estimators and the code behind them.

A learner that was edited, or a library that was upgraded, is another learner: its answers must not be taken for those
of the old one. Installed packages count by version, other modules by their source.
"""

import importlib.metadata
import inspect
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.base import BaseEstimator

from foldless.core import Reduce, digest
from foldless.errors import JournalError


def of_features(X: Any) -> bytes:
    """The content of a matrix, frame or list."""
    if isinstance(X, np.ndarray) and not X.dtype.hasobject:
        flat = np.ascontiguousarray(X)
        return digest("array", str(X.dtype), str(X.shape), flat.reshape(-1).view(np.uint8).tobytes())
    if sparse.issparse(X):
        return digest("sparse", X.format, str(X.shape), *(of_features(p) for p in (X.data, X.indices, X.indptr)))
    if hasattr(X, "to_pandas"):
        return digest("polars", of_features(X.to_pandas()))
    if isinstance(X, pd.DataFrame | pd.Series):
        named = repr([(str(c), str(d)) for c, d in X.dtypes.items()]) if isinstance(X, pd.DataFrame) else str(X.dtype)
        rows = pd.util.hash_pandas_object(X, index=False).to_numpy()
        return digest("frame", named, rows.tobytes())
    return digest("object", str(joblib.hash(X)))


def of_estimator(estimator: Any) -> bytes:
    """The parameters of an estimator and the code of every class in it."""
    try:
        content = str(joblib.hash(estimator))
    except Exception as error:  # lambdas, open files, sockets: pickle says it in many ways
        raise JournalError(
            f"a journal needs candidates that can be pickled, and {estimator!r} cannot be: {error}; "
            f"define its functions in a module, or leave the journal out"
        ) from error
    return digest(content, *sorted({_module_version(part.__module__) for part in _parts(estimator)}))


def of_reduce(reduce: Reduce | None) -> str:
    """The name of a reduction, with its parameters."""
    if reduce is None:
        return ""
    return f"{reduce.__module__}.{reduce.__qualname__}" if inspect.isfunction(reduce) else repr(reduce)


def _parts(value: Any) -> Iterator[Any]:
    """The classes of an estimator and of all it holds, and those of functions among its parameters."""
    if inspect.isfunction(value) or inspect.isclass(value):
        yield value  # a function has a module just as a class does
    elif isinstance(value, BaseEstimator) or hasattr(value, "get_params"):
        yield from type(value).__mro__[:-1]
        for child in value.get_params(deep=False).values():
            yield from _parts(child)
    elif isinstance(value, list | tuple):
        for child in value:
            yield from _parts(child)


@lru_cache
def _module_version(name: str) -> str:
    top = name.split(".")[0]
    try:
        return f"{top} {importlib.metadata.version({'sklearn': 'scikit-learn'}.get(top, top))}"
    except importlib.metadata.PackageNotFoundError:
        path = getattr(sys.modules.get(name), "__file__", None)
        source = Path(path).read_bytes() if path and Path(path).is_file() else b""
        return f"{name} {digest(source).hex()}"
