"""What comes with labeled rows: parameters of ``fit`` and of scorers, such as weights, and how labels were drawn.

What has an entry for each row is cut to the rows that are asked for; anything else is handed on as it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from foldless.core import Array
from foldless.data._features import n_rows, take
from foldless.errors import BadInput

LENGTHS = "{name} has {entries:,} entries for {rows:,} rows of X: they must be of equal length"
ScoreParams = Mapping[str, Mapping[str, Any]]
"""What scorers are given beside a model, rows and labels, by the names of the scorers: sample weights, for example."""


class Draws(NamedTuple):
    """With which probability each label was drawn, and in which round.

    A probability is NaN or None for labels drawn at random like the pool, and 0 for those that someone chose.
    """

    probabilities: Any = None
    rounds: Any = None

    def checked(self, X: Any) -> "Draws | None":
        """The same as numbers, one for each row of X; None where nothing was said."""
        if self.probabilities is None:
            if self.rounds is not None:
                raise BadInput("label_rounds says when labels were drawn: pass label_probabilities too")
            return None
        n = n_rows(X)
        chances = _numbers("label_probabilities", self.probabilities, n)
        order = np.zeros(n) if self.rounds is None else _numbers("label_rounds", self.rounds, n)
        if ((chances < 0) | (chances > 1)).any():
            wrong = float(chances[(chances < 0) | (chances > 1)][0])
            raise BadInput(f"label_probabilities must be between 0 and 1, got {wrong}", value=wrong)
        if np.isnan(order[~np.isnan(chances)]).any():
            raise BadInput("label_rounds has no number for a label that has a probability: name its round, such as 1")
        return Draws(chances, order)


@dataclass(frozen=True, eq=False)
class Metadata:
    """Parameters of fits by their names, those of each scorer, and how labels were drawn."""

    fit: Mapping[str, Any] = field(default_factory=dict)
    score: ScoreParams = field(default_factory=dict)
    draws: Draws | None = None

    def checked(self, X: Any) -> "Metadata":
        """The same for the rows of X, without parameters that were not passed."""
        fit = {name: value for name, value in self.fit.items() if value is not None}
        weight = fit.get("sample_weight")
        if hasattr(weight, "__len__") and n_rows(weight) != n_rows(X):
            raise BadInput(LENGTHS.format(name="sample_weight", entries=n_rows(weight), rows=n_rows(X)))
        return Metadata(fit, self.score, None if self.draws is None else self.draws.checked(X))

    def at(self, rows: Array, n: int) -> "Metadata":
        return Metadata(
            cut(self.fit, rows, n),
            {scorer: cut(params, rows, n) for scorer, params in self.score.items()},
            None if self.draws is None else Draws(*(values[rows] for values in self.draws)),
        )


def cut(params: Mapping[str, Any], rows: Array, n: int) -> dict[str, Any]:
    """Parameters, cut to some of n rows where they have an entry for each."""
    return {name: take(value, rows) if _is_per_row(value, n) else value for name, value in params.items()}


def _is_per_row(value: Any, n: int) -> bool:
    return not isinstance(value, str | bytes | dict) and hasattr(value, "__len__") and n_rows(value) == n


def _numbers(name: str, values: Any, n: int) -> Array:
    try:
        numbers = np.asarray(pd.to_numeric(np.asarray(values, dtype=object)), dtype=float)
    except (TypeError, ValueError) as error:
        raise BadInput(f"{name} must be numbers: {error}") from error
    if numbers.shape != (n,):
        raise BadInput(LENGTHS.format(name=name, entries=len(numbers), rows=n))
    return numbers
