"""What varies among candidates: the parameters that have more than one value, and an axis for each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from foldless.core import Array, Candidate
from foldless.report._wording import ELLIPSIS, clean, value_text

UNEVEN = 5  # a longest step so many times the shortest asks for a log axis
MISSING = "–"
LARGEST, WIDEST = 1e300, 1e60  # numbers beyond are text; numbers beyond stand side by side
LONGEST = 2000  # characters by which values are told apart

Value = float | str


@dataclass(frozen=True)
class Axis:
    """The distinct values of one parameter and where they are drawn.

    Numbers are sorted; on an ordinal axis the values stand side by side, in the order they came.
    """

    name: str
    values: tuple[Value, ...]
    scale: Literal["linear", "log", "ordinal"]

    @property
    def numeric(self) -> bool:
        return all(isinstance(value, float) for value in self.values)

    @property
    def ticks(self) -> list[float]:
        return [self.place(value) for value in self.values]

    def place(self, value: Value) -> float:
        return float(self.values.index(value) if self.scale == "ordinal" else value)


def varying(candidates: Sequence[Candidate]) -> dict[str, list[Value]]:
    """The parameters in which the candidates differ, with the value of each candidate."""
    names = dict.fromkeys(name for candidate in candidates for name in candidate.params)
    columns = {name: [_value(candidate, name) for candidate in candidates] for name in names}
    return {name: column for name, column in columns.items() if len(set(column)) > 1}


def axis(name: str, column: Sequence[Value]) -> Axis:
    """The axis of one parameter: numbers to scale where their spacing allows it."""
    values = tuple(dict.fromkeys(column))
    if not all(isinstance(value, float) for value in values):
        return Axis(name, values, "ordinal")
    values = tuple(sorted(values))
    return Axis(name, values, _scale(np.array(values, dtype=float)))


def title(name: str) -> str:
    """A parameter without the steps it belongs to, which a reader of a figure need not see."""
    return clean(name.rsplit("__", 1)[-1] or name)


def _scale(values: Array) -> Literal["linear", "log", "ordinal"]:
    if np.abs(values).max() > WIDEST or np.abs(values[values != 0]).min() < 1 / WIDEST:
        return "ordinal"
    steps = np.diff(values)
    if steps.max() <= UNEVEN * steps.min():
        return "linear"
    return "log" if values[0] > 0 else "ordinal"


def _value(candidate: Candidate, name: str) -> Value:
    if name not in candidate.params:
        return MISSING
    value: Any = candidate.params[name]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGEST:
        return float(value)
    text = value_text(value)
    return text if len(text) <= LONGEST else text[:LONGEST] + ELLIPSIS
