"""Values as JSON and messages have them."""

import math
from typing import Any

import numpy as np


def date_of(days: float, minutes: bool = False) -> str:
    """A date from the days since 1970-01-01.

    >>> date_of(20454.5), date_of(20454.5, minutes=True)
    ('2026-01-01', '2026-01-01 12:00')
    """
    moment = np.datetime64(round(days * 86_400), "s")
    return str(np.datetime_as_string(moment, unit="m" if minutes else "D")).replace("T", " ")


def plain_value(value: Any) -> Any:
    """A value that JSON has; what is not a number is null, and any other object is its string."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
