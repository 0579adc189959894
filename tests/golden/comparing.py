"""How far a recorded result can be compared on another processor, and where two results differ.

Other processors round otherwise, and a run may make much of one rounding: an iteration ends a step earlier, a row
changes sides, another candidate is chosen. How much is measured, by runs whose inputs are perturbed:

* What stays the same under perturbations of 1e-6 is stable. Labels, choices and counts are then compared exactly.
* A number that moves by little is compared within the largest deviation that was seen, times ``SAFETY``, but at least
  ``RELATIVE``. Where it moves in proportion to the perturbation, this is the deviation under 1e-7: a rounding of single
  precision, in which online learners keep their rows, is about as large, and one of double precision far smaller.
* A number that 1e-6 moves too far, but that moves however small the perturbation is, is a weight or what is computed
  from weights: it is compared within what the smaller perturbations grow to.
* Anything else, such as an accuracy that jumps by a row, is a step function of the roundings and is not compared.
"""

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

RELATIVE, ABSOLUTE = 1e-6, 1e-9
SAFETY = 4  # the largest of some draws is not the largest of all
FARTHEST = 2e-4  # a tolerance above it, relative to the number or to 1, would say nothing
STABLE = 1e-6  # the perturbation that stable results bear
PERTURBATIONS = ((STABLE, 6), (1e-7, 2), (1e-10, 2))  # sizes and numbers of draws; online learners round to 6e-8

Leaf = str | int | float | None
Leaves = dict[str, Leaf]
Tolerances = Mapping[str, float | None]  # by place; None is not compared, and what is not listed has RELATIVE


def leaves(value: Any, at: str = "") -> Leaves:
    """The labels and numbers of a result by their place; a ranking is its first and the others by name.

    Places behind the first may be ties, whose order is a matter of the last digit.
    """
    if isinstance(value, list) and at.endswith("/ranking"):
        value = by_candidate(value)
    if not isinstance(value, dict | list):
        return {at: value}
    if not value:
        return {at: "empty"}
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    return {place: leaf for key, part in parts for place, leaf in leaves(part, f"{at}/{key}").items()}


def by_candidate(ranking: list[Any]) -> dict[str, Any]:
    entries: dict[str, Any] = {"first": candidate(ranking[0]) if ranking else None}
    repeated = Counter[str]()
    for entry in ranking:
        name = candidate(entry)
        repeated[name] += 1
        entries[f"{name} {repeated[name]}" if repeated[name] > 1 else name] = entry
    return entries


def candidate(entry: Any) -> str:
    """What stands at a place of a ranking, without its place and scores."""
    return json.dumps(entry["params"] if isinstance(entry, dict) else entry[:2])


# two results -------------------------------------------------------------------------------------------------------


def exact_differences(now: Any, then: Any, at: str = "") -> Iterator[str]:
    """Where two results differ, to the last digit and the last place of a ranking."""
    if isinstance(now, dict) and isinstance(then, dict):
        if now.keys() != then.keys():
            yield f"{at}: {sorted(now.keys() ^ then.keys())} in only one of them"
        for key in now:
            if key in then:
                yield from exact_differences(now[key], then[key], f"{at}/{key}")
    elif isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        for number, (part, other) in enumerate(zip(now, then, strict=True)):
            yield from exact_differences(part, other, f"{at}/{number}")
    elif repr(now) != repr(then):
        yield f"{at}: {now!r}, was {then!r}"


def differences(now: Any, then: Any, tolerances: Tolerances) -> Iterator[str]:
    """Where two results differ by more than arithmetic explains."""
    current, past = leaves(now), leaves(then)
    for at in {**past, **current}:
        tolerance = allowed(at, tolerances)
        if tolerance is None:
            continue
        if at not in past or at not in current:
            yield f"{at}: {'new' if at in current else 'gone'}"
        elif not near(current[at], past[at], tolerance):
            yield f"{at}: {current[at]!r}, was {past[at]!r}, within {tolerance:g}"


def allowed(at: str, tolerances: Tolerances) -> float | None:
    """The tolerance of a place; where a part of a result is not compared, nothing in it is."""
    parts = at.split("/")
    if any(tolerances.get("/".join(parts[:n]), 0.0) is None for n in range(1, len(parts) + 1)):
        return None
    return tolerances.get(at, 0.0)


def near(value: Leaf, other: Leaf, tolerance: float) -> bool:
    apart = deviation(value, other)
    return apart == 0 or (math.isfinite(apart) and apart <= max(tolerance, RELATIVE * abs(other) + ABSOLUTE))  # type: ignore[arg-type]


def deviation(value: Leaf, other: Leaf) -> float:
    """How far two leaves are apart; labels, counts and numbers that are none are the same or infinitely far apart."""
    numbers = all(isinstance(leaf, int | float) and not isinstance(leaf, bool) for leaf in (value, other))
    if repr(value) == repr(other) or (numbers and value == other):
        return 0.0
    if not (numbers and isinstance(value, float) | isinstance(other, float)):
        return math.inf
    distance = abs(value - other)  # type: ignore[operator]
    return math.inf if math.isnan(distance) else distance


# tolerances --------------------------------------------------------------------------------------------------------


def measured_tolerances(result: Any, perturbed: Mapping[float, Sequence[Any]]) -> dict[str, float | None]:
    """The tolerances of a result, from the results of perturbed inputs by the size of the perturbation."""
    own = leaves(result)
    others = {size: [leaves(other) for other in results] for size, results in perturbed.items()}
    places = dict.fromkeys(at for found in [own, *(leaf for some in others.values() for leaf in some)] for at in found)
    found: dict[str, float | None] = {}
    for at in places:
        apart = {
            size: [deviation(leaf[at], own[at]) if at in own and at in leaf else math.inf for leaf in some]
            for size, some in others.items()
        }
        found[at] = tolerance_of(own.get(at), apart)
    arrays = largest_of_arrays(found)
    listed: dict[str, float | None] = {}
    for at, tolerance in found.items():
        if tolerance is None:
            listed[at] = None
        elif exceeds(shared := min(arrays[array_of(at)], farthest(own[at])), own[at]):
            listed[at] = rounded_up(shared)
    return listed


def tolerance_of(value: Leaf, apart: Mapping[float, Sequence[float]]) -> float | None:
    if not any(map(any, apart.values())):
        return 0.0
    if not isinstance(value, float):
        return None
    largest = max(map(max, apart.values()))
    small = [distance for size, distances in apart.items() if size < STABLE for distance in distances]
    in_proportion = all(max(distances) <= 3 * largest * size / STABLE for size, distances in apart.items())
    growth = [largest]
    if small and all(small):  # no step function
        growth = [max(small)] if in_proportion else [largest, max(small)]
    return next((SAFETY * distance for distance in growth if SAFETY * distance <= farthest(value)), None)


def farthest(value: Leaf) -> float:
    return FARTHEST * max(1.0, abs(value)) if isinstance(value, float) else 0.0


def largest_of_arrays(tolerances: Mapping[str, float | None]) -> dict[str, float]:
    """By list of numbers the largest tolerance in it: a number may be near by luck, its neighbors say how near."""
    found: dict[str, float] = {}
    for at, tolerance in tolerances.items():
        if tolerance is not None:
            found[array_of(at)] = max(found.get(array_of(at), 0.0), tolerance)
    return found


def array_of(at: str) -> str:
    """The list that a number is in, or a list of lists; a number that is in none is alone."""
    parts = at.split("/")
    while len(parts) > 1 and parts[-1].isdigit():
        parts.pop()
    return "/".join(parts)


def exceeds(tolerance: float, value: Leaf) -> bool:
    return isinstance(value, float) and tolerance > RELATIVE * abs(value) + ABSOLUTE


def rounded_up(tolerance: float) -> float:
    """To one digit, so that the table can be read."""
    unit = 10.0 ** math.floor(math.log10(tolerance))
    return float(f"{math.ceil(tolerance / unit) * unit:.0e}")
