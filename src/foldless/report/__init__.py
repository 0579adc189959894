"""Results to look at: one self-contained HTML file, a summary for notebooks, and matplotlib displays.

matplotlib and jinja2 are imported when something is drawn, so that ``import foldless`` stays quick.
"""

from typing import TYPE_CHECKING

from foldless._on_demand import on_demand

if TYPE_CHECKING:
    from foldless.report.displays.bound_display import BoundDisplay
    from foldless.report.displays.comparison_display import ComparisonDisplay
    from foldless.report.displays.confusion_display import ConfusionDisplay
    from foldless.report.displays.prevalence_display import PrevalenceDisplay
    from foldless.report.displays.race_display import RaceDisplay
    from foldless.report.displays.selection_display import SelectionDisplay
    from foldless.report.displays.shares_display import SharesDisplay

__all__ = [
    "BoundDisplay",
    "ComparisonDisplay",
    "ConfusionDisplay",
    "PrevalenceDisplay",
    "RaceDisplay",
    "SelectionDisplay",
    "SharesDisplay",
]

__getattr__, __dir__ = on_demand(__name__)
