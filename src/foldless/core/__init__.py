"""The nouns of the seam: a criterion *asks* questions of fits and is *answered* with arrays.

A criterion is a generator over `Ask`; it never sees an estimator, a matrix or a process pool. Everything slow,
parallel, cached or journaled is on the other side, in ``foldless.engine``.

Rows have one numbering: the labeled rows first, then the pool, then a test set if there is one.
"""

from foldless.core._plain import plain_value
from foldless.core._ranking import ranked, ranks_of
from foldless.core.ask import Ask, Candidate, Fit, Reduce, Response
from foldless.core.certificate import Certificate, Term
from foldless.core.choice import Choice, Rank, ScoreDetails
from foldless.core.criterion import Criterion, Evaluation, OutOfTime, Traits, together
from foldless.core.fit_counts import FitCounts
from foldless.core.rows import Array, Rows, digest, short
from foldless.core.target import Classes, Opaque, Target, Values
from foldless.core.task import Contents, Fold, KeptCopies, LabelWeights, Overlap, PoolRows, ScorerInputs, Task, without
from foldless.core.time_budget import TimeBudget

__all__ = [
    "Array",
    "Ask",
    "Candidate",
    "Certificate",
    "Choice",
    "Classes",
    "Contents",
    "Criterion",
    "Evaluation",
    "Fit",
    "FitCounts",
    "Fold",
    "KeptCopies",
    "LabelWeights",
    "Opaque",
    "OutOfTime",
    "Overlap",
    "PoolRows",
    "Rank",
    "Reduce",
    "Response",
    "Rows",
    "ScoreDetails",
    "ScorerInputs",
    "Target",
    "Task",
    "Term",
    "TimeBudget",
    "Traits",
    "Values",
    "digest",
    "plain_value",
    "ranked",
    "ranks_of",
    "short",
    "together",
    "without",
]
