"""Fit one candidate and answer: the only file that calls fit and predict.

Answers are aligned to the task's classes, whatever subset the fit has seen: labels become codes, probabilities of
unseen classes are 0, their scores −inf. A fit on one class is a constant classifier.
"""

import pickle
import threading
import time
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.frozen import FrozenEstimator

from foldless.core import Array, Ask, Fit, Response, Rows
from foldless.data import UNLABELED, Data, encode
from foldless.engine.callbacks import Hook
from foldless.engine.candidates import METHODS
from foldless.engine.pairwise import on_columns
from foldless.features import n_rows


@dataclass(frozen=True, eq=False)
class Order:
    """One fit with all that is asked of it."""

    fit: Fit
    asks: tuple[Ask, ...]
    keep: bool = False
    hook: Hook | None = None


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of an order: answers, or the error; the model as bytes where it was to be kept."""

    answers: tuple[Array, ...] = ()
    error: Exception | None = None
    model: bytes | None = None
    fit_seconds: float = 0.0
    answer_seconds: float = 0.0
    warnings: tuple[tuple[type[Warning], str], ...] = ()
    stop: bool = False


class CodedClassifier(ClassifierMixin, BaseEstimator):
    """A semi-supervised classifier that learned class codes and speaks the user's labels.

    scikit-learn's semi-supervised classifiers read −1 as "no label" and refuse strings. Inside they get codes, so a
    class that is called −1 never meets their sentinel; outside ``classes_`` and predictions are the user's.
    """

    def __init__(self, estimator: Any, classes: Array):
        self.estimator = estimator
        self.classes = classes

    def fit(self, X: Any, codes: Array) -> "CodedClassifier":
        """Train on class codes, −1 where there is no label."""
        self.estimator_ = clone(self.estimator).fit(X, codes)
        self.classes_ = self.classes[np.asarray(self.estimator_.classes_, dtype=int)]
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    def predict(self, X: Any) -> Array:
        """The user's labels."""
        return np.asarray(self.classes[np.asarray(self.estimator_.predict(X), dtype=int)])

    def __getattr__(self, name: str) -> Any:
        if name in METHODS.values() and "estimator" in self.__dict__:
            return getattr(self.__dict__.get("estimator_", self.__dict__["estimator"]), name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def run_order(order: Order, estimator: Any, data: Data) -> Outcome:
    """Train and answer one order; an exception becomes its outcome."""
    with recorded_warnings() as told:
        start = time.perf_counter()
        try:
            model = train(order.fit, estimator, data, order.hook)
            fitted = time.perf_counter()
            answers = tuple(answer(model, data.take(ask.rows), ask, data.classes) for ask in order.asks)
        except Exception as error:
            stop = order.hook is not None and order.hook.end()
            return Outcome(error=portable(error), warnings=tuple(told), stop=stop)
        done = time.perf_counter()
    model_bytes = frozen_bytes(model) if order.keep else None
    stop = order.hook is not None and order.hook.end()
    return Outcome(answers, None, model_bytes, fitted - start, done - fitted, tuple(told), stop)


def train(fit: Fit, estimator: Any, data: Data, hook: Hook | None = None) -> Any:
    """The fitted model of a fit."""
    X, codes = data.take(fit.rows), codes_of(fit, data)
    if is_constant(codes) and not isinstance(estimator, FrozenEstimator):
        return DummyClassifier(strategy="most_frequent").fit(X, data.classes[codes])
    estimator = on_columns(estimator, fit, data)
    if fit.candidate.semi_supervised:
        if fit.unlabeled is not None and len(fit.unlabeled):
            X = data.take(Rows(np.concatenate([fit.rows.indices, fit.unlabeled.indices])))
            codes = np.concatenate([codes, np.full(n_rows(X) - len(codes), UNLABELED)])
        return CodedClassifier(estimator, data.classes).fit(X, codes)
    model = clone(estimator)
    with nullcontext() if hook is None else hook.around(model):
        return model.fit(X, data.classes[codes], **data.params_of(fit.rows))


def codes_of(fit: Fit, data: Data) -> Array:
    """The class codes a fit is trained on."""
    return data.y[fit.rows.indices] if fit.labels is None else np.asarray(fit.labels)


def is_constant(codes: Array) -> bool:
    """Whether all rows have one class, so that only a constant classifier can be made of them."""
    return len(codes) > 0 and bool(np.ptp(codes) == 0)


def answer(model: Any, X: Any, ask: Ask, classes: Array) -> Array:
    """One response of a fitted model, aligned and reduced."""
    raw = respond(model, X, ask.response)
    if len(raw) != n_rows(X):
        raise ValueError(f"it gave {len(raw)} {ask.response} for {n_rows(X)} rows")
    aligned = align(raw, ask.response, getattr(model, "classes_", classes), classes)
    return aligned if ask.reduce is None else ask.reduce(aligned)


def respond(model: Any, X: Any, response: Response) -> Array:
    """What a fitted model says, in its own shape."""
    if response == "labels":
        labels = np.asarray(model.predict(X))
        return labels.ravel() if labels.ndim == 2 and labels.shape[1] == 1 else labels
    if response == "scores" and isinstance(model, DummyClassifier):
        return np.zeros((n_rows(X), 1))
    return np.asarray(getattr(model, METHODS[response])(X))


def align(raw: Array, response: Response, seen: Iterable[Any], classes: Array) -> Array:
    """Labels as codes; probabilities and scores with one column for every class of the task."""
    if response == "labels":
        return encode(raw, classes)
    if response == "probabilities" and not np.isfinite(raw).all():
        raise ValueError("its probabilities are not all finite numbers")
    columns = encode(np.asarray(seen), classes)
    if raw.ndim == 1:  # two classes, one score
        raw = np.column_stack([-raw, raw])
    if raw.shape[1] != len(columns):
        raise ValueError(
            f"its {response} have {raw.shape[1]} columns for {len(columns)} classes: "
            f"set decision_function_shape='ovr' where it is 'ovo'"
        )
    if len(columns) == len(classes) and (columns == np.arange(len(classes))).all():
        return np.asarray(raw, dtype=np.float64)
    aligned = np.full((len(raw), len(classes)), 0.0 if response == "probabilities" else -np.inf)
    known = columns >= 0
    aligned[:, columns[known]] = raw[:, known]
    return aligned


def frozen_bytes(model: Any) -> bytes | None:
    """A model as bytes, whose size is known and which nobody pays to unpack; None for what cannot be pickled."""
    try:
        return pickle.dumps(model, protocol=5)
    except Exception:  # any class may refuse in its own way; then the model is trained once more if it wins
        return None


def portable(error: Exception) -> Exception:
    """The exception itself if it can travel between processes, else one that says the same."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # exceptions with arguments of their own often cannot be rebuilt
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error.with_traceback(None)


@contextmanager
def recorded_warnings() -> Iterator[list[tuple[type[Warning], str]]]:
    """Warnings of a fit, kept for the parent to tell once; in other threads they take their usual way."""
    told: list[tuple[type[Warning], str]] = []
    if threading.current_thread() is not threading.main_thread():
        yield told
        return
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield told
        finally:
            told.extend(dict.fromkeys((w.category, str(w.message)) for w in caught))
