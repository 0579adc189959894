"""Values as JSON has them."""

import math
from typing import Any

import numpy as np


def plain_value(value: Any) -> Any:
    """A value that JSON has; what is not a number is null, and any other object is its string."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
