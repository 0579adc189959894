"""scikit-learn classifiers over the kernels of ``foldless.solvers``, and ensembles of any classifier.

A family is imported when one of its classes is first used: the kernels need Numba, which many runs do not.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from foldless.learners.co_training import CoRegularizedLogisticRegression, CoTraining
    from foldless.learners.decided_classifier import DecidedClassifier
    from foldless.learners.ensembles import AveragingClassifier, DaggingClassifier, LogisticOutputs
    from foldless.learners.gaussian_process import GPCoTraining, ManifoldGP, MultiViewGP, Precomputed, ViewGP
    from foldless.learners.kernel_svm import KernelSVC
    from foldless.learners.linear import L1LogisticRegression, LinearSVC, LogisticRegression, MultinomialNB
    from foldless.learners.pool_taught import NeighborSpreading, PoolFeatures, TaughtView

__all__ = [
    "AveragingClassifier",
    "CoRegularizedLogisticRegression",
    "CoTraining",
    "DaggingClassifier",
    "DecidedClassifier",
    "GPCoTraining",
    "KernelSVC",
    "L1LogisticRegression",
    "LinearSVC",
    "LogisticOutputs",
    "LogisticRegression",
    "ManifoldGP",
    "MultiViewGP",
    "MultinomialNB",
    "NeighborSpreading",
    "PoolFeatures",
    "Precomputed",
    "TaughtView",
    "ViewGP",
]

_FAMILIES = {
    **dict.fromkeys(("CoRegularizedLogisticRegression", "CoTraining"), "co_training"),
    **dict.fromkeys(("AveragingClassifier", "DaggingClassifier", "LogisticOutputs"), "ensembles"),
    **dict.fromkeys(("GPCoTraining", "ManifoldGP", "MultiViewGP", "Precomputed", "ViewGP"), "gaussian_process"),
    "DecidedClassifier": "decided_classifier",
    "KernelSVC": "kernel_svm",
    **dict.fromkeys(("NeighborSpreading", "PoolFeatures", "TaughtView"), "pool_taught"),
    **dict.fromkeys(("L1LogisticRegression", "LinearSVC", "LogisticRegression", "MultinomialNB"), "linear"),
}


def __getattr__(name: str) -> Any:
    if name not in _FAMILIES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_FAMILIES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
