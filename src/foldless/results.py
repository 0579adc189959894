"""The results of a search and of a comparison, under the name they had in 0.1: see `foldless.selection`."""

from foldless.selection.comparison import Comparison
from foldless.selection.selection import Selection, Timing

__all__ = ["Comparison", "Selection", "Timing"]
