"""The shape that plain data from a file must have, so that a forged document is refused in one sentence.

A shape is a type (or several, with ``|``), a tuple of allowed values, a list of one shape for all items, `EachValue` of
one shape for all values of a dict, or a dict of shapes by key, where ``key?`` may be missing. A bool is no number.

>>> misfit({"label": "a", "rows": [1, "2"]}, {"label": str, "rows": [int], "notes?": [str]})
'rows.1'
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

NUMBER = int | float
LABEL = str | int | float | bool


@dataclass(frozen=True)
class EachValue:
    """A dict with strings for keys, and values of one shape."""

    shape: Any


def within(numbers: Any, n: int) -> bool:
    """Whether numbers are places among n."""
    numbers = np.asarray(numbers)
    return numbers.dtype.kind in "iu" and bool(((numbers >= 0) & (numbers < n)).all())


def descend(parents: Any, left: Any, right: Any, n_nodes: int) -> bool:
    """Whether both children of each parent are nodes that come after it, so that every path ends."""
    return all(bool(((parents < side) & (side < n_nodes)).all()) for side in (left, right)) and n_nodes > 0


def misfit(value: Any, shape: Any) -> str | None:
    """Where a value first differs from a shape: keys and positions, parted by points; None where it does not."""
    path = _misfit(value, shape)
    return None if path is None else ".".join(map(str, path)) or "document"


def _misfit(value: Any, shape: Any) -> list[Any] | None:
    if isinstance(shape, EachValue):
        fits = isinstance(value, dict) and all(isinstance(key, str) for key in value)
        return _first((key, part, shape.shape) for key, part in value.items()) if fits else []
    if isinstance(shape, list):
        return _first((at, part, shape[0]) for at, part in enumerate(value)) if isinstance(value, list) else []
    if isinstance(shape, tuple):
        return None if value in shape and isinstance(value, str | type(None)) else []
    if isinstance(shape, dict):
        return _fields(value, shape)
    fits = isinstance(value, shape) and (
        not isinstance(value, bool) or bool in (shape, *getattr(shape, "__args__", ()))
    )
    return None if fits else []


def _fields(value: Any, shape: dict[str, Any]) -> list[Any] | None:
    if not isinstance(value, dict):
        return []
    lacks = [key for key in shape if not key.endswith("?") and key not in value]
    if lacks:
        return [lacks[0]]
    named = {key.removesuffix("?"): part for key, part in shape.items()}
    return _first((key, value[key], part) for key, part in named.items() if key in value)


def _first(parts: Any) -> list[Any] | None:
    for key, part, shape in parts:
        if (inside := _misfit(part, shape)) is not None:
            return [key, *inside]
    return None
