"""Scores of class codes, probabilities and scores that classifiers answer: any scikit-learn scorer.

Which response a scorer wants is found by watching what it calls, so only the public contract of scorers is used.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if

from foldless.core import Array, Candidate, Classes, Response, Task
from foldless.core._metrics import number
from foldless.errors import BadInput, CannotAnswer
from foldless.judging._judge import (
    AnsweredRows,
    AnswerScorer,
    Judge,
    Reads,
    ReadsFeatures,
    Scoring,
    label_of,
    scorer_of,
)
from foldless.judging._value_scoring import R2, ValueJudge
from foldless.judging.costs import Costs
from foldless.judging.metric import why_not


def judge_of(scoring: Scoring, task: Task) -> Judge:
    """A judge of what the candidates of a task predict: classes, or values."""
    if isinstance(task.target, Classes):
        return ClassJudge(scoring, task.classes)
    return ValueJudge(R2 if scoring == "accuracy" else scoring)  # R² where none is given, as regressors score


@dataclass(frozen=True)
class ClassJudge(Judge):
    """A scorer of classes."""

    classes: Array

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.scoring, AnswerScorer):
            self.scoring.check(self.classes)

    def response(self, candidate: Candidate) -> Response:
        """What to ask of a candidate so that it can be scored."""
        response = candidate.respond(*self.wanted)
        if response is None:
            raise CannotAnswer(
                f"scoring {label_of(self.scoring)} needs {' or '.join(self.wanted)}, which candidate "
                f"{candidate.name!r} does not give: choose a metric of labels such as 'accuracy', or another estimator"
            )
        return response

    @property
    def reads(self) -> Reads:
        """What of an answer moves the score; a scorer that takes scores for probabilities reads their order only."""
        if self.wanted[0] == "labels":
            return "accuracy" if self.scoring == "accuracy" else "labels"
        return "ranking" if "scores" in self.wanted else "probabilities"

    def of_probabilities(self, truth: Array, shares: Array) -> float:
        """As `score_if_defined`, of a model with these probabilities (n, K), which predicts the most probable class."""
        if self.wanted[0] == "labels":
            return self.score_if_defined("labels", truth, shares.argmax(axis=1))
        return self.score_if_defined("probabilities" if "probabilities" in self.wanted else "scores", truth, shares)

    @cached_property
    def wanted(self) -> tuple[Response, ...]:
        """The responses that can be scored, the one it prefers first."""
        if self.scoring == "accuracy":
            return ("labels",)
        for names in (self.classes, np.arange(len(self.classes))):  # some metrics know 1 only as the positive class
            if wanted := _watched(self.scoring, names):
                return wanted
        raise BadInput(f"scoring {self.scoring!r} uses no answer of a classifier: choose a scorer of predictions")

    def over_splits(
        self, response: Response, truths: Sequence[Array], answers: Sequence[Array]
    ) -> tuple[float, tuple[float, ...]]:
        """The mean over the splits; metrics of probabilities, which want all classes, are of all splits together."""
        if response == "labels":
            return super().over_splits(response, truths, answers)
        return self.pooled(response, truths, answers), ()

    def score(self, response: Response, truth: Array, answer: Array, weights: Array | None = None) -> float:
        """The score of answers (labels, probabilities or scores) against true class codes."""
        if weights is not None:
            return self._by_scorer(response, truth, answer, sample_weight=weights)
        if isinstance(self.scoring, Costs) and truth.min() >= 0:  # labels are paid for, probabilities decided on first
            codes = answer if response == "labels" else self.scoring.decide(answer, self.classes)
            return -float(self.scoring.paid(truth, codes, self.classes).mean())
        if self.scoring == "accuracy":  # what nearly everyone asks, hundreds of times a second
            return int(np.count_nonzero((truth == answer) & (truth >= 0))) / len(truth)
        if self.scoring == "matthews_corrcoef":  # scikit-learn's takes milliseconds, and warns where one class is alone
            return matthews(truth, answer, len(self.classes))
        if self.scoring in ("f1_macro", "balanced_accuracy") and min(truth.min(), answer.min()) >= 0:
            return _of_classes(str(self.scoring), truth, answer, len(self.classes))  # scikit-learn's take milliseconds
        if self.scoring == "roc_auc" and response != "labels" and _two_sided(truth, answer):
            return _auc(truth, answer)
        return self._by_scorer(response, truth, answer)

    def _by_scorer(self, response: Response, truth: Array, answer: Array, **params: Any) -> float:
        scorer, rows = _scorer(self.scoring, self.classes), AnsweredRows(np.arange(len(truth)))
        echo = Echo(self.classes, frozenset({response}), answer)
        try:
            score = scorer(echo, rows, _labels(truth, self.classes, "the truth"), **params)
        except (ValueError, AttributeError) as error:  # the second, if a callable asks for more than one response
            instead = why_not(self.scoring, self.classes)
            if instead is not None:
                raise instead from error
            raise CannotAnswer(f"scoring {label_of(self.scoring)} cannot score these answers: {error}") from error
        return number(score, self.scoring)


def matthews(truth: Array, answer: Array, n_classes: int) -> float:
    """The correlation of codes with true ones; 0 where one side has one class only. −1 equals nothing, not even −1."""
    rows = np.where(truth >= 0, truth, n_classes).astype(np.int64)
    columns = np.where(answer >= 0, answer, n_classes + 1)
    side = n_classes + 2
    counts = np.bincount(rows * side + columns, minlength=side * side).reshape(side, side).astype(float)
    actual, predicted, n = counts.sum(axis=1), counts.sum(axis=0), len(truth)
    spread = (n * n - actual @ actual) * (n * n - predicted @ predicted)
    return float((n * np.trace(counts) - actual @ predicted) / np.sqrt(spread)) if spread > 0 else 0.0


def _two_sided(truth: Array, answer: Array) -> bool:
    """Whether there are rows of two classes, and no others, with scores that are numbers."""
    return answer.shape[1:] == (2,) and set(np.unique(truth)) == {0, 1} and not np.isnan(answer).any()


def _auc(truth: Array, answer: Array) -> float:
    """The area under the ROC curve of two classes, from ranks: scikit-learn's takes milliseconds."""
    ranks = mean_ranks(np.where(np.isneginf(answer[:, 0]), np.inf, answer[:, 1]))
    n_positive = int(truth.sum())
    return float((ranks[truth == 1].sum() - n_positive * (n_positive + 1) / 2) / n_positive / (len(truth) - n_positive))


def mean_ranks(values: Array) -> Array:
    """Ranks from 1; equal values share their mean rank. That of SciPy before 1.13 is NaN beside ∞ and −∞."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[place])


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


def _can(response: Response) -> Any:
    return available_if(lambda echo: response in echo.responses)


class Echo(ClassifierMixin, BaseEstimator):
    """A fitted classifier that answers what it was given, row by row."""

    def __init__(self, classes: Array, responses: frozenset[Response], answer: Array):
        self.classes = classes
        self.responses = responses
        self.answer = answer
        self.classes_ = classes

    @_can("labels")
    def predict(self, X: AnsweredRows) -> Array:
        return _labels(self._answered("labels", X), self.classes, "the answer")

    @_can("probabilities")
    def predict_proba(self, X: AnsweredRows) -> Array:
        return self._answered("probabilities", X)

    @_can("scores")
    def decision_function(self, X: AnsweredRows) -> Array:
        scores = self._answered("scores", X)
        if len(self.classes) == 2:
            scores = np.where(np.isneginf(scores[:, 0]), np.inf, scores[:, 1])
        return _finite(scores)

    def _answered(self, response: Response, X: AnsweredRows) -> Array:
        assert response in self.responses
        return np.asarray(self.answer[X.rows])


class _Watcher(Echo):
    """An echo that writes down what it was asked for, and answers nothing."""

    def __init__(self, classes: Array, responses: frozenset[Response]):
        super().__init__(classes, responses, np.empty(0))
        self.asked: list[Response] = []

    def _answered(self, response: Response, X: AnsweredRows) -> Array:
        self.asked.append(response)
        raise _Asked(X)


class _Asked(Exception):
    """Stops a watched scorer at its first question."""


def _watched(scoring: Scoring, classes: Array) -> tuple[Response, ...]:
    """The responses that a scorer asks for, the one it prefers first."""
    scorer = _scorer(scoring, classes)
    left, wanted = frozenset[Response]({"labels", "probabilities", "scores"}), list[Response]()
    while left:
        watcher = _Watcher(classes, left)
        try:
            scorer(watcher, AnsweredRows(np.arange(len(classes))), classes)
        except ReadsFeatures as error:
            raise BadInput(f"scoring {label_of(scoring)} cannot score answers: {error}") from error
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
    return scorer_of(scoring)


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
