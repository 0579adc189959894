"""Class shares with their intervals to look at: a picture, and its page."""

from foldless.report.counted_classes.prevalence_display import PrevalenceDisplay

__all__ = ["PrevalenceDisplay"]
