"""What users receive: selections, comparisons, evaluations, estimates and class shares."""

from foldless.results.comparison import Comparison
from foldless.results.prevalence import Prevalence
from foldless.results.selection import Selection, Timing

__all__ = ["Comparison", "Prevalence", "Selection", "Timing"]
