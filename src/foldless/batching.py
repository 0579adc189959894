"""How learners answer many fits at once, under the name it had in 0.1: see `foldless.core.batch`."""

from foldless.core.batch import Answered, BatchLearner, Member, Part, Question

__all__ = ["Answered", "BatchLearner", "Member", "Part", "Question"]
