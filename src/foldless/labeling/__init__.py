"""What to label next, how far people agree, and when there are enough labels.

The names are looked up when they are first used: the page that shows agreement needs no scikit-learn.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

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

_HOMES = {
    **dict.fromkeys(("STRATEGIES", "suggest"), "_suggesting"),
    **dict.fromkeys(("AnswerAgreement", "krippendorff_alpha", "repeat_agreement"), "_agreement"),
    **dict.fromkeys(("LabelForecast", "LabelingTarget", "Look", "StopDecision", "enough", "forecast"), "_stopping"),
    **dict.fromkeys(("LabelDoubt", "unlikely_labels"), "_unlikely_labels"),
    "Suggestion": "suggestion",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
