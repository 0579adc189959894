"""What fits warned of, once for each fact: warnings that differ in numbers only are of one kind."""

import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

Warned = tuple[type[Warning], str]
NUMBERS = re.compile(r"\d[\d.e+-]*(?:, \d[\d.e+-]*)*")  # one, or several with commas


def kind_of(warned: Warned) -> Warned:
    """A warning without its numbers, such as the C at which a solver stopped."""
    return warned[0], NUMBERS.sub("#", warned[1])


def of_one_kind(counted: Mapping[Warned, int]) -> dict[Warned, int]:
    """The longest warning of each kind, with the fits of all."""
    kinds: dict[Warned, tuple[str, int]] = {}
    for warned, times in counted.items():
        longest, before = kinds.get(kind_of(warned), ("", 0))
        kinds[kind_of(warned)] = (max(longest, warned[1], key=len), before + times)
    return {(category, text): times for (category, _), (text, times) in kinds.items()}


@contextmanager
def new_kinds(known: Iterable[Warned]) -> Iterator[None]:
    """Let warnings pass that are of another kind than those that are known."""
    kinds = set(map(kind_of, known))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for each in caught:
        if kind_of((each.category, str(each.message))) not in kinds:
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
