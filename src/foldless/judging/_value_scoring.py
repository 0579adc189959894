"""Scores of values that regressors predict: any scikit-learn scorer of regression, R² by default.

Scores are averaged over splits, as in GridSearchCV. Error per row is the squared one, in units of the variance of y,
so that its mean is 1 − R².
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from foldless.core._metrics import number
from foldless.core.ask import Candidate, Response
from foldless.core.rows import Array
from foldless.errors import BadInput, CannotAnswer
from foldless.judging._judge import AnsweredRows, Judge, Reads, ReadsFeatures, Scoring, label_of, scorer_of

R2 = "r2"
PROBE = np.array([0.5, 1.5, 2.5, 4.0])  # positive, as some metrics want it
METRICS = "'r2', 'neg_mean_squared_error' or 'neg_mean_absolute_error'"


@dataclass(frozen=True)
class ValueJudge(Judge):
    """A scorer of values."""

    def __post_init__(self) -> None:
        super().__post_init__()
        _check(self.scoring)

    @property
    def reads(self) -> Reads:
        return "values"

    def response(self, candidate: Candidate) -> Response:  # noqa: ARG002 (as for classes)
        """Values, which every regressor gives."""
        return "values"

    def score(
        self,
        response: Response,  # noqa: ARG002 (as for classes)
        truth: Array,
        answer: Array,
        weights: Array | None = None,
    ) -> float:
        """The score of values against true ones."""
        if weights is None and self.scoring == "neg_mean_squared_error":
            return -float(np.mean(np.square(truth - answer)))  # asked hundreds of times a second, as the next one
        if weights is None and self.scoring == R2:
            return r2(truth, answer)
        try:
            return _scored(self.scoring, truth, answer, **({} if weights is None else {"sample_weight": weights}))
        except (ValueError, AttributeError) as error:
            raise CannotAnswer(f"scoring {label_of(self.scoring)} cannot score these values: {error}") from error


def goodness(truth: Array, values: Array, spread: float) -> Array:
    """1 − (y − f(x))² / σ² of each row; the mean is R², where ``spread`` is the variance σ² of the rows."""
    return np.asarray(1 - np.square(truth - values) / (spread or 1.0))


def r2(truth: Array, values: Array) -> float:
    """R² as scikit-learn has it: not a number for fewer than two rows; 1 or 0 where the truth does not vary."""
    if len(truth) < 2:
        return np.nan
    wrong, all_of_it = float(np.square(truth - values).sum()), float(np.square(truth - truth.mean()).sum())
    if all_of_it == 0:
        return 1.0 if wrong == 0 else 0.0
    return 1 - wrong / all_of_it


class EchoedValues(RegressorMixin, BaseEstimator):
    """A fitted regressor that answers what it was given, row by row."""

    def __init__(self, values: Array):
        self.values = values
        self.n_features_in_ = 1

    def predict(self, X: Any) -> Array:
        return np.asarray(self.values[X.rows])


def _scored(scoring: Scoring, truth: Array, values: Array, **params: Any) -> float:
    rows = AnsweredRows(np.arange(len(truth)))
    return number(scorer_of(scoring)(EchoedValues(values), rows, truth, **params), scoring)


@lru_cache
def _check(scoring: Scoring) -> None:
    """Refuse a metric that cannot score values, before anything is trained."""
    try:
        _scored(scoring, PROBE, PROBE[::-1])
    except ReadsFeatures as error:
        raise BadInput(f"scoring {label_of(scoring)} cannot score answers: {error}") from error
    except (ValueError, TypeError, AttributeError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(
            f"scoring {label_of(scoring)} does not score the values of regressors: "
            f"choose a metric of values, such as {METRICS}"
        ) from error
