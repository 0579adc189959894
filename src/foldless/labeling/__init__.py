"""What to label next, how far people agree, and when there are enough labels.

The names are looked up when they are first used: the page that shows agreement needs no scikit-learn.
"""

from typing import TYPE_CHECKING

from foldless._on_demand import on_demand

if TYPE_CHECKING:
    from foldless.labeling._agreement import AnswerAgreement, krippendorff_alpha, repeat_agreement
    from foldless.labeling._stopping import LabelForecast, LabelingTarget, Look, StopDecision, enough, forecast
    from foldless.labeling._suggesting import STRATEGIES, suggest
    from foldless.labeling._unlikely_labels import LabelDoubt, unlikely_labels
    from foldless.labeling.suggestion import Suggestion

__all__ = [
    "STRATEGIES",
    "AnswerAgreement",
    "LabelDoubt",
    "LabelForecast",
    "LabelingTarget",
    "Look",
    "StopDecision",
    "Suggestion",
    "enough",
    "forecast",
    "krippendorff_alpha",
    "repeat_agreement",
    "suggest",
    "unlikely_labels",
]

__getattr__, __dir__ = on_demand(__name__)
