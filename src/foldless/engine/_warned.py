"""Warnings of fits, each once: warnings that differ only in numbers count as the same.

Python records warnings for a whole process. The workers of a cluster run fits in threads: there one record is kept as
long as any of them runs, and every warning is given to the fit of its thread.
"""

import re
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from foldless.core._shared_use import SharedUse

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
        kinds[kind_of(warned)] = (max(longest, warned[1], key=lambda text: (len(text), text)), before + times)
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


@contextmanager
def of_this_thread() -> Iterator[list[Warned]]:
    """The warnings of this thread inside the block; none where `recorded_in_threads` is not in force."""
    recorded: list[Warned] = []
    before, _thread.recorded = getattr(_thread, "recorded", None), recorded
    try:
        yield recorded
    finally:
        _thread.recorded = before


def _record() -> Callable[[], None]:
    """Let `of_this_thread` record the warnings of all threads; what is returned ends that."""
    caught = warnings.catch_warnings()
    caught.__enter__()
    warnings.simplefilter("always")
    usual = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        recorded = getattr(_thread, "recorded", None)
        if recorded is None and threading.current_thread() is threading.main_thread():
            usual(message, category, *place, **more)
        elif recorded is not None and (category, str(message)) not in recorded:
            recorded.append((category, str(message)))

    warnings.showwarning = show
    return lambda: caught.__exit__(None, None, None)


_thread, recorded_in_threads = threading.local(), SharedUse(_record)
"""While fits run in threads: ``with recorded_in_threads()`` lets `of_this_thread` record their warnings."""
