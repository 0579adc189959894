"""What `estimate` returns: the accuracy of a model on new rows, with an interval and everything it rests on."""

from dataclasses import asdict, dataclass
from math import isnan
from typing import Any

from foldless.results import _drawn as drawn
from foldless.results._measure_words import in_words
from foldless.results.shift import Shift

NEW_ROWS = "new rows"
LIKE_LABELS = "rows like the labeled ones"
NO_NUMBER = "no number for the pool, which differs"


@dataclass(frozen=True)
class Estimate:
    """An estimate of how well a model does on new rows, with its interval.

    It is what `foldless.estimate` returns, ``selection_.estimate`` of a search, and both numbers of an `Evaluation`.

    Attributes
    ----------
    quantity : what is estimated: "accuracy", "macro F1", "R²", or a measure by scikit-learn's name
    value, lower, upper : the estimate and the ends of an interval that contains it; the ends are NaN where there is no
        interval that holds, for the reason in the notes
    confidence : how often such intervals contain the true value
    method : what it is made from: "labels" or "held-out labels", with or without "and the pool"
    assumes : sentences that must be true for it to hold
    rows, pool : how many labeled rows and pool rows it rests on
    weight : the weight of the pool in it, from 0 to 1
    optimism : what was taken off, because the same labels chose the model
    fits : how many fits were trained for it
    shift : whether the pool is like the labels, where `foldless.estimate` returned it
    notes : sentences that its reader should know
    population : the rows it is about: "new rows"; "rows like the labeled ones" where labels and pool differ, because
        then the labels say nothing about the pool, and the pool is not read
    """

    quantity: str
    value: float
    lower: float
    upper: float
    confidence: float
    method: str
    assumes: tuple[str, ...]
    rows: int
    pool: int = 0
    weight: float = 0.0
    optimism: float = 0.0
    fits: int = 0
    shift: Shift | None = None
    notes: tuple[str, ...] = ()
    population: str = NEW_ROWS

    @property
    def about_pool(self) -> bool:
        """Whether the pool is among the rows it is about."""
        return self.population == NEW_ROWS

    def __post_init__(self) -> None:
        # an end may be cut off or rounded beyond the value; one that is NaN changes nothing
        object.__setattr__(self, "value", min(max(self.value, self.lower), self.upper))

    @property
    def quantity_in_words(self) -> str:
        """What is estimated, in words: "macro F1" where scikit-learn's name is "f1_macro"."""
        return in_words(self.quantity)

    @property
    def interval(self) -> str:
        """The interval with its confidence in words, or that there is none."""
        return f"{self.ends} with confidence {self.confidence}" if self.has_interval else self.ends

    @property
    def ends(self) -> str:
        """The ends of the interval, or that there is none."""
        return f"{self.lower:.3f} to {self.upper:.3f}" if self.has_interval else "no interval"

    @property
    def has_interval(self) -> bool:
        """Whether there is an interval."""
        return not isnan(self.lower)

    def __str__(self) -> str:
        basis = f"from {self.rows:,} {self.method}" + ("" if self.about_pool else f"; {NO_NUMBER}")
        return f"{self.quantity_in_words} on {self.population} about {self.value:.3f}, {self.interval} ({basis})"

    def __repr__(self) -> str:
        where = "" if self.about_pool else f", on {self.population}"
        pool = f", pool={self.pool}" if self.pool else ""
        return f"Estimate({self.quantity}={self.value:.3f} ({self.ends}), rows={self.rows}{pool}{where})"

    def _repr_html_(self) -> str:
        return drawn.summary(self)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data for JSON."""
        ends = {} if self.has_interval else {"lower": None, "upper": None}
        return {**asdict(self), **ends, "assumes": list(self.assumes), "notes": list(self.notes)}
