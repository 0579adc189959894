"""How learners answer many fits at once, under the name of 0.1: see `foldless.core.batch`."""

from typing import Any

from foldless._deprecations import moved

HOMES = dict.fromkeys(("Answered", "BatchLearner", "Member", "Part", "Question"), "foldless.core.batch")
__all__ = list(HOMES)


def __getattr__(name: str) -> Any:
    return moved(name, __name__, HOMES, removed_in="0.5")
