"""The evaluation of a model to look at: its page, and the picture of its confusion."""

from foldless.report.evaluated.confusion_display import ConfusionDisplay

__all__ = ["ConfusionDisplay"]
