"""Words and numbers of findings that several checks use."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from foldless.checks._check import DoesNotApply, NoTime
from foldless.checks._checked_data import CheckedData, HeldOutAnswers, Variant
from foldless.core import Array
from foldless.core._plain import date_of

SHOWN = 3  # things that a sentence names
NO_MODEL = "no cheap model can be trained on these rows"


def listed(names: Sequence[str], most: int = SHOWN) -> str:
    """Some names in a sentence, and how many more there are.

    >>> listed(["a", "b"]), listed(["a", "b", "c", "d", "e"])
    ('a and b', 'a, b, c and 2 more')
    """
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most:,} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def columns_named(names: Sequence[Any]) -> str:
    """Columns as the beginning of a sentence."""
    return f"column{'s' * (len(names) > 1)} {listed(list(map(shown, names)))}"


def shown(name: Any) -> str:
    """The name of a column: those of arrays are numbers."""
    return f'"{name}"' if isinstance(name, str) else str(name)


def number(data: CheckedData, name: Any, value: float) -> str:
    """A number of a column; of dates, the day."""
    return date_of(value) if data.kinds.get(name) == "date" else f"{value:.4g}"


def of_classes(data: CheckedData) -> Array:
    """The class codes; where labels are numbers, the check does not apply."""
    if data.codes is None:
        raise DoesNotApply("labels are numbers to predict, not classes")
    return data.codes


def table_of(data: CheckedData) -> pd.DataFrame:
    """The labeled rows; a check of columns does not apply to rows without columns."""
    if data.labeled is None:
        raise DoesNotApply("rows have no columns that can be told apart")
    return data.labeled


def held_out(data: CheckedData, variant: Variant | None = None) -> HeldOutAnswers:
    """Out-of-fold answers of the cheap model; without them, a check of a model cannot be made."""
    answers = None if data.fits is None else data.fits.answers(variant)
    if answers is None:
        if data.fits is None or data.fits.failed:
            raise DoesNotApply(NO_MODEL)
        raise NoTime("there was no time for out-of-fold answers")
    return answers
