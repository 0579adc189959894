"""What users call to choose, compare and certify, and the results they get."""

from foldless.results import Comparison, Evaluation, Prevalence, Selection
from foldless.selection.certify import certify
from foldless.selection.compare import compare
from foldless.selection.decided import decided
from foldless.selection.evaluate import evaluate
from foldless.selection.measured import measured
from foldless.selection.predict_labels import predict_labels
from foldless.selection.search import FoldlessSearch
from foldless.selection.watching import CandidateSoFar, Standing, watched

__all__ = [
    "CandidateSoFar",
    "Comparison",
    "Evaluation",
    "FoldlessSearch",
    "Prevalence",
    "Selection",
    "Standing",
    "certify",
    "compare",
    "decided",
    "evaluate",
    "measured",
    "predict_labels",
    "watched",
]
