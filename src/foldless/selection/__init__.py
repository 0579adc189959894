"""What users call to choose, compare and certify, and the results they get."""

from foldless.selection.certify import certify
from foldless.selection.compare import compare
from foldless.selection.comparison import Comparison
from foldless.selection.counting.prevalence import Prevalence
from foldless.selection.evaluate import Evaluation, evaluate
from foldless.selection.live.watching import CandidateSoFar, Standing, watched
from foldless.selection.predict_labels import predict_labels
from foldless.selection.search import FoldlessSearch
from foldless.selection.selection import Selection

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
    "evaluate",
    "predict_labels",
    "watched",
]
