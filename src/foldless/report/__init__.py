"""Results to look at: one self-contained HTML file, a summary for notebooks, and matplotlib displays.

matplotlib and jinja2 are imported when something is drawn, so that ``import foldless`` stays quick.
"""

from foldless.report.bound_display import BoundDisplay
from foldless.report.comparison_display import ComparisonDisplay
from foldless.report.counted_classes import PrevalenceDisplay
from foldless.report.evaluated.confusion_display import ConfusionDisplay
from foldless.report.race_display import RaceDisplay
from foldless.report.selection_display import SelectionDisplay
from foldless.report.shares_display import SharesDisplay

__all__ = [
    "BoundDisplay",
    "ComparisonDisplay",
    "ConfusionDisplay",
    "PrevalenceDisplay",
    "RaceDisplay",
    "SelectionDisplay",
    "SharesDisplay",
]
