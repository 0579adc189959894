"""Fit one candidate and answer: the only file that calls fit and predict.

Answers are aligned to the task's classes, whatever subset the fit has seen: labels become codes, probabilities of
unseen classes are 0, their scores −inf. A fit on one class is a constant classifier, which has no evidence.
"""

import pickle
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.frozen import FrozenEstimator

from foldless.core import Array, Ask, Classes, Fit, Response, Rows
from foldless.core.compiled_code import working_time
from foldless.data._class_labels import encode
from foldless.data._features import n_rows, take
from foldless.data._minus_one import UNLABELED
from foldless.data._sample import Sample
from foldless.data._targets import narrow, one_per_row
from foldless.engine._callbacks import Hook
from foldless.engine._candidates import METHODS, is_of_scikit_learn, last_step, owner_of, wants_codes
from foldless.engine._pairwise import on_columns
from foldless.engine._warned import of_this_thread
from foldless.errors import AmbiguousLabels, BadInput
from foldless.judging._cross_fit import AT_ONCE, Confidence
from foldless.learners import _forest_growth
from foldless.learners._inputs import note_features
from foldless.saving._names import saved

ASKS_FOR_WRITABLE = "buffer source array is read-only"  # Cython's words
WRITES = ("destination is read-only", "output array is read-only")  # NumPy's words
WROTE = "it writes into the rows that it is given, which are the caller's: copy them first, as in X = X.copy()"


@dataclass(frozen=True, eq=False)
class Order:
    """One fit with all that is asked of it, and where its learner may start."""

    fit: Fit
    asks: tuple[Ask, ...]
    keep: bool = False
    hook: Hook | None = None
    start: Any = None

    @property
    def asks_metrics(self) -> bool:
        """Whether scorers read the fitted model, which then must be the candidate itself."""
        return any(ask.by is not None for ask in self.asks)


@dataclass(eq=False)
class Outcome:
    """What came of an order: answers, or the error of the fit; the model as bytes where it was to be kept.

    A question that the fit could not answer has its exception in the place of the answer. What fits cost together, and
    the warnings they gave, is added when it is known; ``alone_seconds`` is what the fit would have cost by itself.
    """

    answers: tuple[Array | Exception, ...] = ()
    error: Exception | None = None
    model: bytes | None = None
    fit_seconds: float = 0.0
    answer_seconds: float = 0.0
    warnings: tuple[tuple[type[Warning], str], ...] = ()
    stop: bool = False
    alone_seconds: float = 0.0

    @property
    def failed(self) -> bool:
        """Whether the fit, or one of its answers, could not be had."""
        return self.error is not None or any(isinstance(answer, Exception) for answer in self.answers)


@saved("foldless.saving")
class CodedClassifier(ClassifierMixin, BaseEstimator):
    """A classifier that learned class codes and answers with the user's labels.

    scikit-learn's semi-supervised classifiers read −1 as "no label" and refuse strings. Inside they get codes, so a
    class that is called −1 never meets their sentinel; XGBoost wants 0, 1, … as well. Outside ``classes_``
    and predictions are the user's. ``estimator_`` is the classifier inside.
    """

    hands_rows_on: ClassVar[bool] = True

    def __init__(self, estimator: Any, classes: Array):
        self.estimator = estimator
        self.classes = classes

    def fit(self, X: Any, y: Any, **params: Any) -> "CodedClassifier":
        """Train on the user's labels; −1 is no label, unless ``classes`` has it."""
        y = one_per_row(y, "y")
        named = UNLABELED in self.classes.tolist()
        if not named and str(UNLABELED) in y.tolist():
            raise AmbiguousLabels("y holds the string '-1': make it an array of dtype object with the number −1")
        known = np.array([named or label != UNLABELED for label in y.tolist()], dtype=bool)
        if not known.any():
            raise BadInput("all labels are −1, which means no label: give the labels of some rows")
        labels = narrow(y[known])
        classes, codes = np.unique(labels), np.full(len(y), UNLABELED)
        codes[known] = encode(labels, classes)
        return self.around(clone(self.estimator).fit(X, codes, **params), classes)

    def around(self, fitted: Any, classes: Array | None = None) -> "CodedClassifier":
        """Wrap a classifier that has learned codes of these classes already."""
        self.estimator_, self.known_ = fitted, self.classes if classes is None else classes
        self.classes_ = self.known_[np.asarray(self.estimator_.classes_, dtype=int)]
        note_features(self, [self.estimator_])
        return self

    def predict(self, X: Any) -> Array:
        """The user's labels."""
        return np.asarray(self.known_[np.asarray(self.estimator_.predict(X), dtype=int)])

    def __getattr__(self, name: str) -> Any:
        if name in METHODS.values() and "estimator" in self.__dict__:
            return getattr(owner_of(self.__dict__.get("estimator_", self.__dict__["estimator"]), name), name)
        if name == "predict_log_proba":
            probabilities = self.predict_proba  # an AttributeError where it has none
            return lambda X: np.log(probabilities(X))
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def learned(data: Sample, semi: bool) -> Array:
    """What a learner calls the classes: codes, where it reads −1 as no label and the user's labels are not 0, 1, …"""
    codes = np.arange(len(data.classes))
    plain = data.classes.dtype.kind == "i" and bool((data.classes == codes).all())
    return data.classes if plain or not semi else codes


def learner_of(estimator: Any, y: Any, data: Sample) -> Any:
    """A clone to be fitted; inside one that hands it codes where it wants 0, 1, … and these classes are others.

    Each fit has codes of its own classes: XGBoost wants them without a gap.
    """
    learner = clone(estimator)
    if not isinstance(data.target, Classes) or y is None or not wants_codes(estimator):
        return learner
    classes = np.unique(y)
    are_codes = classes.dtype.kind in "iu" and bool((classes == np.arange(len(classes))).all())
    return learner if are_codes else CodedClassifier(learner, data.classes)


def in_user_labels(fitted: Any, estimator: Any, semi: bool, data: Sample) -> Any:
    """A fitted model that answers with the user's labels, also where it has learned codes."""
    coded = learned(data, semi) is not data.classes
    return CodedClassifier(estimator, data.classes).around(fitted) if coded else fitted


def run_order(order: Order, estimator: Any, data: Sample) -> Outcome:
    """Train and answer one order; an exception becomes its outcome, or the answer to a question."""
    with recorded_warnings() as recorded:
        start = working_time()
        try:
            model = train(order.fit, estimator, data, order.hook, keep=order.keep, asis=order.asks_metrics)
        except (Exception, SystemExit) as error:
            stop = order.hook is not None and order.hook.end()
            return Outcome(error=portable(as_failure(error)), warnings=tuple(recorded), stop=stop)
        fitted = working_time()
        answers = answer_all(model, order.asks, data.take, data.classes, data)
        done = working_time()
    model_bytes = frozen_bytes(model) if order.keep else None
    stop = order.hook is not None and order.hook.end()
    return Outcome(answers, None, model_bytes, fitted - start, done - fitted, tuple(recorded), stop)


class Constant:
    """A classifier that knows one class, for answers only: with few labels many fits are such, and it costs nothing."""

    def __init__(self, label: Any):
        self.classes_ = np.array([label])

    def predict(self, X: Any) -> Array:
        return np.repeat(self.classes_, n_rows(X))

    def predict_proba(self, X: Any) -> Array:
        return np.ones((n_rows(X), 1))

    def decision_function(self, X: Any) -> Array:
        return np.zeros((n_rows(X), 1))


def train(
    fit: Fit, estimator: Any, data: Sample, hook: Hook | None = None, *, keep: bool = True, asis: bool = False
) -> Any:
    """The fitted model of a fit; one that is not kept need not be a scikit-learn classifier.

    ``asis`` fits the estimator itself where all rows have one class: scorers read it.
    """
    codes = codes_of(fit, data)
    if is_constant(codes) and not isinstance(estimator, FrozenEstimator) and not asis:
        if not keep:
            return Constant(data.classes[codes[0]])
        return DummyClassifier(strategy="most_frequent").fit(data.take(fit.rows), data.classes[codes])
    estimator = on_columns(estimator, fit, data)
    X, y = given(fit, data)
    if fit.candidate.semi_supervised:
        return in_user_labels(_reading(lambda X, y: clone(estimator).fit(X, y), X, y), estimator, True, data)
    params = data.params_of(fit.rows)

    def fitted(X: Any, y: Any) -> Any:
        model, labels = learner_of(estimator, y, data), () if y is None else (y,)
        with nullcontext() if hook is None else hook.around(model, X, y, params):
            if hook is None and labels and not params:
                _forest_growth.fit(model, X, y)
            else:
                model.fit(X, *labels, **params)  # what fit returns may be anything
        return model

    return _reading(fitted, X, y)


def _reading(call: Callable[..., Any], *read_only: Any) -> Any:
    """Call with what nobody may change; with copies where compiled code asks for arrays that it could write to."""
    try:
        return call(*read_only)
    except ValueError as error:
        if ASKS_FOR_WRITABLE in str(error):
            return call(*(X.copy() if isinstance(X, np.ndarray) or sparse.issparse(X) else X for X in read_only))
        if any(words in str(error) for words in WRITES):
            raise BadInput(WROTE) from error
        raise


def given(fit: Fit, data: Sample) -> tuple[Any, Any]:
    """Features and targets as a learner gets them, for a semi-supervised one with rows that have no label."""
    if fit.labels is None and not fit.candidate.semi_supervised and data.touched(fit.rows) == range(1):
        return data.take(fit.rows), data.targets_of(fit.rows)
    y = targets(fit, data)
    if not fit.candidate.semi_supervised or fit.unlabeled is None or not len(fit.unlabeled):
        return data.take(fit.rows), y
    X = data.take(Rows(np.concatenate([fit.rows.indices, fit.unlabeled.indices])))
    return X, np.concatenate([y, np.full(len(fit.unlabeled), UNLABELED)])


def targets(fit: Fit, data: Sample) -> Array:
    """What a learner is to learn: classes by the names it knows them by, or values."""
    codes = codes_of(fit, data)
    coded = isinstance(data.target, Classes)
    return np.asarray(learned(data, fit.candidate.semi_supervised)[codes]) if coded else codes


def codes_of(fit: Fit, data: Sample) -> Array:
    """The class codes, or the values, a fit is trained on."""
    return data.y[fit.rows.indices] if fit.labels is None else np.asarray(fit.labels)


def is_constant(codes: Array) -> bool:
    """Whether all rows have one class, so that only a constant classifier can be made of them; values have none."""
    return len(codes) > 0 and codes.dtype.kind != "f" and bool(np.ptp(codes) == 0)


def answer_all(
    model: Any, asks: Sequence[Ask], features: Callable[[Rows], Any], classes: Array, data: Sample | None = None
) -> tuple[Array | Exception, ...]:
    """What a fitted model answers, or why it cannot: those who asked something else have their answers all the same.

    Questions that differ only in what they make of an answer are answered once.
    """
    known: dict[tuple[Rows, Response], Array] = {}
    answers: list[Array | Exception] = []
    for ask in asks:
        try:
            if ask.by is not None and data is not None:
                y, params = data.targets_of(ask.rows), data.score_params_of(ask.rows)
                answers.append(ask.by(model, features(ask.rows), y, params))
                continue
            if isinstance(ask.reduce, Confidence) and len(ask.rows) * len(classes) > AT_ONCE:
                answers.append(_in_parts(model, features(ask.rows), ask, classes))
                continue
            if (ask.rows, ask.response) not in known:
                X = None if ask.response == "evidence" else features(ask.rows)
                known[ask.rows, ask.response] = answer(model, X, ask.response, classes)
            answers.append(ask.reduced(known[ask.rows, ask.response]))
        except (Exception, SystemExit) as error:
            answers.append(portable(as_failure(error)))
    return tuple(answers)


def _in_parts(model: Any, X: Any, ask: Ask, classes: Array) -> Array:
    """The confidence of some rows at a time: scores of many classes take much memory."""
    step = max(1, AT_ONCE // len(classes))
    parts = (take(X, slice(at, at + step)) for at in range(0, n_rows(X), step))
    return np.concatenate([ask.reduced(answer(model, part, ask.response, classes)) for part in parts], axis=1)


def answer(model: Any, X: Any, response: Response, classes: Array) -> Array:
    """One response of a fitted model, aligned."""
    raw = _reading(lambda X: respond(model, X, response), X)
    if response != "evidence" and len(raw) != n_rows(X):
        raise BadInput(f"it gave {len(raw)} {response} for {n_rows(X)} rows")
    aligned = align(raw, response, getattr(model, "classes_", classes), classes)
    return np.where(_unreached(model, X), UNLABELED, aligned) if response == "labels" else aligned


def label(model: Any, X: Any) -> tuple[Array, int]:
    """The labels that a model gives to rows, None where no label reaches a row, and how many these are."""
    with np.errstate(invalid="ignore"):
        labels, unreached = respond(model, X, "labels"), _unreached(model, X)
    if unreached.any():
        labels = labels.astype(object)
        labels[unreached] = None
    return labels, int(unreached.sum())


def _unreached(model: Any, X: Any) -> Array:
    """Rows that no label reaches: there two of scikit-learn's classifiers answer with the first class."""
    inside = last_step(model.estimator_ if isinstance(model, CodedClassifier) else model)
    if not is_of_scikit_learn(inside, ("LabelPropagation", "LabelSpreading")):
        return np.zeros(n_rows(X), dtype=bool)
    with np.errstate(invalid="ignore"):
        return ~np.isfinite(model.predict_proba(X)).all(axis=1)


def respond(model: Any, X: Any, response: Response) -> Array:
    """The response of a fitted model, in its own shape."""
    if response in ("labels", "values"):
        labels = np.asarray(_forest_growth.respond(model, X, "predict"))
        return labels.ravel() if labels.ndim == 2 and labels.shape[1] == 1 else labels
    if response == "scores" and isinstance(model, DummyClassifier):
        return Constant(model.classes_[0]).decision_function(X)
    if response == "evidence":
        if isinstance(model, DummyClassifier | Constant):
            raise BadInput("a fit on one class has no evidence")
        return np.array([owner_of(model, METHODS["evidence"]).log_marginal_likelihood()], dtype=np.float64)
    return np.asarray(_forest_growth.respond(model, X, METHODS[response]))


def align(raw: Array, response: Response, seen: Iterable[Any], classes: Array) -> Array:
    """Labels as codes, values as they are; probabilities and scores with one column for every class of the task."""
    if response == "labels":
        return encode(raw, classes)
    if response == "values":
        if raw.ndim != 1 or raw.dtype.kind not in "fiub" or not np.isfinite(raw).all():
            raise BadInput("its values are not one finite number per row")
        return raw.astype(np.float64)
    if response == "evidence":
        if raw.shape != (1,) or np.isnan(raw).any():
            raise BadInput(f"its evidence must be one number, got {raw}")
        return np.asarray(raw, dtype=np.float64)
    if response == "probabilities" and not np.isfinite(raw).all():
        raise BadInput("its probabilities are not all finite numbers")
    columns = encode(np.asarray(seen), classes)
    if not (columns >= 0).any():
        raise BadInput(f"its classes_ are {np.asarray(seen).tolist()[:5]!r}, and none of them is a label of y")
    if raw.ndim == 1:  # two classes, one score
        raw = np.column_stack([-raw, raw])
    if raw.shape[1] != len(columns):
        raise BadInput(
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


def as_failure(error: Exception | SystemExit) -> Exception:
    """An error of a candidate; to leave the program is one too, for it is not the candidate's."""
    return RuntimeError(f"it called sys.exit({error.code!r})") if isinstance(error, SystemExit) else error


def portable(error: Exception) -> Exception:
    """The exception itself if it can travel between processes, else one that says the same."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # exceptions with arguments of their own often cannot be rebuilt
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error.with_traceback(None)


@contextmanager
def recorded_warnings() -> Iterator[list[tuple[type[Warning], str]]]:
    """Warnings of a fit, kept for the parent to show once; in threads of this process they take their usual way."""
    recorded: list[tuple[type[Warning], str]] = []
    if threading.current_thread() is not threading.main_thread():
        with of_this_thread() as recorded:
            yield recorded
        return
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield recorded
        finally:
            recorded.extend(dict.fromkeys((w.category, str(w.message)) for w in caught))
