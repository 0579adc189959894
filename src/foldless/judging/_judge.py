"""The only door to scikit-learn's metrics: any scorer name or scorer callable, computed from arrays.

A scorer wants an estimator, so it is given an *echo* that answers with what was answered before. Its X says which rows
they are, and nothing of what is in them: a scorer that reads features is refused. ``_split_scores.py`` sends such a
scorer to the fits instead. Judges of classes are in ``_scoring.py``, judges of values in ``_value_scoring.py``.
"""

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from foldless.core.ask import Candidate, Response
from foldless.core.rows import Array
from foldless.errors import BadInput, CannotAnswer

Scoring = str | Callable[[Any, Any, Any], float]
Reads = Literal["accuracy", "labels", "ranking", "probabilities", "values"]


@dataclass(frozen=True)
class Judge(ABC):
    """A scorer, ready to score arrays of answers. Higher is better."""

    scoring: Scoring

    def __post_init__(self) -> None:
        if not isinstance(self.scoring, str) and not callable(self.scoring):
            raise BadInput(f"scoring must be one scikit-learn scorer name or one callable, got {self.scoring!r}")

    @property
    @abstractmethod
    def reads(self) -> Reads:
        """What of an answer moves the score: "accuracy" counts labels row by row, other scores of "labels" by class.

        A "ranking" is the order of the rows by score or probability; "probabilities" and "values" count as they are.
        """

    @abstractmethod
    def response(self, candidate: Candidate) -> Response:
        """What to ask of a candidate so that it can be scored."""

    @abstractmethod
    def score(self, response: Response, truth: Array, answer: Array, weights: Array | None = None) -> float:
        """The score of answers against true class codes, or true values."""

    def score_if_defined(self, response: Response, truth: Array, answer: Array, weights: Array | None = None) -> float:
        """The score, or NaN where these rows do not define it, such as rows in which a class is absent."""
        with warnings.catch_warnings(), suppress(CannotAnswer):
            warnings.simplefilter("ignore")
            return self.score(response, truth, answer, weights)
        return np.nan

    def over_splits(
        self, response: Response, truths: Sequence[Array], answers: Sequence[Array]
    ) -> tuple[float, tuple[float, ...]]:
        """The score over several splits, and the score of each where a split can have one."""
        each = tuple(self.score(response, t, a) for t, a in zip(truths, answers, strict=True))
        return float(np.mean(each)), each

    def pooled(self, response: Response, truths: Sequence[Array], answers: Sequence[Array]) -> float:
        """The score of all answers taken together."""
        return self.score(response, np.concatenate(truths), np.concatenate(answers))


class AnswerScorer(ABC):
    """A scorer of ours, ``scorer(model, X, y)``, that reads what the model answers and nothing else."""

    lower_is_better: ClassVar[bool] = False  # whether people read the number with the other sign

    @abstractmethod
    def __call__(self, model: Any, X: Any, y: Any, **params: Any) -> float:
        """The score of a fitted model on some rows; higher is better."""

    @abstractmethod
    def check(self, classes: Iterable[Any]) -> None:
        """Refuse classes that it does not know."""


class ReadsFeatures(BadInput, AttributeError):
    """A scorer wants more than answers."""

    def __init__(self) -> None:
        super().__init__(
            "it reads the features of X, and this criterion has answers only: choose by k_fold, which asks the fitted "
            "models, or make a scorer of predictions with make_scorer"
        )


class AnsweredRows:
    """The X of a scorer: rows that are answered, without their features."""

    def __init__(self, rows: Array):
        self.rows, self.shape = rows, (len(rows), 1)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, key: Any) -> "AnsweredRows":
        if isinstance(key, tuple | str):
            raise ReadsFeatures
        return AnsweredRows(self.rows[key])

    def __array__(self, *_: Any, **__: Any) -> Array:
        raise ReadsFeatures

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name) if name.startswith("__") else ReadsFeatures


def is_of_answers(scoring: Any) -> bool:
    """Whether a scorer is a function of answers by its making: a name, or what make_scorer returns."""
    if isinstance(scoring, str | AnswerScorer):
        return True
    from sklearn.metrics import log_loss, make_scorer

    return type(scoring) is type(make_scorer(log_loss))


def label_of(scoring: Scoring) -> str:
    """What a sentence calls a scorer."""
    if isinstance(scoring, AnswerScorer):
        return str(scoring)
    return repr(scoring if isinstance(scoring, str) else getattr(scoring, "__name__", scoring))


def scorer_of(scoring: Scoring) -> Callable[..., Any]:
    """The scorer behind a name, or the scorer itself."""
    if not isinstance(scoring, str):
        return scoring
    from sklearn.metrics import get_scorer, get_scorer_names

    try:
        return get_scorer(scoring)
    except (ValueError, KeyError) as error:
        near = ", ".join(n for n in get_scorer_names() if scoring[:4] in n) or "accuracy, f1_macro, neg_log_loss"
        raise BadInput(
            f"scoring must be a scikit-learn scorer name or a callable, got {scoring!r}: try {near}"
        ) from error


def own_score(model: Any, X: Any, y: Any = None, **params: Any) -> float:
    """The score that a model gives itself."""
    return float(model.score(X, y, **params))
