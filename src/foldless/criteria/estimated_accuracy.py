"""Choose by an estimate of accuracy on the pool: the estimates of ``foldless.accuracy``, from out-of-fold answers.

Labels and pool are answered by the fold fits, so that confidences on both are of the same kind. There is one class for
each estimate; they differ in what they make of the answers. In their formulas c is the confidence of a prediction and z
is 1 where it is right.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from foldless.accuracy import (
    calibrated_confidence,
    confidence_difference,
    confidence_threshold,
    contingency,
    prediction_powered,
)
from foldless.accuracy._calibrated_confidence import Method
from foldless.core import Ask, Choice, Criterion, Evaluation, Task
from foldless.core._resampling import Splitter
from foldless.criteria import OF_FOLDS, register
from foldless.judging._cross_fit import CrossFitted, cross_fitted
from foldless.judging._pool_sums import PredictedShares, about_pool
from foldless.quantifiers import Held, classify_and_count

MIN_DISTINCT = 0.5  # distinct confidences per labeled row, below which ties decide
MIN_CLASS_LABELS = 30  # labels of a class, below which its rates are too rough


@dataclass(frozen=True)
class EstimatedAccuracy(Criterion):
    """Rank by an estimate of accuracy from confidences on labels and pool; subclasses say which."""

    k: int | Splitter = 5

    needs: ClassVar[frozenset[str]] = frozenset({"pool"})

    def evaluate(self, task: Task) -> Evaluation:
        answers = yield from cross_fitted(task, self.k, self.name)
        estimates = map(self.estimated, answers)
        return [
            Choice(c, accuracy, (task.full(c),), notes=notes)
            for c, (accuracy, notes) in zip(task.candidates, estimates, strict=True)
        ]

    @abstractmethod
    def estimated(self, answers: CrossFitted) -> tuple[float, tuple[str, ...]]:
        """The accuracy that the answers of a candidate stand for, and notes about it."""


@register("calibrated_confidence")
@dataclass(frozen=True)
class CalibratedConfidence(EstimatedAccuracy):
    """Rank by the mean calibrated confidence on the pool.

    Confidence is calibrated on out-of-fold answers: mean_U q(c).

    Parameters
    ----------
    k : int or splitter
        The number of random folds, or any scikit-learn splitter.
    method : "temperature", "platt" or "isotonic"
        How confidence becomes the probability of being right.

    References
    ----------
    Guo et al. (2017). On calibration of modern neural networks. ICML.
    """

    method: Method = "temperature"

    assumes: ClassVar[tuple[str, ...]] = (
        "predictions of the same confidence are right equally often on labels and pool",
        OF_FOLDS,
    )

    def estimated(self, answers: CrossFitted) -> tuple[float, tuple[str, ...]]:
        return calibrated_confidence(answers.confidence, answers.right, answers.pool_confidence, self.method), ()


@register("confidence_difference")
@dataclass(frozen=True)
class ConfidenceDifference(EstimatedAccuracy):
    """Rank by the accuracy on the pool that the difference of confidences estimates.

    It is out-of-fold accuracy, moved by the difference of confidence between pool and labels:
    mean z + mean_U c − mean_L c.

    Parameters
    ----------
    k : int or splitter
        The number of random folds, or any scikit-learn splitter.

    References
    ----------
    Guillory et al. (2021). Predicting with confidence on unseen distributions. ICCV.
    """

    assumes: ClassVar[tuple[str, ...]] = ("accuracy moves from labels to pool as much as confidence does", OF_FOLDS)

    def estimated(self, answers: CrossFitted) -> tuple[float, tuple[str, ...]]:
        return confidence_difference(answers.confidence, answers.right, answers.pool_confidence), ()


@register("confidence_threshold")
@dataclass(frozen=True)
class ConfidenceThreshold(EstimatedAccuracy):
    """Rank by the share of the pool that is more confident than the threshold learned on the labels.

    This is ATC: P_U(c ≥ t), where P_L(c ≥ t) = accuracy. Confidences with many ties (few neighbors, single trees)
    estimate poorly: the notes say where that is so.

    Parameters
    ----------
    k : int or splitter
        The number of random folds, or any scikit-learn splitter.

    References
    ----------
    Garg et al. (2022). Leveraging unlabeled data to predict out-of-distribution performance. ICLR.
    """

    assumes: ClassVar[tuple[str, ...]] = (
        "the same confidence separates right from wrong predictions on labels and pool",
        OF_FOLDS,
    )

    def estimated(self, answers: CrossFitted) -> tuple[float, tuple[str, ...]]:
        accuracy = confidence_threshold(answers.confidence, answers.right, answers.pool_confidence)
        n, distinct = len(answers.confidence), len(np.unique(answers.confidence))
        rough = f"{n:,} labeled rows have {distinct:,} distinct confidences: the estimate is rough"
        return accuracy, (rough,) if distinct < MIN_DISTINCT * n else ()


@register("prediction_powered")
@dataclass(frozen=True)
class PredictionPowered(EstimatedAccuracy):
    """Rank by the prediction-powered estimate of accuracy.

    The variance of out-of-fold accuracy that confidence explains is taken from the pool: θ = λ mean_U c +
    mean_L(z − λ c), with the weight λ of the smallest variance. It is 0 where confidence says nothing about being
    right, which leaves plain cross-validation.

    Parameters
    ----------
    k : int or splitter
        The number of random folds, or any scikit-learn splitter.

    References
    ----------
    Angelopoulos, Duchi & Zrnic (2023). PPI++: efficient prediction-powered inference.
    """

    assumes: ClassVar[tuple[str, ...]] = ("labels are a random sample of the pool's population", OF_FOLDS)

    def estimated(self, answers: CrossFitted) -> tuple[float, tuple[str, ...]]:
        estimate = prediction_powered(answers.right, answers.confidence, answers.pool_confidence)
        note = f"standard error {estimate.standard_error:.3f}, weight of the pool {estimate.weight:.2f}"
        return estimate.value, (note,)


@register("contingency")
@dataclass(frozen=True)
class Contingency(Criterion):
    """Rank by the accuracy on the pool under prior shift.

    It is the trace of the estimated table of true and predicted classes of the pool. The rates P(ŷ | y) come from
    out-of-fold answers, the columns from what the fold fits predict on the pool, the rows from adjusted counts. It
    wants 30 to 50 labels per class: the notes say where there are fewer.

    Parameters
    ----------
    k : int or splitter
        The number of random folds, or any scikit-learn splitter.

    References
    ----------
    Volpi, Moreo & Sebastiani (2024). A simple method for classifier accuracy prediction under prior probability shift.
    DS.
    """

    k: int | Splitter = 5

    needs: ClassVar[frozenset[str]] = frozenset({"pool"})
    assumes: ClassVar[tuple[str, ...]] = ("labels and pool differ in their class shares only (prior shift)", OF_FOLDS)

    def evaluate(self, task: Task) -> Evaluation:
        folds = task.folds(self.k)
        shares = PredictedShares(task.n_classes)
        answers = yield [
            ask
            for c in task.candidates
            for train, test in folds
            for fit in [task.fit(c, train)]
            for ask in (Ask(fit, test), about_pool(task, fit, shares))
        ]
        truth = np.concatenate([task.codes(test) for _, test in folds])
        rarest = int(np.bincount(task.y, minlength=task.n_classes).min())
        notes = (f"the rarest class has {rarest} labels: rates are rough",) if rarest < MIN_CLASS_LABELS else ()
        choices, each = [], 2 * len(folds)
        for at, c in enumerate(task.candidates):
            on_labels, on_pool = (answers[at * each + start : (at + 1) * each : 2] for start in (0, 1))
            predicted = np.concatenate(on_labels)
            table = Held(predicted, truth, task.n_classes).table(predicted, task.n_classes)
            counted = (
                classify_and_count(np.concatenate(on_pool), task.n_classes)
                if task.pool.stored is None
                else np.mean(on_pool, axis=0)
            )
            choices.append(Choice(c, float(np.trace(contingency(table, counted))), (task.full(c),), notes=notes))
        return choices
