"""What to label next: the pool rows whose labels would help most to choose and to train."""

from foldless.labeling._suggesting import STRATEGIES, suggest
from foldless.labeling.suggestion import Suggestion

__all__ = ["STRATEGIES", "Suggestion", "suggest"]
