"""What a quantifier is: it learns from answers on labeled rows, and turns answers on bags into class shares.

Answers are those of one classifier: class codes (n,), or probabilities (n, K). A quantifier never meets features or
estimators. `Quantifier.learn` gets out-of-fold answers of labeled rows with their classes; what it returns counts
any number of bags of other rows at once.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from foldless.core import Array
from foldless.errors import BadInput
from foldless.quantifiers.bags import Bags

PRIOR_SHIFT = "labels and pool differ in their class shares only (prior shift)"
NO_SHIFT = "labels and pool are drawn from the same population"
CALIBRATED = "probabilities are calibrated on the labels' population"


@dataclass(frozen=True, eq=False)
class Held:
    """What a quantifier learns from: out-of-fold answers on labeled rows, and the class codes of these rows.

    ``weights`` say how often each row counts. ``near`` is what was learned from rows like these, where there is such:
    iterations begin there. ``groups`` are codes of rows that belong together: intervals draw groups instead of rows.
    """

    answers: Array
    y: Array
    n_classes: int
    weights: Array | None = None
    near: "Learned | None" = None
    groups: Array | None = None

    def __post_init__(self) -> None:
        if len(self.answers) != len(self.y):
            raise BadInput(f"there are {len(self.answers)} answers for {len(self.y)} labeled rows")
        if self.n_classes < 1:
            raise BadInput(f"there must be at least one class, got {self.n_classes}")

    @property
    def sizes(self) -> Array:
        """How many rows each class has."""
        return np.bincount(self.y, self.weights, self.n_classes)

    @property
    def independent(self) -> Array:
        """How many rows, or groups of rows, each class has."""
        if self.groups is None:
            return self.sizes
        pairs = np.unique(np.stack([self.y, self.groups]), axis=1)[0]
        return np.bincount(pairs, minlength=self.n_classes)

    def at(self, rows: Array) -> "Held":
        """The same of some rows."""
        weights, groups = (None if part is None else part[rows] for part in (self.weights, self.groups))
        return Held(self.answers[rows], self.y[rows], self.n_classes, weights, self.near, groups)

    @property
    def shares(self) -> Array:
        """The share of each class; equal ones where there are no rows."""
        sizes = self.sizes
        total = sizes.sum()
        return sizes / total if total > 0 else np.full(self.n_classes, 1 / self.n_classes)

    def table(self, codes: Array, n_codes: int) -> Array:
        """Rows (K, codes) by class and by a code of the answer; a code below 0 is left out."""
        known = codes >= 0
        cells = self.y[known] * n_codes + codes[known]
        weights = None if self.weights is None else self.weights[known]
        return np.bincount(cells, weights, self.n_classes * n_codes).reshape(self.n_classes, n_codes)

    def class_means(self, values: Array) -> Array:
        """The mean (K, J) of values (n, J) over the rows of each class; 0 for a class without rows."""
        weights = np.ones(len(self.y)) if self.weights is None else self.weights
        members = np.zeros((self.n_classes, len(self.y)))
        members[self.y, np.arange(len(self.y))] = weights
        return np.asarray(members @ values) / np.maximum(self.sizes, 1e-300)[:, None]


class Learned(ABC):
    """A quantifier that has learned: it aggregates answers on bags."""

    n_classes: int

    @abstractmethod
    def aggregate_many(self, answers: Array, bags: Any) -> Array:
        """Shares (bags, K) from answers (n, ...) on all rows and the row numbers of each bag."""

    def aggregate(self, answers: Array) -> Array:
        """Shares (K,) of all rows together."""
        shares: Array = self.aggregate_many(answers, Bags.whole(len(answers)))[0]
        return shares


class OfLikelihood(Learned):
    """A quantifier that has learned how likely an answer is under each class: shares are those of the mixture."""

    shares: Array
    prior: Array | None

    @abstractmethod
    def likelihood(self, answers: Array) -> Array:
        """The likelihood (n, K) of each row under each class, up to a factor of the row; 0 for a class not seen."""


class Quantifier(ABC):
    """A way to count. Subclasses are frozen dataclasses of their options.

    ``response`` says what it reads: "labels" or "probabilities" (labels are read off probabilities where these are
    given). ``corrects`` says whether it holds where the class shares of the pool differ from those of the labels.
    """

    response: ClassVar[Literal["labels", "probabilities"]] = "probabilities"
    corrects: ClassVar[bool] = True
    assumes: ClassVar[tuple[str, ...]] = (PRIOR_SHIFT,)

    @abstractmethod
    def learn(self, held: Held) -> Learned:
        """What labeled rows say about the answers."""

    def learn_again(self, held: Held, weights: Array) -> "list[Learned]":
        """What is learned where rows count as often as each row of weights (R, n) says, as in a bootstrap."""
        near = self.learn(held)
        return [self.learn(replace(held, weights=row_weights, near=near)) for row_weights in weights]

    def without_prior(self) -> "Quantifier":
        """The same quantifier without its prior: it draws the intervals."""
        return self

    @property
    def name(self) -> str:
        """The name users write."""
        return type(self).__name__.lower()


def codes_of(answers: Array) -> Array:
    """The predicted class of each row: as it is, or the most probable one."""
    answers = np.asarray(answers)
    if answers.ndim == 1:
        if answers.dtype.kind not in "iu":
            raise BadInput(f"answers must be class codes or probabilities (n, K), got an array of {answers.dtype}")
        return answers
    return np.asarray(answers.argmax(axis=1))


def probabilities_of(answers: Array, n_classes: int) -> Array:
    """Probabilities (n, K) whose rows sum to one; rows that do not are divided by their sum, a row of zeros is even.

    Examples
    --------
    >>> probabilities_of(np.array([[0.2, 0.6], [0.0, 0.0]]), 2)
    array([[0.25, 0.75],
           [0.5 , 0.5 ]])
    """
    answers = np.asarray(answers)
    if answers.ndim == 1:
        codes = codes_of(answers)
        return np.where((codes >= 0)[:, None], np.eye(n_classes)[codes], 1 / n_classes)
    if answers.shape[1] != n_classes:
        raise BadInput(f"there are {n_classes} classes, and answers have {answers.shape[1]} columns")
    if not np.isfinite(answers).all() or (answers.size and answers.min() < 0):
        raise BadInput("probabilities must be numbers of at least 0, and some are negative or not a number")
    total = answers.sum(axis=1)
    if np.abs(total - 1).max(initial=0.0) < 1e-9:
        return answers
    return summing_to_one(answers)


def summing_to_one(shares: Array) -> Array:
    """Shares (B, K) divided by their sum; equal ones where the sum is 0."""
    total = shares.sum(axis=1, keepdims=True)
    return np.divide(shares, total, out=np.full(shares.shape, 1 / shares.shape[1]), where=total > 0)
