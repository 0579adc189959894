"""The only door to scikit-learn's metrics: any scorer name or scorer callable, computed from arrays.

A scorer wants an estimator, so it is given an *echo* that answers with what was answered before. Which response it
wants is found by watching what it calls, so only the public contract of scorers is used. Its X says which rows they
are, and nothing of what is in them: a scorer that reads features is refused. ``split_scores.py`` sends such a scorer to
the fits instead.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if

from foldless.core import Array, Candidate, Response, Task
from foldless.core._metrics import number
from foldless.errors import BadInput, CannotAnswer

Scoring = str | Callable[[Any, Any, Any], float]


@dataclass(frozen=True)
class Judge:
    """A scorer, ready to score arrays of answers. Higher is better."""

    scoring: Scoring
    classes: Array

    def __post_init__(self) -> None:
        if not isinstance(self.scoring, str) and not callable(self.scoring):
            raise BadInput(f"scoring must be one scikit-learn scorer name or one callable, got {self.scoring!r}")

    def response(self, candidate: Candidate) -> Response:
        """What to ask of a candidate so that it can be scored."""
        wanted = self._wanted
        response = candidate.respond(*wanted)
        if response is None:
            raise CannotAnswer(
                f"scoring {_label(self.scoring)} needs {' or '.join(wanted)}, which candidate {candidate.name!r} "
                f"does not give: choose a metric of labels such as 'accuracy', or another estimator"
            )
        return response

    @cached_property
    def _wanted(self) -> tuple[Response, ...]:
        return _wanted(self.scoring, self.classes)

    def over_splits(
        self, response: Response, truths: Sequence[Array], answers: Sequence[Array]
    ) -> tuple[float, tuple[float, ...]]:
        """The score over several splits, and the score of each where a split can have one."""
        if response == "labels":
            each = tuple(self.score(response, t, a) for t, a in zip(truths, answers, strict=True))
            return float(np.mean(each)), each
        return self.pooled(response, truths, answers), ()

    def pooled(self, response: Response, truths: Sequence[Array], answers: Sequence[Array]) -> float:
        """The score of all answers taken together."""
        return self.score(response, np.concatenate(truths), np.concatenate(answers))

    def score(self, response: Response, truth: Array, answer: Array, weights: Array | None = None) -> float:
        """The score of answers (labels, probabilities or scores) against true class codes."""
        if weights is not None:
            return self._by_scorer(response, truth, answer, sample_weight=weights)
        if self.scoring == "accuracy":  # what nearly everyone asks, hundreds of times a second
            return int(np.count_nonzero((truth == answer) & (truth >= 0))) / len(truth)
        if self.scoring == "matthews_corrcoef":  # scikit-learn's takes milliseconds, and warns where one class is alone
            return matthews(truth, answer, len(self.classes))
        if self.scoring in ("f1_macro", "balanced_accuracy") and min(truth.min(), answer.min()) >= 0:
            return _of_classes(str(self.scoring), truth, answer, len(self.classes))  # scikit-learn's take milliseconds
        return self._by_scorer(response, truth, answer)

    def _by_scorer(self, response: Response, truth: Array, answer: Array, **params: Any) -> float:
        scorer, rows = _scorer(self.scoring, self.classes), _Answered(np.arange(len(truth)))
        echo = Echo(self.classes, frozenset({response}), answer)
        try:
            found = scorer(echo, rows, _labels(truth, self.classes, "the truth"), **params)
        except (ValueError, AttributeError) as error:  # the second, if a callable asks for more than one response
            raise CannotAnswer(f"scoring {_label(self.scoring)} cannot score these answers: {error}") from error
        return number(found, self.scoring)


def judge_of(scoring: Scoring, task: Task) -> Judge:
    """A judge of labels, or of values where the task is a regression."""
    if not task.regression:
        return Judge(scoring, task.classes)
    from foldless.judging._value_scoring import ValueJudge, metric_of

    return ValueJudge(metric_of(scoring, True), task.classes)


def matthews(truth: Array, answer: Array, n_classes: int) -> float:
    """The correlation of codes with true ones; 0 where one side has one class only. −1 equals nothing, not even −1."""
    rows = np.where(truth >= 0, truth, n_classes).astype(np.int64)
    columns = np.where(answer >= 0, answer, n_classes + 1)
    side = n_classes + 2
    counts = np.bincount(rows * side + columns, minlength=side * side).reshape(side, side).astype(float)
    actual, predicted, n = counts.sum(axis=1), counts.sum(axis=0), len(truth)
    spread = (n * n - actual @ actual) * (n * n - predicted @ predicted)
    return float((n * np.trace(counts) - actual @ predicted) / np.sqrt(spread)) if spread > 0 else 0.0


def _of_classes(metric: str, truth: Array, answer: Array, n_classes: int) -> float:
    """The mean of a metric over the classes, as scikit-learn has it.

    F1 is of the classes that occur in truth or answers, balanced accuracy of those that occur in the truth.
    """
    right = np.bincount(truth[truth == answer], minlength=n_classes)
    actual, predicted = np.bincount(truth, minlength=n_classes), np.bincount(answer, minlength=n_classes)
    if metric == "balanced_accuracy":
        return float(np.mean(right[actual > 0] / actual[actual > 0]))
    either = actual + predicted
    return float(np.mean(2 * right[either > 0] / either[either > 0]))


def is_of_answers(scoring: Any) -> bool:
    """Whether a scorer is a function of answers by its making: a name, or what make_scorer returns."""
    if isinstance(scoring, str):
        return True
    from sklearn.metrics import log_loss, make_scorer

    return type(scoring) is type(make_scorer(log_loss))


def _label(scoring: Scoring) -> str:
    return repr(scoring if isinstance(scoring, str) else getattr(scoring, "__name__", scoring))


def scorer_of(scoring: Scoring) -> Callable[..., Any]:
    """The scorer behind a name, or the scorer itself."""
    return _named(scoring) if isinstance(scoring, str) else scoring


def own_score(model: Any, X: Any, y: Any = None, **params: Any) -> float:
    """The score that a model gives itself."""
    return float(model.score(X, y, **params))


def _can(response: Response) -> Any:
    return available_if(lambda echo: response in echo.responses)


class ReadsFeatures(BadInput, AttributeError):
    """A scorer wants more than answers."""

    def __init__(self) -> None:
        super().__init__(
            "it reads the features of X, and this criterion has answers only: choose by k_fold, which asks the fitted "
            "models, or make a scorer of predictions with make_scorer"
        )


class _Answered:
    """The X of a scorer: rows that are answered, without their features."""

    def __init__(self, rows: Array):
        self.rows, self.shape = rows, (len(rows), 1)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, key: Any) -> "_Answered":
        if isinstance(key, tuple | str):
            raise ReadsFeatures
        return _Answered(self.rows[key])

    def __array__(self, *_: Any, **__: Any) -> Array:
        raise ReadsFeatures

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name) if name.startswith("__") else ReadsFeatures


class Echo(ClassifierMixin, BaseEstimator):
    """A fitted classifier that answers what it was given, row by row."""

    def __init__(self, classes: Array, responses: frozenset[Response], answer: Array):
        self.classes = classes
        self.responses = responses
        self.answer = answer
        self.classes_ = classes

    @_can("labels")
    def predict(self, X: _Answered) -> Array:
        return _labels(self._answered("labels", X), self.classes, "the answer")

    @_can("probabilities")
    def predict_proba(self, X: _Answered) -> Array:
        return self._answered("probabilities", X)

    @_can("scores")
    def decision_function(self, X: _Answered) -> Array:
        scores = self._answered("scores", X)
        if len(self.classes) == 2:
            scores = np.where(np.isneginf(scores[:, 0]), np.inf, scores[:, 1])
        return _finite(scores)

    def _answered(self, response: Response, X: _Answered) -> Array:
        assert response in self.responses
        return np.asarray(self.answer[X.rows])


class _Watcher(Echo):
    """An echo that writes down what it was asked for, and answers nothing."""

    def __init__(self, classes: Array, responses: frozenset[Response]):
        super().__init__(classes, responses, np.empty(0))
        self.asked: list[Response] = []

    def _answered(self, response: Response, X: _Answered) -> Array:
        self.asked.append(response)
        raise _Asked(X)


class _Asked(Exception):
    """Stops a watched scorer at its first question."""


def _wanted(scoring: Scoring, classes: Array) -> tuple[Response, ...]:
    """The responses a scorer accepts, the one it prefers first."""
    if isinstance(scoring, str) and scoring == "accuracy":
        return ("labels",)
    for names in (classes, np.arange(len(classes))):  # some metrics know 1 only as the positive class
        if wanted := _watched(scoring, names):
            return wanted
    raise BadInput(f"scoring {scoring!r} uses no answer of a classifier: choose a scorer of predictions")


def _watched(scoring: Scoring, classes: Array) -> tuple[Response, ...]:
    scorer = _scorer(scoring, classes)
    left, wanted = frozenset[Response]({"labels", "probabilities", "scores"}), list[Response]()
    while left:
        watcher = _Watcher(classes, left)
        try:
            scorer(watcher, _Answered(np.arange(len(classes))), classes)
        except ReadsFeatures as error:
            raise BadInput(f"scoring {_label(scoring)} cannot score answers: {error}") from error
        except Exception:  # whatever a classifier that answers nothing makes it raise: what it asked counts
            pass
        if not watcher.asked:
            break
        wanted.append(watcher.asked[0])
        left -= {watcher.asked[0]}
    return tuple(wanted)


def _scorer(scoring: Scoring, classes: Array) -> Callable[[Any, Any, Any], float]:
    if scoring == "neg_log_loss":  # given the classes, it also scores rows in which one is absent
        from sklearn.metrics import log_loss, make_scorer

        return make_scorer(log_loss, greater_is_better=False, response_method="predict_proba", labels=classes)
    return scoring if callable(scoring) else _named(scoring)


def _named(scoring: str) -> Callable[..., Any]:
    from sklearn.metrics import get_scorer, get_scorer_names

    try:
        return get_scorer(scoring)
    except (ValueError, KeyError) as error:
        near = ", ".join(n for n in get_scorer_names() if str(scoring)[:4] in n) or "accuracy, f1_macro, neg_log_loss"
        raise BadInput(
            f"scoring must be a scikit-learn scorer name or a callable, got {scoring!r}: try {near}"
        ) from error


def _labels(codes: Array, classes: Array, whose: str) -> Array:
    """The labels behind codes; −1, none of the classes, becomes a label that matches no other."""
    if (codes >= 0).all():
        return np.asarray(classes[codes])
    if classes.dtype.kind in "OUS":
        return np.where(codes >= 0, classes[codes].astype(object), f"none of the classes, in {whose}")
    taken = set(classes.tolist())
    free = [number for number in range(len(classes) + 2) if number not in taken]
    return np.where(codes >= 0, classes[codes], np.int64(free[0 if whose == "the truth" else 1]))


def _finite(scores: Array) -> Array:
    """A class that a fit has not seen scores −inf, which metrics refuse: below all others means the same."""
    known = scores[np.isfinite(scores)]
    if len(known) == scores.size:
        return scores
    most = 1 + 2 * np.abs(known).max(initial=0)
    return np.clip(scores, -most, most)
