"""Ways of choosing, one file each, named as users write them."""

from foldless.core import Criterion
from foldless.criteria.best_of import BestOf
from foldless.criteria.bootstrap_632 import Bootstrap632
from foldless.criteria.dagging import Dagging
from foldless.criteria.hold_out import HoldOut
from foldless.criteria.k_fold import KFold
from foldless.criteria.leave_one_out import LeaveOneOut
from foldless.criteria.quantification_bound import QuantificationBound
from foldless.criteria.semi_supervised_cv import SemiSupervisedCV
from foldless.errors import BadInput

BY_NAME: dict[str, type[Criterion]] = {
    "quantification_bound": QuantificationBound,
    "k_fold": KFold,
    "leave_one_out": LeaveOneOut,
    "hold_out": HoldOut,
    "bootstrap_632": Bootstrap632,
    "semi_supervised_cv": SemiSupervisedCV,
    "dagging": Dagging,
    "best_of": BestOf,
}


def resolve(criterion: str | Criterion) -> Criterion:
    """A criterion object from its name or from itself; names with a bar between them are the best of all."""
    if isinstance(criterion, Criterion):
        return criterion
    name = str(criterion).replace("-", "_")
    if isinstance(criterion, str) and name in BY_NAME:
        return BY_NAME[name]()
    if isinstance(criterion, str) and "|" in name:
        return BestOf(*(resolve(one.strip()) for one in name.split("|")))
    raise BadInput(f"criterion must be one of {', '.join(BY_NAME)}, or a Criterion object, got {criterion!r}")


__all__ = [
    "BY_NAME",
    "BestOf",
    "Bootstrap632",
    "Dagging",
    "HoldOut",
    "KFold",
    "LeaveOneOut",
    "QuantificationBound",
    "SemiSupervisedCV",
    "resolve",
]
