"""What users receive: selections, comparisons, evaluations, estimates and class shares."""

from foldless.core import FitCounts
from foldless.core.certificate import Certificate, Term
from foldless.results._measure_words import criterion_in_words
from foldless.results.baseline import Baseline
from foldless.results.column_summary import ColumnSummary
from foldless.results.comparison import Comparison
from foldless.results.contribution import AverageOutOfFold, Contribution
from foldless.results.difference import Difference
from foldless.results.estimate import Estimate
from foldless.results.evaluation import Evaluation
from foldless.results.finding import Finding
from foldless.results.findings import CheckedFinding, Findings, Impact
from foldless.results.measured import MeasuredScore
from foldless.results.out_of_fold import OutOfFoldAnswers
from foldless.results.prevalence import Prevalence
from foldless.results.prior_shift import PriorShift
from foldless.results.selection import Selection
from foldless.results.shift import Shift
from foldless.results.stream_shares import PrevalenceWindow, StreamShares
from foldless.results.timing import Timing

__all__ = [
    "AverageOutOfFold",
    "Baseline",
    "Certificate",
    "CheckedFinding",
    "ColumnSummary",
    "Comparison",
    "Contribution",
    "Difference",
    "Estimate",
    "Evaluation",
    "Finding",
    "Findings",
    "FitCounts",
    "Impact",
    "MeasuredScore",
    "OutOfFoldAnswers",
    "Prevalence",
    "PrevalenceWindow",
    "PriorShift",
    "Selection",
    "Shift",
    "StreamShares",
    "Term",
    "Timing",
    "criterion_in_words",
]
