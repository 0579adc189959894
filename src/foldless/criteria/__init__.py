"""Ways of choosing, one file each. A file in this folder or below it is a criterion: nothing else lists it.

``stability.py`` defines the class ``Stability``, which users write as ``"stability"``. A file is imported when its
criterion is first used. Type checkers import the classes named below with their own types, and any other as ``Any``.
"""

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from foldless.errors import BadInput

if TYPE_CHECKING:
    from foldless.core import Criterion

FIRST = (  # the order of help pages and tables; other criteria follow by name
    "auto",
    "quantification_bound",
    "k_fold",
    "leave_one_out",
    "hold_out",
    "bootstrap_632",
    "semi_supervised_cv",
    "progressive",
    "similar_data",
    "ada",
    "tri",
    "adj",
    "evidence",
    "dagging",
)


def _files(folder: str, package: str) -> Iterator[tuple[str, str]]:
    """The name and the import path of each public file below a folder; nothing is imported."""
    for _, name, is_package in iter_modules([folder]):
        if is_package:
            yield from _files(f"{folder}/{name}", f"{package}.{name}")
        elif not name.startswith("_"):
            yield name, f"{package}.{name}"


def _criterion_of(name: str, path: str) -> "type[Criterion]":
    from foldless.core import Criterion  # imports scikit-learn, which the names above do not need

    module = import_module(path)
    for value in vars(module).values():
        named_alike = isinstance(value, type) and value.__name__.lower() == name.replace("_", "")
        if named_alike and issubclass(value, Criterion):
            return value
    raise ImportError(f"{module.__file__} must define a Criterion named like the file, such as KFold in k_fold.py")


_PATHS = dict(_files(__path__[0], __name__))
_JOINING = ("best_of", "rank_sum")


class _ByName(MutableMapping[str, "type[Criterion]"]):
    """Criteria by the names of their files, each imported when it is asked for."""

    def __init__(self) -> None:
        names = sorted(_PATHS, key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name))
        self._kinds: dict[str, type[Criterion] | None] = {name: None for name in names if name not in _JOINING}

    def __getitem__(self, name: str) -> "type[Criterion]":
        kind = self._kinds[name]
        if kind is None:
            kind = self._kinds[name] = _criterion_of(name, _PATHS[name])
        return kind

    def __setitem__(self, name: str, kind: "type[Criterion]") -> None:
        self._kinds[name] = kind

    def __delitem__(self, name: str) -> None:
        del self._kinds[name]

    def __contains__(self, name: object) -> bool:
        return name in self._kinds

    def __iter__(self) -> Iterator[str]:
        return iter(self._kinds)

    def __len__(self) -> int:
        return len(self._kinds)


BY_NAME: MutableMapping[str, "type[Criterion]"] = _ByName()

if TYPE_CHECKING:
    from foldless.criteria.ada import ADA as ADA
    from foldless.criteria.adj import ADJ as ADJ
    from foldless.criteria.best_of import BestOf as BestOf
    from foldless.criteria.bootstrap_632 import Bootstrap632 as Bootstrap632
    from foldless.criteria.dagging import Dagging as Dagging
    from foldless.criteria.estimates.calibrated_confidence import CalibratedConfidence as CalibratedConfidence
    from foldless.criteria.estimates.confidence_difference import ConfidenceDifference as ConfidenceDifference
    from foldless.criteria.estimates.confidence_threshold import ConfidenceThreshold as ConfidenceThreshold
    from foldless.criteria.estimates.contingency import Contingency as Contingency
    from foldless.criteria.estimates.prediction_powered import PredictionPowered as PredictionPowered
    from foldless.criteria.evidence import Evidence as Evidence
    from foldless.criteria.hold_out import HoldOut as HoldOut
    from foldless.criteria.k_fold import KFold as KFold
    from foldless.criteria.leave_one_out import LeaveOneOut as LeaveOneOut
    from foldless.criteria.progressive import Progressive as Progressive
    from foldless.criteria.quantification_bound import QuantificationBound as QuantificationBound
    from foldless.criteria.racing.auto import Auto as Auto
    from foldless.criteria.rank_sum import RankSum as RankSum
    from foldless.criteria.repeated_k_fold import RepeatedKFold as RepeatedKFold
    from foldless.criteria.reverse_validation import ReverseValidation as ReverseValidation
    from foldless.criteria.semi_supervised_cv import SemiSupervisedCV as SemiSupervisedCV
    from foldless.criteria.similar_data import SimilarData as SimilarData
    from foldless.criteria.tri import TRI as TRI


def __getattr__(name: str) -> Any:
    if name == "__all__":  # no list has to be kept
        joining = [_criterion_of(file, _PATHS[file]).__name__ for file in _JOINING]
        return sorted([*(kind.__name__ for kind in BY_NAME.values()), *joining, "BY_NAME", "resolve"])
    for file in _JOINING:
        if file.replace("_", "") == name.lower() and _criterion_of(file, _PATHS[file]).__name__ == name:
            kind = globals()[name] = _criterion_of(file, _PATHS[file])
            return kind
    for file in BY_NAME:
        if file.replace("_", "") == name.lower() and BY_NAME[file].__name__ == name:
            globals()[name] = BY_NAME[file]
            return BY_NAME[file]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})


def resolve(criterion: "str | Criterion") -> "Criterion":
    """Return a criterion object for a name or an object.

    Names may be joined: a plus adds the ranks of the criteria, a bar takes the best of their estimates.

    >>> from foldless.criteria import resolve
    >>> resolve("k_fold")
    KFold(k=5, scoring='accuracy', by=None, train_scores=False)
    >>> resolve("similar_data+ada").name
    'similar_data+ada'
    """
    from foldless.core import Criterion
    from foldless.criteria.best_of import BestOf
    from foldless.criteria.rank_sum import RankSum

    if isinstance(criterion, Criterion):
        return criterion
    name = str(criterion).replace("-", "_")
    if isinstance(criterion, str) and name in BY_NAME:
        return BY_NAME[name]()
    for combination in (BestOf, RankSum):  # a plus binds more tightly than a bar
        if isinstance(criterion, str) and combination.joined_by in name:
            return combination(*(resolve(part.strip()) for part in name.split(combination.joined_by)))
    raise BadInput(
        f"criterion must be one of {', '.join(BY_NAME)}, several with a plus or a bar between them such as "
        f"'similar_data+ada' or 'k_fold|dagging', or a Criterion object, got {criterion!r}"
    )
