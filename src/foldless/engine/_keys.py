"""The journal's keys: a hash over everything an answer depends on, and nothing else.

The pool is part of a key only where a fit or a question touches it, so a longer pool leaves the folds of the labels
valid.

A learner that was edited, or a library that was upgraded, is another learner: its answers must not be taken for those
of the old one. Installed packages count by version, other modules by their source. foldless itself counts by the
release since which its answers are the same, and its classes by the names that they had first: a release that only
moves code leaves journals valid.
"""

import importlib.metadata
import inspect
import pickle
import sys
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import joblib
import joblib.hashing
import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.base import BaseEstimator

from foldless._version import ANSWERS_SINCE
from foldless.core import Ask, Fit, Reduce, Rows, digest
from foldless.data._sample import Sample
from foldless.engine._candidates import Recipe
from foldless.errors import JournalError
from foldless.saving._old_names import is_renamed, name_in_keys


class Keys:
    """Keys for the fits and questions of one data set and its candidates."""

    def __init__(self, data: Sample, recipes: Sequence[Recipe]):
        self._data = data
        self._recipes = recipes
        self._fits: dict[tuple[Fit, bytes], bytes] = {}

    def ask(self, ask: Ask, batch: bytes) -> bytes:
        """The key of a question to a fit that was trained in a batch (or alone, where ``batch`` is empty)."""
        return digest(
            self.fit(ask.fit, batch), self._touched(ask.rows), ask.rows.digest, ask.response, of_reduce(ask.reduce)
        )

    def stored(self, ask: Ask, batch: bytes, beside: Sequence[bytes]) -> bytes:
        """The key of a question about a pool in files, to fits of which each was trained in a batch."""
        fits = (self.fit(fit, of_batch) for fit, of_batch in zip(ask.beside, beside, strict=True))
        return digest(self.ask(ask, batch), *fits)

    def fit(self, fit: Fit, batch: bytes) -> bytes:
        if (fit, batch) not in self._fits:
            unlabeled = b"" if fit.unlabeled is None else self._touched(fit.unlabeled)
            self._fits[fit, batch] = digest(
                ANSWERS_SINCE, self.estimators[fit.candidate.index], self.labels, self._touched(fit.rows), *fit.key[1:],
                unlabeled, batch,
            )  # fmt: skip
        return self._fits[fit, batch]

    def data(self) -> bytes:
        return digest(ANSWERS_SINCE, self.labels, *self.parts)

    @cached_property
    def estimators(self) -> list[bytes]:
        return [of_estimator(recipe.estimator) for recipe in self._recipes]

    @cached_property
    def parts(self) -> list[bytes]:
        return [of_features(part) for part in self._data.parts]

    @cached_property
    def stored_pool(self) -> bytes:
        assert self._data.stored is not None
        return digest(self._data.stored.source.digest(), repr(self._data.stored.columns))

    @cached_property
    def labels(self) -> bytes:
        data = self._data
        params = [name.encode() + of_features(np.asarray(value)) for name, value in sorted(data.fit_params.items())]
        return digest(of_features(data.y), of_features(np.asarray(data.classes)), *params)

    def _touched(self, rows: Rows) -> bytes:
        """The content of the parts in which the rows lie."""
        parts = self.parts
        return digest(*(parts[at] if at < len(parts) else self.stored_pool for at in self._data.touched(rows)))


def of_features(X: Any) -> bytes:
    """The content of a matrix, frame or list."""
    if isinstance(X, np.ndarray) and not X.dtype.hasobject:
        flat = np.ascontiguousarray(X)
        return digest("array", str(X.dtype), str(X.shape), flat.reshape(-1).view(np.uint8).tobytes())
    if sparse.issparse(X):
        return digest("sparse", X.format, str(X.shape), *(of_features(p) for p in (X.data, X.indices, X.indptr)))
    if hasattr(X, "to_pandas"):
        return digest("polars", of_features(X.to_pandas()))
    if isinstance(X, pd.DataFrame):
        return digest("frame", *(part for name, column in X.items() for part in (repr(name), of_features(column))))
    if isinstance(X, pd.Series):
        return digest("series", str(X.dtype), _of_series(X))
    return digest("object", str(joblib.hash(X)))


def _of_series(column: "pd.Series[Any]") -> bytes:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return digest(of_features(column.cat.categories.to_series()), column.cat.codes.to_numpy().tobytes())
    if column.dtype == object and pd.api.types.infer_dtype(column, skipna=False) != "string":
        return digest(str(joblib.hash(column.tolist())))  # pandas hashes 1 and "1" alike
    return pd.util.hash_pandas_object(column, index=False).to_numpy().tobytes()


def of_object(value: Any) -> str:
    """What joblib makes of any object that can be pickled, wherever its class lives by now."""
    return str(_Hasher().hash(value))


class _Hasher(joblib.hashing.NumpyHasher):
    """Hashes classes and functions by the names that they had first."""

    def save(self, obj: Any) -> None:
        if not (inspect.isclass(obj) or inspect.isfunction(obj)) or not is_renamed(obj) or id(obj) in self.memo:
            super().save(obj)
            return
        module, _, name = name_in_keys(obj).rpartition(".")
        self.write(pickle.GLOBAL + f"{module}\n{name}\n".encode())  # as pickle has it in protocol 3
        self.memoize(obj)


def of_estimator(estimator: Any) -> bytes:
    """The parameters of an estimator and the code of every class in it."""
    try:
        content = of_object(estimator)
    except Exception as error:  # lambdas, open files, sockets: pickle says it in many ways
        raise JournalError(
            f"a journal needs candidates that can be pickled, and {estimator!r} cannot be: {error}; "
            f"define its functions in a module, or leave the journal out"
        ) from error
    return digest(content, *sorted({_code_of(part) for part in _parts(estimator)}))


def of_reduce(reduce: Reduce | None) -> str:
    """The name of a reduction, with its parameters."""
    if reduce is None:
        return ""
    return name_in_keys(reduce) if inspect.isfunction(reduce) else repr(reduce)


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


def _code_of(part: Any) -> str:
    """What tells the code of a class or function from other code of its name."""
    version = _module_version(part.__module__)
    if version is not None:
        return version
    members = vars(part).values() if inspect.isclass(part) else [part]
    codes = [each.__code__ for each in (getattr(m, "__func__", m) for m in members) if hasattr(each, "__code__")]
    return digest(part.__qualname__, *(_plain_code(code) for code in codes)).hex()


def _plain_code(code: Any) -> bytes:
    """Byte code with its constants and names, those of inner functions too."""
    inner = [_plain_code(c) if hasattr(c, "co_code") else repr(c).encode() for c in code.co_consts]
    return digest(code.co_code, repr(code.co_names), *inner)


@lru_cache
def _module_version(name: str) -> str | None:
    """The version of an installed package, the source of another module; None for code typed into a shell."""
    top = name.split(".")[0]
    if top == "foldless":
        return f"{top} {ANSWERS_SINCE}"
    try:
        return f"{top} {importlib.metadata.version({'sklearn': 'scikit-learn'}.get(top, top))}"
    except importlib.metadata.PackageNotFoundError:
        path = getattr(sys.modules.get(name), "__file__", None)
        return f"{name} {digest(Path(path).read_bytes()).hex()}" if path and Path(path).is_file() else None
