"""The rows of the league: every way of choosing, where it runs, and a digest of what it does.

Records carry the digest. Where a criterion does something else than it did, its records are those of another criterion,
and only its row is run again.
"""

import importlib.util
from dataclasses import dataclass
from functools import cache

from sklearn.model_selection import StratifiedKFold

from benchmarks.league.digests import digest_of
from benchmarks.league.peers import HalvingSearch, OptunaSearch
from benchmarks.league.wrappers import TiesAtRandom, WithoutPool
from foldless.core import Criterion
from foldless.criteria import (
    ADA,
    Auto,
    Bootstrap632,
    CalibratedConfidence,
    ConfidenceDifference,
    ConfidenceThreshold,
    Contingency,
    Dagging,
    HoldOut,
    KFold,
    LeaveOneOut,
    PredictionPowered,
    QuantificationBound,
    RepeatedKFold,
    ReverseValidation,
    SemiSupervisedCV,
    SimilarData,
)

BASE = "5-fold"


@dataclass(frozen=True)
class Row:
    """A way of choosing, and where it runs.

    ``estimates`` says that its score estimates the accuracy of the chosen model; ``full``, that it trains every
    candidate on all labels anyway, so that the final model is no further fit. A ``paper`` has proposed it for labels
    and a pool. What is ``costly`` runs for two seeds.
    """

    criterion: Criterion
    estimates: bool = True
    full: bool = False
    paper: bool = False
    costly: bool = False
    least: int = 0
    most: int = 10_000
    families: tuple[str, ...] = ()

    def runs(self, n: int, seed: int, family: str) -> bool:
        """Whether it takes part, with n labels."""
        here = not self.families or family in self.families
        return here and self.least <= n <= self.most and (seed < COSTLY_SEEDS or not self.costly)

    def is_late(self, family: str) -> bool:
        """Whether it runs after the other rows of all sets."""
        return self.costly or family == "semi"


COSTLY_SEEDS = 2
SUPERVISED = ("svm", "logistic", "rbf", "knn", "nb", "forest", "tree", "boosting", "mixed")
QUICK_TO_TRAIN = ("svm", "logistic", "knn", "nb", "semi")
WIDE = ("rbf", "mixed")  # where a search has something to search
ROWS = {
    BASE: Row(KFold(5)),
    "5-fold, ties at random": Row(TiesAtRandom(KFold(5))),
    "GridSearchCV": Row(KFold(StratifiedKFold(5))),
    "HalvingGridSearchCV": Row(HalvingSearch()),
    "Optuna, fits of 5-fold": Row(OptunaSearch(), families=WIDE),
    "Optuna, 0.65 of them": Row(OptunaSearch(0.65), families=WIDE),
    "hold-out, 20 %": Row(HoldOut(0.2)),
    "5-fold, 3 times": Row(RepeatedKFold(5, 3), costly=True, most=200),
    "leave one out": Row(LeaveOneOut(), costly=True, most=20),
    ".632+, 25 bootstraps": Row(Bootstrap632(25), full=True, costly=True, most=200),
    "auto": Row(Auto(), full=True),
    "auto, effort 1.5": Row(Auto(effort=1.5), full=True),
    "auto, average": Row(Auto(offer="average"), full=True),
    "auto, no pool": Row(WithoutPool(Auto()), full=True, families=SUPERVISED),
    "quantification bound": Row(QuantificationBound(), estimates=False, full=True, paper=True),
    "semi-supervised CV": Row(SemiSupervisedCV(), estimates=False, full=True, paper=True),
    "ada": Row(ADA(), estimates=False, full=True, paper=True),
    "dagging, 10 batches": Row(Dagging(10), full=True, paper=True, costly=True, least=60, most=200),
    "similar data, 20": Row(
        SimilarData(20), estimates=False, full=True, paper=True, costly=True, most=20, families=QUICK_TO_TRAIN
    ),
    "reverse validation": Row(ReverseValidation(), full=True),
    "calibrated confidence": Row(CalibratedConfidence()),
    "confidence difference": Row(ConfidenceDifference()),
    "confidence threshold": Row(ConfidenceThreshold()),
    "contingency": Row(Contingency()),
    "prediction powered": Row(PredictionPowered()),
}
if importlib.util.find_spec("optuna") is None:  # an optional peer
    ROWS = {name: row for name, row in ROWS.items() if not isinstance(row.criterion, OptunaSearch)}


@cache
def digests() -> dict[str, str]:
    """The digest of every row."""
    return {name: digest_of(row.criterion) for name, row in ROWS.items()}
