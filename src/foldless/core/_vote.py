"""How several fits make one model: every fit has one vote on a row, or they average their probabilities.

Hard: ŷ = argmax_c #{b : f_b(x) = c}. Soft: ŷ = argmax_c Σ_b p_b(c | x). Ties go to the first class, or are drawn. With
weights a fit has w_b votes in place of one.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from foldless.errors import BadInput

Array = NDArray[Any]


@dataclass(frozen=True)
class Vote:
    """What is counted, who wins among classes that have the same count, and the weight of each fit (equal if empty)."""

    voting: Literal["hard", "soft"] = "hard"
    tie_break: Literal["first", "random"] = "first"
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if self.voting not in ("hard", "soft"):
            raise BadInput(f"voting must be 'hard' (labels) or 'soft' (probabilities), got {self.voting!r}")
        if self.tie_break not in ("first", "random"):
            raise BadInput(f"tie_break must be 'first' or 'random', got {self.tie_break!r}")
        if self.weights and (min(self.weights) < 0 or not sum(self.weights) > 0):
            raise BadInput(f"weights must not be negative, and not all 0, got {self.weights!r}")

    @property
    def response(self) -> Literal["labels", "probabilities"]:
        """What to ask of the fits."""
        return "labels" if self.voting == "hard" else "probabilities"

    def shares(self, answers: Iterable[Array], n_classes: int) -> Array:
        """The share of each class in the votes on each row, from the answers of every fit; −1 is no vote.

        Votes are summed as they come: a pool that is voted on by many fits needs the memory of one answer.
        """
        total, all_weights = np.zeros(0), []
        for at, answer in enumerate(answers):
            all_weights.append(float(self.weights[at]) if self.weights else 1.0)
            if self.voting == "soft":
                voted = np.multiply(answer, all_weights[-1]) if self.weights else np.asarray(answer, dtype=float)
                total = voted.copy() if not at else np.add(total, voted, out=total)
                continue
            labels = np.asarray(answer)
            total = total if at else np.zeros((len(labels), n_classes))
            rows = np.flatnonzero(labels >= 0)
            total[rows, labels[rows]] += all_weights[-1]
        return np.asarray(total / np.asarray(all_weights).sum())

    def winners(self, shares: Array, rng: np.random.Generator | None = None) -> Array:
        """The class with the largest share on each row; ``rng`` draws among equals where ties are random."""
        if self.tie_break == "first":
            return np.asarray(shares.argmax(axis=1))
        if rng is None:
            raise BadInput("tie_break='random' needs a generator")
        tied = shares == shares.max(axis=1, keepdims=True)
        return np.asarray((tied * (1 + rng.random(shares.shape))).argmax(axis=1))
