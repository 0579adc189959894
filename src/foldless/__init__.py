"""Choose classifiers with the data nobody has labeled.

The names are looked up when they are first used, so that the package and its commands start fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from foldless._version import __version__

if TYPE_CHECKING:
    from foldless.app.label import label
    from foldless.data import Pool
    from foldless.judging.costs import Costs
    from foldless.judging.metric import Metric
    from foldless.labeling._suggesting import suggest
    from foldless.selection.certify import certify
    from foldless.selection.check import check
    from foldless.selection.compare import compare
    from foldless.selection.decided import AtLeast, decided
    from foldless.selection.estimate import estimate
    from foldless.selection.evaluate import evaluate
    from foldless.selection.measured import measured
    from foldless.selection.quantify import quantify
    from foldless.selection.search import FoldlessSearch

__all__ = [
    "AtLeast",
    "Costs",
    "FoldlessSearch",
    "Metric",
    "Pool",
    "__version__",
    "certify",
    "check",
    "compare",
    "decided",
    "estimate",
    "evaluate",
    "label",
    "measured",
    "quantify",
    "suggest",
]

_HOMES = {
    "AtLeast": "foldless.selection.decided",
    "Costs": "foldless.judging.costs",
    "decided": "foldless.selection.decided",
    "FoldlessSearch": "foldless.selection.search",
    "Metric": "foldless.judging.metric",
    "Pool": "foldless.data",
    "certify": "foldless.selection.certify",
    "check": "foldless.selection.check",
    "compare": "foldless.selection.compare",
    "estimate": "foldless.selection.estimate",
    "evaluate": "foldless.selection.evaluate",
    "label": "foldless.app.label",
    "measured": "foldless.selection.measured",
    "quantify": "foldless.selection.quantify",
    "suggest": "foldless.labeling._suggesting",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import_module("sklearn")  # all of them need it, and below many nested imports it takes longer
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
