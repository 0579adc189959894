"""How learners answer many fits at once, under the name of 0.1: see `foldless.core.batch`."""

from foldless._deprecations import moved

HOMES = dict.fromkeys(("Answered", "BatchLearner", "Member", "Part", "Question"), "foldless.core.batch")
__all__ = list(HOMES)
__getattr__ = moved(__name__, HOMES, removed_in="0.5")
