"""The rows of the league: every way of choosing, where it runs, and a digest of the code behind it.

Records carry the digest. Where a criterion is edited, its records are those of another criterion, and only its row is
run again.
"""

import ast
import importlib.util
import inspect
import sys
from dataclasses import dataclass, fields
from functools import lru_cache
from hashlib import sha256
from typing import Any

from league_peers import HalvingSearch, OptunaSearch
from league_wrappers import TiesAtRandom, WithoutPool
from sklearn.model_selection import StratifiedKFold

from foldless._version import ANSWERS_SINCE
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
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)
NOUNS = ("foldless.core", "foldless.errors", "foldless.criteria")  # not part of a digest by themselves


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


def digests() -> dict[str, str]:
    """The digest of every row."""
    return {name: digest_of(row.criterion) for name, row in ROWS.items()}


def digest_of(criterion: Criterion) -> str:
    """The parameters of a criterion and the code of the modules behind it, without comments and docstrings."""
    modules: set[str] = set()
    for part in _parts(criterion):
        _collect(type(part).__module__, modules)
    code = [f"{name} {_code(name)}" for name in sorted(modules)]
    return sha256("\n".join([ANSWERS_SINCE, repr(criterion), *code]).encode()).hexdigest()[:10]


def _parts(criterion: Criterion) -> list[Criterion]:
    inner = [getattr(criterion, f.name) for f in fields(criterion)]  # type: ignore[arg-type]  # all are dataclasses
    return [criterion, *(part for value in inner if isinstance(value, Criterion) for part in _parts(value))]


def _collect(name: str, found: set[str]) -> None:
    """A module and those of foldless that it imports by name, which are not the nouns that all criteria share."""
    if name in found or name in NOUNS:
        return
    found.add(name)
    for node in ast.walk(_tree(name)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("foldless."):
            for each in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names)):
                if inspect.ismodule(sys.modules.get(str(each))):
                    _collect(str(each), found)


@lru_cache
def _tree(name: str) -> ast.Module:
    return ast.parse(inspect.getsource(sys.modules[name]))


@lru_cache
def _code(name: str) -> str:
    tree: Any = ast.parse(inspect.getsource(sys.modules[name]))
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return sha256(ast.dump(tree).encode()).hexdigest()
