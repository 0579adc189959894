"""Grids as they are typed: ``C=1e-4:1e3:8`` is eight values at equal ratios, ``n_neighbors=1,3,5`` is a list.

A range with an end that is not above 0 has equal steps instead. Its values are whole numbers if both ends are, and if
the default of the parameter is not a fraction. With several models, ``svc.gamma=0.1,1`` is for one of them; a key
without a model is for each that has such a parameter.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

from foldless.errors import BadInput

MAX_VALUES = 1000  # values of one range
MAX_DIGITS = 300
WORDS = {"none": None, "true": True, "false": False}
EXAMPLES = "write C=1e-4:1e3:8 (from:to:how many) or C=0.1,1,10"


@dataclass(frozen=True)
class Spec:
    """One ``--grid``: the model it is for (None for each that has the key), the key, and the values as typed."""

    text: str
    model: str | None
    key: str
    values: str


def parse(text: str) -> Spec:
    """Take a ``--grid`` apart."""
    left, equals, values = text.partition("=")
    model, dot, key = left.strip().rpartition(".")
    if not equals or not key or not values.strip() or (dot and not model):
        raise BadInput(f"--grid {text!r} is not of the form key=values: {EXAMPLES}")
    return Spec(text, model or None, key, values.strip())


def assign(texts: Sequence[str], defaults: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, list[Any]]]:
    """The grids typed for each model; ``defaults`` are the parameters of the chosen models with their defaults."""
    grids: dict[str, dict[str, list[Any]]] = {}
    for spec in map(parse, texts):
        if spec.model is not None and spec.model not in defaults:
            raise BadInput(
                f"--grid {spec.text!r} is for {spec.model!r}, which is not among the models: {' and '.join(defaults)}"
            )
        having = [name for name in ([spec.model] if spec.model else defaults) if spec.key in defaults[name]]
        if not having:
            asked = [spec.model] if spec.model else list(defaults)
            known = sorted({key for name in asked for key in defaults[name]})
            near = get_close_matches(spec.key, known, n=3)
            hint = f"did you mean {', '.join(near)}? " if near else ""
            models = " and ".join(asked)
            raise BadInput(f"there is no parameter {spec.key!r} in {models}: {hint}there are {', '.join(known)}")
        for name in having:
            grid = grids.setdefault(name, {})
            if spec.key in grid:
                raise BadInput(f"--grid {spec.text!r} gives {spec.key} of {name} a second time: write it once")
            grid[spec.key] = values(spec, defaults[name][spec.key])
    return grids


def value(text: str) -> Any:
    """What a word on the command line means: a number, none, true, false, or itself."""
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    if re.fullmatch(r"[+-]?\d+", text):
        if len(text) > MAX_DIGITS:
            raise BadInput(f"the number {text!r} has {len(text)} digits: write at most {MAX_DIGITS}, or 1e300")
        return int(text)
    try:
        return float(text)
    except ValueError:
        return text


def values(spec: Spec, default: Any) -> list[Any]:
    """The values of a range or a list, without repetitions."""
    if not all(re.split(r"\s*[,:]\s*", spec.values)):
        raise BadInput(f"--grid {spec.text!r} has an empty value: {EXAMPLES}")
    every = _range(spec, default) if ":" in spec.values else [value(v.strip()) for v in spec.values.split(",")]
    return list({(type(each), each): each for each in every}.values())


def _range(spec: Spec, default: Any) -> list[Any]:
    parts = [part.strip() for part in spec.values.split(":")]
    ends = [value(part) for part in parts[:2]]
    numbers = all(isinstance(end, int | float) and not isinstance(end, bool) and math.isfinite(end) for end in ends)
    if len(parts) != 3 or not numbers or not re.fullmatch(r"\d{1,9}", parts[2]):
        raise BadInput(f"--grid {spec.text!r} is not a range from:to:how many: {EXAMPLES}")
    n = int(parts[2])
    if not 1 < n <= MAX_VALUES:
        raise BadInput(f"--grid {spec.text!r} asks for {n} values: ask for 2 to {MAX_VALUES}")
    start, stop = ends
    if start == stop:
        raise BadInput(f"--grid {spec.text!r} begins and ends at {parts[0]}: write {spec.key}={parts[0]}")
    exact = np.geomspace(start, stop, n) if min(start, stop) > 0 else np.linspace(start, stop, n)
    if isinstance(start, int) and isinstance(stop, int) and not isinstance(default, float):
        return [round(each) for each in exact]
    return [float(f"{each:.12g}") for each in exact]  # 0.001, not 0.0010000000000000002
