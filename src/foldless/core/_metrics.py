"""Scores that only a fitted model can give: by scorers that read features, labels or the model itself.

Where a metric is a function of answers, a criterion asks for the answers, which fits share and learners give in
batches. Any other scorer goes to the fit, as in GridSearchCV: it is called with the fitted model and with the rows and
labels that the user passed, and one number for each metric comes back.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from numbers import Number
from traceback import format_exc
from typing import Any

import numpy as np

from foldless.core.rows import Array
from foldless.errors import BadInput, warn_user

ONE = "score"
"""What a single metric is called in tables of results."""
FAILED = (
    "Scoring failed. The score on this train-test partition for these parameters will be set to {to}. Details: \n{why}"
)
SEVERAL = (
    "For multi-metric scoring, the parameter refit must be set to a scorer key or a callable to refit an estimator "
    "with the best parameter setting on the whole data and make the best_* attributes available for that metric. If "
    "this is not needed, refit should be set to False explicitly. {refit!r} was passed."
)
NO_NUMBER = "scoring must return a number, got {found!r} ({kind}) instead. (scorer={scorer})"


@dataclass(frozen=True, eq=False)
class Metrics:
    """Scorers by their names. Two are equal if they have the very same scorers, so that questions can be compared.

    A single one is called ``"score"``, and may return a dict of several metrics. One that fails has the
    ``error_score``, with a warning, or raises where that is ``"raise"``.
    """

    scorers: Mapping[str, str | Callable[..., Any]]
    error_score: Any = np.nan
    _key: tuple[Any, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        key = tuple((name, scorer if isinstance(scorer, str) else id(scorer)) for name, scorer in self.scorers.items())
        object.__setattr__(self, "_key", key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Metrics) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __call__(self, model: Any, X: Any, y: Any, params: Mapping[str, Mapping[str, Any]]) -> Array:
        """The metrics of a model on some rows; ``params`` are those of each scorer, cut to the rows."""
        from sklearn.metrics import get_scorer  # imports much, and many runs need none of it

        labels = () if y is None else (y,)
        values: dict[str, Any] = {}
        for name, scorer in self.scorers.items():
            try:
                value = get_scorer(scorer)(model, X, *labels, **params.get(name, {}))
            except Exception:
                if isinstance(self.error_score, str):
                    raise
                value = self.error_score
                warn_user(FAILED.format(to=value, why=format_exc()))
            values |= value if isinstance(value, Mapping) else {name: value}
        numbers = {str(name): number(value, self.scorers.get(name, name)) for name, value in values.items()}
        return np.array([tuple(numbers.values())], dtype=[(name, np.float64) for name in numbers])


def number(value: Any, scorer: Any) -> float:
    plain = value
    if hasattr(value, "item"):
        with suppress(ValueError):
            plain = value.item()
    if not isinstance(plain, Number) or isinstance(plain, complex):
        raise BadInput(NO_NUMBER.format(found=value, kind=type(value), scorer=scorer))
    return float(plain)  # type: ignore[arg-type]  # a real number
