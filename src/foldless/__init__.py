"""Choose classifiers with the data nobody has labeled.

The names are looked up when they are first used, so that the package and its commands start fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from foldless._on_demand import on_demand
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

_look_up, __dir__ = on_demand(__name__)


def __getattr__(name: str) -> Any:
    if name in __all__:
        import_module("sklearn")  # all of them need it, and below many nested imports it takes longer
    return _look_up(name)
