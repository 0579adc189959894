"""How several fits make one model: every fit has one vote on a row, or they average their probabilities.

Hard: ŷ = argmax_c #{b : f_b(x) = c}. Soft: ŷ = argmax_c Σ_b p_b(c | x). Ties go to the first class. With weights a fit
has w_b votes in place of one. A fit that has scores and no probabilities votes softly with softmax(s / T), where T is
its temperature.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from foldless.errors import BadInput

Array = NDArray[Any]


@dataclass(frozen=True)
class Vote:
    """What is counted, the weight of each fit (equal if empty), and the temperature of each that votes by scores."""

    voting: Literal["hard", "soft"] = "hard"
    weights: tuple[float, ...] = ()
    temperatures: tuple[float | None, ...] = ()

    def __post_init__(self) -> None:
        if self.voting not in ("hard", "soft"):
            raise BadInput(f"voting must be 'hard' (labels) or 'soft' (probabilities), got {self.voting!r}")
        if self.weights and (min(self.weights) < 0 or not sum(self.weights) > 0):
            raise BadInput(f"weights must not be negative, and not all 0, got {self.weights!r}")

    @property
    def response(self) -> Literal["labels", "probabilities"]:
        return "labels" if self.voting == "hard" else "probabilities"

    def response_of(self, at: int) -> Literal["labels", "probabilities", "scores"]:
        return "scores" if self._temperature(at) is not None else self.response

    def _temperature(self, at: int) -> float | None:
        return self.temperatures[at] if self.temperatures and self.voting == "soft" else None

    def shares(self, answers: Iterable[Array], n_classes: int) -> Array:
        """The share of each class in the votes on each row, from the answers of every fit; −1 is no vote.

        Votes are summed as they come: a pool that is voted on by many fits needs the memory of one answer.
        """
        total, all_weights = np.zeros(0), []
        for at, answer in enumerate(answers):
            all_weights.append(float(self.weights[at]) if self.weights else 1.0)
            if self.voting == "soft":
                if (temperature := self._temperature(at)) is not None:
                    answer = softmax(np.asarray(answer) / temperature, axis=1)
                voted = np.multiply(answer, all_weights[-1]) if self.weights else np.asarray(answer, dtype=float)
                total = voted.copy() if not at else np.add(total, voted, out=total)
                continue
            labels = np.asarray(answer)
            total = total if at else np.zeros((len(labels), n_classes))
            rows = np.flatnonzero(labels >= 0)
            total[rows, labels[rows]] += all_weights[-1]
        return np.asarray(total / np.asarray(all_weights).sum())

    def winners(self, shares: Array) -> Array:
        """The class with the largest share on each row, the first among equals."""
        return np.asarray(shares.argmax(axis=1))
