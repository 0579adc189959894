"""JSON from files that may be forged: it must have a bounded size and depth, the expected type, and finite numbers.

Python's own parser fails deep inside with RecursionError, and reads ``1e400`` as infinity. Here all of that is one
ValueError, whose text says what is wrong.
"""

import json
import math
import re
from itertools import accumulate
from typing import Any, TypeVar

MAX_BYTES, MAX_DEPTH = 2**24, 64  # what foldless writes itself is far below both
STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
BRACKET = re.compile(r"[][{}]")
STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}
Kind = TypeVar("Kind")


def parse_json(
    content: bytes | str,
    kind: type[Kind],
    *,
    max_bytes: int = MAX_BYTES,
    max_depth: int = MAX_DEPTH,
    nan: bool = True,
) -> Kind:
    """What a text of JSON holds; ValueError where it is no value of this type, or too large, or nested too deeply.

    NaN, which JSON has not and Python writes, becomes None, or is refused without ``nan``.

    >>> parse_json('{"row": 5}', dict)
    {'row': 5}
    >>> parse_json('{"p": 1e400}', dict)
    Traceback (most recent call last):
        ...
    ValueError: 1e400 is not a finite number
    """
    if len(content) > max_bytes:
        raise ValueError(f"it has {len(content)} bytes, and at most {max_bytes} are read")
    text = content.decode("utf-8", "surrogatepass") if isinstance(content, bytes) else content
    if depth(text, max_depth) > max_depth:
        raise ValueError(f"it is nested more than {max_depth} deep")

    def constant(name: str) -> None:
        if not nan or name != "NaN":
            raise ValueError(f"{name} is not a finite number")

    value: Any = json.loads(text, parse_float=_finite, parse_constant=constant)
    if not isinstance(value, kind):
        raise ValueError(f"it holds {type(value).__name__} in place of {kind.__name__}")
    return value


def depth(text: str, enough: int) -> int:
    """How many brackets are open at once, outside strings; 0 where there are too few for more than ``enough``."""
    if text.count("[") + text.count("{") <= enough:
        return 0
    brackets = (STEPS[bracket] for bracket in BRACKET.findall(STRING.sub("", text)))
    return max(accumulate(brackets), default=0)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is not a finite number")
    return value
