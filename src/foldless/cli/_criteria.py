"""Criteria as they are typed: ``k-fold``, ``k-fold:10``, ``hold-out:0.2:confidence=0.95``, ``similar-data+ada``.

What follows a colon is a parameter: the first by its place, all by their names. A plus adds up ranks, and
``k-fold:10|dagging`` takes the best estimate of both.
"""

import re
from dataclasses import fields
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, cast, get_args, get_type_hints

from foldless.criteria import BY_NAME
from foldless.errors import BadInput

if TYPE_CHECKING:
    from foldless.core import Criterion

NUMBERS = {int, float}
NAMES = [*(name.replace("_", "-") for name in BY_NAME), "similar-data+ada", "k-fold|dagging"]
HELP = (
    f"{', '.join(NAMES)}; k-fold:10 for ten folds, hold-out:0.2:confidence=0.95 for parameters by name, "
    f"two joined by + to rank by the sum of their ranks (similar-data+ada), and two "
    f"joined by | (in quotes) to take the better of their estimates, such as 'k-fold:10|dagging'"
)
PLUS = re.compile(r"\s*\+\s*(?=[a-z])")  # that of 1e+2 is a part of the number


def parse(typed: str) -> "Criterion":
    """A criterion by its name and parameters, or several with a plus or a bar between them."""
    from foldless.cli import _grids as grids
    from foldless.criteria.best_of import BestOf
    from foldless.criteria.rank_sum import RankSum

    if "|" in typed:
        return BestOf(*(parse(name.strip()) for name in typed.split("|")))
    terms = PLUS.split(typed)
    if len(terms) > 1:
        return RankSum(*map(parse, terms))
    name, *parameters = typed.split(":")
    known = name.replace("-", "_")
    if known not in BY_NAME:
        near = get_close_matches(name, NAMES, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise BadInput(f"there is no criterion {name!r}: {hint}there are {', '.join(NAMES)}")
    kinds, arguments = _parameters(BY_NAME[known]), dict[str, Any]()
    some = f"there are {', '.join(kinds)}" if kinds else "it has none"
    for at, parameter in enumerate(parameters):
        key, equals, text = parameter.rpartition("=")
        if not equals and (at or not kinds):
            raise BadInput(f"{parameter!r} in {typed!r} is not a parameter: write name=value; {some}")
        key = key.replace("-", "_") if equals else next(iter(kinds))
        if key not in kinds:
            raise BadInput(f"{name} has no parameter {key!r}: {some}")
        if key in arguments:
            raise BadInput(f"{typed!r} gives {key} a second time: give it once")
        value = grids.value(text)
        if type(value) not in kinds[key]:
            default = getattr(BY_NAME[known](), key)
            raise BadInput(f"{key} of {name} cannot be {text!r}: its default is {default!r}")
        arguments[key] = value.replace("-", "_") if isinstance(value, str) else value
    return BY_NAME[known](**arguments)


def _parameters(criterion: "type[Criterion]") -> dict[str, set[type]]:
    """The parameters that can be typed, with the types of their values."""
    hints, kinds = get_type_hints(criterion), dict[str, set[type]]()
    for field in fields(cast(Any, criterion)):
        if "in Python only" in field.metadata:
            continue
        types = {*get_args(hints[field.name])} if field.default is None else {type(field.default)}
        if types & NUMBERS:
            types |= NUMBERS
        if types := types & {str, bool, *NUMBERS}:
            kinds[field.name] = types
    return kinds
